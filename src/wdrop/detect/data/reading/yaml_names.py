"""The classes in a YOLO `data.yaml`, as a list or a mapping from numbers."""

from pathlib import Path

import yaml


def names_in_yaml(path: Path) -> dict[int, str]:
    """The classes by the numbers that label files give them: the keys of a mapping, or the places in a list."""
    entries = _entries(path)
    if not entries or not all(number.isdecimal() and isinstance(name, yaml.ScalarNode) for number, name in entries):
        raise ValueError(
            f"{path}: expected a list, or a mapping from numbers, under `names:`; or write one class a line into "
            "classes.txt"
        )
    found: dict[int, str] = {}
    for number, name in entries:
        if int(number) in found or not name.value:
            raise ValueError(
                f"{path}: expected one name for class {number} under `names:`, got {name.value or 'none'!r}"
            )
        found[int(number)] = name.value
    return dict(sorted(found.items()))


def _entries(path: Path) -> list[tuple[str, yaml.Node]]:
    """Numbers and names as they are written: YAML itself would make false of a class called `no`."""
    try:
        top = yaml.compose(path.read_text("utf-8-sig", errors="replace"), Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise ValueError(f"{path}:{line}: expected YAML, got what is none ({error.problem})") from None
    except yaml.YAMLError as error:
        raise ValueError(f"{path}: expected YAML, got what is none ({error})") from None
    fields = {key.value: value for key, value in top.value} if isinstance(top, yaml.MappingNode) else {}
    names = fields.get("names")
    if isinstance(names, yaml.SequenceNode):
        return [(str(number), name) for number, name in enumerate(names.value)]
    return [(str(number.value), name) for number, name in names.value] if isinstance(names, yaml.MappingNode) else []
