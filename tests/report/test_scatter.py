from wdrop.report.scatter import Axis, Dot, Scatter


def test_ticks_are_round_numbers() -> None:
    assert Axis("x", 0, 1).ticks() == [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]
    assert Axis("x", 0.01, 20, is_log=True).ticks() == [0.01, 0.1, 1, 10]


def test_dots_lie_where_their_axes_say_and_those_outside_are_counted() -> None:
    dots = [Dot(1, 1, "a", "red", "first"), Dot(10, 2, "b", "blue", "second"), Dot(1, float("nan"), "a", "red", "lost")]
    scatter = Scatter("t", Axis("x", 0.1, 10, is_log=True), Axis("y", 0, 2), dots)
    (middle, half, _), (right, top, _) = scatter.shown
    assert (middle, half) == (64 + (760 - 80) / 2, 420 - 48 - (420 - 64) / 2)
    assert (right, top) == (760 - 16, 16)
    assert scatter.n_outside == 1
    assert scatter.groups == {"a": "red", "b": "blue"}


def test_groups_are_drawn_mixed_and_always_alike() -> None:
    dots = [Dot(0.5, 0.5, group, "red", "") for group in "ab" for _ in range(50)]
    scatter = Scatter("t", Axis("x", 0, 1), Axis("y", 0, 1), dots)
    assert sorted(scatter.mixed, key=lambda one: one[2].group) == scatter.shown
    assert {dot.group for _, _, dot in scatter.mixed[-10:]} == {"a", "b"}
    assert scatter.mixed == scatter.mixed
