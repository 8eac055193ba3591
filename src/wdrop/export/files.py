"""Graph and card on disk, each whole or not at all."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wdrop._files import write_whole
from wdrop._json import json_text


def write_with_card(path: Path, model: bytes, card: Mapping[str, Any]) -> dict[str, Any]:
    """Write graph and card, each whole or not at all; the card that was written comes back, with the graph's hash."""
    full = {**card, "model": path.name, "sha256": hashlib.sha256(model).hexdigest()}
    text = json_text(full, ascii_only=False) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, model)
    write_whole(card_path(path), text.encode())
    return json.loads(text)


def card_path(path: Path) -> Path:
    """Where the card of a graph lies."""
    return path.with_name(f"{path.stem}.card.json")
