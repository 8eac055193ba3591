import pytest
import torch

from wdrop._random import generator_for
from wdrop.calibration import RobustScale, Scale
from wdrop.calibration.robust_scale import clipped_square
from wdrop.prediction import Prediction


def gaussian(n: int = 2000) -> tuple[Prediction, torch.Tensor]:
    y = 2 * torch.randn(n, 1, generator=generator_for("robust"))
    return Prediction(torch.zeros(n, 1), torch.ones(n, 1)), y


def test_the_clipped_square_is_its_definition() -> None:
    g = torch.randn(1_000_000, generator=generator_for("clipped"))
    assert clipped_square(2.5) == pytest.approx(float(g.abs().clamp_max(2.5).square().mean()), abs=0.003)


def test_the_defining_equation_holds() -> None:
    prediction, y = gaussian(50)
    scale = RobustScale.of(prediction, y).scale
    assert float((y / scale).abs().clamp_max(2.5).square().mean()) == pytest.approx(clipped_square(2.5), rel=1e-9)


def test_gaussian_residuals_give_their_std() -> None:
    assert float(RobustScale.of(*gaussian()).scale) == pytest.approx(2, rel=0.04)


def test_a_few_wild_residuals_hardly_move_it() -> None:
    prediction, y = gaussian()
    prediction.std[:20] = 1e-4  # as a parametric network has it now and then
    assert float(RobustScale.of(prediction, y).scale) == pytest.approx(2, rel=0.08)
    assert float(Scale.of(prediction, y).scale) > 1000
    prediction.std[:20] = 0
    assert float(RobustScale.of(prediction, y).scale) == pytest.approx(2, rel=0.08)


def test_a_network_that_is_dead_at_a_fifth_of_the_points_is_told() -> None:
    prediction, y = gaussian()
    prediction.std[:400] = 0
    with pytest.raises(ValueError, match="is the network dead"):
        RobustScale.of(prediction, y)
