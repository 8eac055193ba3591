"""scikit-learn's own bar, whole."""

from typing import Any

from sklearn.utils.estimator_checks import parametrize_with_checks

from wdrop import Regressor


@parametrize_with_checks([Regressor(n_steps=100, width=32, learning_rate=1e-2, device="cpu")])  # type: ignore[untyped-decorator]
def test_it_passes_every_check(estimator: Any, check: Any) -> None:
    check(estimator)
