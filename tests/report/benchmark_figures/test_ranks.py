import numpy as np

from wdrop.report.benchmark.ranks import Ranks
from wdrop.report.benchmark_figures.ranks import ranks_figure
from wdrop.report.figures import INK, png

RANKS = {"swag": 4.5, "w_dropout": 1.25, "pu_mc": 2.0, "mine": 3.25}


def found(measure: str, critical_difference: float) -> Ranks:
    return Ranks(measure, RANKS, critical_difference, 14, 1.0, 0.01)


def test_names_go_from_best_to_worst_around_the_line() -> None:
    figure = ranks_figure([found("ece", 1.5)])
    ax = figure.axes[0]
    names = [text.get_text() for text in ax.texts if "   " in text.get_text()]
    assert names == ["W-dropout   1.25", "PU-MC   2.00", "3.25   mine", "4.50   SWAG"]
    assert ax.get_title(loc="left") == "ECE"
    assert "critical difference 1.50" in [text.get_text() for text in ax.texts]
    assert len(png(figure, dpi=40)) > 1000


def test_a_bar_joins_each_run_that_is_not_told_apart() -> None:
    ax = ranks_figure([found("ece", 1.5)]).axes[0]
    bars = [
        np.round(np.asarray(line.get_xdata()), 1).tolist()
        for line in ax.lines
        if line.get_linewidth() == 3.5 and line.get_color() == INK
    ]
    assert bars == [[1.2, 2.0], [2.0, 3.3], [3.2, 4.5]]


def test_every_measure_has_a_diagram_of_its_own() -> None:
    figure = ranks_figure([found(measure, 1.5) for measure in ("nll", "ece", "ws")])
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["NLL", "ECE", "WS", ""]
    assert not any(ax.axison for ax in figure.axes)


def test_a_difference_longer_than_the_line_is_said_not_drawn() -> None:
    told = [text.get_text() for text in ranks_figure([found("ece", 3.2)]).axes[0].texts]
    assert "critical difference 3.20, longer than the line" in told
    assert ranks_figure([]).axes
