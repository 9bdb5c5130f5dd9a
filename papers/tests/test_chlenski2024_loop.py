"""The loop of the authors' notebook that returns table 3 of chlenski2024."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier

from noneuclid.errors import InputError
from noneuclid.geometry import charts
from noneuclid_papers.data import hyperdt_mixtures
from noneuclid_papers.programs import chlenski2024_loop as loop
from noneuclid_papers.programs.chlenski2024_released import classes, grow


def mixture(points, dimension, number):
    """Points, labels and folds of a mixture of the paper."""
    data = hyperdt_mixtures.load({}, 0, n_samples=points, n_features=dimension, number=number)
    folds = KFold(5, shuffle=True, random_state=number).split(data.features)
    return data.features, data.labels, list(folds)


@pytest.fixture
def global_generator():
    """Numpy's global generator is as before when the test ends."""
    before = np.random.get_state()  # noqa: NPY002
    yield np.random
    np.random.set_state(before)  # noqa: NPY002


def forest_with_global_generator(X, y, rows, trees, depth):
    """Majority of the trees of HyperRF as the program grows them."""
    votes = np.zeros(len(X))
    for _ in range(trees):
        sample = rows[np.random.choice(len(rows), len(rows))]  # noqa: NPY002
        votes += classes(grow(X[sample], y[sample], depth), X)
    return votes > trees / 2


@pytest.mark.parametrize(("trees", "depth"), [(6, 3), (3, 2)])
def test_fits_are_those_of_the_loop_with_numpys_global_generator(trees, depth, global_generator):
    X, y, folds = mixture(100, 2, 4)
    global_generator.set_state(hyperdt_mixtures.generator_after(100, 2, 4).get_state())
    columns = {
        "tangent": loop.to_tangent(X),
        "tangent PCA": X,
        "poincare": charts.convert(X, "hyperboloid", "poincare"),
        "hyperboloid": X,
        "klein": charts.convert(X, "hyperboloid", "klein"),
    }
    compared = 0
    for coordinates, Z in columns.items():
        for method in ("HyperRF", "DT", "RF"):
            if method == "HyperRF" and coordinates != "hyperboloid":
                continue
            for rows, _ in folds:
                if method == "HyperRF":
                    slow = forest_with_global_generator(X, y, rows, trees, depth)
                elif method == "DT":
                    slow = DecisionTreeClassifier(max_depth=depth).fit(Z[rows], y[rows]).predict(Z)
                else:
                    slow = RandomForestClassifier(trees, max_depth=depth)
                    slow = slow.fit(Z[rows], y[rows]).predict(Z)
                if coordinates == "tangent PCA":
                    continue
                model = loop.LoopTrees(method=method, coordinates=coordinates, random_state=4)
                model.set_params(n_estimators=trees, max_depth=depth)
                assert (model.fit(X[rows], y[rows]).predict(X) == slow).all()
                compared += 1
    assert compared == 9 * 5


def test_vectors_of_the_tangent_space_have_a_column_that_is_almost_zero():
    X, _, _ = mixture(400, 8, 1)
    found = loop.to_tangent(X)
    assert 0 < np.abs(found[:, 0]).max() < 1e-5
    wanted = charts.convert(X, "hyperboloid", "tangent")
    np.testing.assert_allclose(found[:, 1:], wanted, rtol=1e-5, atol=1e-8)


def test_the_origin_and_points_too_far_away_in_tangent_coordinates():
    X, y, _ = mixture(100, 2, 3)
    np.testing.assert_array_equal(loop.to_tangent(np.array([[1.0, 0, 0]])), [[0, 0, 0]])
    model = loop.LoopTrees(coordinates="tangent", n_estimators=2, random_state=3).fit(X, y)
    far = np.array([[1.0, 0, 0], [np.cosh(20.0), np.sinh(20.0), 0]])
    with pytest.raises(InputError, match="row 1 is too far from the origin"):
        model.predict(far)


def test_trees_split_at_this_column_where_it_varies_enough():
    X, y, _ = mixture(800, 2, 2)
    model = loop.LoopTrees(coordinates="tangent", random_state=2).fit(X, y)
    assert any((tree.tree_.feature == 0).any() for tree in model.trees_)
    X, y, _ = mixture(800, 2, 3)
    assert np.ptp(loop.to_tangent(X)[:, 0]) < 1e-7
    model = loop.LoopTrees(coordinates="tangent", random_state=3).fit(X, y)
    assert not any((tree.tree_.feature == 0).any() for tree in model.trees_)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "coordinates", "stored"),
    [
        ("DT", "hyperboloid", 90.1625),
        ("DT", "klein", 91.8875),
        ("RF", "poincare", 92.2625),
        ("HyperRF", "hyperboloid", 91.9125),
    ],
)
def test_scores_are_those_that_the_notebook_stores(method, coordinates, stored):
    hits = []
    for number in range(10):
        X, y, folds = mixture(800, 2, number)
        model = loop.LoopTrees(method=method, coordinates=coordinates, random_state=number)
        hits += [model.fit(X[a], y[a]).score(X[b], y[b]) for a, b in folds]
    assert 100 * np.mean(hits) == pytest.approx(stored, abs=1e-9)


def test_whole_mixtures_labels_and_repetitions():
    X, y, _ = mixture(100, 2, 3)
    words = np.array(["a", "b"])[y]
    for method in loop.METHODS:
        model = loop.LoopTrees(method=method, n_estimators=5, random_state=3)
        first = model.fit(X, words).predict(X)
        assert (clone(model).fit(X, words).predict(X) == first).all()
        assert np.mean(first == words) > 0.8


def test_other_rows_and_wrong_parameters_are_refused():
    X, y, folds = mixture(100, 2, 3)
    model = loop.LoopTrees(random_state=3)
    with pytest.raises(InputError, match="fits only mixtures"):
        model.fit(X[1:], y[1:])
    with pytest.raises(InputError, match="fits only mixtures"):
        model.fit(X[folds[0][1]], y[folds[0][1]])
    for labels in (1 - y, np.array(["z", "a"])[y]):
        with pytest.raises(InputError, match="rows of the mixture with other labels"):
            model.fit(X, labels)
    with pytest.raises(InputError, match="HyperRF reads hyperboloid coordinates, not 'klein'"):
        clone(model).set_params(method="HyperRF", coordinates="klein").fit(X, y)
    for wrong in ({"method": "ET"}, {"coordinates": "tangent PCA"}, {"n_estimators": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            clone(model).set_params(**wrong).fit(X, y)
