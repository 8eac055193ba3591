"""Pages about one model on one table, one file a picture or table; all are functions of plain arrays."""

from wdrop.report.model.forecasts import Forecasts
from wdrop.report.model.pages import write_evaluation_report, write_fit_report
from wdrop.report.model.shift import FeatureShift, feature_shifts
from wdrop.report.model.verdict import verdict

__all__ = [
    "FeatureShift",
    "Forecasts",
    "feature_shifts",
    "verdict",
    "write_evaluation_report",
    "write_fit_report",
]
