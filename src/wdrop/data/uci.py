"""The paper's tables, by name, as they are: unscaled, in the order of the file."""

from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from wdrop._checks import known
from wdrop.data.catalogue import CATALOGUE, TableFacts
from wdrop.data.files import read_frame
from wdrop.data.locate import comes_with_scikit_learn, find_table, missing
from wdrop.data.recognise import Columns, checked
from wdrop.prediction import Points


def load_uci(name: str) -> Points:
    """The table of that name, from $WDROP_DATA or the user's cache; diabetes also from scikit-learn.

    A file with other numbers than the table's is refused, whatever it is called.
    """
    known("table", name, CATALOGUE)
    path = find_table(name)
    return _loaded(CATALOGUE[name], path, None if path is None else path.stat().st_mtime_ns)


@lru_cache(maxsize=4)  # the runs of a study ask for one table again and again; a file that changed is read anew
def _loaded(facts: TableFacts, path: Path | None, changed: int | None) -> Points:
    x, y = checked(facts, *_columns(facts, path))
    return Points(torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32))


def _features_and_target(frame: pd.DataFrame, where: str) -> Columns:
    """Features and target of a table in our form: numbers everywhere, the target last."""
    wrong = [str(name) for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name])]
    if wrong:
        raise ValueError(f"{where}: expected numbers in all columns, got text in {', '.join(wrong[:5])}")
    numbers = frame.to_numpy(np.float64)
    return numbers[:, :-1], numbers[:, -1:]


def _columns(facts: TableFacts, path: Path | None) -> Columns:
    if path is not None:
        return _features_and_target(read_frame(path), str(path))
    if comes_with_scikit_learn(facts):
        from sklearn.datasets import load_diabetes  # takes a second, and only this table needs it

        x, y = load_diabetes(return_X_y=True, scaled=False)
        return np.asarray(x, np.float64), np.asarray(y, np.float64)[:, None]
    raise FileNotFoundError(missing(facts))
