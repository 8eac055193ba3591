"""Sentences that the paper's own numbers cannot tell are tried on made-up ones: each must be able to fail."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd
import pytest

from wdrop.report.benchmark import behaviour, settings
from wdrop.report.benchmark.evidence import Evidence
from wdrop.report.benchmark.findings import Test, alike, beats, follows, low_quartile_ends, near_the_best, rises
from wdrop.report.benchmark.scores import PAPER_METHODS
from wdrop.report.claims import NotRunError


@dataclass
class MadeUp(Evidence):
    """Evidence out of dictionaries."""

    tables: Mapping[tuple[str, str], pd.DataFrame] = field(default_factory=dict)
    losses: pd.DataFrame | None = None
    sweeps: Mapping[str, pd.DataFrame] = field(default_factory=dict)

    def table(self, measure: str, panel: str) -> pd.DataFrame:
        if (measure, panel) not in self.tables:
            raise NotRunError
        return self.tables[measure, panel]

    def all_methods(self, measure: str, panel: str) -> pd.DataFrame:
        return self.table(measure, panel)

    def tails(self) -> pd.DataFrame:
        if self.losses is None:
            raise NotRunError
        return self.losses

    def sweep(self, setting: str, measure: str, panel: str) -> pd.DataFrame:
        return self.sweeps[panel]


def holds(test: Test, evidence: Evidence) -> bool:
    return test(evidence).holds


def methods(**values: list[float]) -> pd.DataFrame:
    return pd.DataFrame(values, index=[f"set {i}" for i in range(len(next(iter(values.values()))))])


def tails(**rows: list[float]) -> pd.DataFrame:
    places = [(split, kind) for split in ("iid", "label", "pca") for kind in ("mean", "max")]
    index = pd.MultiIndex.from_tuples(places, names=["split", "kind"])
    return pd.DataFrame(rows, index=index)


def test_std_must_grow_for_both() -> None:
    seen = methods(w_dropout=[0.1, 0.2], mc_dropout=[0.1, 0.1])
    grown = methods(w_dropout=[0.2, 0.3], mc_dropout=[0.2, 0.3])
    shrunk = methods(w_dropout=[0.2, 0.3], mc_dropout=[0.05, 0.1])
    places = ("label-extra", "pca-extra")
    for out, wanted in ((grown, True), (shrunk, False)):
        tables = {("std_mean", place): out for place in places}
        tables |= {("std_mean", f"train seen by {place}"): seen for place in places}
        assert holds(behaviour.std_grows, MadeUp(tables)) is wanted
    assert (
        "W-dropout × 1.732"
        in behaviour.std_grows(
            MadeUp(
                {("std_mean", p): grown for p in places} | {("std_mean", f"train seen by {p}"): seen for p in places}
            )
        ).told
    )


def test_tails_are_ordered_by_split_and_smallest_only_if_everywhere() -> None:
    good = tails(
        w_dropout=[4, 8, 7, 90, 6, 18.0], pu_mc=[6, 90, 40, 999, 8, 93.0], pu_ensemble=[7, 95, 80, 1e4, 9, 94.0]
    )
    assert holds(behaviour.smallest_tails, MadeUp(losses=good))
    assert holds(behaviour.tails_by_split, MadeUp(losses=good))
    assert holds(behaviour.mild_improvement, MadeUp(losses=good))
    bad = good.copy()
    bad.loc[("pca", "mean"), "w_dropout"] = 8.5
    found = behaviour.smallest_tails(MadeUp(losses=bad))
    assert (found.holds, found.told) == (False, "W-dropout smallest in 5 of 6; not: mean pca")
    assert not holds(behaviour.tails_by_split, MadeUp(losses=bad))
    assert not holds(behaviour.mild_improvement, MadeUp(losses=bad))


def test_the_parametric_four_are_held_against_the_other_five() -> None:
    table = pd.DataFrame({name: [2.0 if name.startswith("pu") else 1.0] for name in PAPER_METHODS})
    assert holds(behaviour.parametric_trains_worse, MadeUp({("rmse", "train"): table}))
    assert not holds(behaviour.parametric_trains_worse, MadeUp({("rmse", "train"): 1 / table}))
    gaps = MadeUp({("rmse", "train"): table, ("rmse", "test"): 0 * table + 3})
    assert holds(behaviour.gap_is_smaller, gaps)
    with pytest.raises(NotRunError):
        behaviour.parametric_trains_worse(MadeUp({("rmse", "train"): table.drop(columns="swag")}))


def test_pu_is_unstable_only_if_far_above_its_own_median() -> None:
    test = behaviour.unstable("nll")
    assert holds(test, MadeUp({("nll", "test"): methods(pu=[0.0, 0, 900], w_dropout=[1.0, 1, 1])}))
    assert not holds(test, MadeUp({("nll", "test"): methods(pu=[9.0, 9, 9], w_dropout=[1.0, 1, 1])}))


def test_followers_follow_only_if_the_leaders_lead() -> None:
    ranked = MadeUp({("ece", "test"): methods(w_dropout=[1.0], pu_mc=[2.0], pu_ensemble=[3.0], swag=[4.0])})
    assert holds(follows("ece", "test", ["w_dropout"], ["pu_ensemble", "pu_mc"]), ranked)
    assert holds(follows("ece", "test", ["pu_mc", "w_dropout"], ["pu_ensemble"]), ranked)
    assert not holds(follows("ece", "test", ["pu_mc"], ["w_dropout", "pu_ensemble"]), ranked)  # one is ahead of it
    assert not holds(follows("ece", "test", ["swag"], ["pu_mc", "pu_ensemble"]), ranked)  # it leads nobody
    assert not holds(follows("ece", "test", ["w_dropout"], ["swag", "pu_mc"]), ranked)
    assert holds(follows("ece", "test", ["w_dropout"], ["pu_mc"], within=1.0), ranked)
    assert not holds(follows("ece", "test", ["w_dropout"], ["pu_mc"], within=0.9), ranked)
    with pytest.raises(NotRunError):
        follows("ece", "test", ["w_dropout"], ["mc_dropout"])(ranked)


def test_medians_are_alike_only_if_few_choices_of_four_are_nearer() -> None:
    four = ("pu_ensemble", "mc_dropout", "pu_mc", "w_dropout")
    near = pd.DataFrame({name: [0.1 if name in four else 2.0 + i] * 2 for i, name in enumerate(PAPER_METHODS)})
    assert holds(behaviour.medians_alike, MadeUp({("nll", "test"): near, ("nll", "ood"): near}))
    # apart among themselves, with one of the others far out: to span less than all nine is then no feat
    order = ("pu_ensemble", "pu", "pu_evidential", "pu_mc", "deep_ensemble", "mc_dropout", "concrete_dropout")
    apart = pd.DataFrame({name: [i * 1.0] * 2 for i, name in enumerate((*order, "w_dropout"))}).assign(swag=99.0)
    assert not holds(behaviour.medians_alike, MadeUp({("nll", "test"): near, ("nll", "ood"): apart}))


def test_the_winner_must_win_everywhere() -> None:
    good = methods(w_dropout=[1.0], pu_mc=[2.0], pu_ensemble=[3.0])
    test = beats(["nll", "ws"], ["test"], "w_dropout", ["pu_mc", "pu_ensemble"])
    assert holds(test, MadeUp({("nll", "test"): good, ("ws", "test"): good}))
    found = test(MadeUp({("nll", "test"): good, ("ws", "test"): good.assign(pu_mc=1.0)}))
    assert (found.holds, found.told) == (False, "3 of 4 comparisons won; not: WS test against PU-MC")


def test_near_the_best_is_within_a_factor_of_the_best() -> None:
    made = MadeUp({("rmse", "test"): methods(w_dropout=[1.09], pu=[1.0])})
    assert holds(near_the_best("rmse", "test", "w_dropout", 1.1), made)
    assert not holds(near_the_best("rmse", "test", "w_dropout", 1.05), made)


def test_coverage_is_told_apart_only_if_each_of_the_three_covers_more() -> None:
    values = {"pu": 0.9, "pu_ensemble": 0.9, "w_dropout": 0.8}
    values |= {"mc_dropout": 0.5, "mc_dropout_last_layer": 0.4, "deep_ensemble": 0.3}
    apart = pd.DataFrame(values, index=["abalone", "superconduct"])
    assert holds(behaviour.coverage_told_apart, MadeUp({("coverage", "test"): apart}))
    mixed = apart.copy()
    mixed.loc["superconduct", "mc_dropout"] = 0.85
    assert not holds(behaviour.coverage_told_apart, MadeUp({("coverage", "test"): mixed}))
    with pytest.raises(NotRunError):
        behaviour.coverage_told_apart(MadeUp({("coverage", "test"): apart.rename(index=lambda name: f"{name} 2")}))


def test_shapes_of_sentences_can_fail() -> None:
    near = {
        ("rmse", "test"): methods(pu=[1.0, 1], w_dropout=[1.1, 1.1]),
        ("rmse", "pca-inter"): methods(pu=[2.0], w_dropout=[2.0]),
    }
    assert holds(alike("rmse", ["test"], 1.15), MadeUp(near))
    assert not holds(alike("rmse", ["test"], 1.05), MadeUp(near))
    assert holds(rises("rmse", ["test"], ["pca-inter"]), MadeUp(near))
    assert not holds(rises("rmse", ["pca-inter"], ["test"]), MadeUp(near))
    spread = {("ece", "test"): methods(pu=[0.1, 0.1, 0.9, 0.9], w_dropout=[0.6, 0.6, 0.6, 0.6])}
    assert holds(low_quartile_ends("ece", ["test"], "w_dropout", 1), MadeUp(spread))
    assert not holds(low_quartile_ends("ece", ["test"], "pu", 1), MadeUp(spread))


def test_settings_are_judged_by_their_ends_ranks_and_range() -> None:
    rising = pd.DataFrame({4.0: [0.5, 0.5], 5.0: [0.55, 0.5], 20.0: [0.6, 0.6]})
    falling = pd.DataFrame({4.0: [0.6, 0.6], 20.0: [0.5, 0.5]})
    made = MadeUp(sweeps={"test": rising, "train": rising, "label-extra": rising, "pca-extra": falling})
    assert holds(settings.trend("L", "ece", "train", rising=True), made)
    assert not holds(settings.trend("L", "ece", "pca-extra", rising=True), made)
    assert not holds(settings.matters_little("L", "ece", 1.15), made)
    assert holds(settings.matters_little("L", "ece", 1.25), made)
    assert holds(settings.no_trend("L", "ece", ["label-extra", "pca-extra"]), made)
    assert not holds(settings.no_trend("L", "ece", ["label-extra", "test"]), made)
    assert holds(settings.best_setting("L", 4), made)
    assert not holds(settings.best_setting("L", 20), made)
