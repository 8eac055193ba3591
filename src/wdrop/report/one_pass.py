"""The expected loss over std: where draws have their optimum, why exact moments have none, and what the brake mends."""

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.special import roots_legendre
from scipy.stats import norm

from wdrop.losses.closed_form import brake
from wdrop.losses.optimum import expected_loss, optimal_std
from wdrop.report.figures import INK, METHOD_COLOURS, MUTED, look

DRAWS = {5: "#f3b28f", 9: "#e8824d", 20: "#d9480f"}


def exact_loss(std: NDArray[np.float64], kappa: float = 0.0) -> NDArray[np.float64]:
    """The expected d² + κ s² + (s - R)² for exact moments with mean 0 and that std, y ~ N(0, 1)."""
    node, weight = roots_legendre(200)
    z = 9 * node
    distance = np.hypot(z[:, None], std) * (9 * weight * norm.pdf(z))[:, None]
    return 2 + (2 + kappa) * std**2 - 2 * std * distance.sum(0)


def loss_over_std_figure() -> Figure:
    """The paper's loss with 5, 9, 20 and infinitely many draws, and the closed form, each with its optimum."""
    std = np.linspace(0.02, 2.6, 100)
    closed = METHOD_COLOURS["w_dropout_closed"]
    with look():
        figure = Figure(figsize=(6.4, 4.0), layout="constrained")
        ax = figure.subplots()
        ax.axvline(1, color=MUTED, linewidth=0.8, linestyle=(0, (4, 3)))
        for n_draws, colour in DRAWS.items():
            at = optimal_std(n_draws)
            ax.plot(std, [expected_loss(s, n_draws) for s in std], color=colour, linewidth=1.6, label=f"L = {n_draws}")
            ax.plot(at, expected_loss(at, n_draws), "o", color=colour, markersize=5)
        ax.plot(std, exact_loss(std), color=INK, linewidth=1.6, label="L → ∞, exact moments: falls for ever")
        kappa = brake()
        ax.plot(
            std, exact_loss(std, kappa), color=closed, linewidth=2.4, linestyle=(0, (5, 1.5)), label="exact, with κ"
        )
        ax.plot(1, exact_loss(np.array([1.0]), kappa), "o", color=closed, markersize=7)
        ax.set_xlabel("std of the sub-networks, over the true std")
        ax.set_ylabel("expected loss")
        ax.set_ylim(0.9, 2.6)
        ax.legend(loc="upper left")
    return figure
