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
