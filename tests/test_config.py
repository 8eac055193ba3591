import pytest

from wdrop._config import build, merged, resolved
from wdrop.methods import MCDropout, PUEvidential, WDropout


def test_tables_become_dataclasses_and_silence_keeps_the_default() -> None:
    method = build(MCDropout, {"n_samples": 100, "net": {"width": 50}, "training": {"epochs": 3}}, "method")
    assert (method.n_samples, method.net.width, method.net.depth) == (100, 50, 2)
    assert (method.training.epochs, method.training.weight_decay) == (3, 1e-6)  # MC dropout's own default stays


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            {"net": {"widht": 5}},
            r"method.net: unknown key 'widht', did you mean 'width'\?; known: width, depth",
        ),
        ({"nett": {}}, r"method: unknown key 'nett', did you mean 'net'\?"),
        ({"n_draws": 2.5}, "method.n_draws: expected int, got 2.5"),
        ({"n_draws": True}, "method.n_draws: expected int, got True"),
        ({"net": 5}, "method.net: expected a table, got 5"),
        ({"n_draws": 1}, "method: expected n_draws of at least 2, got 1"),
        ({"training": {"learning_rate": "fast"}}, "method.training.learning_rate: expected float, got 'fast'"),
    ],
)
def test_errors_say_where_and_what_was_meant(table: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build(WDropout, table, "method")


def test_choices_and_optional_numbers_are_checked() -> None:
    assert build(PUEvidential, {"regularisation": 1}, "m").regularisation == 1
    with pytest.raises(ValueError, match=r"m.added_variance: expected .*gal.*, got 'mine'"):
        build(MCDropout, {"added_variance": "mine"}, "m")


def test_what_is_resolved_can_be_built_again() -> None:
    method = WDropout(n_draws=7)
    assert build(WDropout, resolved(method), "m") == method


def test_later_tables_lie_on_top() -> None:
    assert merged({"a": {"x": 1, "y": 2}, "b": 3}, {"a": {"y": 5}}) == {"a": {"x": 1, "y": 5}, "b": 3}
