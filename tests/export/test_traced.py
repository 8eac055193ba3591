from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch
from building import built
from torch import Tensor, nn

import wdrop
from wdrop._random import generator_for
from wdrop.nets.wasserstein_head import Moments


class SmallCNN(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Dropout(0.5))
        self.head = wdrop.WassersteinHead(16, 1, 0.1)

    def forward(self, x: Tensor) -> Moments:
        moments: Moments = self.head(self.body(x))
        return moments


@pytest.mark.slow  # torch's own exporter takes ten seconds to load
def test_a_cnn_with_a_wasserstein_head_takes_pictures(tmp_path: Path) -> None:
    net = built(SmallCNN)
    pictures = torch.randn(9, 1, 8, 8, generator=generator_for("pictures"))
    card = wdrop.export_onnx(net, tmp_path / "cnn.onnx", example=pictures[:3])
    assert card["inputs"][0]["shape"] == ["n", 1, 8, 8]
    assert net.training  # its mode is as before
    found = onnxruntime.InferenceSession(tmp_path / "cnn.onnx").run(["mean", "std"], {"x": pictures.numpy()})
    with torch.no_grad():
        expected = net.eval()(pictures)
    for told, part in zip(found, expected, strict=True):
        np.testing.assert_allclose(told, part, rtol=1e-4)
