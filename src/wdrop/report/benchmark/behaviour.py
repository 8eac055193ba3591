"""Tests of single sentences of the paper: on training data, std under shift, tails, measures and costs."""

import itertools

import numpy as np
import pandas as pd

from wdrop.report.benchmark.evidence import TAIL_METHODS, Evidence
from wdrop.report.benchmark.facts import times_over
from wdrop.report.benchmark.findings import Test, label, needs, row_of, told
from wdrop.report.benchmark.scores import PAPER_METHODS, PARAMETRIC, SMALL
from wdrop.report.benchmark.tails import IDEAL_ETL, SPLITS
from wdrop.report.claims import Finding, NotRunError
from wdrop.report.tables import number

_OTHERS = tuple(method for method in PAPER_METHODS if method not in PARAMETRIC)
_PAIRS = (("ece", "ws"), ("ece", "ks"), ("ws", "ks"))
_EXTRA = ("label-extra", "pca-extra")


def toy_means_alike(evidence: Evidence) -> Finding:
    table = evidence.toys("rmse")
    ratios = (table.max(axis=1) / table.min(axis=1)).sort_values()
    return Finding(
        bool((ratios <= 1.15).all()), f"of {table.shape[1]} methods, largest over smallest RMSE: {told(ratios)}"
    )


def toy_noise_needs_noise(evidence: Evidence) -> Finding:
    table = evidence.toys("ece")
    others = [name for name in (*_OTHERS, "mc_dropout_last_layer") if name in table and name != "w_dropout"]
    if "toy-noise" not in table.index or "w_dropout" not in table or not others:
        raise NotRunError
    row = row_of(table, "toy-noise")[["w_dropout", *others]].sort_values()
    return Finding(bool(row["w_dropout"] < 0.5 * row[others].min()), f"of {len(row)} such methods, ECE: {told(row)}")


def parametric_trains_worse(evidence: Evidence) -> Finding:
    return _parametric_against_others(evidence.means("rmse", "train"), "training RMSE", above=True)


def gap_is_smaller(evidence: Evidence) -> Finding:
    gap = evidence.means("rmse", "test") - evidence.means("rmse", "train")
    return _parametric_against_others(gap, "test minus training RMSE", above=False)


def _parametric_against_others(means: "pd.Series[float]", what: str, *, above: bool) -> Finding:
    needs(PAPER_METHODS, means)
    ours, others = float(means[list(PARAMETRIC)].mean()), float(means[list(_OTHERS)].mean())
    return Finding(ours > others if above else ours < others, f"{what}: {number(ours)} against {number(others)}")


def wide_range(evidence: Evidence) -> Finding:
    table = evidence.table("ece", "train")
    needs(PAPER_METHODS, table)
    ranges = (table.quantile(0.75) - table.quantile(0.25)).sort_values(ascending=False)
    return Finding({"swag", "w_dropout"} <= set(ranges.index[:4]), f"ranges: {told(ranges)}")


def overestimates_on_small_sets(evidence: Evidence) -> Finding:
    ece, coverage = evidence.table("ece", "train"), evidence.table("coverage", "train")
    needs(["w_dropout"], ece)
    small = ece.index.isin(SMALL)
    if small.all() or not small.any():
        raise NotRunError
    covered = float(coverage.loc[coverage.index.isin(SMALL), "w_dropout"].mean())
    on_small, on_large = (float(ece.loc[which, "w_dropout"].mean()) for which in (small, ~small))
    text = f"coverage {number(covered)} on small sets; ECE {number(on_small)} small, {number(on_large)} large"
    return Finding(covered > 0.9 and on_small > on_large, text)


def unstable(measure: str) -> Test:
    """PU has the largest mean of all, far above its median."""

    def test(evidence: Evidence) -> Finding:
        table = evidence.table(measure, "test")
        needs(["pu"], table)
        means, median = table.mean(), float(table["pu"].median())
        holds = means.idxmax() == "pu" and means["pu"] > median + 5
        return Finding(bool(holds), f"PU's mean {number(float(means['pu']))}, its median {number(median)}")

    return test


