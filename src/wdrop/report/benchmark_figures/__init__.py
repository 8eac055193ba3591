"""The figures of the tabular benchmark, one file each; all are functions of records or of plain arrays.

Records have one row per fold and part: `dataset`, `split` (iid, label, pca), `split_kind` (iid, inter, extra), `part`
(train, test), `method`, `variant` and a column for each measure. What was not run leaves a gap, never an error.
"""

from wdrop.report.benchmark_figures.dependencies import dependencies_figure
from wdrop.report.benchmark_figures.grids import lambda_grids_figure
from wdrop.report.benchmark_figures.panels import MEASURE_PAIRS, methods_figure
from wdrop.report.benchmark_figures.ranks import ranks_figure
from wdrop.report.benchmark_figures.rates import draws_figure, drop_rates_figure
from wdrop.report.benchmark_figures.residuals import Judged, ideal_residuals_figure, residuals_figure
from wdrop.report.benchmark_figures.split_scheme import second_axis, split_scheme_figure
from wdrop.report.benchmark_figures.way_out import WayOut, growths_told, way_out_figure

__all__ = [
    "MEASURE_PAIRS", "Judged", "WayOut", "dependencies_figure", "draws_figure", "drop_rates_figure", "growths_told",
    "ideal_residuals_figure", "lambda_grids_figure", "methods_figure", "ranks_figure", "residuals_figure",
    "second_axis", "split_scheme_figure", "way_out_figure",
]  # fmt: skip
