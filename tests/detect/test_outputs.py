from pathlib import Path

import pytest

from wdrop.detect.outputs import check_file, check_folder, check_results, drawing_places


def test_a_folder_is_made_and_left_empty(tmp_path: Path) -> None:
    check_folder(tmp_path / "a" / "b")
    assert list((tmp_path / "a" / "b").iterdir()) == []


def test_a_place_where_nothing_can_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError, match=r"file is a file; expected a folder to write to"):
        check_folder(tmp_path / "file")
    with pytest.raises(OSError, match=r"nothing can be written to .*file.a: Not a directory; name another place"):
        check_folder(tmp_path / "file" / "a")


def test_a_file_is_written_over_by_force_alone_and_a_folder_never(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    check_file(tmp_path / "new", force=False)
    check_file(tmp_path / "file", force=True)
    with pytest.raises(FileExistsError, match=r"file is already there; use --force"):
        check_file(tmp_path / "file", force=False)
    with pytest.raises(IsADirectoryError, match=r"is a folder; expected the name of a file"):
        check_file(tmp_path, force=True)


def test_two_pictures_are_never_drawn_in_one_place() -> None:
    out = Path("out")
    assert drawing_places([Path("a/x.jpg"), Path("y.png")], out) == [out / "x.png", out / "y.png"]
    for other in ("b/x.png", "a/x.png", "x.jpg"):
        with pytest.raises(ValueError, match=r"a.x\.png and .* would both be drawn in out.x\.png; ask for them one by"):
            drawing_places([Path("a/x.png"), Path(other)], out)


def test_an_input_is_not_written_over_even_by_force(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("")
    (tmp_path / "link").symlink_to(tmp_path)
    for folder in (tmp_path, tmp_path / "link", tmp_path / "link" / ".." / tmp_path.name):
        with pytest.raises(FileExistsError, match=r"a\.png is an input and would be written over"):
            check_results([folder / "a.png"], [tmp_path / "a.png"], force=True)
