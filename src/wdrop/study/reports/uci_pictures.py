"""The figures of the benchmark that need predictions, not only records."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from wdrop.data.directions import label, principal_axis
from wdrop.data.splits import split_points
from wdrop.report.benchmark_figures import (
    Judged,
    WayOut,
    growths_told,
    residuals_figure,
    second_axis,
    split_scheme_figure,
    way_out_figure,
)
from wdrop.study.plan import Run, Study
from wdrop.study.reports.parts import Drawn
from wdrop.study.run import load_points, split_stream
from wdrop.study.store import Store

_SHOWN_FOLDS = {"extrapolate": 9, "interpolate": 6}
"""Which of the ten folds the scheme of the splits shows: an outer one, and one of the eight inner ones."""
_DIRECTIONS = {"label-80/20": ("label", label), "pca-80/20": ("pca", principal_axis)}


def way_out(study: Study, store: Store) -> Drawn | None:
    """Std along the label and the PCA direction, on both sides of the training edge."""
    ways = {}
    for run in _kept(study, store, "way_out"):
        name, direction = _DIRECTIONS[run.split]
        points = load_points(run)
        [split] = split_points(run.split, points, generator=split_stream(run))
        along = direction(points).numpy()
        arrays = store.arrays(run)
        place = np.concatenate([along[split.train], along[split.test]])
        std = np.concatenate([arrays["0/train/std"], arrays["0/test/std"]])
        ways[run.dataset, name, run.method_name] = WayOut(place, std, float(along[split.train].max()))
    caption = (
        "Predicted std on the way out of the data, in units of the target's std over the training rows: right of the "
        f"bar nothing was trained. {growths_told(ways)}"
    )
    return Drawn("way_out", way_out_figure(ways), caption) if ways else None


def residuals(study: Study, store: Store) -> Figure | None:
    """Residuals against std on held-out points."""
    judged: Mapping[tuple[str, str], Judged] = {
        (run.dataset, run.method_name): Judged(*(store.arrays(run)[f"0/test/{name}"] for name in ("mean", "std", "y")))
        for group in ("scatter_toy", "scatter")
        for run in _kept(study, store, group)
    }
    return residuals_figure(judged) if judged else None


def split_scheme(study: Study, dataset: str) -> Figure | None:
    """The two shifted splits drawn on a real table; none where the table is not here."""
    run = next((run for run in study.runs if run.dataset == dataset), None)
    if run is None:
        return None
    try:
        points = load_points(run)
    except FileNotFoundError:
        return None
    tests = {
        (direction, kind): split_points(direction, points, folds=[fold], generator=split_stream(run))[0].test.numpy()
        for direction in ("pca", "label")
        for kind, fold in _SHOWN_FOLDS.items()
    }
    places = {"pca": principal_axis(points).numpy(), "label": label(points).numpy()}
    return split_scheme_figure(dataset, places, second_axis(points.x.double().numpy()), tests)


def _kept(study: Study, store: Store, group: str) -> list[Run]:
    return [run for run in study.runs if run.group == group and store.has(run) and store.has_arrays(run)]
