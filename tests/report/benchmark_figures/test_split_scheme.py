import numpy as np
import pytest

from wdrop.report.benchmark_figures.split_scheme import principal_coordinates, split_scheme_figure
from wdrop.report.figures import png

RNG = np.random.default_rng(0)
X = RNG.standard_normal((400, 3)) @ np.array([[3.0, 2.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 50.0]])
Y = X[:, 0] + RNG.standard_normal(400)


def test_coordinates_are_those_of_a_principal_component_analysis() -> None:
    decomposition = pytest.importorskip("sklearn.decomposition")
    scaled = (X - X.mean(0)) / X.std(0)
    theirs = decomposition.PCA(2).fit_transform(scaled)
    for ours, other in zip(principal_coordinates(X), theirs.T, strict=True):
        assert min(np.abs(ours - other).max(), np.abs(ours + other).max()) < 1e-8  # the sign is free


def test_scale_and_constant_columns_do_not_matter() -> None:
    first, _ = principal_coordinates(X)
    other = np.column_stack([X * [1.0, 100.0, 0.01], np.full(len(X), 7.0)])
    assert np.allclose(first, principal_coordinates(other)[0])
    assert not principal_coordinates(X[:, :1])[1].any()


def test_a_tenth_of_the_points_tests_at_the_outer_end_or_within() -> None:
    figure = split_scheme_figure("power", X, Y)
    for number, ax in enumerate(figure.axes):
        train, tests = (line for line in ax.lines if line.get_marker() == "o")
        along = [np.asarray(line.get_xdata() if number % 2 == 0 else line.get_ydata()) for line in (train, tests)]
        assert len(along[1]) == 40
        assert (along[0].max() < along[1].min()) == (number < 2)  # above: extrapolate
        assert along[0].min() < along[1].min()
        assert not ((along[0] > along[1].min()) & (along[0] < along[1].max())).any()
    assert len(png(figure, dpi=40)) > 1000


def test_many_points_are_thinned_and_the_shape_of_y_is_free() -> None:
    figure = split_scheme_figure("power", X, Y[:, None], n_shown=50)
    assert sum(np.size(line.get_xdata()) for line in figure.axes[0].lines if line.get_marker() == "o") == 50
