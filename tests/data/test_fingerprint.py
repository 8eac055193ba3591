import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from wdrop.data.fingerprint import fingerprint

numbers = arrays(np.float64, (7, 3), elements=st.floats(-1e6, 1e6, width=32))


@given(table=numbers, seed=st.integers(0, 1000))
def test_neither_the_order_of_rows_nor_the_last_digits_count(table: np.ndarray, seed: int) -> None:
    other = np.random.default_rng(seed).permutation(table) * (1 + 1e-15)
    assert fingerprint(table[:, :2], table[:, 2]) == fingerprint(other[:, :2], other[:, 2:])


@given(table=numbers, row=st.integers(0, 6), column=st.integers(0, 2))
def test_one_other_number_is_another_table(table: np.ndarray, row: int, column: int) -> None:
    other = table.copy()
    other[row, column] += 1 + abs(other[row, column]) / 1000
    assert fingerprint(table[:, :2], table[:, 2:]) != fingerprint(other[:, :2], other[:, 2:])


def test_the_order_of_columns_and_the_shape_count() -> None:
    x, y = np.arange(6.0).reshape(3, 2), np.zeros((3, 1))
    assert fingerprint(x, y) != fingerprint(x[:, ::-1], y)
    assert fingerprint(np.zeros((2, 3)), np.zeros(2)) != fingerprint(np.zeros((4, 1)), np.zeros(4))


def test_minus_zero_is_zero() -> None:
    assert fingerprint([[0.0]], [0.0]) == fingerprint([[-0.0]], [0.0])
