import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from wdrop._random import generator_for
from wdrop.data.directions import label, principal_axis
from wdrop.prediction import Points


@given(seed=st.integers(0, 10_000), n=st.integers(12, 60))
def test_the_axis_is_that_of_scikit_learn_on_all_rows(seed: int, n: int) -> None:
    x = torch.randn(n, 3, generator=generator_for("x", seed)) * torch.tensor([1.0, 30, 0.1])
    x[:, 1] += 20 * x[:, 0]
    along = principal_axis(Points(x, torch.zeros(n, 1))).numpy()
    expected = PCA(1, svd_solver="full").fit_transform(StandardScaler().fit_transform(x.double().numpy()))[:, 0]
    assert min(np.abs(along - expected).max(), np.abs(along + expected).max()) < 1e-6
    assert along.max() > -along.min() - 1e-5  # the upper end is the one that reaches farther


def test_the_upper_end_of_a_symmetric_input_is_its_upper_end() -> None:
    x = torch.linspace(-3, 5, 21).unsqueeze(1)
    along = principal_axis(Points(x, torch.zeros(21, 1)))
    assert torch.equal(along.argsort(), torch.arange(21))


def test_rows_that_differ_only_across_the_axis_lie_at_one_place() -> None:
    pairs = torch.cartesian_prod(torch.arange(11.0), torch.tensor([-1.0, 0.0, 1.0]))
    x = torch.stack([pairs[:, 0], pairs[:, 0].sqrt(), pairs[:, 1]], 1)
    assert len(principal_axis(Points(x, torch.zeros(33, 1))).unique()) == 11


def test_several_targets_have_no_label_direction() -> None:
    with pytest.raises(ValueError, match="expected one target for a split along it, got 2; use the iid or pca split"):
        label(Points(torch.zeros(3, 1), torch.zeros(3, 2)))
