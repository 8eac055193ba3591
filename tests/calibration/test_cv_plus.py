from math import ceil, floor

import pytest
import torch

from wdrop._random import generator_for
from wdrop.calibration import CVPlus
from wdrop.prediction import Prediction

N, N_FOLDS, N_NEW = 23, 4, 7


def folded() -> tuple[Prediction, torch.Tensor, torch.Tensor, list[Prediction]]:
    generator = generator_for("cv plus")
    mean, y = torch.randn(2, N, 2, generator=generator, dtype=torch.float64)
    std = torch.rand(N, 2, generator=generator, dtype=torch.float64) + 0.5
    folds = torch.arange(N) % N_FOLDS
    new = torch.randn(N_FOLDS, N_NEW, 2, generator=generator, dtype=torch.float64)
    return Prediction(mean, std), y, folds, [Prediction(m, m.abs() + 0.1) for m in new]


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9])
def test_the_ends_are_those_of_the_definition(level: float) -> None:
    prediction, y, folds, new = folded()
    lower, upper = CVPlus.of(prediction, y, folds).interval(new, level)
    scores = (y - prediction.mean).abs() / prediction.std
    for row in range(N_NEW):
        for target in range(2):
            said = [(new[int(k)].mean[row, target], new[int(k)].std[row, target]) for k in folds]
            pairs = [(m, s * score) for (m, s), score in zip(said, scores[:, target], strict=True)]
            low, high = sorted(float(m - r) for m, r in pairs), sorted(float(m + r) for m, r in pairs)
            alpha = 1 - level
            assert float(lower[row, target]) == pytest.approx(low[floor((N + 1) * alpha + 1e-9) - 1])
            assert float(upper[row, target]) == pytest.approx(high[ceil((N + 1) * level - 1e-9) - 1])


def test_rows_in_pieces_are_rows_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    prediction, y, folds, new = folded()
    intervals = CVPlus.of(prediction, y, folds)
    whole = torch.stack(intervals.interval(new))
    monkeypatch.setattr("wdrop.calibration.cv_plus._NUMBERS_AT_ONCE", 2 * N)
    assert torch.equal(whole, torch.stack(intervals.interval(new)))


def test_a_weight_of_zero_leaves_a_point_out() -> None:
    prediction, y, folds, new = folded()
    weight = (torch.arange(N) % 3 > 0).double().unsqueeze(1).expand(-1, 2)
    kept = weight[:, 0] > 0
    one = CVPlus.of(prediction, y, folds, weight).interval(new, 0.8)
    few = CVPlus.of(Prediction(prediction.mean[kept], prediction.std[kept]), y[kept], folds[kept]).interval(new, 0.8)
    torch.testing.assert_close(torch.stack(one), torch.stack(few))


def test_mean_and_std_are_those_of_one_std() -> None:
    prediction, y, folds, new = folded()
    intervals = CVPlus.of(prediction, y, folds)
    lower, upper = intervals.interval(new, 0.6826894921370859)
    made = intervals.apply(new)
    torch.testing.assert_close(made.mean - made.std, lower)
    torch.testing.assert_close(made.mean + made.std, upper)


def test_state_brings_back_the_same() -> None:
    prediction, y, folds, new = folded()
    intervals = CVPlus.of(prediction, y, folds)
    again = CVPlus.from_state(intervals.state())
    assert torch.equal(torch.stack(again.interval(new)), torch.stack(intervals.interval(new)))


def test_wrong_use_is_told() -> None:
    prediction, y, folds, new = folded()
    with pytest.raises(ValueError, match="a fold for each of 23 points"):
        CVPlus.of(prediction, y, folds[:5])
    with pytest.raises(ValueError, match="from each of 4 folds, got 3"):
        CVPlus.of(prediction, y, folds).interval(new[:3])
