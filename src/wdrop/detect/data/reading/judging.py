"""From what label files say to boxes one can train on: what is odd is mended and counted, what is wrong refused."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import isfinite
from typing import Literal, final

import numpy as np

from wdrop._checks import known
from wdrop.detect.data.classes import Words
from wdrop.detect.data.crop import Crop
from wdrop.detect.data.reading.pictures import UnreadablePictureError, open_picture, picture_size
from wdrop.detect.data.sample import Box, Frame, LabelledObject, LabelledPicture

Bad = Literal["refuse", "skip"]

_log = logging.getLogger(__name__)
_SAME_SHAPE = 0.02  # a smaller copy of a picture keeps its aspect up to rounding
SLIVER = 0.1  # pixels: the log of a width near 0 is a target that outweighs all others; KITTI's thinnest box has 0.11


class LabelError(ValueError):
    """A label entry that cannot be meant: the message starts with file and line."""


@final
@dataclass
class Tally:
    """What happened to the entries of a set on their way in."""

    clipped: int = 0  # boxes that reached over the border
    outside: int = 0  # boxes wholly outside, dropped
    zero_area: int = 0  # boxes without area, dropped
    left_out: int = 0  # objects of classes that are left out by the harmonisation
    cropped_away: int = 0  # objects of which the crop leaves too little
    slivers: int = 0  # boxes of which less than a tenth of a pixel is left in width or height, dropped
    empty: int = 0  # pictures on which no object remains
    skipped: list[str] = field(default_factory=list)  # what was wrong, file and line, under bad="skip"

    @property
    def left_out_in_words(self) -> str:
        """How many boxes and pictures are not there, and why; nothing if all are."""
        reasons = {
            "of classes that are not used": self.left_out,
            "cropped away": self.cropped_away,
            "outside their picture": self.outside,
            "without area": self.zero_area,
            "below a tenth of a pixel": self.slivers,
        }
        why = ", ".join(f"{n:,} {reason}" for reason, n in reasons.items() if n)
        boxes = f"{sum(reasons.values()):,} boxes ({why})" if why else ""
        pictures = f"{self.empty:,} pictures without objects" if self.empty else ""
        entries = f"{len(self.skipped):,} wrong entries" if self.skipped else ""
        return ", ".join(filter(None, (boxes, pictures, entries)))

    def stumble(self, error: ValueError, bad: Bad) -> None:
        """Raise the error, or note it and let the rest go on."""
        if bad == "refuse":
            raise error
        self.skipped.append(str(error))
        _log.warning("skipped: %s", error)


@final
@dataclass(frozen=True)
class Judge:
    """Makes frames of labelled pictures.

    words        what the set's own words mean; None: left out
    class_names  their numbers
    crop         the part of each picture that is kept
    bad          "refuse": the first wrong entry is an error; "skip": it is left out, noted and logged
    verify       read every picture whole now; else only its header, and damage further on shows when it is used
    """

    words: Words
    class_names: tuple[str, ...]
    crop: Crop | None = None
    bad: Bad = "refuse"
    verify: bool = False
    keep_empty: bool = False

    def frames(self, pictures: Iterable[LabelledPicture], tally: Tally) -> list[Frame]:
        """The pictures that can be used; `tally` tells what happened to the others."""
        found = (self._frame(picture, tally) for picture in pictures)
        return [frame for frame in found if frame is not None]

    def _frame(self, picture: LabelledPicture, tally: Tally) -> Frame | None:
        try:
            size = picture_size(picture.image)
            if self.verify:
                open_picture(picture.image)
            scale = _scale(picture, size)
        except (UnreadablePictureError, LabelError) as error:
            tally.stumble(error, self.bad)
            return None
        judged = [self._object(labelled, scale, size, tally) for labelled in picture.objects]
        kept = [one for one in judged if one is not None]
        boxes = np.array([box for box, _ in kept], dtype=np.float32).reshape(-1, 4)
        classes = np.array([number for _, number in kept], dtype=np.int64)
        window = (0, 0, *size)
        if self.crop is not None:
            window, boxes, stay = self.crop(size, boxes)
            classes = classes[stay]
            tally.cropped_away += int((~stay).sum())
        seen = (boxes[:, 2:] - boxes[:, :2] >= SLIVER).all(axis=1)
        boxes, classes = boxes[seen], classes[seen]
        tally.slivers += int((~seen).sum())
        if not len(boxes):
            tally.empty += 1
            if not self.keep_empty:
                return None
        return Frame(picture.image, boxes, classes, window, picture.lens)

    def _object(
        self, labelled: LabelledObject, scale: tuple[float, float], size: tuple[int, int], tally: Tally
    ) -> tuple[Box, int] | None:
        try:
            word = self._meaning(labelled)
            if word is None:
                tally.left_out += 1
                return None
            left, top, right, bottom = _checked(labelled)
        except LabelError as error:
            tally.stumble(error, self.bad)
            return None
        if left == right or top == bottom:
            tally.zero_area += 1
            return None
        box = (left * scale[0], top * scale[1], right * scale[0], bottom * scale[1])
        clipped = _clipped(box, size)
        if clipped[0] >= clipped[2] or clipped[1] >= clipped[3]:
            tally.outside += 1
            return None
        tally.clipped += clipped != box
        return clipped, self.class_names.index(word)

    def _meaning(self, labelled: LabelledObject) -> str | None:
        if labelled.word not in self.words:
            try:
                known("class", labelled.word, self.words)
            except ValueError as error:
                raise LabelError(f"{labelled.where}: {error}") from None
        return self.words[labelled.word]


def _scale(picture: LabelledPicture, size: tuple[int, int]) -> tuple[float, float]:
    """Factors from the labels' pixels to the stored picture's: a copy may be stored smaller than it was labelled."""
    if picture.size is None or picture.size == size:
        return 1.0, 1.0
    across, down = size[0] / picture.size[0], size[1] / picture.size[1]
    if abs(across / down - 1) > _SAME_SHAPE:
        raise LabelError(
            f"{picture.where}: expected a picture shaped like the labels' {picture.size[0]} x {picture.size[1]}, got "
            f"{size[0]} x {size[1]} in {picture.image.name}; is it the right picture?"
        )
    return across, down


def _checked(labelled: LabelledObject) -> Box:
    left, top, right, bottom = labelled.box
    if not all(map(isfinite, labelled.box)):
        raise LabelError(f"{labelled.where}: expected finite corners, got {labelled.box}")
    if right < left or bottom < top:
        raise LabelError(f"{labelled.where}: expected xmin <= xmax and ymin <= ymax, got {labelled.box}")
    return left, top, right, bottom


def _clipped(box: Box, size: tuple[int, int]) -> Box:
    """The part of the box in the picture, whose pixels are numbered from 0."""
    last_column, last_row = size[0] - 1.0, size[1] - 1.0
    left, top, right, bottom = box
    return (
        min(max(left, 0.0), last_column),
        min(max(top, 0.0), last_row),
        min(max(right, 0.0), last_column),
        min(max(bottom, 0.0), last_row),
    )
