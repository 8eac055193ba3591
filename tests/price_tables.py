"""Small tables as files, and models fitted to them."""

from pathlib import Path

import numpy as np

from wdrop.files.fit_file import fit_file

N = 200
HEADING = "id,size,rooms,city,price"


def table_text(n: int = N, *, seed: int = 0, far: float = 0.0, noise: float = 1.0) -> str:
    """A csv table: `price` depends on size and city; one row in ten has no rooms; `id` tells nothing."""
    random = np.random.default_rng(seed)
    size, rooms = random.normal(5 + far, 1, n), random.integers(1, 5, n)
    city = np.where(random.random(n) < 0.5, "Ulm", "Bonn, the old one")
    price = 3 * size + 4 * (city == "Ulm") + noise * random.normal(size=n)
    rows = [
        f'r{i},{size[i]:.4f},{"" if i % 10 == 0 else rooms[i]},"{city[i]}",{price[i]:.4f}' for i in range(n)
    ]  # fmt: skip
    return "\n".join([HEADING, *rows]) + "\n"


def fitted_file(folder: Path, name: str = "model.wdrop", **settings: object) -> Path:
    """A model of the table, quickly trained."""
    data = folder / "train.csv"
    data.write_text(table_text())
    options = {"method": "w_dropout_closed", "width": 16, "n_steps": 300, "learning_rate": 1e-2, "device": "cpu"}
    fit_file(str(data), "price", str(folder / name), ignore=["id"], **{**options, **settings})  # type: ignore[arg-type]
    return folder / name
