"""How long a training step takes, per network, as ratios to a plain PyTorch MC-dropout step in the same run.

2 x 100 units, batch 100, 8 features, Adam, one thread. Everything is timed in turns and the medians are compared,
since the machine's own speed drifts.
"""

import os
from collections.abc import Sequence
from dataclasses import replace

os.environ["OMP_NUM_THREADS"] = "1"  # before torch loads

from benchmarks._contenders import BATCH, STEPS_PER_EPOCH, WIDTH, plain_steps, stacked_fit
from benchmarks._results import keep, parser
from benchmarks._timing import Contender, conditions, medians

from wdrop.methods import MCDropout, WDropout, WDropoutLastLayer
from wdrop.nets.stacked import MLP
from wdrop.nets.training import Training
from wdrop.report.tables import Table

N_DRAWS = 5


def contenders(n_steps: int) -> dict[str, tuple[int, Contender]]:
    """Number of networks, and what trains them for so many steps."""
    net = MLP(width=WIDTH)
    training = Training(epochs=n_steps // STEPS_PER_EPOCH, batch_size=BATCH, device="cpu")
    wasserstein = WDropout(net=net, training=training, n_draws=N_DRAWS)
    mc = MCDropout(net=net, training=training)
    last_layer = WDropoutLastLayer(net=replace(net, last_layer_only=True), training=training)
    return {
        "plain PyTorch, MC dropout": (1, plain_steps(n_steps)),
        "plain PyTorch, MC dropout, fused Adam": (1, plain_steps(n_steps, fused=True)),
        f"plain PyTorch, Wasserstein dropout, loop over {N_DRAWS} draws": (1, plain_steps(n_steps, N_DRAWS)),
        "wdrop, MC dropout, alone": (1, stacked_fit(mc, 1)),
        "wdrop, MC dropout, stack of 10": (10, stacked_fit(mc, 10)),
        f"wdrop, Wasserstein dropout, {N_DRAWS} draws, alone": (1, stacked_fit(wasserstein, 1)),
        f"wdrop, Wasserstein dropout, {N_DRAWS} draws, stack of 10": (10, stacked_fit(wasserstein, 10)),
        "wdrop, Wasserstein dropout, last layer, stack of 10": (10, stacked_fit(last_layer, 10)),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser(__doc__)
    options.add_argument("--steps", type=int, default=200, help="steps in a turn")
    options.add_argument("--turns", type=int, default=9)
    chosen = options.parse_args(arguments)
    found = contenders(chosen.steps)
    seconds = medians({name: run for name, (_, run) in found.items()}, chosen.turns)
    milliseconds = {name: 1e3 * seconds[name] / chosen.steps / n_networks for name, (n_networks, _) in found.items()}
    base = milliseconds["plain PyTorch, MC dropout"]
    rows = [[name, f"{value:.3f}", f"{value / base:.2f}"] for name, value in milliseconds.items()]
    ten, one = seconds["wdrop, MC dropout, stack of 10"], seconds["wdrop, MC dropout, alone"]
    note = (
        f"Ten networks with MC dropout in one stack take {ten / one:.1f} times as long as one. "
        f"{conditions(chosen.turns)}, {chosen.steps} steps a turn."
    )
    keep("training_step", [Table("A training step", ["per network", "ms", "times plain MC"], rows, note)], chosen.out)


if __name__ == "__main__":
    main()
