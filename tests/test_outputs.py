import os
from pathlib import Path

import pytest

from wdrop._outputs import check_file, check_folder, check_results


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


def test_an_input_is_not_written_over_even_by_force(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("")
    (tmp_path / "link").symlink_to(tmp_path)
    for folder in (tmp_path, tmp_path / "link", tmp_path / "link" / ".." / tmp_path.name):
        with pytest.raises(FileExistsError, match=r"a\.png is an input and would be written over"):
            check_results([folder / "a.png"], [tmp_path / "a.png"], force=True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are a thing of unix")
def test_links_and_pipes_stay_what_they_are(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "nowhere").symlink_to("none")
    for name in ("pipe", "link", "nowhere"):
        with pytest.raises(FileExistsError, match=rf"{name} is a .* and stays what it is; expected the name of a file"):
            check_file(tmp_path / name, force=True)


def test_two_results_at_one_place_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileExistsError, match=r"two results would be written to .*model; give each a place of its own"):
        check_results([tmp_path / "model", tmp_path / "." / "model"], [], force=True)
