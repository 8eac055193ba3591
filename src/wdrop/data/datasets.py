"""All data sets by name: the toys, the paper's tables, and files of the user."""

import inspect
import json
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

from torch import Generator

from wdrop._checks import known
from wdrop._random import generator_for
from wdrop.data.catalogue import CATALOGUE
from wdrop.data.files import SUFFIXES, is_table_file
from wdrop.data.tables import check_table, load_table
from wdrop.data.toy import TOYS
from wdrop.data.uci import load_uci
from wdrop.prediction import Points


def _table(name: str, *, generator: Generator) -> Points:
    """The table; nothing in it is random, the generator is the signature of all data sets."""
    return load_uci(name)


DATASETS: dict[str, Callable[..., Points]] = {**TOYS, **{name: partial(_table, name) for name in CATALOGUE}}
"""Name → function of a `generator` and perhaps of options; a plugin may add its own."""


def load_points(name: str, options: Mapping[str, Any], *, generator: Generator) -> Points:
    """The data set of that name, or the table in that file, whose options then name the `target`."""
    known_dataset(name, options)
    if name in DATASETS:
        return DATASETS[name](generator=generator, **options)
    return load_table(name, **options)


def known_dataset(name: str, options: Mapping[str, Any]) -> None:
    """Refuse a name or an option that no data set has. A table of the paper may still have to be fetched."""
    if name not in DATASETS and is_table_file(name):
        _check_options(name, load_table, options)
        if "target" not in options:
            raise ValueError(f'{name}: expected the target column, e.g. dataset_options = {{ target = "price" }}')
        check_table(name, **options)
        return
    if name not in DATASETS and name.count(".") > name.count(" "):
        raise ValueError(f"expected a data set or a file that ends in {', '.join(SUFFIXES)}, got {name!r}")
    known("data set", name, DATASETS)
    _check_options(name, DATASETS[name], options)


def n_rows(name: str, options: Mapping[str, Any]) -> int:
    """How many rows it has; of a table of the paper also when it is not here."""
    if name in CATALOGUE:
        return CATALOGUE[name].rows
    return _counted(name, DATASETS.get(name), json.dumps(dict(options), sort_keys=True))


@lru_cache(maxsize=256)
def _counted(name: str, loader: Callable[..., Points] | None, options: str) -> int:
    # The loader is an argument so that another one under the same name is counted anew.
    return len(load_points(name, json.loads(options), generator=generator_for("count", name)))


def _check_options(name: str, loader: Callable[..., Points], options: Mapping[str, Any]) -> None:
    parameters = inspect.signature(loader).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return
    names = [one.name for one in parameters if one.kind is one.KEYWORD_ONLY and one.name != "generator"]
    for option in options:
        known(f"option of data set {name!r}:", option, names)
