"""Networks of any shape that return mean and std: torch itself writes their graph."""

import logging
import warnings

import onnx
import torch
from onnx import helper
from torch import Tensor, nn

from wdrop.export.graphs import OPSET
from wdrop.export.networks import HeadPredictor
from wdrop.export.tables import NUMBERS
from wdrop.moments.forward import in_eval_mode


class _Converted(nn.Module):
    """The network, between inputs of one type and outputs of the same."""

    def __init__(self, net: nn.Module, inside: torch.dtype, outside: torch.dtype) -> None:
        super().__init__()
        self.net, self.inside, self.outside = net, inside, outside

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        mean, std = self.net(x.to(self.inside))
        return mean.to(self.outside), std.to(self.outside)


def traced_model(predictor: HeadPredictor, rows: Tensor, kind: str, facts: dict[str, str]) -> bytes:
    """The graph of whatever the network does to such rows, for any number of them."""
    outside = getattr(torch, kind)
    example = rows[:2].to(outside)  # a batch of one would be taken for a constant
    net = _Converted(predictor.net, rows.dtype, outside)
    with in_eval_mode(net), warnings.catch_warnings(), _quiet("torch.onnx"):
        warnings.simplefilter("ignore")  # about torch's own future
        program = torch.onnx.export(
            net, (example,), dynamo=True, opset_version=OPSET, input_names=[NUMBERS], output_names=["mean", "std"],
            dynamic_shapes={"x": {0: torch.export.Dim.DYNAMIC}}, verbose=False,
        )  # fmt: skip
    assert program is not None
    model = program.model_proto
    helper.set_model_props(model, facts)
    onnx.checker.check_model(model, full_check=True)
    return model.SerializeToString()


class _quiet:  # noqa: N801
    """While open, a logger says nothing but errors."""

    def __init__(self, name: str) -> None:
        self.logger = logging.getLogger(name)

    def __enter__(self) -> None:
        self.level = self.logger.level
        self.logger.setLevel(logging.ERROR)

    def __exit__(self, *_: object) -> None:
        self.logger.setLevel(self.level)
