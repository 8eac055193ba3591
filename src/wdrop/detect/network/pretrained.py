"""A backbone trained on ImageNet, out of a plain `.npz` file."""

import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wdrop._checks import known
from wdrop.data.places import VARIABLE, cache_folder
from wdrop.detect.network.squeezedet import SqueezeDet

INPUTS = {
    "caffe": ((123.68, 116.779, 103.939), (1.0, 1.0, 1.0)),
    "torchvision": ((123.675, 116.28, 103.53), (58.395, 57.12, 57.375)),
}
"""Mean and std, RGB in 0 to 255, that were taken off the photographs in training. Caffe's kernels see BGR."""

WEIGHTS_FILES = {
    "squeezenet_v1.1_caffe_imagenet.npz": "caffe",  # the one SqueezeDet itself starts from
    "squeezenet_v1.1_imagenet.npz": "torchvision",
}

_FIRES = {2: 3, 3: 4, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12}  # ours to torchvision's `features.N`


def weights_file() -> Path | None:
    """The first of the known weights files in `$WDROP_DATA/weights` or `weights` of the user's cache."""
    own = os.environ.get(VARIABLE)
    folders = [folder / "weights" for folder in ([Path(own)] if own else []) + [cache_folder()]]
    return next((folder / name for folder in folders for name in WEIGHTS_FILES if (folder / name).is_file()), None)


def load_backbone(net: SqueezeDet, path: Path | str | None = None, *, inputs: str | None = None) -> Path | None:
    """Fill conv1 to fire9 from a file, freeze conv1, and return the file.

    path    None looks for a known file; without one the random weights stay, with a warning
    inputs  "caffe" or "torchvision": how the images were prepared; None knows it by the file's name
    """
    found = weights_file() if path is None else Path(path)
    if found is None:
        warnings.warn(
            "no pretrained backbone: the detector starts from random weights and needs far more images and steps; "
            f"put {next(iter(WEIGHTS_FILES))} into $WDROP_DATA/weights or name a file",
            stacklevel=2,
        )
        return None
    arrays = _arrays(found)
    inputs = _inputs(found, inputs)
    # all are checked before the first is copied
    values = [(parameter, _checked(found, arrays, theirs, parameter)) for parameter, theirs in _layers(net)]
    with torch.no_grad():
        for parameter, value in values:
            from_bgr = inputs == "caffe" and value.shape[1:2] == (3,)  # conv1's kernels alone see colours
            parameter.copy_(value.flip(1) if from_bgr else value)
    mean, std = INPUTS[inputs]
    net.mean.copy_(torch.tensor(mean))
    net.std.copy_(torch.tensor(std))
    freeze_first_layer(net)
    return found


def freeze_first_layer(net: SqueezeDet) -> None:
    """Keep conv1 as it is: what it learnt on a million photographs, a thousand cannot improve."""
    for name, parameter in net.backbone.named_parameters():
        if name.startswith("conv1."):
            parameter.requires_grad_(False)


def _inputs(path: Path, inputs: str | None) -> str:
    if inputs is None:
        if path.name not in WEIGHTS_FILES:
            raise ValueError(
                f"{path}: expected one of {', '.join(WEIGHTS_FILES)}, since the name tells how images were "
                "prepared; rename a file that was trained alike (or in Python say "
                f"inputs={' or '.join(map(repr, INPUTS))})"
            )
        return WEIGHTS_FILES[path.name]
    known("inputs", inputs, INPUTS)
    return inputs


def _arrays(path: Path) -> dict[str, NDArray[np.generic]]:
    try:
        with np.load(path, allow_pickle=False) as file:
            return dict(file)
    except FileNotFoundError:
        raise FileNotFoundError(f"{path}: expected a weights file, got none there") from None
    except (ValueError, OSError, EOFError, BadZipFile, TypeError, AttributeError) as error:
        raise ValueError(f"{path}: expected an .npz file of arrays, got something else ({error})") from error


def _layers(net: SqueezeDet) -> Iterator[tuple[Tensor, str]]:
    """Our parameter and the file's name of all that SqueezeNet fills."""
    for name, parameter in net.backbone.named_parameters():
        layer, rest = name.split(".", 1)
        number = int(layer.removeprefix("fire")) if layer.startswith("fire") else 0
        if layer == "conv1":
            yield parameter, f"features.0.{rest}"
        elif number in _FIRES:
            yield parameter, f"features.{_FIRES[number]}.{rest}"


def _checked(path: Path, arrays: dict[str, NDArray[np.generic]], name: str, like: Tensor) -> Tensor:
    if name not in arrays:
        raise ValueError(f"{path}: expected an array {name!r}, got none; is this SqueezeNet v1.1?")
    array = arrays[name]
    if array.shape != tuple(like.shape):
        raise ValueError(
            f"{path}: expected {name!r} of shape {tuple(like.shape)}, got {array.shape}; "
            "SqueezeDet fits SqueezeNet v1.1, not v1.0"
        )
    if array.dtype.kind not in "fiu":
        raise ValueError(f"{path}: expected numbers in {name!r}, got {array.dtype}")
    value = torch.from_numpy(array.astype(np.float32))
    if not value.isfinite().all():
        raise ValueError(f"{path}: expected finite numbers, got NaN or infinity in {name!r}")
    return value.to(like.dtype)
