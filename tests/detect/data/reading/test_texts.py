from pathlib import Path

import pytest

from wdrop.detect.data.reading.texts import MissingPartError, part, read_json, shown


def test_a_missing_part_is_named_once(tmp_path: Path) -> None:
    with pytest.raises(MissingPartError, match=r"^a or b$"):
        part(tmp_path, "a", "b", "a")


def test_json_that_nests_too_deeply_is_told_by_its_file(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000 + "]" * 100_000)
    with pytest.raises(ValueError, match=r"deep\.json: expected JSON, got thousands of lists in one another"):
        read_json(tmp_path / "deep.json", list)


def test_long_values_are_shown_by_their_beginning() -> None:
    assert shown([1, "a"]) == "[1, 'a']"
    assert len(shown(10**400)) == 103
