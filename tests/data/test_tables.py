from pathlib import Path

import pytest

from wdrop.data.tables import check_table, load_table


def written(folder: Path, text: str) -> Path:
    (folder / "homes.csv").write_text(text)
    return folder / "homes.csv"


def test_the_target_is_y_and_all_others_are_x(tmp_path: Path) -> None:
    path = written(tmp_path, "rooms,price,area\n2,10.5,40\n3,20,55\n")
    points = load_table(path, target="price")
    assert points.x.tolist() == [[2, 40], [3, 55]]
    assert points.y.tolist() == [[10.5], [20]]
    both = load_table(path, target=["area", "price"])
    assert both.x.tolist() == [[2], [3]]
    assert both.y.tolist() == [[40, 10.5], [55, 20]]
    check_table(path, target="price", ignore=["area"])


def test_columns_may_be_ignored(tmp_path: Path) -> None:
    path = written(tmp_path, "street,rooms,price\n3,2,10\nElm,3,20\n")
    assert load_table(path, target="price", ignore=["street"]).x.tolist() == [[2], [3]]
    with pytest.raises(ValueError, match=r"numbers in column 'street', got 'Elm'; encode it or name it in `ignore`"):
        load_table(path, target="price")


@pytest.mark.parametrize(
    ("text", "target", "message"),
    [
        ("rooms,price\n1,2\n", "prize", r"column of .*homes\.csv: 'prize', did you mean 'price'\?"),
        ("rooms,price\n1,2\n,3\n", "price", r"finite numbers in column 'rooms', got 1 missing or infinite of 2; fill"),
        ("price\n1\n", "price", "at least one feature beside the target, got none"),
        ("rooms,price\n1,2\n", [], "expected a target, got none"),
    ],
)
def test_wrong_tables_are_refused(tmp_path: Path, text: str, target: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        load_table(written(tmp_path, text), target=target)
