"""The classes in a YOLO `data.yaml`, however `names:` is written there; a YAML library would serve for this alone."""

import re
from itertools import takewhile
from pathlib import Path

_QUOTED = r"""(?<!\w)(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*')"""
_NOTE = re.compile(rf"({_QUOTED})|(?:^|[ \t])#.*", re.MULTILINE)
_IN_BRACKETS = re.compile(rf"^names:\s*[\[{{]((?:{_QUOTED}|[^\]}}])*)[\]}}]", re.MULTILINE)
_BETWEEN_COMMAS = re.compile(rf"(?:{_QUOTED}|[^,])+")
_ABOVE_LINES = re.compile(r"^names:[ \t]*$", re.MULTILINE)
_ON_A_LINE = re.compile(r"\s*(?:-\s+|(?=['\"]?\d+['\"]?\s*:\s))(.*)")
_ENTRY = re.compile(r"""(?:['"]?(?P<number>\d+)['"]?\s*:\s)?(?P<name>.*)""", re.DOTALL)


def names_in_yaml(path: Path) -> dict[int, str]:
    """The classes by the numbers that label files give them: the keys of a mapping, or the places in a list."""
    entries = [_ENTRY.fullmatch(entry.strip()) for entry in _entries(path.read_text("utf-8-sig", errors="replace"))]
    pairs = [(entry["number"], _unquoted(entry["name"].strip())) for entry in entries if entry is not None]
    numbers = [place if number is None else int(number) for place, (number, _) in enumerate(pairs)]
    if not pairs or len({number is None for number, _ in pairs}) > 1:
        raise ValueError(
            f"{path}: expected a list, or a mapping from numbers, under `names:`; or write one class a line into "
            "classes.txt"
        )
    for number, (_, name) in zip(numbers, pairs, strict=True):
        if numbers.count(number) > 1 or not name:
            raise ValueError(f"{path}: expected one name for class {number} under `names:`, got {name or 'none'!r}")
    return {number: name for number, (_, name) in sorted(zip(numbers, pairs, strict=True))}


def _entries(text: str) -> list[str]:
    """What stands between the commas, or on the lines, under `names:`."""
    text = _NOTE.sub(lambda found: found[1] or "", text)
    inline = _IN_BRACKETS.search(text)
    if inline is not None:
        return [entry for entry in _BETWEEN_COMMAS.findall(inline[1]) if entry.strip()]
    _, *below = _ABOVE_LINES.split(text, maxsplit=1)
    lines = (line for part in below for line in part.splitlines() if line.strip())
    return [found[1] for found in takewhile(bool, map(_ON_A_LINE.fullmatch, lines)) if found is not None]


def _unquoted(name: str) -> str:
    if re.fullmatch(_QUOTED, name):
        return name[1:-1].replace("''", "'") if name[0] == "'" else re.sub(r"\\(.)", r"\1", name[1:-1])
    return name
