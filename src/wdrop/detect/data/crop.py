"""The part of a wide picture that fits the net's input: KITTI is cropped in x, not squeezed."""

from dataclasses import dataclass
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray


@final
@dataclass(frozen=True)
class Crop:
    """Keep the full height and `aspect` times as much width.

    The paper crops KITTI and does not say which part it keeps; the centre keeps most objects. An object stays if at
    least `min_visible` of its area does: at one half, large cut cars would become background.
    """

    aspect: float = 672 / 384
    where: Literal["left", "centre", "right"] = "centre"
    min_visible: float = 0.25

    def __post_init__(self) -> None:
        if not 0 < self.min_visible <= 1:
            raise ValueError(f"expected min_visible in (0, 1], got {self.min_visible}")

    def __call__(
        self, size: tuple[int, int], boxes: NDArray[np.float32]
    ) -> tuple[tuple[int, int, int, int], NDArray[np.float32], NDArray[np.bool_]]:
        """The window (left, top, right, bottom), the boxes in its pixels, and which of those given these are."""
        width, height = size
        new_width = min(width, round(height * self.aspect))
        left = {"left": 0, "centre": (width - new_width) // 2, "right": width - new_width}[self.where]
        moved = boxes - np.array([left, 0, left, 0], dtype=np.float32)
        cut = moved.copy()
        cut[:, 0::2] = moved[:, 0::2].clip(0, new_width - 1)
        stay = (_area(cut) > 0) & (_area(cut) >= self.min_visible * _area(moved))
        return (left, 0, left + new_width, height), cut[stay], stay


def _area(boxes: NDArray[np.float32]) -> NDArray[np.float32]:
    found: NDArray[np.float32] = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    return found
