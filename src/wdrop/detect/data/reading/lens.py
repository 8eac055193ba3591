"""Undoing a lens: A2D2 labels its boxes on pictures freed from distortion, but stores the distorted ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import grid_sample


@final
@dataclass(frozen=True)
class Lens:
    """A camera with radial distortion of first order.

    focal, centre            (x, y) in pixels, of the undistorted picture
    raw_focal, raw_centre    the same of the stored picture
    k1                       s = 1 + k1 (x² + y²) stretches the rays
    size                     width and height these pixels refer to
    """

    focal: tuple[float, float]
    centre: tuple[float, float]
    raw_focal: tuple[float, float]
    raw_centre: tuple[float, float]
    k1: float
    size: tuple[int, int]

    @classmethod
    def of(cls, camera: dict[str, Any]) -> "Lens":
        """The lens of a camera in A2D2's `cams_lidars.json`."""
        new, raw = camera["CamMatrix"], camera["CamMatrixOriginal"]
        width, height = camera["Resolution"]
        return cls(
            *_focal_and_centre(new),
            *_focal_and_centre(raw),
            float(camera["Distortion"][0][0]),
            (int(width), int(height)),
        )

    def source(self, width: int, height: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Where each pixel of the undistorted picture lies in a stored one of that size: columns and rows."""
        to_x, to_y = self.size[0] / width, self.size[1] / height  # the picture may be stored smaller
        column, row = np.meshgrid(np.arange(width) * to_x, np.arange(height) * to_y)
        x, y = (column - self.centre[0]) / self.focal[0], (row - self.centre[1]) / self.focal[1]
        stretch = 1 + self.k1 * (x * x + y * y)
        raw_column = self.raw_focal[0] * x * stretch + self.raw_centre[0]
        raw_row = self.raw_focal[1] * y * stretch + self.raw_centre[1]
        return raw_column / to_x, raw_row / to_y

    def undistort(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The picture without the lens' distortion, bilinear; black where the camera saw nothing."""
        height, width = picture.shape[:2]
        column, row = self.source(width, height)
        grid = np.stack([2 * column / (width - 1) - 1, 2 * row / (height - 1) - 1], axis=-1)
        planes = torch.from_numpy(picture).permute(2, 0, 1)[None].float()
        moved = grid_sample(planes, torch.from_numpy(grid)[None].float(), mode="bilinear", align_corners=True)
        found: NDArray[np.uint8] = moved[0].permute(1, 2, 0).round().clamp(0, 255).byte().numpy()
        return found


def _focal_and_centre(matrix: Sequence[Sequence[float]]) -> tuple[tuple[float, float], tuple[float, float]]:
    return (matrix[0][0], matrix[1][1]), (matrix[0][2], matrix[1][2])
