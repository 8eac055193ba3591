"""A user's own table → points."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from wdrop._checks import known
from wdrop.data.files import headings, read_frame
from wdrop.prediction import Points


def load_table(file: str | Path, *, target: str | Sequence[str], ignore: Sequence[str] = ()) -> Points:
    """The file's rows: `target` is one column or several, all others are features but those to `ignore`."""
    path = Path(file)
    frame = read_frame(path)
    frame.columns = frame.columns.map(str)
    targets = check_columns(str(path), list(frame.columns), target=target, ignore=ignore)
    features = [name for name in frame.columns if name not in targets and name not in ignore]
    if not features:
        raise ValueError(f"{path}: expected at least one feature beside the target, got none")
    return Points(_numbers(path, frame[features]), _numbers(path, frame[targets]))


def check_table(file: str | Path, *, target: str | Sequence[str], ignore: Sequence[str] = ()) -> None:
    """Refuse a table that is not there or lacks these columns, without reading its rows."""
    check_columns(str(file), headings(Path(file)), target=target, ignore=ignore)


def check_columns(
    where: str, names: Sequence[str], *, target: str | Sequence[str], ignore: Sequence[str] = ()
) -> list[str]:
    """The targets as a list, if all columns that are named are there."""
    targets = [target] if isinstance(target, str) else list(target)
    if not targets:
        raise ValueError(f"{where}: expected a target, got none")
    doubled = sorted({name for name in names if list(names).count(name) > 1})
    if doubled:
        raise ValueError(f"{where}: expected columns of different names, got several {', '.join(doubled)}")
    for name in [*targets, *ignore]:
        known(f"column of {where}:", name, names)
    return targets


def _numbers(path: Path, frame: pd.DataFrame) -> torch.Tensor:
    for name in frame.columns:
        column = frame[name]
        if not pd.api.types.is_numeric_dtype(column):
            no_number = column[pd.to_numeric(column, errors="coerce").isna() & column.notna()]
            shown = no_number.iloc[0] if len(no_number) else column.iloc[0]
            raise ValueError(
                f"{path}: expected numbers in column {name!r}, got {shown!r}; encode it or name it in `ignore`"
            )
        n_gaps = int((~np.isfinite(column.to_numpy(np.float64, na_value=np.nan))).sum())
        if n_gaps:
            raise ValueError(
                f"{path}: expected finite numbers in column {name!r}, got {n_gaps} missing or infinite of {len(column)}"
                "; fill them, drop those rows, or name the column in `ignore`"
            )
    return torch.tensor(frame.to_numpy(np.float64), dtype=torch.float32)
