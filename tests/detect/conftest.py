import pytest
import torch
from torch import Tensor, nn

from wdrop._random import generator_for
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.network.squeezedet import Architecture, SqueezeDet
from wdrop.detect.training.assign import Targets

SIZE = Size(64, 48)


@pytest.fixture
def net() -> SqueezeDet:
    """A detector of two classes for images of 64 x 48, whose last layers have more to say than fresh ones."""
    architecture = Architecture(classes=("car", "person"), size=SIZE, anchor_shapes=((20, 12), (8, 18), (40, 30)))
    net = SqueezeDet(architecture, generator=generator_for("detector"))
    with torch.no_grad():
        for name, parameter in net.named_parameters():
            if name.startswith(("backbone.fire10", "backbone.fire11")) and parameter.ndim > 1:
                nn.init.kaiming_normal_(parameter, generator=generator_for(name))
            if name.startswith("head"):
                parameter.normal_(std=0.02, generator=generator_for(name))
    return net


@pytest.fixture
def images() -> Tensor:
    return torch.randint(256, (2, 3, SIZE.height, SIZE.width), generator=generator_for("images")).float()


@pytest.fixture
def targets(net: SqueezeDet) -> Targets:
    """Three objects in the first image, two of them in one corner, and a wide one in the second."""
    first = torch.tensor([[8.0, 8.0, 18.0, 12.0], [9.0, 9.0, 7.0, 15.0], [50.0, 40.0, 30.0, 20.0]])
    second = torch.tensor([[30.0, 20.0, 150.0, 20.0]])
    return Targets.of([first, second], [torch.tensor([0, 1, 0]), torch.tensor([1])], net.anchors)