def medians_alike(evidence: Evidence) -> Finding:
    """The span of the four medians is among the smallest tenth of those of all choices of four methods."""
    texts, holds = [], []
    for panel in ("test", "ood"):
        table = evidence.table("nll", panel)
        needs(PAPER_METHODS, table)
        if len(table) < 2:
            raise NotRunError  # the paper prints no medians under shift
        medians = table.median()
        span = _span(medians[["pu_ensemble", "mc_dropout", "pu_mc", "w_dropout"]])
        choices = list(itertools.combinations(PAPER_METHODS, 4))
        narrower = sum(_span(medians[list(choice)]) < span for choice in choices)
        holds.append(narrower < len(choices) / 10)
        texts.append(f"{panel}: {number(span)}, smaller in {narrower} of {len(choices)} choices of four")
    return Finding(all(holds), f"span of medians: {'; '.join(texts)}")


def _span(values: "pd.Series[float]") -> float:
    return float(values.max() - values.min())


def means_far_from_medians(evidence: Evidence) -> Finding:
    table = evidence.table("nll", "ood")
    if len(table) < 2:
        raise NotRunError
    excess = (table.mean() - table.median()).sort_values(ascending=False)
    return Finding(int((excess > 1).sum()) >= 5, f"mean minus median NLL: {told(excess, 9)}")


def ensembling_helps(evidence: Evidence) -> Finding:
    texts, holds = [], []
    for measure in ("nll", "ws"):
        means = evidence.means(measure, "test")
        needs(["pu", "pu_ensemble"], means)
        holds.append(means["pu_ensemble"] < means["pu"])
        texts.append(f"{measure.upper()} PU {number(float(means['pu']))}, PU-DE {number(float(means['pu_ensemble']))}")
    return Finding(all(holds), "; ".join(texts))


def std_grows(evidence: Evidence) -> Finding:
    growths = {}
    for method in ("w_dropout", "mc_dropout"):
        logs = []
        for panel in _EXTRA:
            out, seen = evidence.table("std_mean", panel), evidence.table("std_mean", f"train seen by {panel}")
            needs([method], out)
            logs.append(np.log(out[method] / seen[method]).mean())
        growths[method] = float(np.exp(np.mean(logs)))
    text = ", ".join(f"{label(method)} × {number(growth)}" for method, growth in growths.items())
    return Finding(all(growth > 1 for growth in growths.values()), text)


def more_varied(evidence: Evidence) -> Finding:
    ratios = pd.concat([evidence.table("std_ratio", panel) for panel in _EXTRA]).median()
    needs(["w_dropout", "mc_dropout"], ratios)
    shown = ratios[["w_dropout", "mc_dropout"]]
    return Finding(bool(shown["w_dropout"] > shown["mc_dropout"]), f"90 % over 10 % quantile: {told(shown)}")


def _tails(evidence: Evidence) -> pd.DataFrame:
    tails = evidence.tails()
    needs(TAIL_METHODS, tails)
    return tails[list(TAIL_METHODS)]


def _mean_tails(evidence: Evidence) -> pd.DataFrame:
    """A row per split."""
    tails = _tails(evidence)
    return tails[tails.index.get_level_values("kind") == "mean"].droplevel("kind")


def no_tail_is_ideal(evidence: Evidence) -> Finding:
    means = _mean_tails(evidence)
    return Finding(bool((means > 1.3 * IDEAL_ETL).all().all()), f"smallest mean ETL {number(float(means.min().min()))}")


def smallest_tails(evidence: Evidence) -> Finding:
    tails = _tails(evidence)
    lost = [f"{kind} {split}" for split, kind in tails.index[tails.idxmin(axis=1) != "w_dropout"]]
    text = f"W-dropout smallest in {len(tails) - len(lost)} of {len(tails)}"
    return Finding(not lost, f"{text}; not: {', '.join(lost)}" if lost else text)


def tails_by_split(evidence: Evidence) -> Finding:
    means = _mean_tails(evidence)
    iid, pca, shifted = (row_of(means, split) for split in ("iid", "pca", "label"))
    holds = (iid < pca) & (pca < shifted)
    text = "; ".join(
        f"{label(method)} {', '.join(number(float(means[method][split])) for split in ('iid', 'pca', 'label'))}"
        for method in TAIL_METHODS
    )
    return Finding(bool(holds.all()), text)


