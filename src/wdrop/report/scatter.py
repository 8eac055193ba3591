"""A scatter plot inside a page: every dot tells what it stands for when the mouse is over it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from random import Random
from typing import final

_WIDTH, _HEIGHT = 760, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 16, 48


@final
@dataclass(frozen=True)
class Dot:
    """A point with its group, which has a colour and can be switched off, and the text that it shows."""

    x: float
    y: float
    group: str
    colour: str
    text: str


@final
@dataclass(frozen=True)
class Axis:
    """A logarithmic or linear axis from `low` to `high`."""

    label: str
    low: float
    high: float
    is_log: bool = False

    def share(self, value: float) -> float:
        """Where the value lies between the ends: 0 to 1 within."""
        low, high, at = (log10(v) if self.is_log else v for v in (self.low, self.high, value))
        return (at - low) / (high - low)

    def ticks(self) -> list[float]:
        """Powers of ten, or some four to nine round numbers."""
        if self.is_log:
            return [10.0**k for k in range(ceil(log10(self.low) - 1e-9), floor(log10(self.high) + 1e-9) + 1)]
        step = 10 ** floor(log10((self.high - self.low) / 3))
        step *= next(factor for factor in (1, 2, 5, 10) if (self.high - self.low) / (step * factor) <= 9)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [k * step for k in range(first, last + 1)]


@final
@dataclass(frozen=True)
class Scatter:
    """Dots on two axes, under lines through points (x, y); dots outside the axes are left out, and counted."""

    title: str
    x: Axis
    y: Axis
    dots: Sequence[Dot]
    lines: Sequence[Sequence[tuple[float, float]]] = ()
    note: str = ""

    width: int = _WIDTH
    height: int = _HEIGHT

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The place of a point in the picture."""
        across, up = self.x.share(x), self.y.share(y)
        return (
            round(_LEFT + across * (self.width - _LEFT - _RIGHT), 1),
            round(self.height - _BOTTOM - up * (self.height - _TOP - _BOTTOM), 1),
        )

    @property
    def shown(self) -> list[tuple[float, float, Dot]]:
        """The dots with their places."""
        return [(*self.at(dot.x, dot.y), dot) for dot in self.dots if self._is_inside(dot)]

    @property
    def mixed(self) -> list[tuple[float, float, Dot]]:
        """The same in a random order, always the same one, so that no group covers the others."""
        dots = self.shown
        return Random(0).sample(dots, len(dots))

    @property
    def n_outside(self) -> int:
        return len(self.dots) - len(self.shown)

    @property
    def groups(self) -> dict[str, str]:
        """The colour of each group, in the order of their first dots."""
        return {dot.group: dot.colour for dot in reversed(self.dots)}

    @property
    def paths(self) -> list[str]:
        return [" ".join(f"{a},{b}" for a, b in (self.at(x, y) for x, y in line)) for line in self.lines]

    @property
    def x_ticks(self) -> list[tuple[float, str]]:
        return [(self.at(tick, self.y.low)[0], f"{tick:g}") for tick in self.x.ticks()]

    @property
    def y_ticks(self) -> list[tuple[float, str]]:
        return [(self.at(self.x.low, tick)[1], f"{tick:g}") for tick in self.y.ticks()]

    def _is_inside(self, dot: Dot) -> bool:
        return all(
            isfinite(value) and axis.low <= value <= axis.high for axis, value in ((self.x, dot.x), (self.y, dot.y))
        )
