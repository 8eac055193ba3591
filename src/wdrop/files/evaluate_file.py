"""How a model does on a user's file: against its targets where it has them, and against the training rows."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any, final

from wdrop._checks import known
from wdrop.data.shift import Shift, TrainingRows, shift_of
from wdrop.estimators.columns import Columns
from wdrop.files.forecaster import open_forecaster
from wdrop.files.output_file import check_outputs, writing
from wdrop.files.predict_file import check_columns, check_level
from wdrop.files.table_file import Dialect, open_table
from wdrop.files.told_rows import ToldRows
from wdrop.report.model.verdict import StdVerdict, judge_shift

_MOST_REPORTED = 100_000  # rows, of those at the beginning
_MOST_NUMBERS = 10_000_000  # in their features: of a wide table fewer rows are shown


@final
@dataclasses.dataclass(frozen=True, eq=False)
class EvaluatedFile:
    """What was found.

    scores       for each target that the file has, measures by name
    calibration  for each, whether std still fits
    shift        how the rows differ from those of training; None where the model does not remember them
    growth       for each target, how many times as large the median std is as in training
    verdict      all of it in plain sentences
    """

    rows: int
    scores: Mapping[str, Mapping[str, float]]
    calibration: Mapping[str, StdVerdict]
    shift: Shift | None
    growth: Mapping[str, float]
    verdict: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        return dataclasses.asdict(self)


def evaluate_file(
    model: str,
    data: str,
    *,
    level: float = 0.9,
    closed_form: bool = False,
    ignore: Sequence[str] = (),
    dialect: Dialect | None = None,
    report: str | None = None,
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> EvaluatedFile:
    """Judge the model on the table in a file, which need not have the targets; read piece by piece.

    ignore  columns to read as if they were not there: a target that is not to be believed
    report  a file for a page about it, which looks at the first 100,000 rows, fewer of a wide table
    """
    check_outputs([report], [model, data], force=force)
    check_level(level)
    forecaster = open_forecaster(model, closed_form=closed_form)
    with closing(open_table(data, dialect)) as stream:
        check_columns(data, stream.names, forecaster.columns)
        _check_ignored(data, ignore, stream.names, forecaster.columns)
        shown = 0 if report is None else min(_MOST_REPORTED, _MOST_NUMBERS // len(forecaster.columns.titles))
        told = ToldRows(data, forecaster, stream, level, progress, ignore=ignore, most_kept=shown)
        shift = _shift(forecaster.summary.get("training_rows"), told)
    scores, calibration = told.judged(look_alike=shift is not None and not shift.is_shifted)
    growth = told.growth()
    verdict = [
        sentence
        for target, judged in calibration.items()
        for sentence in judged.sentences(target if len(calibration) > 1 else "")
    ]
    if shift is None:
        verdict.append("this model does not remember its training rows, so nothing is said of a shift; use wdrop fit")
    else:
        verdict.append(judge_shift(shift, list(growth.values()), calibration.values()))
    if report is not None:
        from wdrop.files.model_reports import report_evaluation  # figures take a second to load

        with writing(report):
            report_evaluation(report, *told.kept(), forecaster, said=verdict, shift=shift)
    return EvaluatedFile(told.rows, scores, calibration, shift, growth, tuple(verdict))


def _shift(training: Mapping[str, Any] | None, told: ToldRows) -> Shift | None:
    """How the rows differ from those of training; all of them are read, whether the model remembers those or not."""
    if training is not None:
        return shift_of(TrainingRows.from_json(training), told.features())
    for _ in told.features():
        pass
    return None


def _check_ignored(data: str, ignore: Sequence[str], names: Sequence[str], columns: Columns) -> None:
    """Refuse names that the file does not have, and those that the model cannot do without."""
    for name in ignore:
        known(f"column of {data}:", name, names)
        if name in columns.names:
            raise ValueError(f"column {name!r} cannot be ignored, as the model needs it; expected a target or another")
