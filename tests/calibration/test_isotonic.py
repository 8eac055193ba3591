import numpy as np
import pytest
import torch
from scipy.stats import norm
from sklearn.isotonic import IsotonicRegression

from wdrop._random import generator_for
from wdrop.calibration import Isotonic
from wdrop.prediction import Prediction


def skewed(n: int) -> tuple[Prediction, torch.Tensor]:
    """Exponential noise under a std that is half of what it should be."""
    generator = generator_for("skewed", n)
    std = torch.rand(n, 1, generator=generator).double() + 0.5
    noise = torch.empty(n, 1).double().exponential_(generator=generator)
    return Prediction(torch.zeros(n, 1).double(), std), 2 * std * noise


def test_it_is_the_isotonic_regression_of_kuleshov() -> None:
    prediction, y = skewed(200)
    calibration = Isotonic.of(prediction, y)
    p = norm.cdf((y / prediction.std).numpy().ravel())  # what the raw forecast said of each y
    observed = np.array([(p <= level).mean() for level in p])
    fitted = IsotonicRegression(out_of_bounds="clip").fit(p, observed)
    for level in (0.1, 0.3, 0.5, 0.8, 0.95):
        y_at = calibration.quantiles(Prediction(prediction.mean[:1], prediction.std[:1]), [level]).item()
        assert fitted.predict(norm.cdf([y_at / prediction.std[0].item()]))[0] == pytest.approx(level, abs=0.006)


def test_quantiles_take_the_skew_of_the_residuals() -> None:
    calibration = Isotonic.of(*skewed(5000))
    prediction, y = skewed(4000)
    for level, quantile in zip((0.05, 0.5, 0.95), calibration.quantiles(prediction, (0.05, 0.5, 0.95)), strict=True):
        assert float((y <= quantile).double().mean()) == pytest.approx(level, abs=0.02)
        assert float(quantile[0] / prediction.std[0]) == pytest.approx(-2 * np.log(1 - level), rel=0.15)


def test_mean_and_std_are_those_of_the_new_distribution() -> None:
    calibration = Isotonic.of(*skewed(3000))
    prediction, _ = skewed(4000)
    mended = calibration.apply(prediction)
    torch.testing.assert_close(mended.mean, 2 * prediction.std, rtol=0.1, atol=0)
    torch.testing.assert_close(mended.std, 2 * prediction.std, rtol=0.1, atol=0)
    levels = (np.arange(2000) + 0.5) / 2000
    by_quantiles = calibration.quantiles(Prediction(prediction.mean[:1], prediction.std[:1]), list(levels))
    torch.testing.assert_close(by_quantiles.mean(0), mended.mean[:1], rtol=0.02, atol=0)
    torch.testing.assert_close(by_quantiles.std(0), mended.std[:1], rtol=0.05, atol=0)


def test_quantiles_rise_also_beyond_the_last_residual() -> None:
    prediction, y = skewed(10)
    levels = [1e-6, 1e-3, 0.03, 0.05, 0.5, 0.95, 0.97, 0.999, 1 - 1e-6]
    at = Isotonic.of(prediction, y).quantiles(prediction, levels)
    assert (at.diff(dim=0) > 0).all()
    assert at.isfinite().all()
