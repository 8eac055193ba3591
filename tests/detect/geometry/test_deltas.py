from math import e

import torch
from hypothesis import given
from hypothesis import strategies as st

from wdrop._random import generator_for
from wdrop.detect.geometry.deltas import decode, decoded_std, encode

ANCHOR = torch.tensor([100.0, 50.0, 40.0, 20.0], dtype=torch.float64)
positive = st.floats(0.5, 2000)


@given(positive, positive)
def test_decoding_undoes_encoding_for_boxes_of_any_size(width: float, height: float) -> None:
    box = torch.tensor([80.0, 90.0, width, height], dtype=torch.float64)
    torch.testing.assert_close(decode(encode(box, ANCHOR), ANCHOR), box)


def test_the_published_targets_make_large_boxes_too_small() -> None:
    box = torch.tensor([100.0, 50.0, 40 * e**2, 20.0], dtype=torch.float64)
    delta = encode(box, ANCHOR, as_published=True)
    torch.testing.assert_close(delta, torch.tensor([0.0, 0, 2, 0], dtype=torch.float64))
    assert decode(delta, ANCHOR)[2] < 0.75 * box[2]


def test_wild_deltas_grow_along_the_tangent_and_keep_finite_gradients() -> None:
    delta = torch.tensor([0.0, 0.0, 500.0, -500.0], dtype=torch.float64, requires_grad=True)
    box = decode(delta, ANCHOR)
    torch.testing.assert_close(box.detach()[2], torch.tensor(500 * 40 * e, dtype=torch.float64))
    box.sum().backward()
    assert delta.grad is not None
    assert delta.grad.isfinite().all()


def test_the_std_in_pixels_is_that_of_decoded_draws() -> None:
    deltas = torch.tensor([[0.2, -0.1, 0.5, 1.5], [0.0, 0.3, -1.0, 0.2]], dtype=torch.float64)
    std = torch.tensor([[0.02, 0.05, 0.01, 0.03], [0.1, 0.01, 0.02, 0.01]], dtype=torch.float64)
    noise = torch.randn(100_000, 2, 4, dtype=torch.float64, generator=generator_for("draws"))
    drawn = decode(deltas + std * noise, ANCHOR).std(0)
    torch.testing.assert_close(decoded_std(deltas, std, ANCHOR), drawn, rtol=0.02, atol=0)
