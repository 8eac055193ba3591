import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from wdrop.measures import ece, ks, ws
from wdrop.report.benchmark_figures.dependencies import (
    PAIRS,
    Theory,
    dependencies_figure,
    shifted_normals,
    stretched_normals,
)

N = 200_000


@pytest.mark.parametrize(
    ("theory", "index", "mean", "std"),
    [(stretched_normals(), 599, 0.0, 12.0), (stretched_normals(), 250, 0.0, None), (shifted_normals(), 50, None, 1.0)],
)
def test_the_curves_are_what_the_measures_give(theory: Theory, index: int, mean: float, std: float) -> None:
    # the parameter of a curve's point follows from its WS: √(2/π) |s - 1|, or |m|
    mean = theory.ws[index] if mean is None else mean
    std = 1 - theory.ws[index] * np.sqrt(np.pi / 2) if std is None else std
    y = norm.ppf((np.arange(N) + 0.5) / N, mean, std)
    zeros, ones = np.zeros(N), np.ones(N)
    for measure, curve in ((ws, theory.ws), (ece, theory.ece), (ks, theory.ks)):
        assert measure(zeros, ones, y) == pytest.approx(curve[index], abs=2e-3)


def test_every_fold_is_a_point_and_those_beyond_are_counted(records: pd.DataFrame) -> None:
    records.loc[(records["part"] == "test") & (records["dataset"] == "yacht") & (records["fold"] == 0), "ws"] = 50.0
    figure = dependencies_figure(records)
    assert [(ax.get_xlabel(), ax.get_ylabel()) for ax in figure.axes] == [(x.upper(), y.upper()) for x, y in PAIRS]
    for ax in figure.axes:
        [points] = ax.collections
        assert len(np.asarray(points.get_offsets())) == 2 * 4 * 2 * 6
    told = ["10 of 96 points\nlie beyond →"]
    assert [[text.get_text() for text in ax.texts] for ax in figure.axes] == [told, told, []]


def test_without_records_the_curves_remain(records: pd.DataFrame) -> None:
    for none in (records.iloc[:0], records.drop(columns=["ks", "ws"])):
        assert all(len(ax.lines) >= 4 for ax in dependencies_figure(none).axes)


def test_no_circumstance_covers_the_others(records: pd.DataFrame) -> None:
    [points] = dependencies_figure(records, [("ws", "ece")]).axes[0].collections
    last = np.asarray(points.get_facecolor())[-20:]
    assert len(np.unique(last, axis=0)) > 3
