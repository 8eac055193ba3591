"""A file imports from its own folder and from rooms of smaller number only."""

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "wdrop"

ROOMS = {
    "_version": 0, "_checks": 0, "_random": 0, "_processes": 0, "_worker": 0,
    "_config": 0, "_files": 0, "_json": 0, "_outputs": 0, "_memory": 0,
    "prediction": 1, "losses": 1,
    "nets": 2,
    "moments": 3, "measures": 3, "calibration": 3, "data": 3,
    "methods": 4, "detect": 4,
    "report": 5, "export": 5,
    "estimators": 6, "study": 6,
    "files": 7,
    "cli": 8,
    "__main__": 9,
}  # fmt: skip
SHARED_WITHIN_ITS_NUMBER = {
    "prediction",
    "_version",
    "_checks",
    "_random",
    "_processes",
    "_worker",
    "_config",
    "_files",
    "_json",
    "_outputs",
    "_memory",
}


def offences(path: Path, text: str) -> list[str]:
    room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            if node.level:
                found.append(f"{path.relative_to(SOURCE)}:{node.lineno} imports by relative name")
                continue
            modules = [node.module or ""]
        elif isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        else:
            continue
        for module in modules:
            parts = module.split(".")
            if parts[0] != "wdrop" or len(parts) < 2 or parts[1] == room:
                continue
            other = parts[1]
            below = ROOMS[other] < ROOMS[room]
            if not below and not (ROOMS[other] == ROOMS[room] and other in SHARED_WITHIN_ITS_NUMBER):
                found.append(f"{path.relative_to(SOURCE)}:{node.lineno} reaches up to {other}")
    return found


def test_no_file_reaches_up() -> None:
    files = [path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py"]
    assert len(files) > 20
    assert [offence for path in files for offence in offences(path, path.read_text())] == []


def test_a_file_that_reaches_up_is_named() -> None:
    text = "import torch\nfrom wdrop.methods import METHODS\n"
    assert offences(SOURCE / "data" / "splits.py", text) == ["data/splits.py:2 reaches up to methods"]
    assert offences(SOURCE / "data" / "splits.py", "from wdrop.measures import ece")  # same number, not shared
    assert offences(SOURCE / "data" / "splits.py", "from .toy import toy_hf")
    assert not offences(SOURCE / "methods" / "swag.py", text)


def test_every_room_is_on_the_plan() -> None:
    names = {path.name.removesuffix(".py") for path in SOURCE.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert names - {"__init__", "__pycache__"} <= set(ROOMS)
