"""How ECE, WS and KS hang together: every fold as a point, and the curves of normal residuals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray
from scipy.special import ndtr

from wdrop.measures import MEASURES
from wdrop.report.benchmark_figures.circumstances import CIRCUMSTANCES, with_circumstance
from wdrop.report.calibration_theory import ece_of_normal, ws_of_shifted, ws_of_stretched
from wdrop.report.figures import INK, look

PAIRS = (("ws", "ece"), ("ws", "ks"), ("ece", "ks"))
_ENDS = {"ws": 4.0, "ece": 2.0, "ks": 1.0}
_STRETCHED, _SHIFTED = "#495057", "#868e96"
Curve = NDArray[np.float64]


@final
@dataclass(frozen=True, eq=False)
class Theory:
    """The three measures along a family of normal residuals."""

    ws: Curve
    ece: Curve
    ks: Curve


def stretched_normals() -> Theory:
    """Residuals N(0, s): std too large by 1/s below s = 1, too small above."""
    s = np.concatenate([np.geomspace(1e-3, 0.999, 300), np.geomspace(1.001, 12, 300)])
    # the two distribution functions are farthest apart where their densities cross
    crossing = s * np.sqrt(2 * np.log(s) / (s**2 - 1))
    return Theory(ws_of_stretched(s), ece_of_normal(np.zeros_like(s), s), np.abs(ndtr(crossing / s) - ndtr(crossing)))


def shifted_normals() -> Theory:
    """Residuals N(m, 1): a mean that is off."""
    m = np.linspace(0, 8, 300)
    return Theory(ws_of_shifted(m), ece_of_normal(m, np.ones_like(m)), 2 * ndtr(m / 2) - 1)


def dependencies_figure(records: pd.DataFrame, pairs: Sequence[tuple[str, str]] = PAIRS) -> Figure:
    """A panel for each pair of measures; colours are circumstances, each point one fold of one method.

    Gray curves are what normal residuals would give. WS has no bound: how many points lie beyond the axis is told.
    """
    rows = with_circumstance(records)
    with look():
        figure = Figure(figsize=(3.7 * len(pairs) + 0.4, 4.5), layout="constrained")
        figure.get_layout_engine().set(wspace=0.04)  # type: ignore[call-arg, union-attr]  # lest 4.0 and 0.0 touch
        for ax, (x, y) in zip(figure.subplots(1, len(pairs), squeeze=False).flat, pairs, strict=True):
            _panel(ax, rows, x, y)
        _legend(figure)
    return figure


def _panel(ax: Axes, rows: pd.DataFrame, x: str, y: str) -> None:
    shown = rows.dropna(subset=[x, y]) if {x, y} <= set(rows) else rows.iloc[:0].assign(**{x: 0.0, y: 0.0})
    # in a random order, lest one colour cover the others
    mixed = shown.sample(frac=1, random_state=0)
    colours = [CIRCUMSTANCES[str(name)].colour for name in mixed["circumstance"]]
    ax.scatter(mixed[x], mixed[y], s=6, c=colours, alpha=0.55, linewidths=0, zorder=2, rasterized=True)
    for theory, colour, style in ((stretched_normals(), _STRETCHED, "-"), (shifted_normals(), _SHIFTED, (0, (3, 2)))):
        for branch in _branches(getattr(theory, x), getattr(theory, y)):
            ax.plot(*branch, color="white", linewidth=3.4, zorder=3)  # lifts the curve off the cloud
            ax.plot(*branch, color=colour, linestyle=style, linewidth=1.6, zorder=3.1)
    ax.set_xlim(0, _ENDS[x])
    ax.set_ylim(0, _ENDS[y])
    ax.set_xlabel(MEASURES[x].heading)
    ax.set_ylabel(MEASURES[y].heading)
    n_beyond = int((shown[x] > _ENDS[x]).sum())
    if n_beyond:
        told = f"{n_beyond} of {len(shown)} points\nlie beyond →"
        behind = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 2}
        ax.text(0.98, 0.04, told, ha="right", fontsize=7.5, color=INK, transform=ax.transAxes, bbox=behind, zorder=4)


def _branches(x: Curve, y: Curve) -> list[tuple[Curve, Curve]]:
    """The curve cut where it turns at the origin, so that no line joins its two arms."""
    turn = int(np.argmin(x + y))
    return [arm for arm in ((x[: turn + 1], y[: turn + 1]), (x[turn + 1 :], y[turn + 1 :])) if len(arm[0]) > 1]


def _legend(figure: Figure) -> None:
    handles = [
        Line2D([], [], color=_STRETCHED, linewidth=1.6, label="theory: N(0, σ)"),
        Line2D([], [], color=_SHIFTED, linewidth=1.6, linestyle=(0, (3, 2)), label="theory: N(μ, 1)"),
        *(
            Line2D([], [], color=some.colour, marker="o", linestyle="", label=some.title)
            for some in CIRCUMSTANCES.values()
        ),
    ]
    together: dict[str, Any] = {"fontsize": 8, "columnspacing": 1.3}
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), **together)
