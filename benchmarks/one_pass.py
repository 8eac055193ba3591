"""How much faster one pass is than draws, at prediction and in training, as ratios within one run.

2 x 100 units, 8 features, one thread. Prediction: 10,000 points against 50 draws of a plain PyTorch loop. Training: the
step per network of a stack of 10 at batch 100, against the sampled step with 5 draws. Everything is timed in turns, in
processor time, and the medians are compared, since the machine's own speed drifts.
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
from wdrop.methods import Method, WDropout, WDropoutClosed, WDropoutLastLayer
from wdrop.methods.w_dropout_last_layer import LastLayerPredictor
from wdrop.moments import predict
from wdrop.nets.stacked import MLP, Stack
from wdrop.nets.training import Training
from wdrop.prediction import Points

N_FEATURES, N_POINTS, N_DRAWS = 8, 10_000, 50
N_TURNS = 9


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
    return lambda: method.fit_many([Points(x, y)] * 10, generators=[generator_for("fit", k) for k in range(10)])


def medians(contenders: dict[str, Callable[[], object]]) -> dict[str, float]:
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for turn in range(N_TURNS + 1):
        for name, run in contenders.items():
            start = time.process_time()
            run()
            if turn > 0:  # the first turn warms up
                seconds[name].append(time.process_time() - start)
    return {name: statistics.median(values) for name, values in seconds.items()}


def main() -> None:
    torch.set_num_threads(1)
    net, x = network(), torch.randn(N_POINTS, N_FEATURES, generator=generator_for("x"))
    last_layer = LastLayerPredictor(network(last_layer_only=True))
    prediction = medians(
        {
            f"plain PyTorch loop, {N_DRAWS} draws": lambda: plain_draws(net, x),
            f"wdrop, {N_DRAWS} draws": lambda: predict(net, x, n_samples=N_DRAWS, generator=generator_for("p")),
            "wdrop, linearised": lambda: predict(net, x, "linearised"),
            "wdrop, closed form": lambda: predict(net, x, "closed_form"),
            "wdrop, last layer": lambda: last_layer.predict(x),
        }
    )
    base = next(iter(prediction.values()))
    print(f"torch {torch.__version__}, one thread, median of {N_TURNS} turns, processor time")
    print(f"{'mean and std of 10,000 points':44} {'ms':>8} {'times as fast':>14}")
    for name, seconds in prediction.items():
        print(f"{name:44} {1e3 * seconds:8.2f} {base / seconds:14.1f}")
    shape, training = MLP(), Training(epochs=20, device="cpu")
    steps = medians(
        {
            "sampled, 5 draws": stacked_steps(WDropout(net=shape, training=training)),
            "closed form": stacked_steps(WDropoutClosed(net=shape, training=training)),
            "last layer": stacked_steps(WDropoutLastLayer(net=replace(shape, last_layer_only=True), training=training)),
        }
    )
    print(f"{'training step, per network':44} {'ms':>8} {'of sampled':>14}")
    for name, seconds in steps.items():
        print(f"{name:44} {1e3 * seconds / 200 / 10:8.3f} {seconds / steps['sampled, 5 draws']:14.2f}")


if __name__ == "__main__":
    main()
