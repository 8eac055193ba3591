"""The report of a study of detectors: what was run, what came out, and how it differs from the paper."""

from collections.abc import Callable, Iterable

import pandas as pd
from matplotlib.figure import Figure

from wdrop.report.detection.claims import RULES, detection_sentences_table, judge_detection_claims
from wdrop.report.detection.comparisons import intervals_table, ratios_table
from wdrop.report.detection.control import control_table, control_text
from wdrop.report.detection.corrupted import corrupted_table
from wdrop.report.detection.domains import domains_table, heatmaps_figure
from wdrop.report.detection.in_data import in_data_table
from wdrop.report.detection.pictures import corruptions_figure
from wdrop.report.detection.ratio_bars import ratios_figure
from wdrop.report.detection.rows import PROTOCOLS, Contestant, datasets
from wdrop.report.detection.trajectories import trajectories_figure
from wdrop.report.detection.verdict import BY_DENSITY, CONTROLLED, recalls, verdict
from wdrop.report.tables import Table
from wdrop.study.cost import tally
from wdrop.study.plan import Study
from wdrop.study.reports.detection_differences import differences
from wdrop.study.reports.detection_examples import examples
from wdrop.study.reports.parts import Drawn, Part, Told, records
from wdrop.study.store import Store

Make = Callable[[pd.DataFrame, str, str], Table | None]
_TABLES: dict[str, Make] = {
    "ratios": ratios_table, "in_data": in_data_table, "control": control_table, "intervals": intervals_table,
    "corrupted": corrupted_table,
}  # fmt: skip


def detection_report(study: Study, store: Store) -> Told:
    """All parts for which there are runs: the first data set in the open, the others folded away behind it."""
    table = records(study, store)
    done = table[table["status"] == "done"]
    if done.empty:
        raise ValueError(f"study {study.name!r}: all runs failed so far, the first with: {table['error'].iloc[0]}")
    names = datasets(done)
    first, others = names[0], names[1:]
    claims = judge_detection_claims(done)
    parts = [
        Part("At a glance", figures=_ratios(done, first)),
        Part("How this differs from the paper", differences(study, done)),
        Part("Claims of the paper, one by one", [RULES], {"claims": detection_sentences_table(claims, done)}),
        Part("Against MC-SqueezeDet", (), _tables(["ratios"], done, first)),
        Part("One factor a coordinate", control_text(done, names, CONTROLLED), _tables(["control"], done, first)),
        Part("On their own data", (), _tables(["in_data"], done, first), _trajectories(done, first)),
        Part("How sure this is", (), _tables(["intervals"], done, first)),
        Part("Blurred and noisy pictures", (), _tables(["corrupted"], done, first),
             [Drawn("corruptions", corruptions_figure(), "A scene drawn by wdrop: original, blurred, noisy.",
                   photographs=True)]),
        Part("On other data", (), _domain_tables(done), _heatmaps(done)),
        Part("What is found", (), {}, examples(study, store)),
        Part("HDBSCAN in place of k-means", _found_less(done, first), _tables(_TABLES, done, first, [BY_DENSITY]),
             folded=True),
        *(Part(f"The same on {name}", (), _tables(_TABLES, done, name, PROTOCOLS), _trajectories(done, name),
               folded=True) for name in others),
        Part("What was run", _what_was_run(study, store, done), links={"all records as csv": "records.csv"}),
    ]  # fmt: skip
    lead = "\n".join(verdict(done, names, claims))
    return Told(lead, [part for part in parts if part.text or part.tables or part.figures])


def _tables(
    kinds: Iterable[str], rows: pd.DataFrame, name: str, protocols: Iterable[str] = CONTROLLED
) -> dict[str, Table]:
    """One for each kind and protocol, never two protocols in one."""
    protocols = list(protocols)
    made = {f"{kind}_{name}_{one}": _TABLES[kind](rows, name, one) for kind in kinds for one in protocols}
    return {key: table for key, table in made.items() if table is not None}


