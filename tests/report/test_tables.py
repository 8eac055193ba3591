from wdrop.report.tables import Cell, Table, number


def test_numbers_are_short_and_an_absent_one_is_a_dash() -> None:
    shown = [number(v) for v in (0.1234, -0.33, 123.456, 65700.0, float("nan"))]
    assert shown == ["0.123", "-0.330", "123.5", "6.57e+04", "–"]


def test_the_published_value_stands_in_brackets() -> None:
    table = Table("title", ["method", "NLL"], [["w_dropout", Cell(-0.3, -0.33)], ["mine", Cell(1.0)]])
    assert list(table.cells()) == [["w_dropout", "-0.300 (-0.330)"], ["mine", "1.000"]]


def test_references_come_last_and_the_lowest_of_a_column_is_bold() -> None:
    rows: list[list[str | Cell]] = [
        ["PU", Cell(0.5)],
        ["W", Cell(-0.3001, -0.33)],
        ["MC", Cell(-0.3)],
        ["DE", Cell(float("nan"))],
    ]
    table = Table("title", ["method", "NLL"], rows, "", [["perfect", Cell(-9.0)]], ["NLL"])
    assert table.bold() == {(1, 1), (2, 1)}  # they are printed alike
    assert "| W | **-0.300** (-0.330) |\n| MC | **-0.300** |\n| DE | – |\n| perfect | -9.000 |" in table.markdown()
    assert r"W & $\mathbf{-0.300}$ ($-0.330$)" in table.latex()
    assert table.csv().splitlines()[-1] == "perfect,-9,"
    assert Table("", ["NLL"], [["–"]], lowest=["NLL"]).bold() == set()
