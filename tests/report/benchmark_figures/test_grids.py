import numpy as np
import pandas as pd

from wdrop.report.benchmark_figures.grids import lambda_grids_figure
from wdrop.report.figures import png


def grid(records: pd.DataFrame) -> pd.DataFrame:
    """MC dropout with λ of 0 to 1e-2, best at 1e-5 on every set, and wild at 0."""
    base = records[records["method"] == "mc_dropout"]
    scores = {"1e-2": 0.9, "0": 500.0, "λ=1e-6": 0.5, "lambda 1e-5": 0.2}
    return pd.concat([records, *(base.assign(variant=name, nll=value) for name, value in scores.items())])


def test_lines_run_over_lambda_in_order_and_mark_their_best(records: pd.DataFrame) -> None:
    figure = lambda_grids_figure(grid(records), ("rmse", "nll"))
    mc = figure.axes[2]
    assert [label.get_text() for label in mc.get_xticklabels()] == ["0", "10$^{-6}$", "10$^{-5}$", "10$^{-2}$"]
    lines = [line for line in mc.lines if not str(line.get_label()).startswith("_")]
    assert [line.get_label() for line in lines] == ["yacht", "boston", "energy", "concrete"]
    for line in lines:
        assert np.allclose(line.get_ydata(), [500, 0.5, 0.2, 0.9])
    best = [np.asarray(line.get_xdata()) for line in mc.lines if line.get_markerfacecolor() == "none"]
    assert np.array_equal(np.ravel(best), [2, 2, 2, 2])
    assert (len(mc.patches), mc.get_yscale(), figure.axes[0].get_yscale()) == (1, "symlog", "linear")
    assert mc.get_ylim()[1] > 500
    assert len(png(figure, dpi=40)) > 1000


def test_a_record_without_variant_has_the_paper_s_choice(records: pd.DataFrame) -> None:
    base = records[records["method"] == "mc_dropout"]
    figure = lambda_grids_figure(pd.concat([records, base.assign(variant="1e-2", rmse=7.0)]), ("rmse",))
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == ["10$^{-6}$", "10$^{-2}$"]
    drawn = [np.asarray(line.get_ydata()) for line in figure.axes[0].lines]
    assert [values[-1] for values in drawn if len(values) == 2] == [7, 7, 7, 7]


def test_a_grid_that_was_not_run_is_told(records: pd.DataFrame) -> None:
    figure = lambda_grids_figure(grid(records))
    assert [ax.get_title() for ax in figure.axes[:2]] == ["MC dropout", "evidential (PU-EV)"]
    assert [ax.texts[0].get_text() for ax in figure.axes[1::2]] == ["not run"] * 3
    assert all(ax.texts[0].get_text() == "not run" for ax in lambda_grids_figure(records).axes)
