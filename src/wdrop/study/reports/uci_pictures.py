"""The figures of the benchmark that need predictions, not only records."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from wdrop.data.directions import label, principal_axis
from wdrop.data.splits import split_points
from wdrop.report.benchmark_figures import Judged, WayOut, residuals_figure, split_scheme_figure, way_out_figure
from wdrop.study.plan import Run, Study
from wdrop.study.run import load_points, split_stream
from wdrop.study.store import Store

_DIRECTIONS = {"label-80/20": ("label", label), "pca-80/20": ("pca", principal_axis)}


def way_out(study: Study, store: Store) -> Figure | None:
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
    return way_out_figure(ways) if ways else None


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
    return split_scheme_figure(dataset, points.x.double().numpy(), points.y[:, 0].double().numpy())


def _kept(study: Study, store: Store, group: str) -> list[Run]:
    return [run for run in study.runs if run.group == group and store.has(run) and store.has_arrays(run)]
