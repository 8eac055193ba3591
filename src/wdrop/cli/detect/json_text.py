import json
import math
from collections.abc import Mapping
from typing import Any


def json_text(value: Any) -> str:
    """The value as JSON that every program reads: null stands for NaN, which JSON does not know."""
    return json.dumps(_plain(value), indent=2, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
