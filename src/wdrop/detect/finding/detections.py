"""What a detector says about one image."""

from dataclasses import dataclass
from typing import final

from torch import Tensor

from wdrop.prediction import Prediction


@final
@dataclass(frozen=True, eq=False)
class Detections:
    """The boxes found in one image: a point with four targets each.

    boxes    mean and std (n, 4) in centre form (cx, cy, w, h), in pixels of the image as it is stored
    classes  (n,), numbers into the detector's list of classes
    scores   (n,), class probability times confidence
    """

    boxes: Prediction
    classes: Tensor
    scores: Tensor

    def __post_init__(self) -> None:
        n = len(self.boxes.mean)
        if self.boxes.mean.shape != (n, 4) or self.classes.shape != (n,) or self.scores.shape != (n,):
            raise ValueError(
                "expected boxes (n, 4), classes (n,) and scores (n,), got "
                f"{tuple(self.boxes.mean.shape)}, {tuple(self.classes.shape)} and {tuple(self.scores.shape)}"
            )

    def __len__(self) -> int:
        return len(self.classes)
