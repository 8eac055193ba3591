"""The report of a study of detectors: what was run, what came out, and how it differs from the paper."""

from collections.abc import Callable, Iterable, Sequence

import pandas as pd
import torch
from matplotlib.figure import Figure

from wdrop.detect.data.classes import CLASSES
from wdrop.detect.finding.detections import Detections
from wdrop.prediction import Prediction
from wdrop.report.detection.boxes import Picture, drawn
from wdrop.report.detection.claims import RULES, detection_sentences_table, judge_detection_claims
from wdrop.report.detection.comparisons import BASELINE, control_table, intervals_table, ratio, ratios_table
from wdrop.report.detection.corrupted import corrupted_table
from wdrop.report.detection.domains import domains_table, heatmaps_figure
from wdrop.report.detection.in_data import in_data_table
from wdrop.report.detection.pictures import corruptions_figure, panels_figure
from wdrop.report.detection.rows import (
    PROTOCOLS,
    PUBLISHED_PROTOCOL,
    Contestant,
    contestants,
    datasets,
    in_data,
    judged,
    mean,
    of,
)
from wdrop.report.detection.trajectories import trajectories_figure
from wdrop.report.tables import Table
from wdrop.study.cost import tally
from wdrop.study.plan import Run, Study
from wdrop.study.reports.parts import Drawn, Part, Told, records
from wdrop.study.store import Store

_DIFFERENCES = {
    "kitti-mini": "kitti-mini is 1132 of KITTI's 7481 labelled frames, a sixth, rich in cyclists, split by drives "
    "into 509 for training and 623 for test, stored as JPEG of quality 50. The paper trains on 3622 frames.",
    "virtual_kitti": "virtual_kitti is a synthetic stand-in that the paper does not have: cars only.",
    "carla": "carla is a synthetic stand-in that the paper does not have: no pedestrians.",
    "rendered": "Rendered scenes are drawn by wdrop itself: a score on them says nothing about streets.",
}


def detection_report(study: Study, store: Store) -> Told:
    """All parts for which there are runs."""
    table = records(study, store)
    done = table[table["status"] == "done"]
    if done.empty:
        raise ValueError(f"study {study.name!r}: all runs failed so far, the first with: {table['error'].iloc[0]}")
    names = datasets(done)
    parts = [
        Part("How this differs from the paper", _differences(study, done)),
        Part("Claims of the paper, one by one", [RULES],
             {"claims": detection_sentences_table(judge_detection_claims(done), done)}),
        Part("Against MC-SqueezeDet", (), _tables("ratios", ratios_table, done, names)),
        Part("On their own data", _found_less(done, names[0]), _tables("in_data", in_data_table, done, names),
             _trajectories(done, names)),
        Part("One factor a coordinate", (), _tables("control", control_table, done, names)),
        Part("How sure this is", (), _tables("intervals", intervals_table, done, names)),
        Part("Blurred and noisy pictures", (), _tables("corrupted", corrupted_table, done, names),
             [Drawn("corruptions", corruptions_figure(), "A scene drawn by wdrop: original, blurred, noisy.",
                   photographs=True)]),
        Part("On other data", (), _domain_tables(done), _heatmaps(done)),
        Part("What is found", (), {}, _examples(study, store)),
        Part("What was run", _what_was_run(study, store, done), links={"all records as csv": "records.csv"}),
    ]  # fmt: skip
    return Told(_lead(done, names[0]), [part for part in parts if part.text or part.tables or part.figures])


def _tables(
    name: str, make: Callable[[pd.DataFrame, str, str], Table | None], rows: pd.DataFrame, names: Iterable[str]
) -> dict[str, Table]:
    """One for each data set and protocol, never two protocols in one."""
    made = {
        f"{name}_{dataset}_{protocol}": make(rows, dataset, protocol) for dataset in names for protocol in PROTOCOLS
    }
    return {key: table for key, table in made.items() if table is not None}


def _domain_tables(rows: pd.DataFrame) -> dict[str, Table]:
    made = {f"domains_{protocol}": domains_table(rows, protocol) for protocol in PROTOCOLS}
    return {key: table for key, table in made.items() if table is not None}


def _lead(rows: pd.DataFrame, dataset: str) -> str:
    own = in_data(judged(rows, protocol=PUBLISHED_PROTOCOL), dataset)
    others = [one for one in contestants(own) if one != BASELINE]
    if of(own, BASELINE).empty or not others:
        return "Not enough was run yet for a verdict."
    how = PROTOCOLS[PUBLISHED_PROTOCOL]
    said = f"{dataset}, test, {how}, mean over coordinates and seeds, over MC-SqueezeDet:"
    return "\n".join([said, *(f"{_verdict(own, one)}." for one in others)])