def _domain_tables(rows: pd.DataFrame) -> dict[str, Table]:
    made = {f"domains_{protocol}": domains_table(rows, protocol) for protocol in PROTOCOLS}
    return {key: table for key, table in made.items() if table is not None}


def _found_less(rows: pd.DataFrame, name: str) -> list[str]:
    """That HDBSCAN finds fewer of the boxes whose draws are spread wide, told by recall; nothing if it was not run."""
    by_kmeans, by_density = (recalls(rows, name, way) for way in (CONTROLLED[0], BY_DENSITY))
    if not by_density:
        return []
    told = "; ".join(f"{label} {value:.2f} ({by_kmeans[label]:.2f})" for label, value in by_density.items())
    return [
        f"Recall on {name}, test, with HDBSCAN (with k-means): {told}. HDBSCAN looks for dense clouds of boxes; "
        "of draws that are spread wide, as an honest std has them, it makes fewer clusters and wider ones. Its scores "
        "are those of the boxes it found: compare them with this in mind."
    ]


def _ratios(rows: pd.DataFrame, name: str) -> list[Drawn]:
    caption = (
        f"Scores of error bars on {name}'s test pictures over those of MC-SqueezeDet at equal steps: means over "
        "coordinates and seeds, thin lines from the lowest seed to the highest, each against MC of the same seed. A "
        "thick line is the paper's ratio on the whole data set. Rings: the same ratio after one factor a coordinate "
        "for both; what these leave below 1 is more than scale (not for the NLL, of which only differences then count)."
    )
    return _drawn([("ratios", ratios_figure(rows, name), caption)])


def _trajectories(rows: pd.DataFrame, name: str) -> list[Drawn]:
    along = rows[(rows["part"] == "along") & (rows["dataset"] == name)]
    n_pictures = "/".join(f"{n:.0f}" for n in sorted(set(along["n_pictures"].dropna()))) if len(along) else ""
    caption = (
        f"Scores on {n_pictures} of the test pictures along the training on {name}, by draws and k-means; thick lines "
        "are means over seeds, thin ones single seeds."
    )
    return _drawn([(f"trajectories_{name}", trajectories_figure(along), caption)])


def _heatmaps(rows: pd.DataFrame) -> list[Drawn]:
    caption = (
        "Trained on (rows), tested on (columns): {}. Colours are linear for the ECE and logarithmic for the others, a "
        "measure's the same for all methods. RMSE is in pixels of the stored pictures, whose sizes differ from set to "
        "set: compare it down a column, not along a row. Matched boxes and recall are in the table."
    )
    return _drawn(
        (f"heatmaps_{protocol}", heatmaps_figure(rows, protocol), caption.format(told))
        for protocol, told in PROTOCOLS.items()
    )


def _drawn(figures: Iterable[tuple[str, Figure | None, str]]) -> list[Drawn]:
    return [Drawn(name, figure, caption) for name, figure, caption in figures if figure is not None]


def _what_was_run(study: Study, store: Store, rows: pd.DataFrame) -> list[str]:
    count = tally(study, store)
    hours = [seconds / 3600 for seconds in (count.seconds, count.seconds_left)]
    some = rows[["group", "dataset", "method", "variant", "seed"]].drop_duplicates()
    of_method: dict[str, list[str]] = {}
    for group, dataset, method, variant, seed in some.itertuples(index=False):
        of_method.setdefault(f"{group}, {dataset}, {Contestant(method, variant or '').label}", []).append(str(seed))
    told = "; ".join(f"{name}: {', '.join(seeds)}" for name, seeds in of_method.items())
    return [
        f"{count.done} of {count.done + count.left} planned runs are done, {count.failed} failed; "
        + "{:.2f} core-hours were used, about {:.2f} are to go.".format(*hours),
        f"Seeds: {told}.",
    ]
