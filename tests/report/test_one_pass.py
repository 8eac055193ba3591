import numpy as np
import pytest

from wdrop.losses.closed_form import brake
from wdrop.losses.optimum import expected_loss
from wdrop.report.figures import png
from wdrop.report.one_pass import exact_loss, loss_over_std_figure


def test_exact_moments_are_the_limit_of_many_draws() -> None:
    std = np.array([0.5, 1.0, 2.0])
    for found, at in zip(exact_loss(std), std, strict=True):
        assert found == pytest.approx(expected_loss(float(at), 5000), rel=2e-3)


def test_without_the_brake_it_falls_for_ever_and_with_it_the_optimum_is_one() -> None:
    std = np.linspace(0.1, 5, 491)
    assert (np.diff(exact_loss(std)) < 0).all()
    assert std[exact_loss(std, brake()).argmin()] == pytest.approx(1, abs=0.011)


def test_the_figure_is_drawn() -> None:
    assert png(loss_over_std_figure(), dpi=40).startswith(b"\x89PNG")
