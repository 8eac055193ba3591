import numpy as np
import torch

from wdrop._random import generator_for
from wdrop.estimators.gradient_boosting import GradientBoosting
from wdrop.prediction import Points


def test_median_and_outer_quantiles_become_mean_and_std_of_a_normal_law() -> None:
    stream = generator_for("boosting")
    x = torch.rand(1500, 1, generator=stream, dtype=torch.float64)
    noise = torch.where(x > 0.5, 2.0, 0.5)
    y = torch.cat([10 * x, -10 * x], 1) + noise * torch.randn(1500, 2, generator=stream, dtype=torch.float64)
    told = []
    method = GradientBoosting(max_iter=40)
    predictor = method.fit(Points(x, y), generator=stream, progress=lambda *steps: told.append(steps))
    prediction = predictor.predict(torch.tensor([[0.25], [0.75]], dtype=torch.float64))
    np.testing.assert_allclose(prediction.mean[:, 0], [2.5, 7.5], atol=1.0)
    np.testing.assert_allclose(prediction.mean[:, 1], [-2.5, -7.5], atol=1.0)
    assert torch.all(prediction.std[1] > 2 * prediction.std[0])
    assert told == [(1, 1)]


def test_rows_without_weight_have_no_say() -> None:
    stream = generator_for("weights")
    x = torch.rand(80, 1, generator=stream, dtype=torch.float64)
    y = torch.rand(80, 1, generator=stream, dtype=torch.float64)
    y[:40] += 100
    weight = torch.ones(80, 1, dtype=torch.float64)
    weight[:40] = 0.0
    method = GradientBoosting(max_iter=3)
    plain, weighted = (
        method.fit(points, generator=generator_for("fit")).predict(x) for points in (Points(x, y), Points(x, y, weight))
    )
    assert plain.mean.max() > 10
    assert weighted.mean.max() < 2