def mild_improvement(evidence: Evidence) -> Finding:
    means = _mean_tails(evidence)
    holds = (means["w_dropout"] < means["pu_mc"]) & (means["pu_mc"] < means["pu_ensemble"])
    text = "; ".join(f"{split}: {told(row_of(means, split).sort_values())}" for split in SPLITS)
    return Finding(bool(holds.all()), text)


def large_residuals_are_large_errors(evidence: Evidence) -> Finding:
    errors = evidence.tail_errors()
    ratio = (errors["tail_error_worst"] / errors["tail_error_rest"]).fillna(0.0)  # no error at all is no evidence
    split, method = (errors[name].iloc[int(ratio.argmin())] for name in ("split", "method"))
    text = f"{number(float(ratio.min()))} ({label(method)}, {split}) to {number(float(ratio.max()))} times as large"
    return Finding(bool((ratio > 1).all()), text)


def correlated_yet_different(evidence: Evidence) -> Finding:
    rows = evidence.folds("ece", "ws", "ks").rank()
    pairs = {f"{a.upper()}-{b.upper()}": float(rows[a].corr(rows[b])) for a, b in _PAIRS}
    text = ", ".join(f"{pair} {number(value)}" for pair, value in pairs.items())
    return Finding(all(0.5 < value < 0.99 for value in pairs.values()), f"rank correlations {text}")


def small_ws_where_overestimated(evidence: Evidence) -> Finding:
    rows = evidence.folds("ws", "std_mean", "rmse")
    over = rows[rows["std_mean"] > rows["rmse"]]
    if over.empty:
        raise NotRunError
    share = float((over["ws"] < 1).mean())
    return Finding(share >= 0.95, f"{share:.1%} of {len(over)} folds")


def coverage_told_apart(evidence: Evidence) -> Finding:
    table = evidence.all_methods("coverage", "test")
    good, bad = ["pu", "pu_ensemble", "w_dropout"], ["mc_dropout", "mc_dropout_last_layer", "deep_ensemble"]
    needs([*good, *bad], table)
    rows = table.loc[[name for name in ("abalone", "superconduct") if name in table.index], good + bad].dropna()
    if rows.empty:
        raise NotRunError
    text = "; ".join(f"{name}: {told(row.sort_values(ascending=False), 6)}" for name, row in rows.iterrows())
    return Finding(bool((rows[good].min(axis=1) > rows[bad].max(axis=1)).all()), text)


def naval_is_covered(evidence: Evidence) -> Finding:
    table = evidence.all_methods("coverage", "test")
    if "naval" not in table.index:
        raise NotRunError
    row = row_of(table, "naval").dropna().sort_values()
    return Finding(bool((row >= 0.8).all()), f"lowest coverage {told(row)}")


def dropout_rates_learned(evidence: Evidence) -> Finding:
    rates = evidence.folds("drop_rate_1", "drop_rate_2", methods=["concrete_dropout"]).to_numpy(dtype=float).ravel()
    share = float(np.mean((rates >= 0.2) & (rates <= 0.5)))
    low, high = np.quantile(rates, [0.1, 0.9])
    return Finding(share > 0.5, f"{share:.0%} of the rates; 10 to 90 %: {number(float(low))} to {number(float(high))}")


def dearer_than_mc_but_less_than_draws(evidence: Evidence) -> Finding:
    seconds = evidence.seconds()
    needs(["w_dropout", "mc_dropout"], seconds)
    ratio = times_over(seconds, "w_dropout", "mc_dropout")
    return Finding(ratio < 4, f"{number(ratio)} times MC dropout's")


def cheaper_than_ensembles(evidence: Evidence) -> Finding:
    seconds = evidence.seconds()
    needs(["w_dropout", "pu_ensemble"], seconds)
    ratio = times_over(seconds, "w_dropout", "pu_ensemble")
    return Finding(ratio < 1, f"{number(ratio)} times PU-DE's")
