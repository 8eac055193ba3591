"""A regressor with scikit-learn's manners."""

import os
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal, Self, overload

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils import _safe_indexing, check_random_state, gen_batches
from sklearn.utils.validation import check_is_fitted

from wdrop._random import generator_for
from wdrop._version import __version__
from wdrop.calibration.interval import central
from wdrop.estimators.columns import Columns
from wdrop.estimators.distinct import distinct_points
from wdrop.estimators.going_on import go_on
from wdrop.estimators.model import TableModel
from wdrop.estimators.model_file import load_model, save_model
from wdrop.estimators.recipe import base_method, described, in_units_of_y, method_from, with_net, with_training
from wdrop.estimators.sampling import LEVELS, drawn
from wdrop.estimators.validation import checked_level, checked_quantiles, checked_table, checked_targets, checked_weight
from wdrop.methods import Method
from wdrop.nets.training import Progress, silent
from wdrop.prediction import Points, Prediction

Array = NDArray[np.floating[Any]]
_MOST_SEED = 2**31 - 1
_ROWS_AT_ONCE = 2048


class Regressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A network that says how far off it expects to be, for a table.

    Args:
        method: a name out of `wdrop.METHODS`, or a `Method` with settings of its own.
        epochs: how often each row is seen; "paper", "paper-small" (1,000) or "paper-large" (150) for the paper's
            regimes with batches of 100. None goes by `n_steps`.
        batch_size: rows in a step; None takes about 100: a fifth of a smaller table, √n of one above 10,000 rows.
        n_steps: steps of training, at most 1,000 epochs; None is 10,000. Not looked at if `epochs` is given.
        calibrate: None, "cross" (one factor on std, from residuals at rows that networks had not seen), "split" (the
            same from a fifth of the rows, which then do not train), "cv_plus", or a name out of `CALIBRATIONS`.
        width, depth, dropout: of the network; None leaves what the method has.
        learning_rate: of Adam; None leaves what the method has.
        early_stopping: hold `validation_fraction` of the rows out and keep the weights that did best on them; stop
            when `patience` looks, one each 50 steps, were in vain.
        warm_start: a second `fit` goes on from the weights, scales and columns of the first.
        device: where to train: "auto" takes a GPU if there is one. Predictions are made on the CPU.
        random_state: an int makes fit exact. Predictions are always the same for the same fitted model.
        progress: called now and then with steps done and steps in all.

    Columns of words become one feature for each frequent level, gaps are filled by the column's mean and told in a
    feature of their own; NaN in y is a target not observed. Rows are a set: their order is nothing, and equal rows,
    or a `sample_weight` of 2, are one row that counts twice.

    A `Method` brings its own training; what is given here overrides it.
    """

    def __init__(
        self,
        method: str | Method = "w_dropout",
        *,
        epochs: int | str | None = None,
        batch_size: int | None = None,
        n_steps: int | None = None,
        calibrate: str | None = None,
        width: int | None = None,
        depth: int | None = None,
        dropout: float | None = None,
        learning_rate: float | None = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        patience: int = 20,
        warm_start: bool = False,
        device: str = "auto",
        random_state: int | np.random.RandomState | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.method = method
        self.epochs = epochs
        self.batch_size = batch_size
        self.n_steps = n_steps
        self.calibrate = calibrate
        self.width = width
        self.depth = depth
        self.dropout = dropout
        self.learning_rate = learning_rate
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.patience = patience
        self.warm_start = warm_start
        self.device = device
        self.random_state = random_state
        self.progress = progress

    model_: TableModel
    """What `fit` found; there once it is fitted."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train on a table X (n, f) and targets y, (n,) or (n, d); the estimator itself comes back."""
        start = time.perf_counter()
        before = self.model_ if self.warm_start and hasattr(self, "model_") else None
        table = checked_table(self, X, reset=before is None)
        targets = checked_targets(X, y)
        weight = checked_weight(sample_weight, table, targets.values)
        columns = Columns.of(table, weight) if before is None else before.columns
        points = distinct_points(columns.encode(table), targets.values, weight)
        seed = int(check_random_state(self.random_state).randint(_MOST_SEED))
        method = self._method(len(points))
        stream, progress = generator_for("fit", seed), self._progress()
        if before is None:
            predictor = in_units_of_y(method, self.calibrate, len(points)).fit(
                points, generator=stream, progress=progress
            )
        else:
            predictor = go_on(before.predictor, method, points, generator=stream, progress=progress)
        summary = self._summary(method, points, time.perf_counter() - start, dict(predictor.facts))
        self.model_ = TableModel(
            columns, predictor, targets.names, targets.is_flat, seed, summary, self._as_plain_values()
        )
        return self

    @overload
    def predict(self, X: Any, return_std: Literal[False] = False) -> Array: ...
    @overload
    def predict(self, X: Any, return_std: Literal[True]) -> tuple[Array, Array]: ...
    def predict(self, X: Any, return_std: bool = False) -> Array | tuple[Array, Array]:
        """The mean for each row, in the shape of y; with `return_std` also the std.

        X of float32 is computed in single precision, in half the time; all else in double.
        """
        table, double = self._checked(X)
        prediction = self.model_.predict(table, double=double)
        mean, std = self._shaped(prediction.mean, double), self._shaped(prediction.std, double)
        return (mean, std) if return_std else mean

    def predict_interval(self, X: Any, level: float = 0.9) -> tuple[Array, Array]:
        """Lower and upper ends between which y is expected with probability `level`, each in the shape of y."""
        table, double = self._checked(X)
        ends = self.model_.forecast(table, central(checked_level(level)), double=double).quantiles
        return self._shaped(ends[0], double), self._shaped(ends[1], double)

    def predict_quantiles(self, X: Any, quantiles: Sequence[float] = (0.05, 0.5, 0.95)) -> Array:
        """Where y stays below with these probabilities: (q, n), or (q, n, d) if y had several targets."""
        table, double = self._checked(X)
        return self._shaped(self.model_.forecast(table, checked_quantiles(quantiles), double=double).quantiles, double)

    def sample(self, X: Any, n_samples: int = 100, random_state: int | np.random.RandomState | None = None) -> Array:
        """Values that y may take at each row: (s, n), or (s, n, d); independent from row to row.

        Drawn from the distribution that mean, std and intervals describe: Gaussian, or what calibration made of it.
        """
        table, double = self._checked(X)
        stream = check_random_state(random_state)
        u = stream.uniform(size=(n_samples, len(table), len(self.model_.targets)))
        parts = []
        for rows in gen_batches(len(table), _ROWS_AT_ONCE):  # there are many more quantiles than draws
            quantiles = self.model_.forecast(_safe_indexing(table, rows), LEVELS.tolist(), double=double).quantiles
            parts.append(drawn(quantiles.double().numpy(), u[:, rows]))
        return self._shaped(torch.from_numpy(np.concatenate(parts, 1)), double)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R² of the mean; of several targets the mean, each over the rows where it was observed."""
        targets = checked_targets(X, y).values
        mean = self.predict(X).reshape(targets.shape)
        weight = np.ones(len(targets)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        scores = []
        for j in range(targets.shape[1]):
            seen = ~np.isnan(targets[:, j])
            scores.append(r2_score(targets[seen, j], mean[seen, j], sample_weight=weight[seen]))
        return float(np.mean(scores))

    def prediction(self, X: Any, keep_samples: bool = False) -> Prediction:
        """The library's own `Prediction`: tensors (n, d), with noise, doubt and samples where the method has them."""
        table, double = self._checked(X)
        return self.model_.predict(table, double=double, keep_samples=keep_samples)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all that predicting needs into one file that cannot execute anything."""
        check_is_fitted(self)
        save_model(self.model_, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """The fitted regressor in the file; see also `wdrop.load_model`, which needs no scikit-learn."""
        model = load_model(path)
        settings = dict(model.estimator)
        regressor = cls(**{**settings, "method": method_from(settings["method"])})
        regressor.model_ = model
        names = model.columns.names
        regressor.n_features_in_ = len(names)
        if all(name is not None for name in names):
            regressor.feature_names_in_ = np.array(names, dtype=object)
        return regressor

    def _method(self, n_rows: int) -> Method:
        method = with_net(base_method(self.method), width=self.width, depth=self.depth, dropout=self.dropout)
        guide = {"held_out": self.validation_fraction, "patience": self.patience} if self.early_stopping else {}
        return with_training(
            method, n_rows, is_named=isinstance(self.method, str), epochs=self.epochs, batch_size=self.batch_size,
            n_steps=self.n_steps, learning_rate=self.learning_rate, device=self.device, guide=guide,
        )  # fmt: skip

    def _progress(self) -> Progress:
        return silent if self.progress is None else self.progress

    def _checked(self, X: Any) -> tuple[Any, bool]:
        check_is_fitted(self)
        table = checked_table(self, X, reset=False)
        return table, not (isinstance(table, np.ndarray) and table.dtype == np.float32)

    def _shaped(self, values: torch.Tensor, double: bool) -> Array:
        array: Array = values.numpy().astype(np.float64 if double else np.float32, copy=False)
        return array[..., 0] if self.model_.is_flat else array

    def _summary(self, method: Method, points: Points, seconds: float, facts: dict[str, float]) -> dict[str, Any]:
        training = getattr(method, "training", None)
        return {
            "method": repr(method) if isinstance(self.method, Method) else self.method,
            "calibrate": self.calibrate, "rows": len(points), "observations": points.size,
            "features": points.x.shape[1], "epochs": getattr(training, "epochs", None),
            "batch_size": getattr(training, "batch_size", None), "seconds": round(seconds, 3), "facts": facts,
            "wdrop": __version__, "torch": str(torch.__version__),
        }  # fmt: skip

    def _as_plain_values(self) -> dict[str, Any]:
        """The parameters as a file takes them; a callback and a random stream stay behind."""
        settings = {**self.get_params(deep=False), "method": described(self.method), "progress": None}
        if isinstance(self.random_state, np.random.RandomState):
            settings["random_state"] = None
        return {name: value.item() if isinstance(value, np.generic) else value for name, value in settings.items()}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
