from pathlib import Path

import pytest

from wdrop.detect.data.reading.remembered import Remembered


def test_a_file_is_looked_at_once_until_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "label.png"
    path.write_text("one")
    asked = []

    def look() -> list[str]:
        asked.append(path.read_text())
        return [path.read_text()]

    for _ in range(2):
        with Remembered(tmp_path, "by looking") as remembered:
            assert remembered.get(path, look) == ["one"]
    path.write_text("another")
    with Remembered(tmp_path, "by looking") as remembered:
        assert remembered.get(path, look) == ["another"]
    assert asked == ["one", "another"]
    with Remembered(tmp_path, "in another way") as remembered:
        remembered.get(path, look)
    assert len(asked) == 3


def test_a_damaged_or_forbidden_cache_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "label.png"
    path.write_text("one")
    with Remembered(tmp_path, "way") as remembered:
        remembered.get(path, lambda: 1)
    remembered._file.write_text("{ half a")
    with Remembered(tmp_path, "way") as remembered:
        assert remembered.get(path, lambda: 2) == 2
    blocked = tmp_path / "a file, not a folder"
    blocked.write_text("")
    monkeypatch.setattr("wdrop.detect.data.reading.remembered.cache_folder", lambda: blocked)
    with Remembered(tmp_path, "way") as remembered:
        assert remembered.get(path, lambda: 3) == 3
