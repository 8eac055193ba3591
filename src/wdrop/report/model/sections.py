"""The sections that the pages about a model share."""

from wdrop.data.shift import Shift
from wdrop.report.figures import png
from wdrop.report.model.calibration import calibration_figure
from wdrop.report.model.coverage import coverage_table
from wdrop.report.model.forecasts import Array, Forecasts
from wdrop.report.model.residuals import residuals_scatter
from wdrop.report.model.scores import scores_table
from wdrop.report.model.sharpness import sharpness_figure
from wdrop.report.model.shift import shift_figure, shift_table
from wdrop.report.model.std_by_feature import std_by_feature_figure
from wdrop.report.model.worst import worst_table
from wdrop.report.page import Picture, Section

_CALIBRATION = (
    "Left: on the dashed line, forecast and observed shares agree. A curve flatter than it means std too small, a "
    "steeper one std too large, one above it forecasts too high. Right: the gray bar holds nine of ten perfect "
    "forecasters, the stroke is what was promised; green dots keep the promise."
)
_SHARPNESS = (
    "Of two honest models the one with the smaller std knows more. A narrow hill says that std is nearly the same for "
    "all rows, a wide one that the model tells rows apart."
)
_BY_FEATURE = "The features that std depends on most, first those that explain most of it."
_ERRORS = " Where std is honest, its line follows the dashed one, the error that was really made at such rows."


def judged_sections(forecasts: Forecasts, *, several: bool) -> list[Section]:
    """What needs the truth: calibration, scores, residuals and the worst rows."""
    of = f"{forecasts.target}: " if several else ""
    every = "Every dot is a row. An honest model has large residuals only where its std is large."
    return [
        Section(f"{of}Can std be believed?", pictures=[Picture(png(calibration_figure(forecasts)), _CALIBRATION)]),
        Section(f"{of}Scores", tables=[scores_table(forecasts), coverage_table(forecasts)]),
        Section(f"{of}Row by row", [every], scatters=[residuals_scatter(forecasts)]),
        Section(f"{of}Surprises", tables=[worst_table(forecasts)]),
    ]


def spread_sections(forecasts: Forecasts, *, several: bool, training_std: Array | None = None) -> list[Section]:
    """What std alone shows: how large it is, and what it depends on."""
    of = f"{forecasts.target}: " if several else ""
    pictures = [Picture(png(sharpness_figure(forecasts, training_std)), _SHARPNESS)]
    by_feature = std_by_feature_figure(forecasts)
    if by_feature is not None:
        pictures.append(Picture(png(by_feature), _BY_FEATURE + (_ERRORS if forecasts.observed is not None else "")))
    return [Section(f"{of}How large is std, and where?", pictures=pictures)]


def shift_section(shift: Shift, said: str) -> Section:
    """How far new rows lie from the training rows."""
    caption = "Orange: the feature differs by more than chance, and by enough to care (KS distance above 0.1)."
    return Section(
        "Are these rows like the training rows?",
        [said],
        [shift_table(shift.features)],
        [Picture(png(shift_figure(shift.features)), caption)],
    )
