"""All measures of one model, beside what a perfect forecaster would score on as many rows."""

from wdrop.measures import MEASURES, floor
from wdrop.report.model.forecasts import Forecasts
from wdrop.report.tables import Cell, Table

_MEANING = {
    "rmse": "error of the mean, in units of the target",
    "nll": "surprise at the truth; lower is better",
    "ece": "calibration error over 20 bins",
    "ws": "distance of residuals from the normal law",
    "etl": "how far off the worst 1 % are, in stds",
    "ks": "largest gap in the reliability diagram",
    "crps": "error and std in one, in units of the target",
    "coverage": "share of values within mean ± 1.64 std",
    "width": "how wide that interval is",
}
_WITH_FLOOR = {"ece", "ws", "ks", "etl", "coverage"}
_MOST_SIMULATED = 20_000  # rows; beyond, the floors hardly change and take long


def scores_table(forecasts: Forecasts) -> Table:
    """A row for each measure: the value, and a perfect forecaster's where that is known."""
    n = min(len(forecasts), _MOST_SIMULATED)
    rows: list[list[str | Cell]] = []
    for name, measure in MEASURES.items():
        value = measure.function(forecasts.mean, forecasts.positive_std, forecasts.truth)
        ideal = floor(name, n, n_repeats=200 if n < 2000 else 40) if name in _WITH_FLOOR else float("nan")
        rows.append([measure.heading, Cell(value), Cell(ideal), _MEANING.get(name, "")])
    note = (
        "A perfect forecaster does not score zero on so few rows; its mean score is simulated. A dash: no such number."
    )
    return Table(f"Scores on {len(forecasts):,} rows", ["measure", "value", "a perfect forecaster", "says"], rows, note)
