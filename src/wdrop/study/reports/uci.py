"""The report of the tabular benchmark: what was run, what came out, and how it compares with the paper."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure

from wdrop.report.benchmark.claims import RULES, judge_claims, numbers_table, sentences_table
from wdrop.report.benchmark.folds import folds_scatter
from wdrop.report.benchmark.lead import agreement, benchmark_lead
from wdrop.report.benchmark.numbers import all_numbers
from wdrop.report.benchmark.paper_claims import CLAIMS
from wdrop.report.benchmark.ranks import Ranks, benchmark_ranks
from wdrop.report.benchmark.scores import DATASETS, IID, SHIFTED, done, in_order
from wdrop.report.benchmark.tables import benchmark_tables
from wdrop.report.benchmark_figures import (
    MEASURE_PAIRS,
    dependencies_figure,
    draws_figure,
    drop_rates_figure,
    ideal_residuals_figure,
    lambda_grids_figure,
    methods_figure,
    ranks_figure,
)
from wdrop.report.tables import Table
from wdrop.study.cost import tally
from wdrop.study.plan import Study
from wdrop.study.reports.parts import Drawn, Part, Told, records
from wdrop.study.reports.settings import left_out_told, settings_told
from wdrop.study.reports.uci_pictures import residuals, split_scheme, way_out
from wdrop.study.store import Store

_TEN = ("yacht", "diabetes", "boston", "energy", "concrete", "wine-red", "abalone", "power", "naval", "california")
"""The data sets of the paper's studies of p and L."""
_RESIDUALS = (
    "Residuals against std on held-out points, both in units of the target's std over the training rows. Of an honest "
    "forecaster's points 68.3 % lie above the orange line (one std) and 99.7 % above the dark one (three)."
)
_DRAWN_RANKS = ("nll", "ece", "ws", "crps")


def uci_report(study: Study, store: Store) -> Told:
    """All parts for which there are runs."""
    table = done(records(study, store))
    tables = benchmark_tables(table)
    numbers = all_numbers(table)
    claims = judge_claims(table, CLAIMS)

    def some(*names: str) -> dict[str, Table]:
        return {name: tables[name] for name in names if name in tables}

    main = table[table["group"].isin(IID + SHIFTED) & table["dataset"].isin(DATASETS)]
    parts = [
        Part("At a glance", (), {}, _panel_figures(main)),
        Part("In-data: random folds", (), some("in_data", "in_data_intervals", "in_data_medians", "in_data_ranks"),
             _ranks_figures("ranks", benchmark_ranks(table))),
        Part("Out of data: label and PCA splits", (), some("ood", "ood_intervals", "ood_medians", "ood_ranks"),
             [*_ranks_figures("ranks_shift", benchmark_ranks(table, shifted=True)),
              *_drawn(("split_scheme", split_scheme(study, "power"), "The two shifted splits, drawn on a real table: "
                       "one tenth along the label or along the first principal axis is tested, the rest trains."))]),
        Part("Uncertainty at work", (), {}, _work_figures(study, store)),
        Part("Tails", (), some("etl", "tail_errors")),
        *_measures_part(main),
        Part("How much p, L and lambda matter", (), {}, _setting_figures(table)),
        Part("Every data set", (), some("per_dataset", "per_dataset_details", "as_published")),
        Part("Every circumstance", (), some(*(f"panels_{m}" for m in ("rmse", "nll", "ece", "ws")))),
        Part("Claims of the paper, one by one", [agreement(claims, numbers), RULES],
             {"claims": sentences_table(claims), "numbers": numbers_table(numbers)}),
        Part("What was run", _what_was_run(study, store, table), {"runs": _runs_table(study, store)} | some(
             "datasets", "seconds"), links={"all records as csv": "records.csv"}),
    ]  # fmt: skip
    parts = [part for part in parts if part.text or part.tables or part.figures or part.scatters]
    return Told(benchmark_lead(table, claims, numbers), parts)


def _measures_part(main: pd.DataFrame) -> list[Part]:
    if main.empty:
        return []
    caption = (
        "Every fold of every method: WS, ECE, KS, and the curves that stretched and shifted normal laws would give."
    )
    drawn = Drawn("dependencies", dependencies_figure(main), caption)
    return [Part("Measures against each other", figures=[drawn], scatters=[folds_scatter(main)])]


