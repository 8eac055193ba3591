import pytest
import torch
from scipy.stats import binomtest

from wdrop._random import generator_for
from wdrop.nets.masks import MaskStreams, keep_mask


@pytest.mark.parametrize("p", [0.0, 0.05, 0.1, 0.5, 0.9])
def test_units_are_dropped_at_the_rate(p: float) -> None:
    n = 400_000
    keep = keep_mask((n,), p, generator_for("rate"), torch.float32)
    assert set(keep.unique().tolist()) <= {0.0, 1.0}
    assert binomtest(int((keep == 0).sum()), n, round(p * 2**16) / 2**16).pvalue > 1e-4


def test_the_four_units_of_a_word_are_all_fair_and_independent() -> None:
    """Plain random_() leaves the top bit of a word 0, which would spoil every fourth unit."""
    keep = keep_mask((100_000, 4), 0.5, generator_for("word"), torch.float64)
    assert (keep.mean(0) - 0.5).abs().max() < 0.01
    assert (torch.corrcoef(keep.T) - torch.eye(4)).abs().max() < 0.01


@pytest.mark.parametrize("n_units", [1, 3, 4, 50])
def test_masks_of_a_vectorised_run_are_those_of_as_many_calls(n_units: int) -> None:
    stream = generator_for("draws")
    one_by_one = torch.stack([keep_mask((n_units,), 0.5, stream, torch.float32) for _ in range(7)])
    stream = generator_for("draws")
    at_once = torch.vmap(lambda _: keep_mask((n_units,), 0.5, stream, torch.float32), randomness="different")
    assert torch.equal(one_by_one, at_once(torch.arange(7)))


def test_a_rate_just_below_one_keeps_next_to_nothing() -> None:
    """65536 does not fit into 16 bits; wrapped around, it would keep everything."""
    assert keep_mask((10_000,), 0.999999, generator_for("rate"), torch.float32).mean() < 0.01
    assert MaskStreams([generator_for("rate")]).keep((10_000,), 0.999999, torch.float32).mean() < 0.01


def test_stacked_masks_are_fair_too() -> None:
    keep = MaskStreams([generator_for("a"), generator_for("b")]).keep((100_000, 4), 0.1, torch.float64)
    assert (keep.mean(1) - 0.9).abs().max() < 0.005


def test_each_network_draws_from_its_own_stream() -> None:
    both = MaskStreams([generator_for("a"), generator_for("b")]).keep((5, 3), 0.5, torch.float32)
    alone = MaskStreams([generator_for("b")]).keep((5, 3), 0.5, torch.float32)
    assert both.shape == (2, 5, 3)
    assert torch.equal(both[1:], alone)
