import pytest
import torch
from benchmarks import profile_step
from benchmarks._bare_products import Shape, bare_products
from benchmarks._contenders import stacked_fit
from benchmarks._step_parts import PARTS, shares
from benchmarks._timing import medians


def test_the_bare_products_are_those_of_a_step() -> None:
    # counted by hand: 2 networks, 3 draws, 5 rows, 4 features, 7 units, 1 hidden layer, 1 target
    first, last = 2 * 5 * 4 * 7, 2 * 15 * 7 * 1
    assert Shape(2, 3, batch=5, n_features=4, width=7, depth=1).operations == 2 * (2 * first + 3 * last)


def test_no_product_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    shape, multiplied = Shape(2, 3, batch=5, n_features=4, width=7, depth=2), []

    def counted(a: torch.Tensor, b: torch.Tensor, out: torch.Tensor) -> None:
        assert out.shape == (*a.shape[:2], b.shape[2])
        multiplied.append(2 * a.numel() * b.shape[2])

    monkeypatch.setattr(torch, "bmm", counted)
    bare_products(shape, 3)()
    assert sum(multiplied) == 3 * shape.operations


@pytest.mark.filterwarnings("ignore")  # the profiler's own
def test_shares_make_a_whole_and_know_the_masks() -> None:
    found = shares(stacked_fit(profile_step.method(5, 10), 2), n_turns=1)
    assert set(found) == set(PARTS)
    assert sum(found.values()) == pytest.approx(1, abs=1e-6)
    assert found["masks"] > 0.01
    assert found["matrix products"] > 0.05


def test_the_step_is_told_as_a_multiple_of_its_products() -> None:
    ours = [name for fit in profile_step.OURS for name in (fit, f"bare {fit}")]
    seconds = dict.fromkeys([*ours, "product", "copy"], 1.0) | {"plain": 0.5}
    rows = {row[0]: row for row in profile_step.limits(seconds, 10, "").rows}
    assert rows["W-dropout, 5 draws, alone"][-2:] == ["1.00", "2.00"]
    assert rows["W-dropout, 5 draws, 10 networks"][-2:] == ["1.00", "0.20"]


def test_the_first_turn_warms_up() -> None:
    calls: list[int] = []

    def run() -> None:
        if not calls:
            sum(range(10**7))
        calls.append(1)

    assert medians({"slow at first": run}, 1)["slow at first"] < 0.05
    assert len(calls) == 2
