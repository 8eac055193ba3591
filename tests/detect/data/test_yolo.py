from pathlib import Path

import pytest

from wdrop.detect.data.yolo import class_names


@pytest.mark.parametrize(
    "content",
    [
        "path: x\nnames: ['red car', \"bus\"]\nnc: 2\n",
        "names:\n  - red car\n  - bus\nnc: 2\n",
        "nc: 2\nnames:  # both\n  0: red car # the first\n  1: bus",
    ],
)
def test_names_are_read_from_the_usual_spellings(content: str, tmp_path: Path) -> None:
    (tmp_path / "data.yaml").write_text(content)
    assert class_names(tmp_path) == ["red car", "bus"]


def test_a_file_without_names_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "data.yaml").write_text("nc: 2\n")
    with pytest.raises(
        ValueError, match=r"expected a list under `names:`; or write one class a line into classes\.txt"
    ):
        class_names(tmp_path)
