"""Pictures made worse: blurred, noisy, too bright; boxes stay. The first two are the paper's.

Recipes without severity of their own in the paper follow Hendrycks & Dietterich 2019 as packaged in `imagecorruptions`,
which itself no longer installs. All work at the resolution in which the picture is stored.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from types import MappingProxyType
from typing import final

import numpy as np
from numpy.random import Generator as Rng
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage, signal

from wdrop._checks import known
from wdrop._random import generator_for, seed_from
from wdrop.detect.data.crop import Crop
from wdrop.detect.data.fingerprint import fingerprint_of
from wdrop.detect.data.sample import Picture, Sample
from wdrop.detect.data.source import Samples

CLEAN = "clean"  # what tables call pictures left as they are
SEVERITIES = (1, 2, 3, 4, 5)
_DEFOCUS = ((3, 0.1), (4, 0.5), (6, 0.5), (8, 0.5), (10, 0.5))  # radius, std of the smoothing
_NOISE = (20.0, 30.0, 45.0, 65.0, 95.0)  # grey levels: the first is the paper's, the others keep to the usual steps


def defocus_blur(picture: Picture, severity: int, rng: Rng) -> Picture:
    """The picture out of focus: each channel averaged over a disc, borders mirrored, truncated to whole levels."""
    radius, smoothing = _DEFOCUS[severity - 1]
    kernel = disc(radius, smoothing)
    half = kernel.shape[0] // 2
    levels = np.pad(picture / 255.0, ((half, half), (half, half), (0, 0)), mode="reflect")
    blurred = np.stack([signal.oaconvolve(levels[..., channel], kernel, mode="valid") for channel in range(3)], axis=-1)
    # transforms err by 1e-16: a level that is whole must not be truncated to the one below
    return np.floor(blurred.clip(0, 1) * 255 + 1e-9).astype(np.uint8)


def disc(radius: int, smoothing: float) -> NDArray[np.float64]:
    """The averaging disc of that radius with its edge smoothed by a small Gaussian; sums to 1."""
    extent, width = (8, 3) if radius <= 8 else (radius, 5)
    grid = np.arange(-extent, extent + 1)
    flat = (grid[:, None] ** 2 + grid**2 <= radius**2).astype(np.float64)
    bell = np.exp(-0.5 * ((np.arange(width) - width // 2) / smoothing) ** 2)
    bell /= bell.sum()
    return ndimage.correlate(flat / flat.sum(), np.outer(bell, bell), mode="mirror")


def gaussian_noise(picture: Picture, severity: int, rng: Rng) -> Picture:
    """Grey noise: one value a pixel, added to its three channels alike, rounded and clipped."""
    return _rounded(picture + rng.normal(0, _NOISE[severity - 1], size=(*picture.shape[:2], 1)))


def coloured_noise(picture: Picture, severity: int, rng: Rng) -> Picture:
    """As `gaussian_noise`, with one value a channel: the paper leaves open which of the two it means."""
    return _rounded(picture + rng.normal(0, _NOISE[severity - 1], size=picture.shape))


def shot_noise(picture: Picture, severity: int, rng: Rng) -> Picture:
    """Too few photons: each channel a Poisson count."""
    photons = (60, 25, 12, 5, 3)[severity - 1]
    return _rounded(rng.poisson(picture / 255.0 * photons) / photons * 255)


def brightness(picture: Picture, severity: int, rng: Rng) -> Picture:
    """Every pixel's brightest channel raised by a tenth of the scale per severity, its hue and saturation kept."""
    value = picture.max(axis=2, keepdims=True) / 255.0
    brighter = (value + 0.1 * severity).clip(0, 1)
    grey = np.broadcast_to(brighter, picture.shape)  # black has no hue to keep
    return _rounded(255 * np.where(value > 0, picture / 255.0 / np.where(value > 0, value, 1) * brighter, grey))


def contrast(picture: Picture, severity: int, rng: Rng) -> Picture:
    """Every channel pulled towards its mean."""
    kept = (0.4, 0.3, 0.2, 0.1, 0.05)[severity - 1]
    mean = picture.mean(axis=(0, 1), keepdims=True)
    return _rounded((picture - mean) * kept + mean)


def jpeg(picture: Picture, severity: int, rng: Rng) -> Picture:
    """Stored as JPEG of low quality."""
    memory = BytesIO()
    Image.fromarray(picture).save(memory, "JPEG", quality=(25, 18, 15, 10, 7)[severity - 1])
    with Image.open(memory) as stored:
        return np.array(stored.convert("RGB"), dtype=np.uint8)


Corrupt = Callable[[Picture, int, Rng], Picture]
CORRUPTIONS: Mapping[str, Corrupt] = MappingProxyType(
    {
        "defocus-blur": defocus_blur,
        "gaussian-noise": gaussian_noise,
        "coloured-noise": coloured_noise,
        "shot-noise": shot_noise,
        "brightness": brightness,
        "contrast": contrast,
        "jpeg": jpeg,
    }
)
PUBLISHED = ("defocus-blur", "gaussian-noise")  # at severity 1


def corrupted(sample: Sample, name: str, severity: int = 1) -> Sample:
    """The sample under that corruption; its noise depends on corruption, severity and the sample's name alone."""
    _check(name, severity)
    rng = np.random.default_rng(seed_from(generator_for("corruption", name, severity, sample.name)))
    return replace(sample, image=CORRUPTIONS[name](sample.image, severity, rng))


@final
@dataclass(frozen=True)
class Corrupted:
    """A set of samples, each corrupted when it is asked for."""

    samples: Samples
    corruption: str
    severity: int = 1

    def __post_init__(self) -> None:
        _check(self.corruption, self.severity)

    @property
    def name(self) -> str:
        return f"{self.samples.name}, {self.corruption} {self.severity}"

    @property
    def class_names(self) -> tuple[str, ...]:
        return self.samples.class_names

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(self.samples.fingerprint, self.corruption, self.severity)

    @property
    def crop(self) -> Crop | None:
        return self.samples.crop

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, index: int) -> Sample:
        return corrupted(self.samples[index], self.corruption, self.severity)


def variants(samples: Samples, corruptions: Iterable[str]) -> dict[str, Samples]:
    """The samples as they are, "clean", and under each corruption, written as its name or as name:severity."""
    found: dict[str, Samples] = {CLEAN: samples}
    for text in corruptions:
        name, colon, severity = text.partition(":")
        if colon and not severity.isdigit():
            raise ValueError(f"expected a corruption like gaussian-noise:3, got {text!r}")
        corrupted_samples = Corrupted(samples, name, int(severity) if colon else 1)
        found[f"{name} {corrupted_samples.severity}"] = corrupted_samples
    return found


def _check(name: str, severity: int) -> None:
    known("corruption", name, CORRUPTIONS)
    if severity not in SEVERITIES:
        raise ValueError(f"expected severity from 1 to 5, got {severity}")


def _rounded(levels: NDArray[np.float64]) -> Picture:
    return levels.round().clip(0, 255).astype(np.uint8)
