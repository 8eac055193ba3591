"""Where the time of a training step goes, and how far it is from what arithmetic alone takes.

2 x 100 units, batch 100, 8 features, one thread; Wasserstein dropout with 5 draws and MC dropout, 10 networks in a
stack and one alone. The bare matrix products, a large product, a large copy and a plain PyTorch step take turns with
them.
"""

import os
from collections.abc import Mapping, Sequence

os.environ["OMP_NUM_THREADS"] = "1"  # before torch loads

import torch
from benchmarks._bare_products import Shape, bare_products
from benchmarks._contenders import BATCH, N_FEATURES, STEPS_PER_EPOCH, WIDTH, plain_steps, stacked_fit
from benchmarks._results import keep, parser
from benchmarks._step_parts import PARTS, shares
from benchmarks._timing import Contender, conditions, medians

from wdrop.methods import MCDropout, Method, WDropout
from wdrop.nets.stacked import MLP
from wdrop.nets.training import Training
from wdrop.report.tables import Table

N_DRAWS = 5
GEMM_SIZE, COPY_MIB = 1024, 256
OURS: dict[str, tuple[int, int]] = {
    f"W-dropout, {N_DRAWS} draws, 10 networks": (N_DRAWS, 10),
    f"W-dropout, {N_DRAWS} draws, alone": (N_DRAWS, 1),
    "MC dropout, 10 networks": (1, 10),
    "MC dropout, alone": (1, 1),
}
"""Draws and networks."""


def method(n_draws: int, n_steps: int) -> Method:
    net = MLP(width=WIDTH)
    training = Training(epochs=n_steps // STEPS_PER_EPOCH, batch_size=BATCH, device="cpu")
    if n_draws == 1:
        return MCDropout(net=net, training=training)
    return WDropout(net=net, training=training, n_draws=n_draws)


def shape(n_draws: int, n_networks: int) -> Shape:
    return Shape(n_networks, n_draws, batch=BATCH, n_features=N_FEATURES, width=WIDTH)


def machine() -> dict[str, Contender]:
    """A product and a copy too large to be held up by anything but the processor and its memory."""
    a, b, out = (torch.ones(GEMM_SIZE, GEMM_SIZE) for _ in range(3))
    source, target = (torch.ones(COPY_MIB * 2**18) for _ in range(2))
    return {"product": lambda: torch.mm(a, b, out=out), "copy": lambda: target.copy_(source)}


def contenders(n_steps: int) -> dict[str, Contender]:
    """Everything that takes turns: the machine's limits, the plain step, our fits and their bare products."""
    found = machine() | {"plain": plain_steps(n_steps)}
    for name, (n_draws, n_networks) in OURS.items():
        found[name] = stacked_fit(method(n_draws, n_steps), n_networks)
        found[f"bare {name}"] = bare_products(shape(n_draws, n_networks), n_steps)
    return found


def limits(seconds: Mapping[str, float], n_steps: int, note: str) -> Table:
    """Our steps, per network, beside their bare products and the plain step."""
    plain = seconds["plain"] / n_steps
    rows = [["plain PyTorch, MC dropout", f"{1e3 * plain:.3f}", "", "", "", "1.00"]]
    for name, size in OURS.items():
        n_draws, n_networks = size
        step, bare = (seconds[key] / n_steps / n_networks for key in (name, f"bare {name}"))
        rate = shape(n_draws, 1).operations / bare / 1e9
        numbers = f"{1e3 * step:.3f}", f"{1e3 * bare:.3f}", f"{rate:.0f}", f"{step / bare:.2f}", f"{step / plain:.2f}"
        rows.append([name, *numbers])
    headings = ["step, per network", "ms", "bare products, ms", "their GFLOP/s", "times its products", "times plain MC"]
    product = 2 * GEMM_SIZE**3 / seconds["product"] / 1e9
    copied = 2 * COPY_MIB * 2**20 / seconds["copy"] / 1e9
    machine_note = (
        f"In the same turns a product of {GEMM_SIZE} x {GEMM_SIZE} matrices ran at {product:.0f} GFLOP/s and a copy of "
        f"{COPY_MIB} MiB moved {copied:.1f} GB/s, read and written. {note}."
    )
    return Table("A training step against the arithmetic limit", headings, rows, machine_note)


def parts(n_steps: int) -> Table:
    """The share of every part in our steps."""
    found = {name: shares(stacked_fit(method(n_draws, n_steps), k)) for name, (n_draws, k) in OURS.items()}
    rows = [[part, *(f"{100 * mine[part]:.0f} %" for mine in found.values())] for part in PARTS]
    note = (
        "Operations as torch's profiler times them, masks and optimizer with all that they call; the last line is what "
        "is left of the time of a fit that nobody watches."
    )
    return Table("Where the time of a step goes", ["part", *found], rows, note)


def main(arguments: Sequence[str] | None = None) -> None:
    options = parser(__doc__)
    options.add_argument("--steps", type=int, default=200, help="steps in a turn")
    options.add_argument("--turns", type=int, default=9)
    chosen = options.parse_args(arguments)
    torch.set_num_threads(1)
    seconds = medians(contenders(chosen.steps), chosen.turns)
    note = f"{conditions(chosen.turns)}, {chosen.steps} steps a turn"
    keep("profile", [limits(seconds, chosen.steps, note), parts(chosen.steps)], chosen.out)


if __name__ == "__main__":
    main()
