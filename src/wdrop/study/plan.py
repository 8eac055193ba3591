"""What a study runs: TOML → runs.

A run is a cell: one data set, one kind of split, one method, one seed. All its folds train as one stack.
"""

import dataclasses
import hashlib
import importlib
import itertools
import json
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, final

from wdrop._checks import known
from wdrop._config import build, merged, resolved
from wdrop.data.datasets import known_dataset
from wdrop.data.splits import ALL_FOLDS, SPLITS
from wdrop.methods import METHODS, Method

SCHEMA = 1
"""Of records and of the tables that name a run; a new one makes all runs anew."""


@final
@dataclass(frozen=True, kw_only=True)
class Run:
    """One cell of a study.

    group           which part of the study asked for it; a report finds its runs by it
    variant         what sets the method apart from its namesakes in the group, as tables print it
    dataset_options settings of a generated data set, or the target of the user's own table
    folds           which of the ten, for splits that have them
    scale_y         whether targets are standardised; inputs always are
    curve           whether to keep the prediction along a grid too, for data with one input
    """

    group: str
    dataset: str
    split: str
    method_name: str
    method: Method
    seed: int
    variant: str = ""
    dataset_options: Mapping[str, Any] = field(default_factory=dict)
    folds: Sequence[int] = ALL_FOLDS
    scale_y: bool = True
    curve: bool = False

    def config(self) -> dict[str, Any]:
        """All that decides the result, defaults included."""
        return {**resolved(self), "schema": SCHEMA}

    @property
    def key(self) -> str:
        """The run's name in the store: equal configs have equal keys."""
        return hashlib.sha256(json.dumps(self.config(), sort_keys=True).encode()).hexdigest()[:16]

    @property
    def title(self) -> str:
        variant = f" ({self.variant})" if self.variant else ""
        options = "".join(f" {name}={value}" for name, value in self.dataset_options.items())
        return f"{self.group}: {self.method_name}{variant} on {self.dataset}{options}, {self.split}, seed {self.seed}"


@final
@dataclass(frozen=True)
class Study:
    """A plan under its name; `plugins` are modules that every process imports first."""

    name: str
    title: str
    runs: Sequence[Run]
    plugins: Sequence[str] = ()

    def only(self, conditions: Mapping[str, str]) -> "Study":
        """The runs that meet all conditions, e.g. {"dataset": "yacht"}."""
        names = {"method": "method_name"}
        for key in conditions:
            known("condition", key, ("group", "dataset", "split", "method", "variant", "seed"))
        kept = [
            run
            for run in self.runs
            if all(str(getattr(run, names.get(key, key))) == value for key, value in conditions.items())
        ]
        return replace(self, runs=kept)


def studies() -> dict[str, Path]:
    """The studies that come with wdrop, by name."""
    folder = Path(str(files("wdrop"))) / "studies"
    if not folder.is_dir():  # a checkout has them at its root
        folder = Path(str(files("wdrop"))).parents[1] / "studies"
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def load_study(name: str) -> Study:
    """The study of that name, or the one in that TOML file."""
    path = Path(name)
    if path.suffix != ".toml":
        known("study", name, studies())
        path = studies()[name]
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path}: not valid TOML: {error}") from None
    return parse_study(path.stem, table)


def parse_study(name: str, table: Mapping[str, Any]) -> Study:
    """A plan out of its TOML table.

    plugins          modules to import first: they add methods, data sets, splits and measures of their own
    [regimes.<any>]  datasets = [...], folds = [...], training = {...}: how these data sets are trained, by default
    [groups.<name>]  dataset, split, method, seed: one or a list each, all combinations are run;
                     a method is a name or a table with `name`, its settings and perhaps a `variant`
    """
    for key in table:
        known(f"key of study {name!r}", key, ("title", "plugins", "regimes", "groups"))
    plugins = tuple(_listed(table.get("plugins", [])))
    import_plugins(plugins)
    regimes = table.get("regimes", {})
    runs: dict[str, Run] = {}
    for group, settings in table.get("groups", {}).items():
        for run in _group_runs(group, settings, regimes):
            runs.setdefault(run.key, run)
    return Study(name, table.get("title", name), list(runs.values()), plugins)


_GROUP_KEYS = ("dataset", "dataset_options", "split", "method", "seed", "net", "training", "scale_y", "curve", "folds")


def _group_runs(group: str, settings: Mapping[str, Any], regimes: Mapping[str, Any]) -> list[Run]:
    where = f"groups.{group}"
    for key in settings:
        known(f"key of {where}", key, _GROUP_KEYS)
    for key in ("dataset", "method"):
        if key not in settings:
            raise ValueError(f"{where}: expected a {key!r}, got none")
    combinations = itertools.product(
        _listed(settings["dataset"]),
        _listed(settings.get("dataset_options", {})),
        _listed(settings.get("split", "iid")),
        _listed(settings["method"]),
        _listed(settings.get("seed", 0)),
    )
    runs = []
    for dataset, options, split, method, seed in combinations:
        known_dataset(dataset, options)
        known("split", split, SPLITS)
        regime: Mapping[str, Any] = next((r for r in regimes.values() if dataset in r["datasets"]), {})
        chosen = {"name": method} if isinstance(method, str) else dict(method)
        name, variant = chosen.pop("name"), chosen.pop("variant", "")
        known("method", name, METHODS)
        common = {key: value for key, value in settings.items() if key in ("net", "training")}
        fields = {entry.name for entry in dataclasses.fields(METHODS[name])}  # type: ignore[arg-type]
        shared = merged({"training": regime.get("training", {})}, common)
        shared = {key: value for key, value in shared.items() if key in fields}  # a plugin may have no networks
        runs.append(
            Run(
                group=group,
                dataset=dataset,
                dataset_options=options,
                split=split,
                method_name=name,
                method=build(METHODS[name], merged(shared, chosen), f"{where}.method {name!r}"),
                variant=variant,
                seed=seed,
                folds=tuple(settings.get("folds", regime.get("folds", ALL_FOLDS))),
                scale_y=settings.get("scale_y", True),
                curve=settings.get("curve", False),
            )
        )
    return runs


def import_plugins(modules: Sequence[str]) -> None:
    """Import a user's own modules, found where Python looks for modules and in the folder where the command is run."""
    if modules and str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    for module in modules:
        try:
            importlib.import_module(module)
        except ModuleNotFoundError as missing:
            raise ValueError(f"plugins: no module {missing.name!r}; is it in this folder or on PYTHONPATH?") from None


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
