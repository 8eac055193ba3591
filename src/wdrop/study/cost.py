"""How long runs take: guessed beforehand, and told from those that are done."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

from wdrop.data.datasets import n_rows
from wdrop.data.splits import FOLDED
from wdrop.methods import CrossFitted, Method
from wdrop.study.plan import Run, Study
from wdrop.study.store import Store
from wdrop.study.ways import TRUTH


def n_networks(run: Run) -> int:
    """How many networks the run trains."""
    if not isinstance(run.method, Method):
        return 1
    inner, n_times = unwrapped(run.method)
    return (len(run.folds) if run.split in FOLDED else 1) * getattr(inner, "n_members", 1) * n_times


def unwrapped(method: Method) -> tuple[Method, int]:
    """The method that trains networks, and how many times it does where it is cross-fitted."""
    return (method.method, 1 + method.n_folds) if isinstance(method, CrossFitted) else (method, 1)


def guessed_cost(run: Run) -> float:
    """A rough guess at how long it takes, in no unit: rows seen in training and in prediction, by all networks."""
    if not isinstance(run.method, Method):
        return run.method.cost
    method, _ = unwrapped(run.method)
    epochs = getattr(getattr(method, "training", None), "epochs", 1)
    n_draws = getattr(method, "n_draws", 1)
    predicted = 10_000 if TRUTH in run.ways else getattr(method, "n_samples", 1)
    return n_rows(run.dataset, run.dataset_options) * n_networks(run) * (epochs * (1 + n_draws) + predicted)


@final
@dataclass(frozen=True)
class Tally:
    """How far a study is; seconds are those of one core.

    `seconds_left` goes by the guessed cost of what is left, and by what runs of the same method took over their own.
    """

    done: int
    left: int
    failed: int
    seconds: float
    seconds_left: float
    peak_mib: float

    @property
    def total_seconds(self) -> float:
        """What the whole plan costs: as measured where it is done, extrapolated for the rest."""
        return self.seconds + self.seconds_left

    def wall_seconds_left(self, n_processes: int) -> float:
        """How long the rest takes in so many processes, each with a core to itself; two never share a run."""
        return self.seconds_left / min(n_processes, max(self.left, 1))


def tally(study: Study, store: Store) -> Tally:
    """Count what is done, left and failed, and guess at the time to go from the runs that are done."""
    done = [run for run in study.runs if store.has(run)]
    todo = [run for run in study.runs if not store.has(run)]
    rows = [row for row in store.rows(done) if row["status"] == "done"]
    seconds = {row["key"]: float(row["seconds"]) for row in rows}
    peak = max((float(row.get("peak_mib", "nan")) for row in rows), default=float("nan"))
    rates = _seconds_per_cost(done, seconds)
    for_others = rates.get("", float("nan"))
    to_go = sum(guessed_cost(run) * rates.get(run.method_name, for_others) for run in todo)
    failed = sum(store.has_failed(run) for run in todo)
    return Tally(len(done), len(todo), failed, sum(seconds.values()), to_go, peak)


def _seconds_per_cost(done: Iterable[Run], seconds: dict[str, float]) -> dict[str, float]:
    """What runs of each method took over their guessed cost; under "" what all runs did."""
    spent: defaultdict[str, float] = defaultdict(float)
    guessed: defaultdict[str, float] = defaultdict(float)
    for run in done:
        for name in (run.method_name, ""):
            spent[name] += seconds[run.key]
            guessed[name] += guessed_cost(run)
    return {name: spent[name] / guessed[name] for name in spent}
