import numpy as np
import pytest

from wdrop.estimators import compare_job
from wdrop.estimators.compare import Plan, compare, methods_of
from wdrop.methods import METHODS
from wdrop.report.comparison.contestant import BASELINE, Contestant

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 2))
Y = 5 * X[:, 0] + RNG.standard_normal(80)
QUICK = Plan(methods=("pu", "mc_dropout"), n_folds=2, epochs=3)


def by_form(contestants: object) -> dict[tuple[str, str, str], Contestant]:
    assert isinstance(contestants, list)
    return {(one.split, one.method, one.variant): one for one in contestants}


def test_methods_see_the_same_rows_and_are_told_raw_and_calibrated() -> None:
    plan = Plan(methods=("pu", "mc_dropout"), splits=("iid", "pca"), n_folds=2, epochs=3)
    found = compare(X, Y, plan, n_processes=1)
    forms = by_form(found.contestants)
    assert len(forms) == 2 * 2 * 2
    assert not found.errors
    for split in ("iid", "pca"):
        raw, calibrated = (forms[split, "pu", variant] for variant in ("raw", "calibrated"))
        np.testing.assert_array_equal(raw.y, forms[split, "mc_dropout", "raw"].y)
        np.testing.assert_array_equal(raw.y, calibrated.y)
        assert not np.allclose(raw.mean, calibrated.mean)  # one network, or those of the inner folds together
        assert not np.allclose(raw.std, calibrated.std)
        assert raw.folds == calibrated.folds == [0, 9]
    assert not np.array_equal(forms["iid", "pu", "raw"].y, forms["pca", "pu", "raw"].y)


def test_processes_change_nothing_but_the_time() -> None:
    here, elsewhere = (compare(X, Y, QUICK, n_processes=n) for n in (1, 2))
    assert not elsewhere.errors
    for one, other in zip(here.contestants, elsewhere.contestants, strict=True):
        np.testing.assert_allclose(one.mean, other.mean, rtol=1e-6)
        assert one.method == other.method


def test_the_seed_decides_everything() -> None:
    quick = Plan(methods=("pu",), n_folds=2, epochs=1)
    one, same = (compare(X, Y, quick, n_processes=1).contestants[0] for _ in range(2))
    np.testing.assert_array_equal(one.mean, same.mean)
    other = compare(X, Y, Plan(methods=("pu",), n_folds=2, epochs=1, seed=1), n_processes=1).contestants[0]
    assert not np.array_equal(one.y, other.y)


def test_the_baseline_stands_beside_the_networks() -> None:
    found = compare(X[:40], Y[:40], Plan(methods=(BASELINE,), n_folds=2), n_processes=1)
    forms = by_form(found.contestants)
    assert "as under a normal law" in found.notes[-1]
    assert set(forms) == {("iid", BASELINE, "raw"), ("iid", BASELINE, "calibrated")}
    assert methods_of(()) == (BASELINE, *METHODS)
    assert methods_of(("pu", "pu")) == (BASELINE, "pu")
    assert methods_of(("pu",), baseline=False) == ("pu",)


def test_one_method_that_fails_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    run = compare_job.run_job

    def failing(job: compare_job.CompareJob, progress: object) -> None:
        if job.method == "pu":
            raise RuntimeError("out of luck")
        run(job, lambda done, total: None)

    monkeypatch.setattr("wdrop.estimators.compare.run_job", failing)
    found = compare(X, Y, QUICK, n_processes=1)
    assert found.errors == {"pu, iid": "RuntimeError: out of luck"}
    assert {one.method for one in found.contestants} == {"mc_dropout"}


def test_ctrl_c_keeps_what_is_finished() -> None:
    def stop(job: int, done: int, total: int) -> None:
        if job == 1:
            raise KeyboardInterrupt

    found = compare(X, Y, QUICK, n_processes=1, progress=stop)
    assert {one.method for one in found.contestants} == {"pu"}
    assert found.left == ["mc_dropout, iid"]


def test_of_a_long_table_some_rows_are_used_and_it_is_said() -> None:
    found = compare(X, Y, Plan(methods=("pu",), n_folds=2, epochs=1, max_rows=50), n_processes=1)
    assert len(found.contestants[0].y) == 10
    assert found.facts["rows"] == "50 of 80, drawn at random"


def test_a_dead_std_is_raised_to_what_a_measure_takes_and_counted() -> None:
    y = np.where(np.arange(40) == 0, 1.0, 0.0)  # nine tenths lie between 0 and 0
    [raw, _] = compare(X[:40], y, Plan(methods=(BASELINE,), n_folds=2), n_processes=1).contestants
    assert raw.n_floored == len(raw.y)
    assert np.isfinite(raw.score("nll"))


def test_wrong_plans_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown method 'w_droput', did you mean 'w_dropout'"):
        Plan(methods=("w_droput",))
    with pytest.raises(ValueError, match="unknown split 'labels', did you mean 'label'"):
        Plan(splits=("iid", "labels"))
    with pytest.raises(ValueError, match="expected folds from 2 to 10, got 1"):
        Plan(n_folds=1)
    with pytest.raises(ValueError, match="one target for a split along it, got 2"):
        compare(X, X, Plan(splits=("label",)), n_processes=1)
