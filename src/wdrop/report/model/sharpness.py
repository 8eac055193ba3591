"""How large std is, and how much it differs from row to row."""

import numpy as np
from matplotlib.figure import Figure

from wdrop.report.figures import DATA, INK, MUTED, look
from wdrop.report.model.forecasts import Array, Forecasts


def sharpness_figure(forecasts: Forecasts, training_std: Array | None = None) -> Figure:
    """A histogram of std, with the error that was really made and the spread of the target.

    training_std  (m,), std at the training rows, for comparison: how it grew says how new the rows are; a single value
                  is their median
    """
    seen = forecasts.observed
    shown = [forecasts.std] if training_std is None else [forecasts.std, training_std]
    top = 1.15 * max(float(np.quantile(std, 0.99)) for std in shown)
    with look():
        figure = Figure(figsize=(9.6, 3.2), layout="constrained")
        ax = figure.subplots()
        if seen is not None:
            error, spread = float(np.sqrt(np.mean(seen.residual**2))), float(np.std(seen.truth))
            top = max(top, 1.1 * error)
            ax.axvline(error, color="#d9480f", linewidth=1.6, label=f"root mean squared error {error:.3g}")
            if spread <= 2.5 * top:  # else it would only squeeze the rest
                top = max(top, 1.05 * spread)
                ax.axvline(
                    spread, color=INK, linewidth=1.2, linestyle=(0, (4, 3)), label=f"std of the target {spread:.3g}"
                )
        bins = np.linspace(0, top, 41).tolist()
        ax.hist(
            np.minimum(forecasts.std, top), bins, weights=np.full(len(forecasts), 100 / len(forecasts)),
            color=DATA, alpha=0.75, label="std of these rows",
        )  # fmt: skip
        if training_std is not None and len(training_std) == 1:
            ax.axvline(training_std[0], color=MUTED, linewidth=2, label=f"median std in training {training_std[0]:.3g}")
        elif training_std is not None:
            ax.hist(
                np.minimum(training_std, top), bins, weights=np.full(len(training_std), 100 / len(training_std)),
                histtype="step", color=MUTED, linewidth=1.6, label="std of the training rows",
            )  # fmt: skip
        ax.set_xlim(0, top)
        ax.set_xlabel(f"std, in units of {forecasts.target}")
        ax.set_ylabel("% of rows")
        ax.legend(fontsize=8)
    return figure
