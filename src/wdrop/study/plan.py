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
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from wdrop._checks import known
from wdrop._config import build, merged, resolved
from wdrop.data.datasets import DATASETS, known_dataset
from wdrop.data.files import table_sha256
from wdrop.data.splits import ALL_FOLDS, SPLITS
from wdrop.methods import METHODS, CrossFitted, Method
from wdrop.study.entries import check_regimes, folds, listed, method_named, regime_of, single
from wdrop.study.ways import check_ways

if TYPE_CHECKING:  # detectors need Pillow, tables do not
    from wdrop.study.detection.task import DetectorTask

SCHEMA = 1
"""Of records and of the tables that name a run; a new one makes all runs anew."""


@final
@dataclass(frozen=True, kw_only=True)
class Run:
    """One cell of a study.

    group           which part of the study asked for it; a report finds its runs by it
    variant         what sets the method apart from its namesakes in the group, as tables print it
    dataset_options settings of a generated data set, or the target of the user's own table
    table_sha256    of the user's own table: other numbers in a file of the same name are other runs
    folds           which of the ten, for splits that have them
    scale_y         whether targets are standardised; inputs always are
    ways            predictors to make of one fit, see ways.py; each has rows of its own, on test points only
    curve           whether to keep the prediction along a grid too, for data with one input
    """

    group: str
    dataset: str
    split: str
    method_name: str
    method: "Method | DetectorTask"
    seed: int
    variant: str = ""
    dataset_options: Mapping[str, Any] = field(default_factory=dict)
    folds: Sequence[int] = ALL_FOLDS
    scale_y: bool = True
    curve: bool = False
    ways: Sequence[str] = ()
    table_sha256: str = ""

    def config(self) -> dict[str, Any]:
        """All that decides the result, defaults included."""
        config = {**resolved(self), "schema": SCHEMA}
        for later in ("ways", "table_sha256"):  # fields that came later: runs without them keep their keys
            if not config[later]:
                del config[later]
        return config

    @property
    def key(self) -> str:
        """The run's name in the store: equal configs have equal keys."""
        return hashlib.sha256(json.dumps(self.config(), sort_keys=True).encode()).hexdigest()[:16]

    @property
    def is_detection(self) -> bool:
        """Whether it trains a detector: then a task stands where others have their method."""
        return not isinstance(self.method, Method)

    @property
    def title(self) -> str:
        variant = f" ({self.variant})" if self.variant else ""
        options = "".join(f" {name}={value}" for name, value in self.dataset_options.items())
        return f"{self.group}: {self.method_name}{variant} on {self.dataset}{options}, {self.split}, seed {self.seed}"


@final
@dataclass(frozen=True)
class Study:
    """A plan under its name.

    plugins  modules that every process imports first
    results  the folder in `results/` for its report; the study's name if not told
    source   what commands call it: its name, or its file
    """

    name: str
    title: str
    runs: Sequence[Run]
    plugins: Sequence[str] = ()
    results: str = ""
    source: str = ""

    def only(self, conditions: Mapping[str, Collection[str]]) -> "Study":
        """The runs that meet all conditions, each with one of its values, e.g. {"dataset": ["yacht", "boston"]}."""
        kept = self.runs
        for key, values in conditions.items():
            known("condition", key, ("group", "dataset", "split", "method", "variant", "seed"))
            name = "method_name" if key == "method" else key
            planned = dict.fromkeys(str(getattr(run, name)) for run in self.runs)
            for value in values:
                known(f"{key} of study {self.name!r}", value, planned)
            kept = [run for run in kept if str(getattr(run, name)) in values]
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
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not valid TOML: {error}") from None
    return replace(parse_study(path.stem, table), source=name)


def parse_study(name: str, table: Mapping[str, Any]) -> Study:
    """A plan out of its TOML table.

    results          the folder in `results/` for its report, if it is not to have the study's name
    plugins          modules to import first: they add methods, data sets, splits and measures of their own
    [regimes.<any>]  datasets = [...], folds = [...], training = {...}: how these data sets are trained, by default
    [groups.<name>]  dataset, split, method, seed: one or a list each, all combinations are run;
                     a method is a name or a table with `name`, its settings, perhaps a `variant`, and perhaps
                     `calibrate`, the settings of CrossFitted around it; `ways` makes several predictors of each fit;
                     `kind = "detection"` trains detectors, see `wdrop.study.detection.task.planned`
    """
    for key in table:
        known(f"key of study {name!r}", key, ("title", "results", "plugins", "regimes", "groups"))
    title, results = (single(key, table.get(key, name), str) for key in ("title", "results"))
    plugins = tuple(listed("plugins", table["plugins"], str)) if table.get("plugins") else ()
    import_plugins(plugins)
    regimes, groups = table.get("regimes", {}), single("groups", table.get("groups", {}), dict)
    if not groups:
        raise ValueError(f"study {name!r}: expected a group, [groups.<name>] with dataset and method, got none")
    for group, settings in groups.items():
        _check_group(f"groups.{group}", settings)
    _check_regimes(regimes, groups.values())
    runs: dict[str, Run] = {}
    for group, settings in groups.items():
        for run in _group_runs(group, settings, regimes):
            runs.setdefault(run.key, run)
    return Study(name, title, list(runs.values()), plugins, results, source=name)


