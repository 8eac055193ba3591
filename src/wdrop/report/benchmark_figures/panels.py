"""The paper's Figures of RMSE and ECE, and of NLL and WS: all methods, in data and under shift."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure

from wdrop.report.benchmark_figures.circumstances import methods_in_order, with_circumstance
from wdrop.report.benchmark_figures.summary import six_panels_figure
from wdrop.report.figures import METHOD_LABELS

MEASURE_PAIRS = (("rmse", "ece"), ("nll", "ws"))
"""The rows of the paper's two figures."""


def methods_figure(
    records: pd.DataFrame, measures: Sequence[str] = MEASURE_PAIRS[0], *, variant: str = "", lit: str = "w_dropout"
) -> Figure:
    """Each measure as a row, each circumstance as a panel, the methods side by side.

    records  one row per fold and part, of the data sets that count: all that are given are averaged
    variant  which form of the methods, "" for the default one
    """
    rows = with_circumstance(records)
    rows = rows[rows["variant"] == variant]
    labels = {method: METHOD_LABELS.get(method, method) for method in methods_in_order(rows["method"])}
    means = METHOD_LABELS.get(lit, lit)
    return six_panels_figure(rows, "method", labels, measures, lit=lit, lit_means=means, upright=False)
