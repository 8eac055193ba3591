"""Where each table is published, and how its numbers stand there."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


@final
@dataclass(frozen=True)
class Source:
    """A published file.

    member  the file inside the archive; empty if it is none
    read    its bytes → (n, f + 1), the target last
    sha256  of the member, where the numbers have no fingerprint to check them by
    """

    url: str
    member: str
    read: Callable[[bytes], Numbers]
    sha256: str = ""


def _text(separator: str, heading: bool) -> Callable[[bytes], Numbers]:
    def read(content: bytes) -> Numbers:
        frame = pd.read_csv(io.BytesIO(content), sep=separator, header=0 if heading else None)
        return frame.to_numpy(np.float64)

    return read


def _sheet(content: bytes) -> Numbers:
    """The first sheet; some programs leave empty rows and columns around the table."""
    frame = pd.read_excel(io.BytesIO(content)).dropna(how="all").dropna(axis=1, how="all")
    return frame.to_numpy(np.float64)


def _target_first(content: bytes, *, heading: bool) -> Numbers:
    numbers = _text(",", heading)(content)
    return np.hstack([numbers[:, 1:], numbers[:, :1]])


def _boston(content: bytes) -> Numbers:
    """Below 22 lines of text, 14 numbers over two lines for each row."""
    lines = content.decode("latin-1").splitlines()[22:]
    return np.array(" ".join(lines).split(), np.float64).reshape(-1, 14)


def _energy(content: bytes) -> Numbers:
    return np.delete(_sheet(content)[:, :10], 8, axis=1)  # without the heating load


def _abalone(content: bytes) -> Numbers:
    return pd.read_csv(io.BytesIO(content), header=None).iloc[:, 1:].to_numpy(np.float64)  # without the sex


def _kin8nm(content: bytes) -> Numbers:
    _, marker, rows = content.upper().partition(b"@DATA")
    if not marker:
        raise ValueError("no line @DATA in an arff file")
    return _text(",", False)(rows.strip())


def _naval(content: bytes) -> Numbers:
    return np.delete(_text(r"\s+", False)(content), 16, axis=1)  # without the compressor's decay


def _california(content: bytes) -> Numbers:
    """As scikit-learn's fetch_california_housing: averages over households, the value in 100,000 USD."""
    columns = _text(",", False)(content).T
    longitude, latitude, age, rooms, bedrooms, population, households, income, value = columns
    averages = (rooms / households, bedrooms / households, population, population / households)
    return np.column_stack([income, age, *averages, latitude, longitude, value / 100000.0])


_UCI = "https://archive.ics.uci.edu/static/public"

SOURCES: MappingProxyType[str, Source] = MappingProxyType(
    {
        "yacht": Source(f"{_UCI}/243/yacht+hydrodynamics.zip", "yacht_hydrodynamics.data", _text(r"\s+", False)),
        "boston": Source("http://lib.stat.cmu.edu/datasets/boston", "", _boston),
        "energy": Source(f"{_UCI}/242/energy+efficiency.zip", "ENB2012_data.xlsx", _energy),
        "concrete": Source(f"{_UCI}/165/concrete+compressive+strength.zip", "Concrete_Data.xls", _sheet),
        "wine-red": Source(f"{_UCI}/186/wine+quality.zip", "winequality-red.csv", _text(";", True)),
        "abalone": Source(f"{_UCI}/1/abalone.zip", "abalone.data", _abalone),
        "kin8nm": Source("https://www.openml.org/data/download/3626/dataset_2175_kin8nm.arff", "", _kin8nm),
        "power": Source(f"{_UCI}/294/combined+cycle+power+plant.zip", "Folds5x2_pp.xlsx", _sheet),
        "naval": Source(f"{_UCI}/316/condition+based+maintenance+of+naval+propulsion+plants.zip", "data.txt", _naval),
        "california": Source("https://ndownloader.figshare.com/files/5976036", "cal_housing.data", _california),
        "superconduct": Source(f"{_UCI}/464/superconductivty+data.zip", "train.csv", _text(",", True)),
        "protein": Source(
            f"{_UCI}/265/physicochemical+properties+of+protein+tertiary+structure.zip",
            "CASP.csv",
            lambda content: _target_first(content, heading=True),
        ),
        "year": Source(
            f"{_UCI}/203/yearpredictionmsd.zip",
            "YearPredictionMSD.txt",
            lambda content: _target_first(content, heading=False),
            sha256="4b6f8e50235b359e01689ae7fb33ad0f89677e9a15f25f3d6259327a6bb927bb",
        ),
    }
)
