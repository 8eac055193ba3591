"""MAPIE: conformal intervals around scikit-learn's `MLPRegressor`, which has no dropout and no std.

Split conformal with the residual-normalised score, the one whose intervals are wider where residuals are larger; a
fifth of the training points is kept for it. std is half the width of the interval at 68.27 %, which a Gaussian leaves
at one std.
"""

import pickle
import warnings
from pathlib import Path
from typing import Any

from benchmarks.peers.harness import Array, Job, Way, main

# user code
from mapie.regression import SplitConformalRegressor
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPRegressor

# end

ONE_STD = 0.6826894921370859

warnings.filterwarnings("ignore")  # that all epochs were used, and of a deviation from what scikit-learn checks


def conformal(x: Array, y: Array, job: Job) -> Any:
    # user code
    fit_x, held_x, fit_y, held_y = train_test_split(x, y, test_size=0.2, random_state=job.seed)
    net = MLPRegressor(
        hidden_layer_sizes=[job.width] * job.depth, batch_size=job.batch_size, learning_rate_init=job.learning_rate,
        max_iter=job.epochs, alpha=0.0, n_iter_no_change=job.epochs, random_state=job.seed,
    )  # fmt: skip
    model = SplitConformalRegressor(net, confidence_level=ONE_STD, conformity_score="residual_normalized", prefit=False)
    return model.fit(fit_x, fit_y).conformalize(held_x, held_y)
    # end


def predict(model: Any, x: Array) -> tuple[Array, Array]:
    # user code
    mean, interval = model.predict_interval(x)
    return mean, (interval[:, 1, 0] - interval[:, 0, 0]) / 2
    # end


def save(model: Any, folder: Path) -> None:
    (folder / "model.pkl").write_bytes(pickle.dumps(model))


WAYS = {"conformal": Way(conformal, predict, save)}

if __name__ == "__main__":
    main(WAYS)
