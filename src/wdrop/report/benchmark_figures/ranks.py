"""Mean ranks on a line, with bars over those that the data do not tell apart."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wdrop.measures import MEASURES
from wdrop.report.benchmark.ranks import Ranks
from wdrop.report.figures import INK, METHOD_COLOURS, METHOD_LABELS, MUTED, look

_STEP = 0.27  # inches from one name to the next
_N_COLUMNS = 2


def ranks_figure(found: Sequence[Ranks]) -> Figure:
    """A diagram after Demšar (2006) for each measure, two beside each other: the best rank stands at the left.

    A thick bar joins methods closer than the critical difference of Nemenyi's test.
    """
    n_rows = max(1, -(-len(found) // _N_COLUMNS))
    depth = max((_depth(one) for one in found), default=1.0)
    with look():
        figure = Figure(figsize=(5.6 * _N_COLUMNS, (0.8 + depth) * n_rows), layout="constrained")
        grid = figure.subplots(n_rows, _N_COLUMNS, squeeze=False)
        figure.get_layout_engine().set(wspace=0.08, hspace=0.06)  # type: ignore[call-arg, union-attr]
        for ax in grid.flat:
            ax.set_axis_off()
        for ax, one in zip(grid.flat, found, strict=False):
            _diagram(ax, one)
            ax.set_ylim(depth - 0.2, -0.45)  # of one height, lest names of short diagrams lie farther apart
    return figure


def _depth(ranks: Ranks) -> float:
    """Inches below the line: bars first, then names."""
    return _bars(ranks) + _STEP * max((len(ranks.mean_ranks) + 1) // 2, 1)


def _bars(ranks: Ranks) -> float:
    return 0.3 + 0.16 * len(ranks.alike())


def _diagram(ax: Axes, ranks: Ranks) -> None:
    ordered = sorted(ranks.mean_ranks.items(), key=lambda entry: entry[1])
    n_left = (len(ordered) + 1) // 2
    last = max(len(ordered), 2)
    ax.set_xlim(1 - 0.02 * last, last + 0.02 * last)
    _ruler(ax, last, ranks.critical_difference)
    for place, run in enumerate(ranks.alike()):
        height = 0.18 + 0.16 * place
        beyond = 0.004 * last
        ends = [ranks.mean_ranks[run[0]] - beyond, ranks.mean_ranks[run[-1]] + beyond]
        ax.plot(ends, [height, height], color=INK, linewidth=3.5, solid_capstyle="round")
    for place, (method, rank) in enumerate(ordered):
        left = place < n_left
        row = place if left else len(ordered) - 1 - place
        _name(ax, method, rank, _bars(ranks) + _STEP * row, 1 if left else last, left=left)
    ax.set_title(MEASURES[ranks.measure].heading, loc="left", pad=6)


def _ruler(ax: Axes, last: int, critical_difference: float) -> None:
    """The line of ranks, and above it the length of the critical difference."""
    ax.plot([1, last], [0, 0], color=INK, linewidth=1)
    for rank in range(1, last + 1):
        ax.plot([rank, rank], [0, -0.06], color=INK, linewidth=1)
        ax.text(rank, -0.09, str(rank), ha="center", va="bottom", fontsize=8)
    told = f"critical difference {critical_difference:.2f}"
    start = last - critical_difference
    if start < 1:
        ax.text(last, -0.36, f"{told}, longer than the line", ha="right", va="center", fontsize=8)
        return
    ax.plot([start, last], [-0.36, -0.36], color=MUTED, linewidth=1.4, marker="|", markersize=7)
    ax.annotate(told, (start, -0.36), (-8, 0), textcoords="offset points", ha="right", va="center", fontsize=8)


def _name(ax: Axes, method: str, rank: float, height: float, edge: float, *, left: bool) -> None:
    colour = METHOD_COLOURS.get(method, MUTED)
    ax.plot([rank, rank, edge], [0, height, height], color=colour, linewidth=1.3)
    ax.plot(rank, 0, "o", color=colour, markersize=4.5, zorder=4)
    label = METHOD_LABELS.get(method, method)
    text = f"{label}   {rank:.2f}" if left else f"{rank:.2f}   {label}"
    offset = (-5, 0) if left else (5, 0)
    ax.annotate(
        text, (edge, height), offset, textcoords="offset points", ha="right" if left else "left", va="center",
        annotation_clip=False,
    )  # fmt: skip
