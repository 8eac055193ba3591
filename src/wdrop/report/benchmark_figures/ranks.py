"""Mean ranks on a line, with bars over those that the data do not tell apart."""

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wdrop.report.figures import INK, METHOD_COLOURS, METHOD_LABELS, MUTED, look

_STEP = 0.34  # inches from one name to the next


def critical_difference_figure(
    ranks: Mapping[str, float], critical_difference: float, n: int, *, title: str = "", blocks: str = "data sets"
) -> Figure:
    """The diagram of Demšar (2006): best rank at the left; a thick bar joins methods closer than the difference.

    ranks                method to mean rank over `n` data sets, 1 is best
    critical_difference  of Nemenyi's test
    blocks               what the ranks were averaged over
    """
    ordered = sorted(ranks.items(), key=lambda entry: entry[1])
    groups = indistinct(ranks, critical_difference)
    n_left = (len(ordered) + 1) // 2
    depth = 0.3 + 0.16 * len(groups)
    with look():
        figure = Figure(figsize=(7.2, 0.85 + depth + _STEP * max(n_left, 1)), layout="constrained")
        ax = figure.subplots()
        last = max(len(ordered), 2)
        ax.set_xlim(1 - 0.02 * last, last + 0.02 * last)
        ax.set_ylim(depth + _STEP * max(n_left, 1) - 0.2, -0.45)
        _ruler(ax, last, critical_difference)
        for place, (start, end) in enumerate(groups):
            height = 0.18 + 0.16 * place
            beyond = 0.004 * last
            ax.plot([start - beyond, end + beyond], [height, height], color=INK, linewidth=4, solid_capstyle="round")
        for place, (method, rank) in enumerate(ordered):
            left = place < n_left
            row = place if left else len(ordered) - 1 - place
            _name(ax, method, rank, depth + _STEP * row, 1 if left else last, left=left)
        told = f"mean rank over {n} {blocks}"
        ax.set_title(f"{title}: {told}" if title else told, loc="left", pad=8)
        ax.set_axis_off()
    return figure


def indistinct(ranks: Mapping[str, float], critical_difference: float) -> list[tuple[float, float]]:
    """First and last rank of every largest group within the critical difference, of two methods or more."""
    values = sorted(ranks.values())
    reach = [max(other for other in values if other - value <= critical_difference) for value in values]
    groups: list[tuple[float, float]] = []
    for value, end in zip(values, reach, strict=True):
        if end > value and not any(end <= known for _, known in groups):
            groups.append((value, end))
    return groups


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
