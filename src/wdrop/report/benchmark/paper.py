"""The paper's numbers in the shape of ours, and by how much the two may differ."""

from math import isnan, log, pi

import pandas as pd

from wdrop.losses.evidential import PUBLISHED_OFFSET
from wdrop.report.benchmark.scores import DATASETS, LARGE, PAPER_METHODS
from wdrop.report.published import published

_KEPT_CONSTANT = 0.5 * log(2 * pi)  # which the paper drops for all methods but PU-EV


def paper_value(table: str, split: str, dataset: str, method: str, measure: str) -> float | None:
    """The paper's value, None where it prints none; PU-EV's likelihood without its two constants too many."""
    value = published(table, split, dataset, method, measure)
    if value is not None and (method, measure) == ("pu_evidential", "nll"):
        return value - PUBLISHED_OFFSET - _KEPT_CONSTANT
    return value


def paper_table(measure: str) -> pd.DataFrame:
    """The paper's values on i.i.d. test sets: a row per data set, a column per method."""
    values = {
        method: [paper_value("uci", "iid-test", dataset, method, measure) for dataset in DATASETS]
        for method in PAPER_METHODS
    }
    return pd.DataFrame(values, index=list(DATASETS), dtype=float)


def paper_ood(measure: str) -> pd.DataFrame:
    """The paper's means over shifts and 14 data sets, as a table of one row; it prints no more than these."""
    values = {method: [paper_value("uci-summary", "ood", "mean-of-14", method, measure)] for method in PAPER_METHODS}
    return pd.DataFrame(values, index=["mean-of-14"], dtype=float)


def n_folds(dataset: str) -> int:
    """How many folds the paper's value is a mean of."""
    return 5 if dataset in (*LARGE, "toy-noise") else 10


ALLOWED = (
    "Allowed differences: RMSE 10 %; ECE and WS 0.08 or three standard errors over folds and seeds; NLL 0.2, a fifth "
    "of the published value where that is positive, or three standard errors. The NLL's fifth is what a std wrong by "
    "a tenth, as the RMSE may be, does to the squared residuals that rule a large NLL. Three standard errors count "
    "only where they are smaller than the published value (of an NLL, than 1 if that is more); where they are larger "
    "and alone would let the two agree, it is undecided. Under shift the folds are fixed tenths, one seed each: "
    "their scatter is no standard error and makes nothing agree, it can only leave a mean undecided in the same way. "
    "By chance: within three standard errors of the difference, if the paper's folds scatter as ours do; not for "
    "the NLL, whose tails are too heavy for that."
)


def allowed(measure: str, published_value: float, error: float) -> float:
    """By how much ours may differ and still agree; `error` is the standard error of ours, perhaps NaN."""
    if measure == "rmse":
        return 0.1 * published_value
    noise = 0.0 if isnan(error) else 3 * error
    if measure == "nll":
        return max(0.2, 0.2 * published_value, noise)
    return max(0.08, noise)
