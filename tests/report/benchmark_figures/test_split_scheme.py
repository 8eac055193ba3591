import numpy as np
import pytest

from wdrop.report.benchmark_figures.split_scheme import second_axis, split_scheme_figure
from wdrop.report.figures import png

RNG = np.random.default_rng(0)
X = RNG.standard_normal((400, 3)) @ np.array([[3.0, 2.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 50.0]])
PLACES = {"pca": X[:, 0], "label": X[:, 0] + RNG.standard_normal(400)}
TESTS = {
    (name, aim): np.argsort(along)[part]
    for aim, part in (("extrapolate", slice(360, 400)), ("interpolate", slice(240, 280)))
    for name, along in PLACES.items()
}


def test_the_second_axis_is_that_of_a_principal_component_analysis() -> None:
    decomposition = pytest.importorskip("sklearn.decomposition")
    theirs = decomposition.PCA(2).fit_transform((X - X.mean(0)) / X.std(0))[:, 1]
    ours = second_axis(X)
    assert min(np.abs(ours - theirs).max(), np.abs(ours + theirs).max()) < 1e-8  # the sign is free
    assert not second_axis(X[:, :1]).any()


def test_the_rows_that_test_are_those_of_the_split() -> None:
    figure = split_scheme_figure("power", PLACES, second_axis(X), TESTS)
    for number, ax in enumerate(figure.axes):
        train, tests = (line for line in ax.lines if line.get_marker() == "o")
        along = [np.asarray(line.get_xdata() if number % 2 == 0 else line.get_ydata()) for line in (train, tests)]
        rows = TESTS[("pca", "label")[number % 2], ("extrapolate", "interpolate")[number // 2]]
        assert sorted(along[1]) == sorted(PLACES[("pca", "label")[number % 2]][rows])
        assert len(along[0]) == 360
    assert len(png(figure, dpi=40)) > 1000


def test_many_points_are_thinned() -> None:
    figure = split_scheme_figure("power", PLACES, second_axis(X), TESTS, n_shown=50)
    assert sum(np.size(line.get_xdata()) for line in figure.axes[0].lines if line.get_marker() == "o") == 50
