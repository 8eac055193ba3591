import pytest
import torch

from wdrop._random import generator_for
from wdrop.methods import SWAG
from wdrop.methods.swag import GaussianWeights, Snapshots, SWAGPredictor
from wdrop.nets.stacked import MLP, Stack
from wdrop.nets.training import Training
from wdrop.prediction import Points


def test_the_covariance_of_many_draws_is_low_rank_plus_diagonal() -> None:
    generator = generator_for("weights")
    mean, deviations = torch.randn(6, generator=generator).double(), torch.randn(4, 6, generator=generator).double()
    diagonal = torch.rand(6, generator=generator).double()
    draws = GaussianWeights(mean, diagonal, deviations).draw(400_000, generator_for("draws"))
    expected = 0.5 * torch.diag(diagonal) + deviations.T @ deviations / (2 * 3)
    torch.testing.assert_close(draws.mean(0), mean, rtol=0, atol=0.01)
    torch.testing.assert_close(torch.cov(draws.T), expected, rtol=0, atol=0.02)


def snapshots_of(series: torch.Tensor, *, rank: int = 20, n_before: int = 0) -> GaussianWeights:
    """Snapshots of one network whose weights follow the series (epochs, P)."""

    class Fake:
        def __init__(self, weights: torch.Tensor) -> None:
            self.weights = weights

        def flat(self) -> torch.Tensor:
            return self.weights[None]

    snapshots = Snapshots(1, 0, rank, n_before)
    for weights in series:
        snapshots.collect(Fake(weights), [0], [0])  # type: ignore[arg-type]
    return snapshots.weights(0)


def test_running_moments_are_the_moments_of_the_snapshots() -> None:
    series = torch.randn(30, 5, generator=generator_for("series"), dtype=torch.float64)
    weights = snapshots_of(series, rank=4)
    torch.testing.assert_close(weights.mean, series.mean(0))
    torch.testing.assert_close(weights.diagonal, series.var(0, correction=0))
    running = torch.stack([series[: i + 1].mean(0) for i in range(30)])
    torch.testing.assert_close(weights.deviations, (series - running)[-4:])


def test_the_published_moments_count_a_zero_vector() -> None:
    """75 snapshots of w = 0.1 with std 0.003: the mean shrinks by 75/76, the diagonal std grows to 0.0118."""
    series = 0.1 + 0.003 * torch.randn(75, 2000, generator=generator_for("series"), dtype=torch.float64)
    sane, published = snapshots_of(series), snapshots_of(series, n_before=1)
    assert float(sane.diagonal.sqrt().mean()) == pytest.approx(0.003, rel=0.02)
    assert float(published.diagonal.sqrt().mean()) == pytest.approx(0.0118, rel=0.02)
    torch.testing.assert_close(published.mean, sane.mean * 75 / 76)


def test_snapshots_are_taken_each_epoch_of_the_second_half(tiny: Points) -> None:
    method = SWAG(net=MLP(width=8, dropout=0), training=Training(epochs=11, batch_size=20))
    [predictor, smaller] = method.fit_many([tiny, tiny[:30]], generators=[generator_for("a"), generator_for("b")])
    for one in (predictor, smaller):
        assert isinstance(one, SWAGPredictor)
        assert len(one.weights.deviations) == 6  # epochs 6 to 11


def test_a_network_with_given_weights_answers_as_the_stack_they_came_from() -> None:
    generators = [generator_for("stack", k) for k in range(3)]
    stack = Stack.initial(MLP(width=7, dropout=0), 4, 2, generators=generators, dtype=torch.float64)
    again = stack.take([0]).with_weights(stack.flat())
    x = torch.randn(5, 4, generator=generator_for("x"), dtype=torch.float64)
    torch.testing.assert_close(again.answer(x)[2], stack.network(2)(x))


def test_as_published_std_is_larger(tiny: Points) -> None:
    settings = {"net": MLP(width=16, dropout=0), "training": Training(epochs=40, batch_size=20)}
    sane, published = (
        SWAG(**settings, as_published=flag)  # type: ignore[arg-type]
        .fit(tiny, generator=generator_for("fit"))
        .predict(tiny.x, generator=generator_for("p"))
        .std.mean()
        for flag in (False, True)
    )
    assert published > 2 * sane
