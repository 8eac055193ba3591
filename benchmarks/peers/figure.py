"""The picture: seconds to fit and to predict, contender by contender, for each problem that all were given."""

import pandas as pd
from benchmarks.peers.problems import PROBLEMS
from benchmarks.peers.ratios import OURS, YARDSTICK
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wdrop.report.figures import INK, METHOD_COLOURS, MUTED, look

_SHOWN = (("small", 50), ("middle", 100), ("large", 100))
_PEER = "#a9b4c0"


def speed_figure(medians: pd.DataFrame) -> Figure:
    """Bars: MC dropout of all, and our predictions without draws, whose axis is logarithmic to show them."""
    shown = [place for place in _SHOWN if not _at(medians, place).empty]
    with look():
        figure = Figure(figsize=(8.6, 0.6 + 2.5 * max(len(shown), 1)), layout="constrained")
        axes = figure.subplots(max(len(shown), 1), 2, squeeze=False)
        for (left, right), place in zip(axes, shown, strict=False):
            rows, title = _at(medians, place), f"{PROBLEMS[place[0]].title}, 2x{place[1]}"
            _bars(left, rows[rows["method"] == "mc_dropout"], "fit_seconds", f"{title}: fit, s")
            _bars(right, rows, "predict_seconds", f"{title}: predict, s (log)", log=True)
    return figure


def _at(medians: pd.DataFrame, place: tuple[str, int]) -> pd.DataFrame:
    methods = ["mc_dropout", "w_dropout_closed", "w_dropout_last_layer"]
    here = (medians["problem"] == place[0]) & (medians["width"] == place[1]) & medians["method"].isin(methods)
    return medians[here]


def _bars(ax: Axes, rows: pd.DataFrame, column: str, title: str, *, log: bool = False) -> None:
    rows = rows.dropna(subset=[column]).sort_values(column, ascending=False)
    names = [_label(row) for _, row in rows.iterrows()]
    colours = [_colour(str(row["contender"]), str(row["method"])) for _, row in rows.iterrows()]
    bars = ax.barh(names, rows[column], color=colours, height=0.7)
    marks = rows["extrapolated"] if column == "fit_seconds" else [False] * len(rows)
    texts = [f"{'~' if rough else ''}{_seconds(value)}" for value, rough in zip(rows[column], marks, strict=True)]
    ax.bar_label(bars, texts, padding=3, color=INK, fontsize=8)
    if log:
        ax.set_xscale("log")
    ax.margins(x=0.18)
    ax.xaxis.set_visible(False)  # each bar has its number
    ax.set_title(title, loc="left")
    ax.tick_params(length=0)


def _seconds(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}"


def _label(row: pd.Series) -> str:
    beside = {"mc_dropout": "", "w_dropout_closed": ", closed form", "w_dropout_last_layer": ", last layer"}
    return f"{row['contender']}{beside[row['method']]}"


def _colour(contender: str, method: str) -> str:
    if contender == OURS:
        return METHOD_COLOURS[method]
    return MUTED if contender == YARDSTICK else _PEER
