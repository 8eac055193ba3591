import shutil
import subprocess
from pathlib import Path

import pytest

from wdrop.report.latex import escaped
from wdrop.report.tables import Cell, Table

TABLE = Table(
    "100 % of_it {here} & there",
    ["data_set", "NLL", "what"],
    [
        ["yacht", Cell(-0.3, -0.33), "σ² ± 5 % #1 ~ ^ \\ | <b>"],
        ["wine-red", Cell(65700.0), "–"],
        ["x", Cell(float("nan")), ""],
    ],
    "λ ≤ 1",
)


def test_no_character_of_a_text_is_a_command() -> None:
    assert escaped(r"a_b & 5 % \x {y}") == r"a\_b \& 5 \% \textbackslash{}x \{y\}"


def test_numbers_become_formulas_and_stand_right() -> None:
    text = TABLE.latex()
    assert r"\begin{tabular}{lrl}" in text
    assert r"yacht & $-0.300$ ($-0.330$) & $\sigma$$^2$ $\pm$ 5 \%" in text
    assert r"$6.57 \cdot 10^{4}$" in text
    assert r"\caption{100 \% of\_it \{here\} \& there. $\lambda$ $\le$ 1}" in text


def test_a_table_longer_than_a_page_breaks() -> None:
    text = Table("long", ["n"], [[Cell(float(i))] for i in range(60)]).latex()
    assert r"\begin{longtable}{r}" in text
    assert text.count(r"\\") == 60 + 3


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_takes_it(tmp_path: Path) -> None:
    long = Table("long", ["n"], [[Cell(float(i))] for i in range(60)])
    body = TABLE.latex() + long.latex()
    document = rf"\documentclass{{article}}\usepackage{{booktabs,longtable}}\begin{{document}}{body}\end{{document}}"
    (tmp_path / "t.tex").write_text(document, encoding="utf-8")
    subprocess.run(["pdflatex", "-halt-on-error", "t.tex"], cwd=tmp_path, check=True, capture_output=True, timeout=60)


def test_csv_has_published_values_in_a_column_of_their_own() -> None:
    assert TABLE.csv().splitlines() == [
        "data_set,NLL,NLL (published),what",
        "yacht,-0.3,-0.33,σ² ± 5 % #1 ~ ^ \\ | <b>",
        "wine-red,65700,,–",
        "x,,,",
    ]


def test_a_bar_does_not_open_a_column_in_markdown() -> None:
    assert r"\| <b>" in TABLE.markdown()
