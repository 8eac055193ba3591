from collections.abc import Callable

import pytest
from benchmarks.detector import after_the_backbone, passes, training_steps

from wdrop.report.tables import Table


@pytest.mark.parametrize(
    ("measure", "n_rows", "base"), [(training_steps, 3, "1.00"), (passes, 2, "1.0"), (after_the_backbone, 3, "1.0")]
)
def test_ratios_are_to_the_first_row(measure: Callable[[float, int], Table], n_rows: int, base: str) -> None:
    table = measure(1 / 6, 1)
    assert len(table.rows) == n_rows
    assert table.rows[0][-1] == base
    assert table.note.startswith("112 x 64, ")
