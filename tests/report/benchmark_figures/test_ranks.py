import pytest

from wdrop.report.benchmark_figures.ranks import critical_difference_figure, indistinct
from wdrop.report.figures import INK, png

RANKS = {"swag": 4.5, "w_dropout": 1.25, "pu_mc": 2.0, "mine": 3.25}


@pytest.mark.parametrize(
    ("difference", "groups"),
    [
        (0.5, []),
        (0.75, [(1.25, 2.0)]),
        (1.5, [(1.25, 2.0), (2.0, 3.25), (3.25, 4.5)]),
        (2.0, [(1.25, 3.25), (3.25, 4.5)]),
        (9.0, [(1.25, 4.5)]),
    ],
)
def test_groups_are_as_large_as_the_difference_allows(difference: float, groups: list[tuple[float, float]]) -> None:
    assert indistinct(RANKS, difference) == groups


def test_names_go_from_best_to_worst_around_the_line() -> None:
    figure = critical_difference_figure(RANKS, 1.5, 14, title="ECE")
    ax = figure.axes[0]
    names = [text.get_text() for text in ax.texts if "   " in text.get_text()]
    assert names == ["W-dropout   1.25", "PU-MC   2.00", "3.25   mine", "4.50   SWAG"]
    bars = [line for line in ax.lines if line.get_linewidth() == 4 and line.get_color() == INK]
    assert len(bars) == 3
    assert ax.get_title(loc="left") == "ECE: mean rank over 14 data sets"
    assert "critical difference 1.50" in [text.get_text() for text in ax.texts]
    assert len(png(figure, dpi=40)) > 1000


def test_a_difference_longer_than_the_line_is_said_not_drawn() -> None:
    told = [text.get_text() for text in critical_difference_figure(RANKS, 3.2, 14).axes[0].texts]
    assert "critical difference 3.20, longer than the line" in told
    assert critical_difference_figure({}, 1.0, 0).axes
