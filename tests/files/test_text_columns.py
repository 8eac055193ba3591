import numpy as np
import pyarrow as pa
import pytest

from wdrop.files.text_columns import column_of, numbers

NUMBERS = [f"{i}.5" for i in range(30)]


def test_one_word_among_numbers_is_refused_by_its_row() -> None:
    said = (
        "column 'size' holds numbers, but 'oops' in row 31; mend the cell, empty it for a gap, or leave the column "
        "out: --ignore 'size'; codes that are no amounts need a letter in each"
    )
    with pytest.raises(ValueError, match=said):
        column_of("size", pa.array([*NUMBERS, "oops", None]))
    with pytest.raises(ValueError, match="'oops' in row 3;"):
        column_of("size", pa.chunked_array([pa.array([None, " 1e5 "]), pa.array(["oops", *NUMBERS])]))


def test_words_of_which_some_are_numbers_stay_words() -> None:
    assert not column_of("house", pa.array([*NUMBERS, *(f"{i}a" for i in range(5))])).is_numeric
    assert not column_of("word", pa.array(["a", "b", None])).is_numeric


@pytest.mark.parametrize("marker", ["?", "-", "NA", "n/a", "null", "None", ".", ""])
def test_gap_markers_are_gaps_among_numbers(marker: str) -> None:
    cells = pa.array([*NUMBERS, marker, f" {marker}"])
    column = column_of("size", cells)
    assert column.is_numeric
    assert np.isnan(column.values).sum() == 2
    np.testing.assert_array_equal(numbers("size", cells), column.values)
    assert np.isnan(numbers("size", pa.array([marker, marker]))).all()  # a piece of a table may have gaps only


def test_gap_markers_among_words_are_words() -> None:
    assert column_of("sign", pa.array(["+", "-", "?"])).values.tolist() == ["+", "-", "?"]
    assert column_of("sign", pa.array(["-", "-", None])).values.tolist() == ["-", "-", None]


def test_decimal_commas_are_told() -> None:
    with pytest.raises(ValueError, match="but '0,5' in row 1, whose commas need to go: decimals follow a point; mend"):
        column_of("size", pa.array([cell.replace(".", ",") for cell in NUMBERS]))
    with pytest.raises(ValueError, match="got '1,5' in row 8, whose commas need to go"):
        numbers("size", pa.array(["1,5"]), 7)
