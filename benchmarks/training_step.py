"""How long a training step takes, per network, as ratios to a plain PyTorch MC-dropout step in the same run.

2 x 100 units, batch 100, 8 features, Adam, one thread. Everything is timed in turns and the medians are compared,
since the machine's own speed drifts.
"""

import os
import statistics
import time
from collections.abc import Callable
from dataclasses import replace

os.environ["OMP_NUM_THREADS"] = "1"  # before torch loads

import torch
from torch import nn

from wdrop._random import generator_for
from wdrop.losses.wasserstein import wasserstein_dropout_loss
from wdrop.methods import MCDropout, Method, WDropout, WDropoutLastLayer
from wdrop.nets.stacked import MLP
from wdrop.nets.training import Training
from wdrop.prediction import Points

N_FEATURES, WIDTH, BATCH, N_DRAWS = 8, 100, 100, 5
N_STEPS, N_TURNS = 200, 9


def points(k: int) -> Points:
    generator = generator_for("benchmark", k)
    n = 10 * BATCH
    return Points(torch.randn(n, N_FEATURES, generator=generator), torch.randn(n, 1, generator=generator))


def plain_step(n_draws: int | None, fused: bool | None = None) -> Callable[[], None]:
    """A user's own loop: MC dropout, or Wasserstein dropout with a Python loop over draws."""
    net = nn.Sequential(
        nn.Linear(N_FEATURES, WIDTH), nn.ReLU(), nn.Dropout(0.1),
        nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Dropout(0.1), nn.Linear(WIDTH, 1),
    )  # fmt: skip
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3, fused=fused)
    train = points(0)

    def run() -> None:
        for step in range(N_STEPS):
            rows = slice(step % 10 * BATCH, step % 10 * BATCH + BATCH)
            x, y = train.x[rows], train.y[rows]
            optimizer.zero_grad()
            if n_draws is None:
                loss = (net(x) - y).square().mean()
            else:
                loss = wasserstein_dropout_loss(torch.stack([net(x) for _ in range(n_draws)]), y).mean()
            loss.backward()
            optimizer.step()

    return run


def stacked_steps(method: Method, n_networks: int) -> Callable[[], None]:
    trains = [points(k) for k in range(n_networks)]

    def run() -> None:
        method.fit_many(trains, generators=[generator_for("fit", k) for k in range(n_networks)])

    return run


def main() -> None:
    torch.set_num_threads(1)
    net, training = MLP(width=WIDTH), Training(epochs=N_STEPS // 10, batch_size=BATCH, device="cpu")
    wasserstein = WDropout(net=net, training=training, n_draws=N_DRAWS)
    mc = MCDropout(net=net, training=training)
    last_layer = WDropoutLastLayer(net=replace(net, last_layer_only=True), training=training)
    contenders: dict[str, tuple[int, Callable[[], None]]] = {
        "plain PyTorch, MC dropout": (1, plain_step(None)),
        "plain PyTorch, MC dropout, fused Adam": (1, plain_step(None, fused=True)),
        f"plain PyTorch, Wasserstein dropout, loop over {N_DRAWS} draws": (1, plain_step(N_DRAWS)),
        "wdrop, MC dropout, alone": (1, stacked_steps(mc, 1)),
        "wdrop, MC dropout, stack of 10": (10, stacked_steps(mc, 10)),
        f"wdrop, Wasserstein dropout, {N_DRAWS} draws, alone": (1, stacked_steps(wasserstein, 1)),
        f"wdrop, Wasserstein dropout, {N_DRAWS} draws, stack of 10": (10, stacked_steps(wasserstein, 10)),
        "wdrop, Wasserstein dropout, last layer, stack of 10": (10, stacked_steps(last_layer, 10)),
    }
    milliseconds: dict[str, list[float]] = {name: [] for name in contenders}
    for turn in range(N_TURNS + 1):
        for name, (n_networks, run) in contenders.items():
            start = time.perf_counter()
            run()
            if turn > 0:  # the first turn warms up
                milliseconds[name].append((time.perf_counter() - start) * 1e3 / N_STEPS / n_networks)
    base = statistics.median(milliseconds["plain PyTorch, MC dropout"])
    print(f"torch {torch.__version__}, one thread, median of {N_TURNS} turns of {N_STEPS} steps")
    print(f"{'step, per network':62} {'ms':>6} {'ratio':>6}")
    for name, values in milliseconds.items():
        median = statistics.median(values)
        print(f"{name:62} {median:6.3f} {median / base:6.2f}")


if __name__ == "__main__":
    main()
