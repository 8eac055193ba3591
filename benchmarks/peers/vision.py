"""Lets torchvision be imported where its compiled part does not match torch.

Two contenders import torchvision, and use nothing of it for tables. Where pip finds only a build for graphics cards
beside a torch without them, its import fails on two operators that nobody calls here; this declares them. Import it
first.
"""

import torch

_declared = torch.library.Library("torchvision", "FRAGMENT")


def declare_operators() -> None:
    """Give torchvision the operators whose absence it does not survive, unless it has them."""
    for name in ("nms", "qnms"):
        _declared.define(f"{name}(Tensor boxes, Tensor scores, float iou_threshold) -> Tensor")


try:
    import torchvision  # noqa: F401
except RuntimeError:
    import sys

    for name in [name for name in sys.modules if name.split(".")[0] == "torchvision"]:
        del sys.modules[name]
    declare_operators()
