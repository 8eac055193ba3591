"""How much faster one pass is than draws, at prediction and in training, as ratios within one run.

2 x 100 units, 8 features, one thread. Prediction: 10,000 points against 50 draws of a plain PyTorch loop. Training: the
step per network of a stack of 10 at batch 100, against the sampled step with 5 draws. Everything is timed in turns, in
processor time, and the medians are compared, since the machine's own speed drifts.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace

os.environ["OMP_NUM_THREADS"] = "1"  # before torch loads

import torch
from benchmarks._results import keep, parser
from benchmarks._timing import conditions, medians
from torch import nn

from wdrop._random import generator_for
from wdrop.methods import Method, WDropout, WDropoutClosed, WDropoutLastLayer
from wdrop.methods.w_dropout_last_layer import LastLayerPredictor
from wdrop.moments import predict
from wdrop.nets.stacked import MLP, Stack
from wdrop.nets.training import Training
from wdrop.prediction import Points
from wdrop.report.tables import Table

N_FEATURES, N_POINTS, N_DRAWS = 8, 10_000, 50
N_NETWORKS, N_STEPS = 10, 200


def network(*, last_layer_only: bool = False) -> nn.Sequential:
    shape = MLP(last_layer_only=last_layer_only)
    return Stack.initial(shape, N_FEATURES, 1, generators=[generator_for("net")], dtype=torch.float32).network(0)


@torch.no_grad()
def plain_draws(net: nn.Module, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """A user's own loop."""
    net.train()
    draws = torch.stack([net(x) for _ in range(N_DRAWS)])
    net.eval()
    return draws.mean(0), draws.std(0)


def stacked_steps(method: Method) -> Callable[[], object]:
    generator = generator_for("benchmark")
    x, y = (torch.randn(1000, n, generator=generator) for n in (N_FEATURES, 1))
    trains = [Points(x, y)] * N_NETWORKS
    return lambda: method.fit_many(trains, generators=[generator_for("fit", k) for k in range(N_NETWORKS)])


def predictions(n_turns: int) -> Table:
    """Mean and std of many points, every way beside a plain loop."""
    net, x = network(), torch.randn(N_POINTS, N_FEATURES, generator=generator_for("x"))
    last_layer = LastLayerPredictor(network(last_layer_only=True))
    seconds = medians(
        {
            f"plain PyTorch loop, {N_DRAWS} draws": lambda: plain_draws(net, x),
            f"wdrop, {N_DRAWS} draws": lambda: predict(net, x, n_samples=N_DRAWS, generator=generator_for("p")),
            "wdrop, linearised": lambda: predict(net, x, "linearised"),
            "wdrop, closed form": lambda: predict(net, x, "closed_form"),
            "wdrop, last layer": lambda: last_layer.predict(x),
        },
        n_turns,
    )
    base = next(iter(seconds.values()))
    rows = [[name, f"{1e3 * value:.2f}", f"{base / value:.1f}"] for name, value in seconds.items()]
    return Table(
        f"Mean and std of {N_POINTS:,} points", ["way", "ms", "times as fast"], rows, f"{conditions(n_turns)}."
    )


def training_steps(n_turns: int) -> Table:
    """A training step of each variant, beside the sampled one."""
    shape, training = MLP(), Training(epochs=N_STEPS // 10, device="cpu")
    last_layer = WDropoutLastLayer(net=replace(shape, last_layer_only=True), training=training)
    seconds = medians(
        {
            "sampled, 5 draws": stacked_steps(WDropout(net=shape, training=training)),
            "closed form": stacked_steps(WDropoutClosed(net=shape, training=training)),
            "last layer": stacked_steps(last_layer),
        },
        n_turns,
    )
    base = next(iter(seconds.values()))
    rows = [[name, f"{1e3 * s / N_STEPS / N_NETWORKS:.3f}", f"{s / base:.2f}"] for name, s in seconds.items()]
    note = f"{conditions(n_turns)}, {N_STEPS} steps a turn."
    return Table("A training step, per network", ["variant", "ms", "times sampled"], rows, note)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser(__doc__)
    options.add_argument("--turns", type=int, default=9)
    chosen = options.parse_args(arguments)
    torch.set_num_threads(1)
    keep("one_pass", [predictions(chosen.turns), training_steps(chosen.turns)], chosen.out)


if __name__ == "__main__":
    main()
