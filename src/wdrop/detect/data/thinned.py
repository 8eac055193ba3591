"""A part of a set, for a quick look."""

from dataclasses import dataclass
from typing import final

from wdrop._checks import at_least
from wdrop.detect.data.crop import Crop
from wdrop.detect.data.fingerprint import fingerprint_of
from wdrop.detect.data.sample import Sample
from wdrop.detect.data.source import Samples


@final
@dataclass(frozen=True)
class Thinned:
    """At most `n` pictures of a set, spread evenly over it: neighbours are often frames of one video."""

    samples: Samples
    n: int

    def __post_init__(self) -> None:
        at_least(1, n=self.n)

    @property
    def name(self) -> str:
        return self.samples.name

    @property
    def class_names(self) -> tuple[str, ...]:
        return self.samples.class_names

    @property
    def fingerprint(self) -> str:
        whole = self.samples.fingerprint
        return whole if len(self) == len(self.samples) else fingerprint_of(whole, len(self))

    @property
    def crop(self) -> Crop | None:
        return self.samples.crop

    def __len__(self) -> int:
        return min(self.n, len(self.samples))

    def __getitem__(self, index: int) -> Sample:
        if not 0 <= index < len(self):
            raise IndexError(f"expected a number below {len(self)}, got {index}")
        return self.samples[index * len(self.samples) // len(self)]
