"""Graph and card on disk, each whole or not at all."""

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wdrop._files import write_whole


def write_with_card(path: Path, model: bytes, card: Mapping[str, Any]) -> dict[str, Any]:
    """Write graph and card, each whole or not at all; the card that was written comes back, with the graph's hash."""
    full = {**card, "model": path.name, "sha256": hashlib.sha256(model).hexdigest()}
    text = json.dumps(_plain(full), indent=2, allow_nan=False, ensure_ascii=False) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, model)
    write_whole(card_path(path), text.encode())
    return json.loads(text)


def card_path(path: Path) -> Path:
    """Where the card of a graph lies."""
    return path.with_name(f"{path.stem}.card.json")


def _plain(value: Any) -> Any:
    """With None for what JSON cannot say: infinity and NaN."""
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
