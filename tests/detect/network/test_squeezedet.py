import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from wdrop._random import generator_for
from wdrop.detect.geometry.boxes import Size
from wdrop.detect.network.squeezedet import Architecture, SqueezeDet


def test_the_published_size() -> None:
    net = SqueezeDet(Architecture(classes=("pedestrian", "cyclist", "vehicle")), generator=generator_for("net"))
    assert sum(parameter.numel() for parameter in net.parameters()) == 2_082_120
    assert len(net.anchors) == 9072


def same_padding(n: int) -> tuple[int, int]:
    """What TensorFlow's SAME pads before and after n pixels, for a window of 3 and a stride of 2."""
    total = max((-(-n // 2) - 1) * 2 + 3 - n, 0)
    return total // 2, total - total // 2


def test_padding_is_tensorflow_s(net: SqueezeDet, images: Tensor) -> None:
    padding = (*same_padding(64), *same_padding(48))
    assert padding == (0, 1, 0, 1)
    conv1 = net.backbone.get_submodule("conv1")
    assert isinstance(conv1, nn.Conv2d)
    x = net.centred(images)
    conv = F.conv2d(F.pad(x, padding), conv1.weight, conv1.bias, stride=2).relu()
    pool = F.max_pool2d(F.pad(conv, (0, 1, 0, 1), value=-torch.inf), 3, 2)
    torch.testing.assert_close(net.backbone[:4](x), pool)


def test_every_image_gives_a_row_to_each_anchor(net: SqueezeDet, images: Tensor) -> None:
    raw = net(images)
    n_anchors = 4 * 3 * 3
    assert raw.scores.classes.shape == (2, n_anchors, 2)
    assert raw.scores.confidence.shape == (2, n_anchors)
    assert raw.deltas.shape == (2, n_anchors, 4)
    torch.testing.assert_close(net(images[1:].byte()).deltas, raw.deltas[1:], rtol=1e-4, atol=1e-4)


def test_the_generator_decides_the_weights() -> None:
    architecture = Architecture(classes=("car",), size=Size(32, 32))
    one, same, other = (SqueezeDet(architecture, generator=generator_for(name)) for name in ("a", "a", "b"))
    assert torch.equal(one.head.conv.weight, same.head.conv.weight)
    assert not torch.equal(one.head.conv.weight, other.head.conv.weight)
    assert one.head.conv.weight.abs().max() <= 2e-4


def test_images_of_another_size_are_refused(net: SqueezeDet) -> None:
    with pytest.raises(ValueError, match=r"expected images \(b, 3, 48, 64\), got \(1, 3, 64, 48\); resize"):
        net(torch.zeros(1, 3, 64, 48))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"size": Size(100, 64)}, "divisible by 16, got 100 x 64"),
        ({"classes": ("car", "car")}, "no name twice"),
        ({"anchor_shapes": ((10, 0),)}, "above 0"),
        ({"dropout": 1.0}, r"in \[0, 1\)"),
    ],
)
def test_an_architecture_that_cannot_be_is_refused(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Architecture(**({"classes": ("car",)} | changes))  # type: ignore[arg-type]