def _found_less(rows: pd.DataFrame, dataset: str) -> list[str]:
    """That HDBSCAN finds fewer of the boxes whose draws are spread wide, told by recall; nothing if it was not run."""
    ways = {way: in_data(judged(rows, protocol=way), dataset) for way in (PUBLISHED_PROTOCOL, "samples-hdbscan")}
    by_kmeans, by_density = ways.values()
    if by_density.empty:
        return []
    recalls = "; ".join(
        f"{one.label} {mean(of(by_density, one), 'recall'):.2f} ({mean(of(by_kmeans, one), 'recall'):.2f})"
        for one in contestants(by_density)
    )
    return [
        f"Recall on {dataset}, test, with HDBSCAN (with k-means): {recalls}. HDBSCAN looks for dense clouds of boxes; "
        "of draws that are spread wide, as an honest std has them, it makes fewer clusters and wider ones. Its scores "
        "are those of the boxes it found: compare them with this in mind."
    ]


def _verdict(own: pd.DataFrame, one: Contestant) -> str:
    ratios = ", ".join(f"{name.upper()} {ratio(own, one, name):.2f}" for name in ("ece", "ws", "nll", "etl"))
    difference = mean(of(own, one), "miou") - mean(of(own, BASELINE), "miou")
    return f"{one.label}: {ratios}; mIoU {difference:+.3f}"


def _trajectories(rows: pd.DataFrame, names: Sequence[str]) -> list[Drawn]:
    along = rows[rows["part"] == "along"]
    figures = {name: trajectories_figure(along[along["dataset"] == name]) for name in names}
    caption = "Scores on some test pictures along the training on {}, by draws and k-means; thin lines are seeds."
    return _drawn(("trajectories_" + name, figure, caption.format(name)) for name, figure in figures.items())


def _heatmaps(rows: pd.DataFrame) -> list[Drawn]:
    figures = {protocol: heatmaps_figure(rows, protocol) for protocol in PROTOCOLS}
    caption = "Trained on (rows), tested on (columns): {}. Matched boxes and recall are in the table."
    return _drawn(
        (f"heatmaps_{protocol}", figure, caption.format(PROTOCOLS[protocol])) for protocol, figure in figures.items()
    )


def _drawn(figures: Iterable[tuple[str, Figure | None, str]]) -> list[Drawn]:
    return [Drawn(name, figure, caption) for name, figure, caption in figures if figure is not None]


def _examples(study: Study, store: Store) -> list[Drawn]:
    """What the first seed of every method finds in pictures that may be shown."""
    first = min((run.seed for run in study.runs), default=0)
    runs = [run for run in study.runs if run.seed == first and store.has(run) and store.has_arrays(run)]
    runs = [run for run in runs if run.dataset == runs[0].dataset]
    figures = []
    for protocol in (PUBLISHED_PROTOCOL, "closed_form"):
        pictures = {title: picture for run in runs for title, picture in _shown(run, store, protocol)}
        if pictures:
            caption = f"{PROTOCOLS[protocol]}: as many boxes as objects, best first, with bands of one and two stds."
            figures.append(
                Drawn(f"examples_{protocol}", panels_figure(pictures, n_columns=2), caption, photographs=True)
            )
    return figures


def _shown(run: Run, store: Store, protocol: str) -> Iterable[tuple[str, Picture]]:
    arrays = store.arrays(run)
    number = 0
    while f"example/{number}/picture" in arrays:
        mean_, std, classes, scores = (
            torch.from_numpy(arrays[f"example/{number}/{protocol}/{name}"])
            for name in ("mean", "std", "classes", "scores")
        )
        found = Detections(Prediction(mean_, std), classes, scores)
        label = Contestant(run.method_name, run.variant).label
        yield f"{label}, picture {number + 1}", drawn(arrays[f"example/{number}/picture"], found, CLASSES)
        number += 1


def _differences(study: Study, rows: pd.DataFrame) -> list[str]:
    tested = dict.fromkeys([*rows["dataset"], *rows["tested_on"]])
    told = [_DIFFERENCES[name] for name in tested if name in _DIFFERENCES]
    done = set(rows["key"])
    settings = {_settings(run) for run in study.runs if run.key in done}
    backbones = ", ".join(sorted(set(map(str, rows["backbone"]))))
    return [
        *told,
        "Trained: " + "; ".join(sorted(settings)) + f". Backbone: {backbones}. The paper: 672 x 384, 300,000 steps of "
        "SGD, batches of 20. Every variant starts from the same backbone; variants of a seed see the same pictures in "
        "the same order.",
        "Pictures are resized to the input and boxes scaled back: errors and stds are in pixels of the stored picture. "
        "Ways to find boxes are never mixed in a table: clusters of draws also mix neighbouring anchors, so that their "
        "std is larger than the exact one of a single box.",
    ]


def _settings(run: Run) -> str:
    config = run.config()["method"]
    training = config["training"]
    rate = training["optimisation"]
    return (
        f"{run.dataset} at {config['width']} x {config['height']}, {training['n_steps']} steps of {rate['algorithm']} "
        f"from {rate['learning_rate']:g}, batches of {training['batch_size']}"
        + (", the backbone in bfloat16" if training["bfloat16"] else "")
    )


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
