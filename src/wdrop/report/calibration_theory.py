"""ECE and WS of residuals that are shifted or stretched normals: one saturates, the other does not."""

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri
from scipy.stats import norm

from wdrop.report.figures import INK, TRUTH, look

N_BINS = 20
ECE_COLOUR, WS_COLOUR = "#f08c00", "#1c7ed6"
Curve = NDArray[np.float64]


def ece_of_normal(mean: Curve, std: Curve) -> Curve:
    """ECE with 20 bins of residuals N(mean, std), exactly."""
    edges = ndtri(np.linspace(0, 1, N_BINS + 1))
    share = np.diff(ndtr((edges - np.asarray(mean)[..., None]) / np.asarray(std)[..., None]), axis=-1)
    return np.abs(share - 1 / N_BINS).sum(-1)


def ws_of_shifted(mean: Curve) -> Curve:
    """WS of residuals N(mean, 1): |mean|."""
    return np.abs(mean)


def ws_of_stretched(std: Curve) -> Curve:
    """WS of residuals N(0, std): √(2/π) |std - 1|."""
    return np.sqrt(2 / np.pi) * np.abs(std - 1)


def ece_against_ws_figure() -> Figure:
    """Shifted normals above, stretched ones below: the distributions, their scores, and one score over the other."""
    mean, std = np.linspace(-6, 6, 400), np.geomspace(0.01, 8, 400)
    ones, zeros = np.ones_like(mean), np.zeros_like(std)
    rows = (
        ("shifted, N(μ, 1)", "μ", mean, ece_of_normal(mean, ones), ws_of_shifted(mean), [(m, 1.0) for m in (-3, 1.5)]),
        (
            "stretched, N(0, σ)",
            "σ",
            std,
            ece_of_normal(zeros, std),
            ws_of_stretched(std),
            [(0.0, s) for s in (0.4, 2.5)],
        ),
    )
    with look():
        figure = Figure(figsize=(9.6, 5.2), layout="constrained")
        grid = figure.subplots(2, 3)
        x = np.linspace(-7, 7, 500)
        for (title, symbol, values, ece, ws, shown), (left, middle, right) in zip(rows, grid, strict=True):
            left.plot(x, norm.pdf(x), color="#c92a2a", linewidth=1.8, label="N(0, 1)")
            for mu, sigma in shown:
                left.plot(x, norm.pdf(x, mu, sigma), color="#1b3a6b", linewidth=1.2)
            left.plot([], [], color="#1b3a6b", linewidth=1.2, label=title)
            left.set_xlabel("normalised residual r")
            left.set_yticks([])
            left.set_ylim(top=1.3 * left.get_ylim()[1])  # room for the legend
            left.legend(fontsize=7.5, loc="upper right")
            middle.plot(values, ece, color=ECE_COLOUR, linewidth=1.8, label="ECE")
            middle.plot(values, ws, color=WS_COLOUR, linewidth=1.8, label="WS")
            middle.set_xlabel(symbol)
            middle.set_ylim(0, 6)
            middle.legend()
            right.plot(ws, ece, color=INK, linewidth=1.6)
            right.set_xlabel("WS")
            right.set_ylabel("ECE")
            right.set_xlim(0, 4)
            right.set_ylim(0, 2)
        for text, at in (("σ < 1: std too large", (0.85, 1.75)), ("σ > 1: std too small", (2.0, 0.75))):
            grid[1, 2].annotate(text, at, color=TRUTH, fontsize=8)
    return figure
