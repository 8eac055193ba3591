"""Slopes by hand against autograd."""

import pytest
import torch
from torch import Tensor

from wdrop._random import generator_for
from wdrop.losses.closed_form import closed_form_loss, closed_form_slopes
from wdrop.losses.squared import squared_error, squared_error_slopes
from wdrop.losses.wasserstein import wasserstein_dropout_loss, wasserstein_dropout_slopes


def numbers(*shape: int) -> Tensor:
    return torch.randn(*shape, generator=generator_for(*shape), dtype=torch.float64)


def test_of_the_wasserstein_loss() -> None:
    samples, y = numbers(5, 7, 2).requires_grad_(), numbers(7, 2)
    with torch.no_grad():
        samples[:, 0] = samples[0, 0]  # all draws agree
        samples[:, 1] = y[1]  # and hit y
    (found,) = torch.autograd.grad(wasserstein_dropout_loss(samples, y).sum(), samples)
    torch.testing.assert_close(wasserstein_dropout_slopes(samples.detach(), y), found)


def test_of_the_squared_error() -> None:
    mean, y = numbers(7, 2).requires_grad_(), numbers(2, 7).T
    (found,) = torch.autograd.grad(squared_error(mean, y).sum(), mean)
    torch.testing.assert_close(squared_error_slopes(mean.detach(), y), found)


@pytest.mark.parametrize("effective_L", [None, 5])
def test_of_the_closed_form_loss(effective_L: int | None) -> None:  # noqa: N803
    mean, std, y = numbers(7, 2).requires_grad_(), numbers(2, 7).T.abs().requires_grad_(), numbers(7, 2, 1)[..., 0]
    with torch.no_grad():
        mean[0], std[0] = y[0], 0.0
        mean[1], std[2] = y[1], 0.0
    found = torch.autograd.grad(closed_form_loss(mean, std, y, effective_L=effective_L).sum(), (mean, std))
    ours = closed_form_slopes(mean.detach(), std.detach(), y, effective_L=effective_L)
    for by_hand, by_autograd in zip(ours, found, strict=True):
        torch.testing.assert_close(by_hand, by_autograd)
