"""The report of the toy study: the paper's toy table and figures, each with what we found."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, sqrt
from typing import final

import numpy as np
import pandas as pd

from wdrop.losses.evidential import PUBLISHED_OFFSET
from wdrop.losses.optimum import optimal_std
from wdrop.measures import MEASURES
from wdrop.report.calibration_theory import ece_against_ws_figure
from wdrop.report.figures import METHOD_COLOURS, METHOD_LABELS, METHOD_TITLES
from wdrop.report.published import published
from wdrop.report.scales import Spread, noisy_line_figure, scale_figure
from wdrop.report.tables import Cell, Table, number
from wdrop.report.toy import Column, panel_figure, subnetworks_figure
from wdrop.study.plan import Run, Study
from wdrop.study.reports.curves import toy_curves, toy_data
from wdrop.study.reports.parts import Drawn, Part, Told, records
from wdrop.study.run import N_LINES
from wdrop.study.store import Store

_MEASURES = ("rmse", "nll", "ece", "ws")
_FIT_NOISE = ("w_dropout", "pu", "pu_evidential", "pu_ensemble", "pu_mc")
_KEPT_CONSTANT = 0.5 * np.log(2 * np.pi)  # which the paper drops for all methods but PU-EV
_LARGER = "Larger differences"
_SPLITS = {"iid": "folds of a tenth each", "iid-80/20": "one 80/20 split", "iid-50/50": "one 50/50 split"}


def toy_report(study: Study, store: Store) -> Told:
    """All parts for which there are runs."""
    table = records(study, store)
    done = table[table["status"] == "done"]
    judged = done[done["part"] == "test"]
    differences = [d for split in _SPLITS for d in compare(judged, split)]
    parts = [
        *_figure_parts(study, store),
        _table_part(judged, differences),
        _published_part(judged),
        *([_rates_part(judged)] if "drop_rate_1" in judged else []),
        *([_line_part(judged)] if (judged["group"] == "line").any() else []),
        *([_draws_part(judged)] if (judged["group"] == "draws").any() else []),
        _theory_part(),
        _cost_part(study, done),
    ]
    return Told(_lead(differences, judged), parts)


@final
@dataclass(frozen=True)
class Difference:
    """Our mean against the published value, and how far apart they may be."""

    dataset: str
    split: str
    method: str
    measure: str
    ours: float
    published: float
    error: float
    allowed: float

    @property
    def agrees(self) -> bool:
        return abs(self.ours - self.published) <= self.allowed


def compare(judged: pd.DataFrame, split: str) -> list[Difference]:
    """The methods that fit noise against the paper, on one kind of split.

    RMSE may differ by 5 %, the others by 0.1 or three standard errors over folds and seeds, whichever is more.
    """
    out = []
    rows = judged[(judged["group"] == "table") & (judged["split"] == split)]
    for (dataset, method), group in rows.groupby(["dataset", "method"], sort=False):
        if method not in _FIT_NOISE:
            continue
        for measure in _MEASURES:
            theirs = published_value(str(dataset), str(method), measure)
            if theirs is None:
                continue
            values = group[measure]
            error = float(values.std() / sqrt(len(values))) if len(values) > 1 else float("nan")
            allowed = 0.05 * theirs if measure == "rmse" else max(0.1, 0.0 if isnan(error) else 3 * error)
            ours = float(values.mean())
            out.append(Difference(str(dataset), split, str(method), measure, ours, theirs, error, allowed))
    return out


def published_value(dataset: str, method: str, measure: str) -> float | None:
    """The paper's value; PU-EV's likelihood without its two constants too many."""
    value = published("toy", "test", dataset, method, measure)
    if value is not None and (method, measure) == ("pu_evidential", "nll"):
        return value - PUBLISHED_OFFSET - _KEPT_CONSTANT
    return value


def _lead(differences: Sequence[Difference], judged: pd.DataFrame) -> str:
    folds = [d for d in differences if d.split == "iid"]
    noise = judged[(judged["group"] == "table") & (judged["dataset"] == "toy-noise") & (judged["split"] == "iid")]
    means = noise.groupby("method")["nll"].mean()
    others = "" if all(d.agrees for d in differences) else f'; the table "{_LARGER}" lists the others'
    return (
        f"Published values for methods that fit noise, within the allowed difference: {_agreeing(folds)} on folds of a "
        f"tenth, {_agreeing(differences)} with the single splits counted too, as the paper's split is unknown"
        f"{others}.\n"
        "On toy-noise the true model has an NLL of -0.39; Wasserstein dropout reaches "
        f"{number(float(means.get('w_dropout', np.nan)))}, PU {number(float(means.get('pu', np.nan)))}, and "
        "methods that know no noise fail by orders of magnitude, as in the paper."
    )


def _agreeing(differences: Sequence[Difference]) -> str:
    return f"{sum(d.agrees for d in differences)} of {len(differences)}"


def _table_part(judged: pd.DataFrame, differences: Sequence[Difference]) -> Part:
    tables = {
        f"toy_{split.replace('/', '_')}": _scores(judged, "table", split, f"Scores on {text}")
        for split, text in _SPLITS.items()
    }
    if not all(d.agrees for d in differences):
        tables["differences"] = _differences_table(differences)
    text = [
        "Ours, with the paper's value in brackets. The paper's split is unknown; its value for MC dropout fits "
        "training on half of the points. PU-EV's published NLL is a Student-t likelihood with two constants too many "
        "(1.917 in all); here they are taken off, and ours is the Gaussian likelihood of mean and std.",
        "toy-noise: 150 epochs, folds 0, 3, 5, 7, 9 of ten. toy-hf: 1000 epochs, ten folds. Two seeds. 2 × 50 units, "
        "L = 10 for Wasserstein dropout. Means over folds and seeds, in standardised units.",
    ]
    return Part("The toy table", text, tables)


def _scores(judged: pd.DataFrame, group: str, split: str, title: str) -> Table:
    rows = judged[(judged["group"] == group) & (judged["split"] == split)]
    out: list[Sequence[str | Cell]] = []
    for (dataset, method), some in rows.groupby(["dataset", "method"], sort=False):
        cells = [
            Cell(float(some[measure].mean()), published_value(str(dataset), str(method), measure))
            for measure in _MEASURES
        ]
        etl = Cell(float(some["etl"].mean()))
        out.append([str(dataset), METHOD_TITLES[str(method)], *cells, etl, str(len(some))])
    headings = ["data set", "method", *(MEASURES[name].heading for name in (*_MEASURES, "etl")), "runs"]
    return Table(title, headings, out)


def _differences_table(differences: Sequence[Difference]) -> Table:
    rows: list[Sequence[str | Cell]] = [
        [
            d.dataset, d.split, METHOD_TITLES[d.method], MEASURES[d.measure].heading,
            Cell(d.ours, d.published), Cell(d.error), Cell(d.allowed), reason(d, differences),
        ]
        for d in differences
        if not d.agrees
    ]  # fmt: skip
    headings = ["data set", "split", "method", "measure", "ours (paper)", "std. error", "allowed", "because"]
    return Table(
        f"{_LARGER}: {len(rows)} of {len(differences)}, all splits",
        headings,
        rows,
        "For methods that fit noise. Allowed: 5 % for RMSE, else 0.1 or three standard errors over folds and seeds.",
    )


def reason(difference: Difference, all_of_them: Sequence[Difference]) -> str:
    """Why a value differs, as far as is known: the split is not, and small test sets have noise of their own."""
    what = (difference.dataset, difference.method, difference.measure)
    same = [d for d in all_of_them if (d.dataset, d.method, d.measure) == what and d.agrees]
    if not same:
        return "unexplained"
    found = ", ".join(f"{number(d.ours)} on {_SPLITS[d.split]}" for d in same)
    return f"the paper's split is unknown; {found} agrees"


def _published_part(judged: pd.DataFrame) -> Part:
    tables = {
        f"published_{split.replace('/', '_')}": _scores(judged, "published", split, f"As published, {text}")
        for split, text in _SPLITS.items()
        if split != "iid-80/20"
    }
    text = [
        "The same methods as the code behind the paper has them, where that differs: MC dropout's constant with the "
        "drop rate in place of the keep rate, concrete dropout's rate factor 2/N, SWAG's moments off by one, PU's "
        "squared softplus without a floor, PU-EV's regularisation of 1e-3. The docs tell each difference."
    ]
    return Part("As published", text, tables)


def _rates_part(judged: pd.DataFrame) -> Part:
    learned = judged[judged["drop_rate_1"].notna() & judged["group"].isin(["table", "published"])]
    rows: list[Sequence[str | Cell]] = []
    for (dataset, split, variant), some in learned.groupby(["dataset", "split", "variant"], sort=False):
        rates = [Cell(float(some[name].mean())) for name in ("drop_rate_1", "drop_rate_2")]
        rows.append([str(dataset), str(split), str(variant) or "default", *rates])
    table = Table("Learned drop rates", ["data set", "split", "form", "first layer", "second layer"], rows)
    text = ["Concrete dropout starts at 0.1; the paper sees rates from 0.2 to 0.5."]
    return Part("What concrete dropout learned", text, {"drop_rates": table})


def _figure_parts(study: Study, store: Store) -> list[Part]:
    runs = [run for run in study.runs if run.curve and store.has(run)]
    panels = [run for run in runs if run.group == "panels"]
    sweep = [run for run in runs if run.group == "lambda"]
    return [
        *([_figure1_part(store, panels), _panels_part(store, panels)] if panels else []),
        *([_lambda_part(store, sweep)] if sweep else []),
    ]


def _figure1_part(store: Store, panels: Sequence[Run]) -> Part:
    shown = [run for run in panels if run.method_name in ("w_dropout", "mc_dropout")]
    data = {run.dataset: toy_data(run) for run in shown}
    lines = {(run.dataset, run.method_name): toy_curves(store.arrays(run)) for run in shown}
    figure = Drawn("figure1", subnetworks_figure(data, lines), f"{N_LINES} sub-networks (gray) over the data.")
    text = ["Wasserstein dropout's sub-networks spread like the data, MC dropout's agree."]
    return Part("Sub-networks", text, figures=[figure])


def _panels_part(store: Store, panels: Sequence[Run]) -> Part:
    figures = []
    for dataset in dict.fromkeys(run.dataset for run in panels):
        runs = [run for run in panels if run.dataset == dataset]
        figure = panel_figure(dataset, toy_data(runs[0]), [_column(store, run) for run in runs])
        figures.append(Drawn(f"panels_{dataset}", figure, f"All methods on {dataset}."))
    text = ["From top to bottom: data, mean, std. The dashed green line is the true std, where there is noise."]
    return Part("Mean and std of every method", text, figures=figures)


def _lambda_part(store: Store, sweep: Sequence[Run]) -> Part:
    colour = METHOD_COLOURS["mc_dropout"]
    columns = [Column(f"λ = {run.variant}", colour, toy_curves(store.arrays(run))) for run in reversed(sweep)]
    figure = panel_figure("toy-noise", toy_data(sweep[0]), columns)
    text = [
        "MC dropout adds a constant proportional to λ to its variance (as published). The right λ fits the average "
        "noise; none follows it."
    ]
    return Part("MC dropout and its λ", text, figures=[Drawn("lambda", figure, "λ falls to the right.")])


def _line_part(judged: pd.DataFrame) -> Part:
    rows = judged[judged["group"] == "line"].sort_values("dataset_std")
    spreads = [_spread(row) for _, row in rows.iterrows()]
    table = Table(
        "Noisy line",
        ["true std", "mean", "median", "10 %", "90 %"],
        [[f"{s.true:g}", Cell(s.mean), Cell(s.median), Cell(s.low), Cell(s.high)] for s in spreads],
        "Std of Wasserstein dropout over x, L = 10, 1000 points, 1000 epochs, targets not scaled.",
    )
    figures = [Drawn("noisy_line", noisy_line_figure(spreads), "Predicted against true std.")]
    text = [
        "Noise of one std everywhere, from none to 10, fitted without scaling the targets (scaled, it would be one "
        "experiment drawn eight times). With L = 10 the loss has its optimum at 1.05 of the true std."
    ]
    return Part("Does std match the noise?", text, {"noisy_line": table}, figures)


def _draws_part(judged: pd.DataFrame) -> Part:
    rows = judged[judged["group"] == "draws"].copy()
    rows["L"] = rows["variant"].astype(int)
    spreads = [(int(row["L"]), _spread(row, true=1.0)) for _, row in rows.sort_values("L").iterrows()]
    table = Table(
        "Predicted over true std",
        ["L", "networks", "optimum of the loss"],
        [[str(n), Cell(s.mean), Cell(optimal_std(n))] for n, s in spreads],
        "Mean over x on a noisy line with 10,000 points, 150 epochs, 2 × 50 units.",
    )
    figures = [Drawn("scale_of_L", scale_figure(spreads), "L is a scale, not an accuracy.")]
    ratios = [spread.mean / optimal_std(n) for n, spread in spreads]
    text = [
        "The paper calls L a sample size and finds that it matters little. It sets the scale of std: with exact "
        "moments the loss always prefers a larger std; only the noise of the L-sample mean stops it. For Gaussian "
        f"outputs the optimum is the true std at L = 9. Real networks follow the curve at {min(ratios):.2f} to "
        f"{max(ratios):.2f} of its height; why they stay below it is not explained.",
    ]
    return Part("L is a scale", text, {"scale_of_L": table}, figures)


def _theory_part() -> Part:
    text = [
        "Two measures of calibration on residuals that are normal, but shifted or stretched. ECE saturates, WS grows "
        "on; together they tell a std that is too large from one that is too small."
    ]
    caption = "Left: distributions of residuals. Middle: their scores. Right: one over the other."
    return Part("ECE against WS", text, figures=[Drawn("ece_ws", ece_against_ws_figure(), caption)])


def _cost_part(study: Study, done: pd.DataFrame) -> Part:
    per_run = done.drop_duplicates("key")
    hours = per_run["seconds"].sum() / 3600
    text = [
        f"{len(per_run)} of {len(study.runs)} runs, {hours:.2f} core-hours, one thread each (the paper: 20 hours on a "
        "CPU). The records have a row per run, fold and part."
    ]
    return Part("What it took", text, links={"all records as csv": "records.csv"})


def _column(store: Store, run: Run) -> Column:
    name = run.method_name
    return Column(METHOD_LABELS[name], METHOD_COLOURS[name], toy_curves(store.arrays(run)), framed=name == "w_dropout")


def _spread(row: "pd.Series[float]", true: float | None = None) -> Spread:
    at = float(row["dataset_std"]) if true is None else true
    return Spread(at, *(float(row[name]) for name in ("std_mean", "std_q50", "std_q10", "std_q90")))
