from wdrop.report.tables import Cell, Table, number


def test_numbers_are_short_and_an_absent_one_is_a_dash() -> None:
    shown = [number(v) for v in (0.1234, -0.33, 123.456, 65700.0, float("nan"))]
    assert shown == ["0.123", "-0.330", "123.5", "6.57e+04", "–"]


def test_the_published_value_stands_in_brackets() -> None:
    table = Table("title", ["method", "NLL"], [["w_dropout", Cell(-0.3, -0.33)], ["mine", Cell(1.0)]])
    assert list(table.cells()) == [["w_dropout", "-0.300 (-0.330)"], ["mine", "1.000"]]
