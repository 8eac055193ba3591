"""Data sets by name, and the scales that training rows set."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wdrop.data.scaling import Scaler
    from wdrop.data.toy import TOYS, noisy_line, toy_hf, toy_noise, toy_noise_std

__all__ = ["TOYS", "Scaler", "noisy_line", "toy_hf", "toy_noise", "toy_noise_std"]


def __getattr__(name: str) -> object:
    # Nothing is imported until it is used: to tell where a table lies needs no torch.
    if name not in __all__:
        raise AttributeError(f"module 'wdrop.data' has no attribute {name!r}")
    return getattr(import_module("wdrop.data.scaling" if name == "Scaler" else "wdrop.data.toy"), name)
