from pathlib import Path

import pytest

from wdrop.detect.data.reading.yaml_names import names_in_yaml


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data.yaml"


@pytest.mark.parametrize(
    "content",
    [
        "path: x\nnames: ['red car', \"bus\"]\nnc: 2\n",
        "names: [red car,  # the first\n  bus,\n]\nnc: 2\n",
        "names: {0: red car, 1: 'bus'}\n",
        "names: {1: bus, 0: red car}\n",
        "names:\n  - red car\n  - bus\nnc: 2\n",
        "names:\n- red car\n- bus\nnc: 2\n",
        "nc: 2\nnames:  # both\n  0: red car # the first\n\n  # the second\n  1: bus",
        "names:\n  1: bus\n  0: red car\ntrain: images/train\n",
        "names:\r\n  '0': red car\r\n  '1': bus\r\n",
    ],
)
def test_names_are_read_from_the_usual_spellings(content: str, path: Path) -> None:
    path.write_text(content)
    assert names_in_yaml(path) == {0: "red car", 1: "bus"}


def test_the_keys_of_a_mapping_are_the_numbers_in_label_files(path: Path) -> None:
    path.write_text("names:\n  7: bus\n  2: car\n")
    assert list(names_in_yaml(path).items()) == [(2, "car"), (7, "bus")]


@pytest.mark.parametrize("spelling", ["[{0}, {1}, {2}]", "\n  - {0}\n  - {1}\n  - {2}\n", "{{0: {0}, 1: {1}, 2: {2}}}"])
def test_quotes_keep_commas_brackets_and_number_signs(spelling: str, path: Path) -> None:
    path.write_text("names: " + spelling.format("'car, red'", '"bus #3 [\\"late\\"]"', "driver's seat"))
    assert names_in_yaml(path) == {0: "car, red", 1: 'bus #3 ["late"]', 2: "driver's seat"}


def test_names_stay_as_they_are_written(path: Path) -> None:
    path.write_text("names: [no, 12, null]\n")
    assert names_in_yaml(path) == {0: "no", 1: "12", 2: "null"}


def test_what_is_no_yaml_is_told_by_its_line(path: Path) -> None:
    path.write_text("nc: 2\nnames: [car, bus\ntrain: images\n")
    with pytest.raises(ValueError, match=r"data\.yaml:\d: expected YAML, got what is none \("):
        names_in_yaml(path)


@pytest.mark.parametrize("content", ["nc: 2\n", "names: car\n", "names: []\n", "names: [car, 1: bus]\n"])
def test_a_file_without_names_says_what_to_do(content: str, path: Path) -> None:
    path.write_text(content)
    with pytest.raises(ValueError, match=r"data\.yaml: expected a list, or a mapping .* one class a line into classes"):
        names_in_yaml(path)


@pytest.mark.parametrize("content", ["names: {0: car, 0: bus}\n", "names: ['', bus]\n"])
def test_a_number_without_a_name_of_its_own_is_refused(content: str, path: Path) -> None:
    path.write_text(content)
    with pytest.raises(ValueError, match=r"data\.yaml: expected one name for class 0 under `names:`, got '(bus|none)'"):
        names_in_yaml(path)
