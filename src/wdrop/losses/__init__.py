"""Losses: pure functions, one value per point and target; the caller takes the mean."""

from wdrop.losses.squared import squared_error
from wdrop.losses.wasserstein import wasserstein_dropout_loss

__all__ = ["squared_error", "wasserstein_dropout_loss"]
