"""How long to train, and on batches of which size, for a table of so many rows."""

from math import ceil, isqrt
from types import MappingProxyType
from typing import NamedTuple

from wdrop._checks import at_least, known

N_STEPS = 10_000
_MOST_EPOCHS = 1000  # as many as the paper has for its small tables; more only learn the rows by heart
_BATCH = 100  # the paper's
_FOLDS = 5  # an epoch of a fold of cross-fitting, four fifths of the rows, then has four fifths of the steps
_SMALL = 2_000  # rows; the paper's small tables end below, its large ones begin above


class Budget(NamedTuple):
    """What training is told; `n_steps` is what comes of it."""

    epochs: int
    batch_size: int
    n_steps: int


PRESETS = MappingProxyType({"paper-small": 1000, "paper-large": 150})
"""The paper's two regimes by name: epochs with a batch of 100. "paper" takes the one for the table's size."""


def budget_for(
    n_rows: int, *, epochs: int | str | None = None, batch_size: int | None = None, n_steps: int | None = None
) -> Budget:
    """Epochs and batch size.

    By default `n_steps` steps (10,000), but at most 1,000 epochs, on batches of about 100 rows: a fifth of the table
    if that is less, √n if that is more. A larger table is trained on larger batches, not for longer. `epochs` is a
    number or one of the paper's regimes.
    """
    if isinstance(epochs, str):
        known("regime", epochs, ("paper", *PRESETS))
        name = ("paper-small" if n_rows <= _SMALL else "paper-large") if epochs == "paper" else epochs
        epochs, batch_size = PRESETS[name], batch_size or _BATCH
    if batch_size is None:
        wanted = max(_BATCH, isqrt(n_rows))
        batch_size = max(1, n_rows // (_FOLDS * max(1, round(n_rows / (_FOLDS * wanted)))))
    at_least(1, batch_size=batch_size)
    batch_size = min(batch_size, n_rows)
    per_epoch = n_rows // batch_size
    if epochs is None:
        n_steps = N_STEPS if n_steps is None else n_steps
        at_least(1, n_steps=n_steps)
        epochs = min(_MOST_EPOCHS, ceil(n_steps / per_epoch))
    at_least(1, epochs=epochs)
    return Budget(epochs, batch_size, epochs * per_epoch)
