"""How a model does on a user's file: against its targets where it has them, and against the training rows."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from wdrop.estimators.forecaster import Forecaster, open_forecaster
from wdrop.estimators.output_file import check_output
from wdrop.estimators.predict_file import check_columns, needed_of, pieces
from wdrop.estimators.shift import Shift, TrainingRows, shift_of
from wdrop.estimators.table_file import Dialect, TableStream, open_table
from wdrop.estimators.text_columns import numbers
from wdrop.estimators.verdict import CalibrationVerdict, judge_calibration, judge_shift

Array = NDArray[np.float64]
_MOST_REPORTED = 100_000  # rows, of those at the beginning
_STEPS = 1000  # of progress, from nothing read to all


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
    calibration: Mapping[str, CalibrationVerdict]
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
    dialect: Dialect | None = None,
    report: str | None = None,
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> EvaluatedFile:
    """Judge the model on the table in a file, which need not have the targets; read piece by piece.

    `report` is a file for a page about it, which looks at the first 100,000 rows.
    """
    if report is not None:
        check_output(report, force=force)
    if not 0 < level < 1:
        raise ValueError(f"expected a level between 0 and 1, got {level}; 0.9 asks for nine of ten points inside")
    forecaster = open_forecaster(model, closed_form=closed_form)
    with closing(open_table(data, dialect)) as stream:
        check_columns(data, stream.names, forecaster.columns)
        reading = _Reading(data, forecaster, stream, level, progress, _MOST_REPORTED if report is not None else 0)
        training = forecaster.summary.get("training_rows")
        shift = None
        if training is None:
            for _ in reading.features():
                pass
        else:
            shift = shift_of(TrainingRows.from_json(training), reading.features())
    scores, calibration = reading.judged()
    growth = reading.growth()
    verdict = [_of(target, told.sentence, len(calibration)) for target, told in calibration.items()]
    if shift is None:
        verdict.append("this model does not remember its training rows, so nothing is said of a shift; use wdrop fit")
    else:
        verdict.append(judge_shift(shift, list(growth.values())))
    if report is not None:
        from wdrop.estimators.model_reports import report_evaluation  # figures take a second to load

        report_evaluation(report, *reading.kept(), forecaster, said=verdict, shift=shift)
    return EvaluatedFile(reading.rows, scores, calibration, shift, growth, tuple(verdict))


def _of(target: str, sentence: str, n_targets: int) -> str:
    return sentence if n_targets == 1 else f"{target}: {sentence}"


@final
class _Reading:
    """One pass over the file: features go to whoever asks, forecasts and targets are kept."""

    def __init__(
        self,
        data: str,
        forecaster: Forecaster,
        stream: TableStream,
        level: float,
        progress: Callable[[int, int], None] | None,
        most_kept: int,
    ) -> None:
        self.data, self.forecaster, self.stream, self.level, self.progress = data, forecaster, stream, level, progress
        self.targets = [name for name in forecaster.targets if name in stream.names]
        self.rows = 0
        self._told: list[Array] = []  # mean, std, lower, upper (4, n, d)
        self._seen: list[Array] = []  # (n, targets in the file)
        self._kept: list[Array] = []  # features (n, f) of the first rows, for a report
        self._room = most_kept

    def features(self) -> Iterator[Array]:
        levels = (1 - self.level) / 2, (1 + self.level) / 2
        for piece, first in pieces(self.data, self.stream):
            values = needed_of(self.data, piece, self.forecaster.columns, first)
            forecast = self.forecaster.forecast(values, levels)
            self._told.append(np.stack([forecast.mean, forecast.std, *forecast.quantiles]))
            seen = [self._target(piece.column(name), name) for name in self.targets]
            self._seen.append(np.column_stack(seen) if seen else np.empty((piece.num_rows, 0)))
            self.rows += piece.num_rows
            if self.progress is not None:
                self.progress(int(_STEPS * self.stream.read()), _STEPS)
            x = self.forecaster.columns.encode(values)
            if self._room > 0:
                self._kept.append(x[: self._room])
                self._room -= len(self._kept[-1])
            yield x

    def kept(self) -> tuple[Array, Array, Array, Array]:
        """Mean and std (n, d), features (n, f) and targets (n, d), NaN where not observed, of the first rows."""
        x = np.concatenate(self._kept)
        told, observed = np.concatenate(self._told, 1)[:, : len(x)], np.concatenate(self._seen)[: len(x)]
        y = np.full(told[0].shape, np.nan)
        for k, name in enumerate(self.targets):
            y[:, self.forecaster.targets.index(name)] = observed[:, k]
        return told[0], told[1], x, y

    def _target(self, array: Any, name: str) -> Array:
        try:
            values = numbers(name, array, self.rows)
        except ValueError as error:
            raise ValueError(f"{self.data}: a target is a number: {error}") from None
        if np.isinf(values).any():
            raise ValueError(f"{self.data}: expected finite numbers in column {name!r}, got infinite ones")
        return values

    def judged(self) -> tuple[dict[str, dict[str, float]], dict[str, CalibrationVerdict]]:
        """Scores and verdict for each target of which the file has values."""
        from wdrop.measures import evaluate  # predicting does without

        scores, calibration = {}, {}
        told, observed = np.concatenate(self._told, 1), np.concatenate(self._seen)
        calibrate = self.forecaster.summary.get("calibrate")
        for k, name in enumerate(self.targets):
            seen = ~np.isnan(observed[:, k])
            if seen.any():
                y = observed[seen, k]
                mean, std, lower, upper = told[:, seen, self.forecaster.targets.index(name)]
                scores[name] = evaluate(mean, std, y)
                judged = judge_calibration(mean, std, lower, upper, y, level=self.level, calibrate=calibrate)
                calibration[name] = judged
        return scores, calibration

    def growth(self) -> dict[str, float]:
        """How many times as large the median std is as in training, where the model remembers that."""
        before = self.forecaster.summary.get("typical_std")
        if before is None:
            return {}
        now = np.median(np.concatenate(self._told, 1)[1], axis=0)
        pairs = zip(self.forecaster.targets, now, before["median"], strict=True)
        return {name: float(new / old) for name, new, old in pairs if old > 0}
