from wdrop.methods import METHODS
from wdrop.report.published import _values, published


def test_the_papers_numbers_under_our_names() -> None:
    assert published("toy", "test", "toy-noise", "w_dropout", "nll") == -0.330
    assert published("toy", "test", "toy-hf", "mc_dropout", "nll") == 13.37
    assert published("uci", "iid-test", "yacht", "w_dropout", "ece") == 1.113
    assert published("toy", "test", "toy-noise", "w_dropout", "etl") is None


def test_every_method_of_the_paper_that_we_have_is_found() -> None:
    in_paper = {method for table, _, _, method, _ in _values() if table == "toy"}
    assert {"w-drop", "mc"} <= in_paper
    for name in set(METHODS) - {
        "mc_dropout_last_layer",
        "w_dropout_last_layer",
        "w_dropout_closed",
    }:  # in its figures only; ours
        assert published("toy", "test", "toy-noise", name, "rmse") is not None
