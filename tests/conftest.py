from collections.abc import Iterator

import numpy as np
import pytest
import torch
from hypothesis import settings

from wdrop._random import generator_for
from wdrop.prediction import Points

settings.register_profile("wdrop", deadline=None, max_examples=40)  # the first torch call takes a second
settings.load_profile("wdrop")
torch.set_num_threads(1)  # tests run side by side


@pytest.fixture(autouse=True)
def _global_stream_stays(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail any test that moves torch's global random stream, unless it says that it means to."""
    before = torch.get_rng_state()
    yield
    if request.node.get_closest_marker("moves_global_stream") is None:
        assert torch.equal(before, torch.get_rng_state()), "this test moved torch's global random stream"


@pytest.fixture(autouse=True)
def _own_draws(request: pytest.FixtureRequest) -> None:
    """A file's `RNG` begins anew for each test: which tests run before it, here and in what order, is chance."""
    if hasattr(request.module, "RNG"):
        request.module.RNG = np.random.default_rng(0)


@pytest.fixture
def tiny() -> Points:
    """Sixty points of a noisy slope: two features, one target."""
    generator = generator_for("tiny")
    x = torch.randn(60, 2, generator=generator)
    return Points(x, x[:, :1] + 0.3 * torch.randn(60, 1, generator=generator))
