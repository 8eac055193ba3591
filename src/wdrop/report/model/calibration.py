"""Whether forecast and observed shares agree, of quantiles and of intervals, side by side."""

from matplotlib.figure import Figure

from wdrop.report.figures import look
from wdrop.report.model.coverage import POOR, draw_coverage
from wdrop.report.model.forecasts import Forecasts
from wdrop.report.model.reliability import draw_reliability, name_axes


def calibration_figure(forecasts: Forecasts) -> Figure:
    """The reliability diagram at the left, coverage by level at the right."""
    with look():
        figure = Figure(figsize=(9.6, 4.3), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=(1, 1.15))
        draw_reliability(left, forecasts.z, POOR)
        name_axes(left)
        left.set_title("Reliability", loc="left")
        draw_coverage(right, forecasts.z)
        right.set_title("Coverage by level", loc="left")
    return figure