_GROUP_KEYS = (
    "kind",
    "dataset",
    "dataset_options",
    "split",
    "method",
    "seed",
    "net",
    "training",
    "scale_y",
    "curve",
    "folds",
    "ways",
)


def _check_group(where: str, settings: Any) -> None:
    """Refuse a group without what groups of both kinds have."""
    for key in ("dataset", "method"):
        if key not in single(where, settings, dict):
            raise ValueError(f"{where}: expected a {key!r}, got none")
    known(f"kind of {where}", single(f"{where}.kind", settings.get("kind", "table"), str), ("table", "detection"))
    listed(f"{where}.dataset", settings["dataset"], str)


def _check_regimes(regimes: Any, groups: Collection[Mapping[str, Any]]) -> None:
    keys, datasets = ["datasets", "training", "folds"], {*DATASETS}
    for group in groups:
        datasets |= {*listed("dataset", group["dataset"], str)}
    if any(group.get("kind") == "detection" for group in groups):
        from wdrop.study.detection.task import TASK_KEYS, detection_sets

        keys += [key for key in TASK_KEYS if key not in keys]
        datasets |= {*detection_sets()}
    check_regimes(regimes, datasets, keys)


def _group_runs(group: str, settings: Mapping[str, Any], regimes: Mapping[str, Any]) -> list[Run]:
    where = f"groups.{group}"
    if settings.get("kind") == "detection":
        return _detection_runs(group, settings, regimes)
    for key in settings:
        known(f"key of {where}", key, _GROUP_KEYS)
    scale_y, curve = (
        single(f"{where}.{key}", settings.get(key, default), bool)
        for key, default in (("scale_y", True), ("curve", False))
    )
    ways = tuple(listed(f"{where}.ways", settings["ways"], str)) if settings.get("ways") else ()
    combinations = itertools.product(
        listed(f"{where}.dataset", settings["dataset"], str),
        listed(f"{where}.dataset_options", settings.get("dataset_options", {}), dict),
        listed(f"{where}.split", settings.get("split", "iid"), str),
        listed(f"{where}.method", settings["method"], str, dict),
        listed(f"{where}.seed", settings.get("seed", 0), int),
    )
    runs = []
    for dataset, options, split, method, seed in combinations:
        known_dataset(dataset, options)
        known("split", split, SPLITS)
        regime = regime_of(dataset, regimes)
        name, variant, chosen = method_named(f"{where}.method", method)
        known("method", name, METHODS)
        calibrate = chosen.pop("calibrate", None)
        common = {key: value for key, value in settings.items() if key in ("net", "training")}
        fields = {entry.name for entry in dataclasses.fields(METHODS[name])}  # type: ignore[arg-type]
        shared = merged({"training": regime.get("training", {})}, common)
        shared = {key: value for key, value in shared.items() if key in fields}  # a plugin may have no networks
        built: Method = build(METHODS[name], merged(shared, chosen), f"{where}.method {name!r}")
        if calibrate is not None:
            place = f"{where}.method {name!r}.calibrate"
            built = build(CrossFitted, {**single(place, calibrate, dict), "method": built}, place)
        check_ways(built, ways)
        runs.append(
            Run(
                group=group,
                dataset=dataset,
                dataset_options=options,
                split=split,
                method_name=name,
                method=built,
                variant=variant,
                seed=seed,
                folds=tuple(folds(f"{where}.folds", settings.get("folds", regime.get("folds", [*ALL_FOLDS])))),
                scale_y=scale_y,
                curve=curve,
                ways=ways,
                table_sha256=table_sha256(dataset) if dataset not in DATASETS else "",
            )
        )
    return runs


def _detection_runs(group: str, settings: Mapping[str, Any], regimes: Mapping[str, Any]) -> list[Run]:
    from wdrop.study.detection.task import planned

    return [
        Run(
            group=group,
            dataset=one.dataset,
            dataset_options=one.options,
            split="own",  # the data set's own, into train and test
            method_name=one.method_name,
            method=one.task,
            variant=one.variant,
            seed=one.seed,
            folds=(0,),
        )
        for one in planned(f"groups.{group}", settings, regimes)
    ]


def import_plugins(modules: Sequence[str]) -> None:
    """Import a user's own modules, found where Python looks for modules and in the folder where the command is run."""
    if modules and str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    for module in modules:
        try:
            importlib.import_module(module)
        except ModuleNotFoundError as missing:
            raise ValueError(f"plugins: no module {missing.name!r}; is it in this folder or on PYTHONPATH?") from None
