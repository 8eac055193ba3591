"""SqueezeDet: SqueezeNet 1.1 without its classifier, two more fire modules, and one convolution that detects."""

from dataclasses import dataclass
from typing import final

import torch
from torch import Generator, Tensor, nn

from wdrop._checks import probability
from wdrop.detect.geometry.anchors import KITTI_SHAPES, Shapes, anchor_grid, grid_size
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.network.head import ConvDet, RawBoxes

_PHOTO_MEAN, _PHOTO_STD = (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)  # of ImageNet's photographs, RGB


@final
@dataclass(frozen=True, kw_only=True)
class Architecture:
    """What is to be detected, and how large the input is; the rest of SqueezeDet is fixed.

    `dropout` is the rate before the last layer, element by element.
    """

    classes: tuple[str, ...]
    size: Size = Size(672, 384)
    anchor_shapes: Shapes = KITTI_SHAPES
    dropout: float = 0.5

    def __post_init__(self) -> None:
        grid_size(self.size)
        probability(dropout=self.dropout)
        if not self.classes or len(set(self.classes)) < len(self.classes):
            raise ValueError(f"expected at least one class and no name twice, got {self.classes}")
        if not self.anchor_shapes or min(min(shape) for shape in self.anchor_shapes) <= 0:
            raise ValueError(f"expected anchor shapes (width, height) above 0, got {self.anchor_shapes}")


@final
class Fire(nn.Module):
    """A few channels by 1x1 ("squeeze"), then many by 1x1 and by 3x3 side by side ("expand"), ReLU behind each."""

    def __init__(self, in_channels: int, squeeze: int, expand: int) -> None:
        super().__init__()
        self.squeeze = nn.Conv2d(in_channels, squeeze, 1)
        self.expand1x1 = nn.Conv2d(squeeze, expand, 1)
        self.expand3x3 = nn.Conv2d(squeeze, expand, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        x = self.squeeze(x).relu_()
        return torch.cat([self.expand1x1(x), self.expand3x3(x)], 1).relu_()


@final
class SqueezeDet(nn.Module):
    """The detector. Images are RGB, 0 to 255, (b, 3, h, w); the network centres them itself.

    In a call nothing is dropped: what comes back is the mean over all masks, exactly, as the only dropout lies before
    the last layer. `features` is what lies before it, and `head` draws masks and knows the moments.

    Weights come from `generator`: He's normal for what SqueezeNet would fill, SqueezeDet's own for the new layers.
    """

    anchors: Tensor
    mean: Tensor
    std: Tensor

    def __init__(self, architecture: Architecture, *, generator: Generator) -> None:
        super().__init__()
        self.architecture = architecture
        with torch.random.fork_rng(devices=[]):  # torch's own first weights, soon replaced, move the global stream
            self.backbone = _backbone()
            self.head = ConvDet(768, len(architecture.anchor_shapes), len(architecture.classes), architecture.dropout)
        self.register_buffer("anchors", anchor_grid(architecture.size, architecture.anchor_shapes), persistent=False)
        self.register_buffer("mean", torch.tensor(_PHOTO_MEAN))
        self.register_buffer("std", torch.tensor(_PHOTO_STD))
        self._initialise(generator)
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # a quarter faster on a CPU

    def forward(self, images: Tensor) -> RawBoxes:
        return self.head(self.features(images))

    def features(self, images: Tensor) -> Tensor:
        """What the head sees: (b, 768, h/16, w/16)."""
        size = self.architecture.size
        if images.shape[1:] != (3, size.height, size.width):
            raise ValueError(
                f"expected images (b, 3, {size.height}, {size.width}), got {tuple(images.shape)}; resize them first"
            )
        return self.backbone(self.centred(images))

    def centred(self, images: Tensor) -> Tensor:
        """Images as the backbone was trained to see them; zero is then the mean colour."""
        x = images.to(self.mean.dtype, memory_format=torch.channels_last)
        return (x - self.mean[:, None, None]) / self.std[:, None, None]

    @torch.no_grad()
    def _initialise(self, generator: Generator) -> None:
        for name, module in self.named_modules():
            if not isinstance(module, nn.Conv2d):
                continue
            assert module.bias is not None
            module.bias.zero_()
            if name.startswith(("backbone.fire10", "backbone.fire11")):
                _truncated_normal(module.weight, 0.01, generator)
            elif name.startswith("head"):
                _truncated_normal(module.weight, 0.0001, generator)
            else:
                nn.init.kaiming_normal_(module.weight, nonlinearity="relu", generator=generator)


def _backbone() -> nn.Sequential:
    """Everything up to fire11; all strides but 1 pad right and below only, as TensorFlow's SAME does on even sizes."""
    net = nn.Sequential()
    net.add_module("pad1", nn.ZeroPad2d((0, 1, 0, 1)))
    net.add_module("conv1", nn.Conv2d(3, 64, 3, stride=2))
    net.add_module("relu1", nn.ReLU(inplace=True))
    n_channels = 64
    fires = {2: (16, 64), 3: (16, 64), 4: (32, 128), 5: (32, 128), 6: (48, 192), 7: (48, 192), 8: (64, 256)}
    fires |= {9: (64, 256), 10: (96, 384), 11: (96, 384)}
    for number, (squeeze, expand) in fires.items():
        if number in (2, 4, 6):
            # ceil mode reads the same windows as SAME padding and ignores what lies outside
            net.add_module(f"pool{number - 1}", nn.MaxPool2d(3, 2, ceil_mode=True))
        net.add_module(f"fire{number}", Fire(n_channels, squeeze, expand))
        n_channels = 2 * expand
    return net


def _truncated_normal(weight: Tensor, std: float, generator: Generator) -> None:
    nn.init.trunc_normal_(weight, std=std, a=-2 * std, b=2 * std, generator=generator)
