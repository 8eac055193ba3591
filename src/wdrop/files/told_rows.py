"""One pass over a file: what a model says of its rows, and what came true."""

from collections.abc import Callable, Collection, Iterator
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from wdrop.files.forecaster import Forecaster
from wdrop.files.growing import Growing
from wdrop.files.light_model import FileForecast
from wdrop.files.predict_file import PROGRESS_STEPS, needed_of, pieces
from wdrop.files.table_file import TableStream
from wdrop.files.text_columns import target_numbers
from wdrop.report.model.verdict import StdVerdict, advice_for, judge_std

Array = NDArray[np.float64]
_SCORED_LEVEL = 0.9  # of the interval whose coverage and width stand among the scores


@final
class ToldRows:
    """Reads the file once; features go to whoever asks and are forgotten.

    Of each row and target mean, std and truth are kept, 24 bytes, as measures need them all at once. Of intervals it is
    only counted how many held the truth, and how wide they are. The features of the first `most_kept` rows stay, for a
    page.
    """

    def __init__(
        self,
        data: str,
        forecaster: Forecaster,
        stream: TableStream,
        level: float,
        progress: Callable[[int, int], None] | None = None,
        *,
        ignore: Collection[str] = (),
        most_kept: int = 0,
    ) -> None:
        self.data, self.forecaster, self.stream, self.level, self.progress = data, forecaster, stream, level, progress
        self.rows = 0
        self._mean, self._std = ({name: Growing() for name in forecaster.targets} for _ in range(2))
        known = [name for name in forecaster.targets if name in stream.names and name not in ignore]
        self._truth = {name: Growing() for name in known}
        self._levels = list(dict.fromkeys([level, _SCORED_LEVEL]))
        self._inside = {name: np.zeros(len(self._levels)) for name in known}  # rows whose interval holds the truth
        self._width = {name: np.zeros(len(self._levels)) for name in known}  # the sum over rows with a truth
        self._kept: list[Array] = []  # features (n, f) of the first rows
        self._room = most_kept

    def features(self) -> Iterator[Array]:
        """The features of each piece, (n, f); when all have been asked for, all is known."""
        levels = [end for level in self._levels for end in ((1 - level) / 2, (1 + level) / 2)]
        for piece, first in pieces(self.data, self.stream):
            values = needed_of(self.data, piece, self.forecaster.columns, first)
            self._hear(piece, self.forecaster.forecast(values, levels))
            self.rows += piece.num_rows
            if self.progress is not None:
                self.progress(int(PROGRESS_STEPS * self.stream.read()), PROGRESS_STEPS)
            x = self.forecaster.columns.encode(values)
            if self._room > 0:
                self._kept.append(x[: self._room].copy())
                self._room -= len(self._kept[-1])
            yield x

    def _hear(self, piece: Any, forecast: FileForecast) -> None:
        for k, name in enumerate(self.forecaster.targets):
            self._mean[name].add(forecast.mean[:, k])
            self._std[name].add(forecast.std[:, k])
            if name in self._truth:
                y = self._target(piece.column(name), name)
                lower, upper = forecast.quantiles[::2, :, k], forecast.quantiles[1::2, :, k]  # (levels, n)
                self._truth[name].add(y)
                self._inside[name] += ((y >= lower) & (y <= upper)).sum(1)
                self._width[name] += (upper - lower)[:, ~np.isnan(y)].sum(1)

    def _target(self, array: Any, name: str) -> Array:
        try:
            return target_numbers(name, array, self.rows)
        except ValueError as error:
            raise ValueError(f"{self.data}: {error}") from None

    def judged(self, *, look_alike: bool) -> tuple[dict[str, dict[str, float]], dict[str, StdVerdict]]:
        """Scores and verdict for each target of which the file has values; features may look as in training or not."""
        from wdrop.measures import evaluate  # predicting does without

        scores, verdicts = {}, {}
        advice = advice_for(self.forecaster.summary.get("calibrate"), look_alike=look_alike)
        for name in self._truth:
            mean, std, y = (part[name].all() for part in (self._mean, self._std, self._truth))
            seen = ~np.isnan(y)
            n_seen = int(seen.sum())
            if n_seen == 0:
                continue
            if n_seen < len(y):
                mean, std, y = mean[seen], std[seen], y[seen]
            coverage, width = (part[name] / n_seen for part in (self._inside, self._width))
            own = {"coverage": float(coverage[-1]), "width": float(width[-1])}  # which need not be Gaussian
            scores[name] = {**evaluate(mean, std, y), **own}
            verdicts[name] = judge_std(mean, std, y, level=self.level, coverage=float(coverage[0]), advice=advice)
        return scores, verdicts

    def growth(self) -> dict[str, float]:
        """How many times as large the median std is as in training, where the model remembers that."""
        before = self.forecaster.summary.get("typical_std")
        if before is None:
            return {}
        pairs = zip(self.forecaster.targets, before["median"], strict=True)
        return {name: float(np.median(self._std[name].all()) / old) for name, old in pairs if old > 0}

    def kept(self) -> tuple[Array, Array, Array, Array]:
        """Mean and std (n, d), features (n, f) and targets (n, d), NaN where not known, of the first rows."""
        x = np.concatenate(self._kept)
        unknown = np.full(len(x), np.nan)
        mean, std, y = (
            np.column_stack([part[name].all()[: len(x)] if name in part else unknown for name in self._std])
            for part in (self._mean, self._std, self._truth)
        )
        return mean, std, x, y