def _drawn(*figures: tuple[str, Figure | None, str]) -> list[Drawn]:
    return [Drawn(name, figure, caption) for name, figure, caption in figures if figure is not None]


def _ranks_figures(name: str, found: Sequence[Ranks]) -> list[Drawn]:
    shown = [one for measure in _DRAWN_RANKS for one in found if one.measure == measure]
    if not shown:
        return []
    caption = (
        f"Mean ranks over {shown[0].n_datasets} data sets, 1 is best; methods under one bar are not shown to differ at "
        "the 5 % level (Nemenyi)."
    )
    return [Drawn(name, ranks_figure(shown), caption)]


def _panel_figures(main: pd.DataFrame) -> list[Drawn]:
    return [
        Drawn(
            f"panels_{'_'.join(measures)}",
            methods_figure(main, measures),
            f"{' and '.join(m.upper() for m in measures)}, random folds and shifts: mean over "
            f"{main['dataset'].nunique()} data sets (cross), median (bar), 25 and 75 % quantile; W-dropout on blue. A "
            "whisker without an end goes on beyond the axis.",
        )
        for measures in MEASURE_PAIRS
        if len(main)
    ]


def _work_figures(study: Study, store: Store) -> list[Drawn]:
    way, scattered = way_out(study, store), residuals(study, store)
    return [
        *([way] if way else []),
        *_drawn(
            ("residuals", scattered, _RESIDUALS),
            ("residuals_ideal", ideal_residuals_figure() if scattered else None, "The same for an ideal forecaster."),
        ),
    ]


def _setting_figures(table: pd.DataFrame) -> list[Drawn]:
    base = table[table["group"].isin(IID + SHIFTED) & (table["method"] == "w_dropout") & (table["seed"] == 0)]
    figures = []
    for group, draw, what in (("rate", drop_rates_figure, "drop rate p"), ("draws", draws_figure, "number of draws L")):
        rows = table[table["group"] == group]
        if len(rows):
            both = pd.concat([base, rows])
            shown = both[both["dataset"].isin(_TEN)]
            sets = in_order(rows.loc[rows["dataset"].isin(_TEN), "dataset"].unique(), DATASETS)
            caption = (
                f"W-dropout over the {what}, marks as in the six panels at the top, here over {len(sets)} data sets "
                f"({', '.join(sets)}) and seed 0 alone."
            )
            figures.append(Drawn(group, draw(shown), caption))
    grids = table[table["group"].isin(["lambda_mc", "lambda_ev"])]
    if len(grids):
        usual = table[(table["group"] == "small") & table["method"].isin(["mc_dropout", "pu_evidential"])]
        both = pd.concat([usual[usual["seed"] == 0], grids])
        caption = (
            "Scores over lambda of MC dropout and PU-EV, small data sets, random folds; the paper's choice on blue, "
            "the best of each line ringed. Beyond a dotted line the axis is logarithmic."
        )
        figures.append(Drawn("lambda", lambda_grids_figure(both), caption))
    return figures


def _what_was_run(study: Study, store: Store, table: pd.DataFrame) -> list[str]:
    count = tally(study, store)
    hours = [seconds / 3600 for seconds in (count.seconds, count.seconds_left, count.total_seconds)]
    datasets = {run.dataset for run in study.runs}
    seeds = table.groupby("group", sort=False)["seed"].unique()
    told = "; ".join(f"{group}: seeds {', '.join(map(str, sorted(map(int, some))))}" for group, some in seeds.items())
    return [
        f"{count.done} of {count.done + count.left} planned runs are done, {count.failed} failed. "
        + "{:.2f} core-hours were used, about {:.2f} are to go; the whole plan: about {:.2f}. ".format(*hours)
        + f"At most {count.peak_mib:.0f} MiB in a process.",
        f"Seeds by group: {told}.",
        f"{settings_told(study)} Scores are in standardised units.",
        *left_out_told(study),
        *(["`superconduct` is an exact reconstruction of the original table."] if "superconduct" in datasets else []),
    ]


def _runs_table(study: Study, store: Store) -> Table:
    groups: Mapping[str, list[bool]] = {
        group: [store.has(run) for run in study.runs if run.group == group]
        for group in dict.fromkeys(run.group for run in study.runs)
    }
    rows = [[group, str(sum(flags)), str(len(flags) - sum(flags))] for group, flags in groups.items()]
    return Table("Runs by group", ["group", "done", "not run"], rows)
