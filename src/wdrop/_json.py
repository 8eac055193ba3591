"""JSON that every program reads: null stands for NaN and infinity, which JSON does not know."""

import json
import math
from collections.abc import Mapping
from typing import Any


def json_text(value: Any, *, ascii_only: bool = True) -> str:
    """The value as JSON, indented; in ASCII for pipes of any encoding, or with letters as people read them."""
    return json.dumps(_plain(value), indent=2, allow_nan=False, ensure_ascii=ascii_only)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
