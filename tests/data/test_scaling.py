import pytest
import torch
from sklearn.preprocessing import StandardScaler

from wdrop._random import generator_for
from wdrop.data import Scaler
from wdrop.prediction import Points, Prediction

GENERATOR = generator_for("scaling")
TRAIN = Points(5 + 3 * torch.randn(40, 2, generator=GENERATOR), 100 * torch.randn(40, 2, generator=GENERATOR))


def test_it_is_scikit_learns_standard_scaler() -> None:
    scaled = Scaler.of(TRAIN).points(TRAIN)
    torch.testing.assert_close(scaled.x.double(), torch.tensor(StandardScaler().fit_transform(TRAIN.x.double())))
    torch.testing.assert_close(scaled.y.double(), torch.tensor(StandardScaler().fit_transform(TRAIN.y.double())))


def test_a_constant_column_stays_finite() -> None:
    constant = Points(torch.full((1000, 1), 0.1), torch.full((1000, 1), 0.7))  # whose mean is not exact
    scaled = Scaler.of(constant).points(constant)
    assert scaled.x.abs().max() < 1e-6
    assert scaled.y.abs().max() < 1e-6


def test_predictions_come_back_in_the_users_units() -> None:
    scaler = Scaler.of(TRAIN)
    y = scaler.points(TRAIN).y
    back = scaler.in_units_of_y(Prediction(y, torch.ones_like(y), y.expand(3, -1, -1)))
    torch.testing.assert_close(back.mean, TRAIN.y)
    torch.testing.assert_close(back.std, TRAIN.y.std(0, correction=0).expand(40, 2))
    assert back.samples is not None
    torch.testing.assert_close(back.samples[2], TRAIN.y)


def test_a_weight_is_a_count() -> None:
    counts = torch.randint(0, 4, (40,), generator=generator_for("counts"))
    weighted = Scaler.of(Points(TRAIN.x, TRAIN.y, counts[:, None].expand(-1, 2).float()))
    repeated = Scaler.of(TRAIN[torch.arange(40).repeat_interleave(counts)])
    for one, other in zip(vars(weighted).values(), vars(repeated).values(), strict=True):
        torch.testing.assert_close(one, other)


def test_what_has_no_weight_has_no_say_not_even_on_being_constant() -> None:
    points = Points(
        torch.tensor([[1.0], [1.0], [9.0]]), torch.tensor([[5.0], [5.0], [1e9]]), torch.tensor([[1.0], [2.0], [0.0]])
    )
    scaler = Scaler.of(points)
    assert [float(values) for values in vars(scaler).values()] == [1, 1, 5, 1]
    with pytest.raises(ValueError, match="some weight above 0 for every target"):
        Scaler.of(Points(points.x, points.y, torch.zeros(3, 1)))
