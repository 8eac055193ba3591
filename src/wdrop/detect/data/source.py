"""Data sets in their native layout: one way to load them all."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, Protocol, final

import torch
from torch import Tensor

from wdrop._checks import known
from wdrop.detect.data.classes import CLASSES, Words
from wdrop.detect.data.crop import Crop
from wdrop.detect.data.fingerprint import fingerprint_of
from wdrop.detect.data.reading.folders import find_folder
from wdrop.detect.data.reading.judging import Bad, Judge, LabelError, Tally
from wdrop.detect.data.reading.texts import MissingPartError
from wdrop.detect.data.sample import Frame, LabelledPicture, Sample

SplitName = Literal["train", "test"]
SPLITS = ("train", "test")


class Samples(Protocol):
    """Pictures with their objects by number: what training, corruption and evaluation read."""

    @property
    def name(self) -> str: ...

    @property
    def class_names(self) -> tuple[str, ...]: ...

    @property
    def fingerprint(self) -> str:
        """Twelve letters that tell these pictures and labels from others, wherever they lie; no picture is read."""

    @property
    def crop(self) -> Crop | None:
        """The part of each stored picture that is shown; None: all of it."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Sample: ...


@final
@dataclass(frozen=True, eq=False)
class DetectionSet:
    """A split of a data set: pictures are read when asked for, boxes are here.

    name         as tables call it; a part of a data set has a name of its own
    class_names  what the classes' numbers mean
    tally        what was clipped, dropped and skipped on the way in
    crop         the part of each stored picture that is shown; None: all of it
    """

    name: str
    split: str
    class_names: tuple[str, ...]
    frames: Sequence[Frame]
    tally: Tally
    crop: Crop | None = None

    def __len__(self) -> int:
        return len(self.frames)

    def __getitem__(self, index: int) -> Sample:
        return self.frames[index].sample()

    @property
    def fingerprint(self) -> str:
        frames = (
            (frame.image.name, frame.window, frame.boxes.tolist(), frame.classes.tolist()) for frame in self.frames
        )
        return fingerprint_of(*frames)

    @property
    def n_objects(self) -> int:
        return sum(len(frame.boxes) for frame in self.frames)

    def boxes(self) -> Tensor:
        """All boxes (n, 4), corners, each relative to its picture's size: for anchors and statistics."""
        relative = [torch.from_numpy(frame.boxes) / torch.tensor([*frame.size, *frame.size]) for frame in self.frames]
        return torch.cat(relative) if relative else torch.empty(0, 4)


@final
@dataclass(frozen=True)
class FileSource:
    """A data set in files.

    tree    what its folder looks like, shown when a folder looks different
    read    its reader, of folder, split and `complain`, which takes what is wrong; its keywords are the set's options
    words   what its words mean; or a function of folder and split, for sets that bring their own classes
    crop    the part of each picture that the paper uses
    called  the name of what lies in a folder, where parts of the set go round under names of their own
    """

    name: str
    tree: str
    read: Callable[..., Iterator[LabelledPicture]]
    words: Words | Callable[[Path, SplitName], Words]
    crop: Crop | None = None
    called: Callable[[Path], str] | None = None

    def load(
        self,
        split: SplitName,
        *,
        folder: Path | str | None = None,
        crop: Crop | Literal["default"] | None = "default",
        bad: Bad = "refuse",
        verify: bool = False,
        keep_empty: bool = False,
        **options: Any,
    ) -> DetectionSet:
        """The split's pictures that have objects, out of `folder`, `$WDROP_DATA` or the user's cache.

        A split without any is refused. `bad="skip"` leaves wrong entries out and notes them instead of refusing the
        first. `verify` reads every picture whole. `keep_empty` keeps pictures without objects.
        """
        known("split", split, SPLITS)
        known("way with bad entries", bad, ("refuse", "skip"))
        for option in options:
            known(f"option of {self.name}", option, self.options)
        place = find_folder(self.name, folder, self.tree)
        tally = Tally()
        try:
            words = self.words(place, split) if callable(self.words) else self.words
            names = CLASSES if not callable(self.words) else tuple(dict.fromkeys(filter(None, words.values())))
            kept = self.crop if crop == "default" else crop
            judge = Judge(words, names, kept, bad, verify, keep_empty)
            complain = partial(_complain, tally, bad)
            frames = judge.frames(self.read(place, split, complain, **options), tally)
        except MissingPartError as missing:
            raise self._wrong(place, f"found no {missing}") from None
        if not frames and not tally.empty:
            raise self._wrong(place, f"found no usable picture in split {split!r}{_first(tally)}")
        if not frames:
            raise FileNotFoundError(
                f"{self.name}: {place}: found no picture with an object in split {split!r}; left out: "
                f"{tally.left_out_in_words}"
            )
        name = self.called(place) if self.called else self.name
        return DetectionSet(name, split, names, tuple(frames), tally, kept)

    @property
    def options(self) -> list[str]:
        """What `load` can be asked for: by all sets, and by its own reader."""
        return [*keywords(self.load), *keywords(self.read)]

    def _wrong(self, place: Path, reason: str) -> FileNotFoundError:
        return FileNotFoundError(f"{self.name}: {place}: {reason}; expected a folder like this\n{self.tree}")


def keywords(function: Callable[..., Any]) -> list[str]:
    """The names of its arguments that have to be named."""
    return [name for name, one in inspect.signature(function).parameters.items() if one.kind is one.KEYWORD_ONLY]


def _complain(tally: Tally, bad: Bad, message: str) -> None:
    tally.stumble(LabelError(message), bad)


def _first(tally: Tally) -> str:
    return f" ({len(tally.skipped)} skipped, the first: {tally.skipped[0]})" if tally.skipped else ""
