"""wdrop's own turn, through its estimator, as its README shows it."""

from pathlib import Path

from benchmarks.peers.harness import Array, Job, Way, forecast, main, not_fitted

# user code
import wdrop
from wdrop.methods import MCDropout

# end
from wdrop.methods import SWAG, Method, PUEnsemble, PUEvidential, WDropout, WDropoutClosed, WDropoutLastLayer


def regressor(method: Method, x: Array, y: Array, job: Job, *, dropout: float | None = None) -> wdrop.Regressor:
    # user code
    return wdrop.Regressor(
        method, epochs=job.epochs, batch_size=job.batch_size, width=job.width, depth=job.depth, dropout=dropout,
        learning_rate=job.learning_rate, random_state=job.seed,
    ).fit(x, y)  # fmt: skip
    # end


def mc_dropout(x: Array, y: Array, job: Job) -> wdrop.Regressor:
    # the peers add no constant noise to the spread of the draws; nor do we, to compare like with like
    # user code
    method = MCDropout(n_samples=job.n_draws, added_variance="none")
    # end
    return regressor(method, x, y, job, dropout=job.dropout)


def w_dropout(x: Array, y: Array, job: Job) -> wdrop.Regressor:
    return regressor(WDropout(n_samples=job.n_draws), x, y, job, dropout=job.dropout)


def w_dropout_closed(x: Array, y: Array, job: Job) -> wdrop.Regressor:
    return regressor(WDropoutClosed(), x, y, job, dropout=job.dropout)


def w_dropout_last_layer(x: Array, y: Array, job: Job) -> wdrop.Regressor:
    return regressor(WDropoutLastLayer(), x, y, job, dropout=job.dropout)


def deep_ensemble(x: Array, y: Array, job: Job) -> wdrop.Regressor:
    return regressor(PUEnsemble(n_members=job.n_members), x, y, job)


def swag(x: Array, y: Array, job: Job) -> wdrop.Regressor:
    return regressor(SWAG(n_samples=job.n_draws), x, y, job)


def evidential(x: Array, y: Array, job: Job) -> wdrop.Regressor:
    return regressor(PUEvidential(), x, y, job)


def predict(model: wdrop.Regressor, x: Array) -> tuple[Array, Array]:
    # user code
    return model.predict(x, return_std=True)
    # end


def save(model: wdrop.Regressor, folder: Path) -> None:
    model.save(folder / "model.wdrop")


def measures(model: None, x: Array) -> tuple[Array, Array]:
    """Time of `wdrop.evaluate`, on a forecast of as many points as there are rows."""
    mean, std, y = forecast(len(x))
    wdrop.evaluate(mean, std, y)
    return mean, std


WAYS: dict[str, Way] = {
    fit.__name__: Way(fit, predict, save)
    for fit in (mc_dropout, w_dropout, w_dropout_closed, w_dropout_last_layer, deep_ensemble, swag, evidential)
}
WAYS["measures"] = Way(not_fitted, measures)

if __name__ == "__main__":
    main(WAYS)
