"""How a study's networks were trained, in sentences out of its plan."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from wdrop.data.splits import ALL_FOLDS, FOLDED
from wdrop.methods import METHODS, Method
from wdrop.report.benchmark.scores import DATASETS
from wdrop.study.cost import unwrapped
from wdrop.study.plan import Run, Study


def settings_told(study: Study) -> str:
    """Networks, training, epochs and folds as most runs have them, and for which data sets or methods they differ."""
    told = [
        _told(study.runs, lambda run: f"{_of(run, 'net', 'depth')} x {_of(run, 'net', 'width')} units"),
        _told(study.runs, lambda run: f"Adam at {_of(run, 'training', 'learning_rate'):g}"),
        _told(study.runs, lambda run: f"batches of {_of(run, 'training', 'batch_size')}"),
        _told(study.runs, lambda run: f"{_of(run, 'training', 'epochs')} epochs"),
        _told([run for run in study.runs if run.split in FOLDED], _folds),
    ]
    return "Networks of " + "; ".join(part for part in told if part) + "."


def left_out_told(study: Study) -> list[str]:
    """Which tables of the paper and which methods are not part of the plan."""
    datasets, methods = {run.dataset for run in study.runs}, {run.method_name for run in study.runs}
    told = []
    if missing := [name for name in DATASETS if name not in datasets]:
        told.append(f"Tables of the paper that are not part of this study: {_names(missing)}.")
    if missing := [name for name in METHODS if name not in methods]:
        told.append(f"Methods of wdrop that are not part of it: {_names(missing)}.")
    return told


def _told(runs: Iterable[Run], setting: Callable[[Run], str]) -> str:
    found: defaultdict[str, list[Run]] = defaultdict(list)
    for run in runs:
        with suppress(AttributeError):  # a plugin may have no networks
            found[setting(run)].append(run)
    usual, *others = sorted(found, key=lambda value: -len(found[value])) or [""]
    return usual + (", but " if others else "") + ", ".join(f"{value} {_where(found[value])}" for value in others)


def _where(runs: Sequence[Run]) -> str:
    """What these runs have in common, in the fewer words."""
    methods = list(dict.fromkeys(run.method_name for run in runs))
    datasets = list(dict.fromkeys(run.dataset for run in runs))
    return f"of {_names(methods)}" if len(methods) <= len(datasets) else f"on {_names(datasets)}"


def _of(run: Run, part: str, name: str) -> int | float:
    assert isinstance(run.method, Method)  # these are reports on tables
    return getattr(getattr(unwrapped(run.method)[0], part), name)


def _folds(run: Run) -> str:
    return "ten folds" if tuple(run.folds) == ALL_FOLDS else f"folds {', '.join(map(str, run.folds))}"


def _names(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
