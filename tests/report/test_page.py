import math
import re
from pathlib import Path

import numpy as np
import pytest

from wdrop.report.figures import png
from wdrop.report.page import Picture, Section, leading_number, numeric_columns, page, write_whole
from wdrop.report.tables import Cell, Table
from wdrop.report.toy import ToyCurves, ToyData, mean_and_std_figure, subnetworks_figure

X = np.linspace(-1, 1, 20)
DATA = {"toy-noise": ToyData(X, X, np.stack([X, X**2])), "toy-hf": ToyData(X, X)}
CURVES = {
    (dataset, method): ToyCurves(X, X, np.abs(X), np.stack([X, X + 1, X + 2]))
    for dataset in DATA
    for method in ("w_dropout", "mc_dropout")
}


def test_figures_have_a_panel_for_each_set_and_method() -> None:
    figure = subnetworks_figure(DATA, CURVES)
    assert len(figure.axes) == 4
    assert all(len(ax.lines) == 3 for ax in figure.axes)  # three sub-networks each
    panels = mean_and_std_figure("toy-noise", DATA["toy-noise"], {"w_dropout": CURVES["toy-noise", "w_dropout"]})
    legends = [legend for ax in panels.axes if (legend := ax.get_legend())]
    labels = [text.get_text() for legend in legends for text in legend.get_texts()]
    assert labels == ["mean, with ± 2 std shaded", "predicted std", "true std"]


def test_the_page_holds_all_it_shows_and_asks_for_nothing_else() -> None:
    picture = png(subnetworks_figure(DATA, CURVES), dpi=40)
    table = Table("Scores", ["method", "NLL"], [["<mine>", Cell(-0.3, -0.33)]], "A note.")
    html = page(
        "Title", "The verdict.", [Section("Heading", ["Text & more."], [table], [Picture(picture, "A cap")])], "x"
    )
    assert html.count("data:image/png;base64,") == 1
    assert not re.findall(r'(?:src|href)="(?!data:)', html)
    assert "http" not in html
    for expected in (
        "&lt;mine&gt;",
        "Text &amp; more.",
        "-0.300",
        "(-0.330)",
        "A note.",
        'alt="A cap"',
        "The verdict.",
    ):
        assert expected in html


def test_columns_of_numbers_are_set_and_sorted_as_such_also_where_they_are_text() -> None:
    rows: list[list[str | Cell]] = [
        ["1e-5", "2,286", Cell(1.0), "0.43 (0.39–0.48)", "–", "4.3, ECE"],
        ["p=1", "912", "", "–", "", "12 %"],
    ]
    table = Table("", ["variant", "boxes", "NLL", "ratio", "nothing", "where"], rows)
    assert numeric_columns(table) == [False, True, True, True, False, False]
    assert [leading_number(text) for text in ("2,286", "0.43 (0.39–0.48)", "12 %", "-1e+03", "4.3, ECE")] == [
        2286, 0.43, 12, -1000, None,
    ]  # fmt: skip


def test_an_interval_is_sorted_by_its_lower_end_and_a_blank_makes_no_word() -> None:
    rows: list[list[str | Cell]] = [["[-0.80, -0.21]", "0.38 ", "[0.1"], ["[1.2e+04, 3e+05]", " – ", "3"]]
    assert numeric_columns(Table("", ["95 %", "RMSE", "open"], rows)) == [True, True, False]
    assert [leading_number(text) for text in ("[-0.80, -0.21]", "0.38 ")] == [-0.8, 0.38]
    assert math.isnan(leading_number(" – ") or 0)


def test_references_stand_below_the_rows_and_the_lowest_number_is_bold() -> None:
    table = Table(
        "", ["method", "NLL"], [["PU", Cell(0.5)], ["W", Cell(-0.3, -0.33)]], "", [["perfect", Cell(-9.0)]], ["NLL"]
    )
    html = page("Title", "Lead.", [Section("Scores", tables=[table])], "x")
    body, foot = html.split("<tfoot>")
    assert "perfect" not in body
    assert "-9.000" in foot
    assert re.findall("<b>(.*?)</b>", html) == ["-0.300"]


def test_tables_and_figures_lead_to_their_files() -> None:
    picture = Picture(png(subnetworks_figure(DATA, CURVES), dpi=40), "A cap", "figures/a.svg")
    section = Section("Heading", (), [Table("T", ["n"], [["1"]])], [picture], files=["tables/t"])
    html = page("Title", "Lead.", [section], "x")
    assert re.findall(r'href="(.*?)"', html) == ["tables/t.csv", "tables/t.tex", "figures/a.svg"]


def test_a_long_page_has_contents_and_a_verdict_of_several_lines() -> None:
    html = page("Title", "First.\nSecond.", [Section(f"Part {i}") for i in range(6)], "x")
    assert "<p>First.</p>\n<p>Second.</p>" in html
    assert '<a href="#part-6">Part 5</a>' in html
    assert "<nav" not in page("Title", "First.", [Section("Only")], "x")


def test_files_are_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "new" / "page.html"
    write_whole(target, "first")
    assert target.read_text() == "first"

    def full(*args: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(target, "second")
    assert target.read_text() == "first"
    assert [path.name for path in target.parent.iterdir()] == ["page.html"]
