"""Detections against the truth: who found whom, and how honest the error bars are.

A matched box is a point with four targets, cx, cy, w and h in pixels: the measures are the library's own.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import nan
from statistics import fmean
from typing import final

import torch
from scipy.optimize import linear_sum_assignment
from torch import Tensor

from wdrop.detect.data.sample import Sample
from wdrop.detect.finding.detections import Detections
from wdrop.detect.geometry.boxes import iou, iou_matrix, to_centres, to_corners
from wdrop.measures import ece, etl, nll, rmse, ws
from wdrop.prediction import Prediction

COORDINATES = ("x", "y", "w", "h")
ALL = "all"
"""The mean over the four coordinates."""
UNCERTAINTY: dict[str, Callable[..., float]] = {"nll": nll, "ece": ece, "ws": ws, "etl": etl}
_SMALLEST_STD = 1e-5  # pixels: a cluster of equal boxes claims to know all, as boxes clipped at a border may


@final
@dataclass(frozen=True, eq=False)
class Matched:
    """Detected boxes beside the objects they were matched to, over all pictures of a set.

    boxes       mean and std (n, 4), centre form, in pixels of the stored picture
    truth       (n, 4)
    iou         (n,)
    same_class  (n,)
    picture     (n,), which picture each comes from: boxes of one picture err together
    n_objects   and n_detections, matched or not; n_pictures with objects
    """

    boxes: Prediction
    truth: Tensor
    iou: Tensor
    same_class: Tensor
    picture: Tensor
    n_objects: Tensor
    n_detections: Tensor

    def __len__(self) -> int:
        return len(self.truth)

    @property
    def n_pictures(self) -> int:
        return len(self.n_objects)

    def of_pictures(self, pictures: Tensor) -> "Matched":
        """The matches of these pictures (m,), one given twice counts twice."""
        counts = torch.bincount(self.picture, minlength=self.n_pictures)
        starts = counts.cumsum(0) - counts  # rows lie in the order of their pictures
        of_row = torch.arange(len(pictures)).repeat_interleave(counts[pictures])
        before = counts[pictures].cumsum(0) - counts[pictures]
        order = starts[pictures][of_row] + torch.arange(len(of_row)) - before[of_row]
        return Matched(
            Prediction(self.boxes.mean[order], self.boxes.std[order]),
            self.truth[order],
            self.iou[order],
            self.same_class[order],
            of_row,
            self.n_objects[pictures],
            self.n_detections[pictures],
        )

    def rescaled(self, factors: Tensor) -> "Matched":
        """The same boxes with each coordinate's std times its factor (4,)."""
        return replace(self, boxes=Prediction(self.boxes.mean, self.boxes.std * factors))


def match(detected: Tensor, truth: Tensor, *, min_iou: float = 0.1) -> tuple[Tensor, Tensor]:
    """Rows of detected and true corners (n, 4), (m, 4) that belong together, one to one, classes not looked at.

    The Hungarian method makes the sum of intersections over union as large as it can be; pairs below `min_iou` are
    dropped.
    """
    overlaps = iou_matrix(detected.double(), truth.double())
    rows, columns = (torch.from_numpy(found) for found in linear_sum_assignment(overlaps.numpy(), maximize=True))
    enough = overlaps[rows, columns] >= min_iou
    return rows[enough], columns[enough]


def matched(pairs: Iterable[tuple[Detections, Sample]], *, min_iou: float = 0.1, inclusive: bool = False) -> Matched:
    """The matches of all pictures; pictures without objects do not enter.

    In the published code pictures without detections do not enter either, which makes its recall a little higher.
    `inclusive` counts the last pixel into the true extents, as the published code does; it must agree with the targets
    in training.
    """
    found = [_of_picture(detections, sample, min_iou, inclusive) for detections, sample in pairs if len(sample.boxes)]
    counts = torch.tensor([len(part[1]) for part in found], dtype=torch.int64)
    return Matched(
        Prediction(_joined([part[0].mean for part in found], 4), _joined([part[0].std for part in found], 4)),
        _joined([part[1] for part in found], 4),
        _joined([part[2] for part in found]),
        _joined([part[3] for part in found]).bool(),
        torch.arange(len(found)).repeat_interleave(counts),
        torch.tensor([part[4] for part in found], dtype=torch.int64),
        torch.tensor([part[5] for part in found], dtype=torch.int64),
    )


def _of_picture(
    detections: Detections, sample: Sample, min_iou: float, inclusive: bool
) -> tuple[Prediction, Tensor, Tensor, Tensor, int, int]:
    truth = to_centres(sample.boxes.double(), inclusive=inclusive)
    mean, std = detections.boxes.mean.double().cpu(), detections.boxes.std.double().cpu()
    rows, columns = match(to_corners(mean), to_corners(truth), min_iou=min_iou)
    overlap = iou(to_corners(mean[rows]), to_corners(truth[columns]))
    same = detections.classes.cpu()[rows] == sample.classes[columns]
    return Prediction(mean[rows], std[rows]), truth[columns], overlap, same, len(truth), len(mean)


def _joined(parts: Sequence[Tensor], *shape: int) -> Tensor:
    return torch.cat(list(parts)) if parts else torch.empty(0, *shape, dtype=torch.float64)


def scores(matches: Matched, *, as_published: bool = False) -> dict[str, float]:
    """What the tables print, by name; how many boxes were matched stands beside, since matched sets differ.

    miou       mean intersection over union of the matched
    rmse       in pixels, over all matched boxes and coordinates together
    recall     objects that were found and named rightly; `found` those that were found
    nll ...    the mean over the four coordinates, and `nll_x` ... each
    std        the mean std in pixels

    `as_published` rounds the residuals' quantiles in the ECE as the paper's code does. Nothing matched gives NaN.
    """
    n_objects = int(matches.n_objects.sum())
    counts = {
        "n_pictures": float(matches.n_pictures),
        "n_objects": float(n_objects),
        "n_detections": float(matches.n_detections.sum()),
        "n_matched": float(len(matches)),
        "found": len(matches) / n_objects if n_objects else nan,
        "recall": float(matches.same_class.sum()) / n_objects if n_objects else nan,
    }
    return counts | _box_scores(matches, as_published)


def _box_scores(matches: Matched, as_published: bool) -> dict[str, float]:
    measures = UNCERTAINTY | ({"ece": partial(ece, rounded=True)} if as_published else {})
    names = [f"{name}_{coordinate}" for name in measures for coordinate in COORDINATES]
    if not len(matches):
        return dict.fromkeys(["miou", "rmse", "std", *measures, *names], nan)
    mean, std, y = matches.boxes.mean, matches.boxes.std.clamp(min=_SMALLEST_STD), matches.truth
    found = {
        "miou": float(matches.iou.mean()),
        "rmse": rmse(mean.flatten(), std.flatten(), y.flatten()),
        "std": float(std.mean()),
    }
    for name, measure in measures.items():
        single = [measure(mean[:, i], std[:, i], y[:, i]) for i in range(len(COORDINATES))]
        found[name] = fmean(single)  # what the measure itself says of four targets
        found |= {f"{name}_{coordinate}": value for coordinate, value in zip(COORDINATES, single, strict=True)}
    return found


def std_factors(matches: Matched) -> Tensor:
    """The factor (4,) on each coordinate's std that makes its residuals of unit size: sqrt(mean r²).

    The control behind a calibration score: what remains after it is more than scale.
    """
    residuals = (matches.boxes.mean - matches.truth) / matches.boxes.std.clamp(min=_SMALLEST_STD)
    return residuals.square().mean(dim=0).sqrt()
