"""UQRegressors: `MCDropoutRegressor` and `DeepEnsembleRegressor`.

Its predictions are intervals; std is read off a central interval, of which the library takes it to be Gaussian. `tau`
is left at its default, which adds a variance of 1e-6. The fused Adam is passed in, since one may.
"""

from pathlib import Path
from statistics import NormalDist
from typing import Any

from benchmarks.peers.harness import Array, Job, Way, main

# user code
from uqregressors.bayesian.dropout import MCDropoutRegressor

# end
from uqregressors.bayesian.deep_ens import DeepEnsembleRegressor

HALF_WIDTH = NormalDist().inv_cdf(0.95)  # of the 90 % interval, its default, in std


def mc_dropout(x: Array, y: Array, job: Job) -> Any:
    # user code
    return MCDropoutRegressor(
        hidden_sizes=[job.width] * job.depth, dropout=job.dropout, n_samples=job.n_draws, epochs=job.epochs,
        batch_size=job.batch_size, learning_rate=job.learning_rate, optimizer_kwargs={"fused": True},
        random_seed=job.seed, logging_frequency=1,
    ).fit(x, y)  # fmt: skip
    # end


def deep_ensemble(x: Array, y: Array, job: Job) -> Any:
    return DeepEnsembleRegressor(
        hidden_sizes=[job.width] * job.depth, n_estimators=job.n_members, epochs=job.epochs,
        batch_size=job.batch_size, learning_rate=job.learning_rate, optimizer_kwargs={"fused": True},
        random_seed=job.seed, logging_frequency=1, n_jobs=1,
    ).fit(x, y)  # fmt: skip


def predict(model: Any, x: Array) -> tuple[Array, Array]:
    # user code
    mean, lower, upper = model.predict(x)
    return mean, (upper - lower) / (2 * HALF_WIDTH)
    # end


def save(model: Any, folder: Path) -> None:
    model.save(folder)


WAYS = {"mc_dropout": Way(mc_dropout, predict, save), "deep_ensemble": Way(deep_ensemble, predict, save)}

if __name__ == "__main__":
    main(WAYS)
