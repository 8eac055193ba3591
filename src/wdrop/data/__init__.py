"""Data sets by name, and the scales that training rows set."""

from wdrop.data.scaling import Scaler
from wdrop.data.toy import TOYS, noisy_line, toy_hf, toy_noise, toy_noise_std

__all__ = ["TOYS", "Scaler", "noisy_line", "toy_hf", "toy_noise", "toy_noise_std"]
