"""What the benchmarks of training let run against each other: a user's own loop, and ours."""

from collections.abc import Callable

import torch
from torch import nn

from wdrop._random import generator_for
from wdrop.losses.wasserstein import wasserstein_dropout_loss
from wdrop.methods import Method
from wdrop.prediction import Points

N_FEATURES, WIDTH, BATCH = 8, 100, 100
STEPS_PER_EPOCH = 10


def points(k: int) -> Points:
    """An epoch of noise."""
    generator = generator_for("benchmark", k)
    n = STEPS_PER_EPOCH * BATCH
    return Points(torch.randn(n, N_FEATURES, generator=generator), torch.randn(n, 1, generator=generator))


def plain_steps(n_steps: int, n_draws: int | None = None, fused: bool | None = None) -> Callable[[], None]:
    """A user's own loop: MC dropout, or Wasserstein dropout with a Python loop over draws."""
    net = nn.Sequential(
        nn.Linear(N_FEATURES, WIDTH), nn.ReLU(), nn.Dropout(0.1),
        nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Dropout(0.1), nn.Linear(WIDTH, 1),
    )  # fmt: skip
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3, fused=fused)
    train = points(0)

    def run() -> None:
        for step in range(n_steps):
            first = step % STEPS_PER_EPOCH * BATCH
            x, y = train.x[first : first + BATCH], train.y[first : first + BATCH]
            optimizer.zero_grad()
            if n_draws is None:
                loss = (net(x) - y).square().mean()
            else:
                loss = wasserstein_dropout_loss(torch.stack([net(x) for _ in range(n_draws)]), y).mean()
            loss.backward()
            optimizer.step()

    return run


def stacked_fit(method: Method, n_networks: int) -> Callable[[], None]:
    """Our fit of so many networks at once."""
    trains = [points(k) for k in range(n_networks)]

    def run() -> None:
        method.fit_many(trains, generators=[generator_for("fit", k) for k in range(n_networks)])

    return run
