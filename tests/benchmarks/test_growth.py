from pathlib import Path

import pytest
from benchmarks import growth
from benchmarks._growth_report import Curve, curves, table
from benchmarks._memory import with_peak


def rows(exponent: float, memory: float = 100.0) -> list[dict[str, str | float]]:
    costs = {"axis": "networks", "method": "w_dropout"}
    return [{**costs, "networks": k, "step": 2e-3 * k**exponent, "fit_mib": memory * k} for k in (1, 3, 10)]


def found(exponent: float) -> Curve:
    return curves(rows(exponent), {"networks": {"step": 1}})[0]


@pytest.mark.parametrize("exponent", [0, 0.7, 1.3])
def test_exponents_are_those_of_the_power_law(exponent: float) -> None:
    curve = found(exponent)
    assert curve.exponent == pytest.approx(exponent)
    assert curve.last_exponent == pytest.approx(exponent)


def test_what_grows_worse_than_it_must_is_called_so() -> None:
    assert not found(1.0).worse_than_it_must
    assert found(1.3).worse_than_it_must
    assert [row[-1] for row in table([found(1.0), found(1.3)]).rows] == ["as it must", "worse"]


def test_an_offset_hides_growth_from_the_line_and_not_from_the_upper_end() -> None:
    values = [1 + 1e-2 * n**1.5 for n in (1, 10, 100, 1000)]
    curve = Curve("points", "w_dropout", "epoch", 1, (1, 10, 100, 1000), values)
    assert curve.exponent < 1
    assert curve.worse_than_it_must


def test_memory_too_small_to_tell_has_no_exponent() -> None:
    curve = curves(rows(1, memory=0.1), {"networks": {"fit_mib": 1}})[0]
    assert not curve.worse_than_it_must
    assert table([curve]).rows[0][-1] == "–"


def test_every_axis_has_its_bounds() -> None:
    assert set(growth.AXES) == set(growth.BOUNDS)


def test_a_point_is_measured_in_a_process_of_its_own() -> None:
    row = growth.measured({"axis": "width", "method": "w_dropout_closed", "width": 10, "rows": 50})
    assert row["width"] == 10
    assert 0 < float(row["step"]) < float(row["epoch"])


def test_a_point_that_fails_says_why() -> None:
    with pytest.raises(RuntimeError, match="unexpected keyword argument 'widht'"):
        growth.measured({"axis": "width", "method": "w_dropout", "widht": 10})


def test_the_report_is_drawn_anew_out_of_what_was_measured(tmp_path: Path) -> None:
    growth.write_rows(rows(1.3), tmp_path / "growth.csv")
    growth.main(["--again", "--out", str(tmp_path)])
    assert "| networks | w_dropout | a training step | 2 ms at 1 | 39.9 ms at 10 | 1.30 | 1.30 | 1 | worse |" in (
        tmp_path / "growth.md"
    ).read_text(encoding="utf-8")
    assert {path.name for path in tmp_path.iterdir()} == {"growth.csv", "growth.md", "growth.png", "growth.svg"}


def test_the_peak_is_that_of_the_call() -> None:
    bytearray(64 * 2**20)[::4096] = bytes(64 * 2**8)  # an earlier peak
    size, peak = with_peak(lambda: len(bytearray(b"x" * 32 * 2**20)))
    assert size == 32 * 2**20
    assert 30 < peak < 100
