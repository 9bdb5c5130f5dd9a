"""Invariances of trees and forests on product spaces, their draws, and their messages."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare, kstest
from sklearn.base import clone
from sklearn.metrics import r2_score
from sklearn.utils import check_random_state

from noneuclid import (
    ProductDecisionTreeClassifier,
    ProductDecisionTreeRegressor,
    ProductExtraTreesClassifier,
    ProductExtraTreesRegressor,
    ProductRandomForestClassifier,
    ProductRandomForestRegressor,
)
from noneuclid.errors import InputError
from noneuclid.geometry import ProductSpace

SPACE = ProductSpace("H2 S2 E2")
FORESTS = [
    ProductRandomForestClassifier(space=SPACE, n_estimators=7, random_state=0),
    ProductRandomForestRegressor(space=SPACE, n_estimators=7, random_state=0),
    ProductExtraTreesClassifier(space=SPACE, n_estimators=7, random_state=0),
    ProductExtraTreesRegressor(space=SPACE, n_estimators=7, random_state=0),
]
ALL = [
    ProductDecisionTreeClassifier(space=SPACE, max_features="sqrt", random_state=0),
    ProductDecisionTreeRegressor(space=SPACE, max_features=0.5, random_state=0),
    *FORESTS,
]


def rows(n=150, seed=0):
    """Points, classes and fresh points; class and place are dependent."""
    X, fresh = (SPACE.random_wrapped_normal(n, random_state=seed + k) for k in (0, 1))
    noise = np.random.default_rng(seed).normal(size=n)
    return X, (X[:, 1] * X[:, 4] + X[:, 6] + 0.3 * noise > 0).astype(int), fresh


def answers(model, X):
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)


def name_of(model):
    return type(model).__name__


@pytest.mark.parametrize("n_features", ["auto", "d_choose_2"])
@pytest.mark.parametrize("model", ALL, ids=name_of)
def test_whole_weights_are_copies_of_rows(model, n_features):
    X, y, fresh = rows()
    model = clone(model).set_params(n_features=n_features)
    if "bootstrap" in model.get_params():
        model.set_params(bootstrap=False)
    w = np.random.default_rng(1).integers(0, 4, len(y))
    weighted, copied = clone(model).fit(X, y, w), clone(model).fit(X.repeat(w, 0), y.repeat(w))
    np.testing.assert_allclose(answers(weighted, fresh), answers(copied, fresh), atol=1e-12)
    left_out = clone(model).fit(X[w > 0], y[w > 0], w[w > 0])
    np.testing.assert_allclose(answers(weighted, fresh), answers(left_out, fresh), atol=1e-12)


def test_the_order_of_rows_and_the_names_of_classes_do_not_matter():
    X, y, fresh = rows()
    order = np.random.default_rng(2).permutation(len(y))
    tree = ProductDecisionTreeClassifier(space=SPACE)
    found = clone(tree).fit(X, y).predict_proba(fresh)
    np.testing.assert_array_equal(clone(tree).fit(X[order], y[order]).predict_proba(fresh), found)
    swapped = clone(tree).fit(X, np.array(["b", "a"])[y])
    np.testing.assert_array_equal(swapped.predict_proba(fresh)[:, ::-1], found)
    np.testing.assert_array_equal(swapped.predict(fresh) == "a", found.argmax(axis=1) == 1)


@pytest.mark.parametrize("axes", [[2, 0, 1], [1, 0, 2], [0, 2, 1]])
@pytest.mark.parametrize("signs", [[1, 1, 1], [-1, 1, 1], [1, -1, -1]])
def test_axes_of_a_sphere_may_be_permuted_and_flipped(axes, signs):
    rng, space = np.random.default_rng(3), ProductSpace("S2")
    X = space.random_wrapped_normal(200, covariances=3.0, random_state=4)
    y = X[:, 0] * X[:, 1] + 0.1 * rng.normal(size=200)
    # Half circles of several planes may divide the rows alike, and fresh ones not.
    tree = ProductDecisionTreeRegressor(space=space, min_samples_leaf=6)
    found = clone(tree).fit(X, y).predict(X)
    turned = X[:, axes] * signs
    np.testing.assert_allclose(clone(tree).fit(turned, y).predict(turned), found, atol=1e-12)
    if axes[0] == 0:  # without the plane of axes 1 and 2 the pole is special
        tree.set_params(n_features="d")
        found = clone(tree).fit(X, y).predict(X)
        np.testing.assert_allclose(clone(tree).fit(turned, y).predict(turned), found, atol=1e-12)


@pytest.mark.parametrize("model", ALL, ids=name_of)
def test_scale_of_a_factor_does_not_matter(model):
    X, y, fresh = rows()
    scales = np.repeat([0.5, 2.0, 8.0], [3, 3, 2])
    space = ProductSpace("H2 S2 E2", curvatures=[-4.0, 0.25, 0.0])
    found = answers(clone(model).fit(X, y), fresh)
    scaled = clone(model).set_params(space=space).fit(X * scales, y)
    np.testing.assert_allclose(answers(scaled, fresh * scales), found, atol=1e-12)


def test_charts_hold_the_same_trees():
    X, y, fresh = rows()
    other = SPACE.in_charts(["klein", "tangent", "euclidean"])
    tree = ProductDecisionTreeClassifier(space=SPACE, max_depth=3).fit(X, y)
    same = clone(tree).set_params(space=other).fit(SPACE.convert(X, other.charts), y)
    np.testing.assert_array_equal(
        same.predict(SPACE.convert(fresh, other.charts)), tree.predict(fresh)
    )


@pytest.mark.parametrize("model", FORESTS, ids=name_of)
def test_trees_of_a_forest(model):
    X, y, fresh = rows()
    forest = clone(model).fit(X, y)
    mean = np.mean([answers(tree, fresh) for tree in forest.estimators_], axis=0)
    np.testing.assert_allclose(answers(forest, fresh), mean, atol=1e-12)
    shares = np.mean([tree.feature_importances_ for tree in forest.estimators_], axis=0)
    np.testing.assert_allclose(forest.feature_importances_, shares)
    assert len({tree.trees_[0].thresholds[0] for tree in forest.estimators_}) > 3
    leaves = forest.apply(fresh)
    assert leaves.shape == (len(fresh), 7)
    np.testing.assert_array_equal(forest.estimators_[2].apply(fresh), leaves[:, 2])
    threads = clone(model).set_params(n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(answers(threads, fresh), answers(forest, fresh))
    other = clone(model).set_params(random_state=1).fit(X, y)
    assert (answers(other, fresh) != answers(forest, fresh)).any()


@pytest.mark.parametrize("model", FORESTS, ids=name_of)
def test_out_of_bag_score_is_that_of_trees_that_have_not_seen_the_row(model):
    X, y, _ = rows()
    forest = clone(model).set_params(bootstrap=True, oob_score=True, n_estimators=30).fit(X, y)
    seeds = check_random_state(0).randint(2**31 - 1, size=30)
    unseen = [
        np.bincount(np.random.default_rng(s).integers(150, size=150), minlength=150) == 0
        for s in seeds
    ]
    found = []
    for row in range(len(X)):
        trees = [t for t, u in zip(forest.estimators_, unseen, strict=True) if u[row]]
        found.append(np.mean([answers(t, X[row : row + 1])[0] for t in trees], axis=0))
    expected = r2_score(y, found) if np.ndim(found) == 1 else np.mean(np.argmax(found, 1) == y)
    assert forest.oob_score_ == pytest.approx(expected)
    assert expected > 0.2
    with pytest.raises(InputError, match="bootstrap=True"):
        forest.set_params(bootstrap=False).fit(X, y)


def test_score_of_unseen_rows_where_targets_are_equal_or_no_row_is_unseen():
    X = SPACE.random_wrapped_normal(30, random_state=0)
    forest = ProductRandomForestRegressor(
        space=SPACE, n_estimators=9, oob_score=True, random_state=0
    )
    assert forest.fit(X, np.ones(30)).oob_score_ == 1
    with pytest.raises(InputError, match="every tree has seen all rows; raise n_estimators"):
        forest.fit(X[:1], [1.0])


def test_random_thresholds_are_uniform_where_they_divide_rows():
    def thresholds(space, X):
        forest = ProductExtraTreesRegressor(space=space, n_estimators=400, max_depth=1)
        forest.set_params(random_state=0).fit(X, np.arange(len(X)))
        for tree in forest.trees_:
            assert tree.weights[1:].min() >= 1
        return np.array([tree.thresholds[0] for tree in forest.trees_])

    def circle(*angles):
        return np.column_stack([np.sin(angles), np.cos(angles)])

    found = thresholds("E1", [[-1.0], [0.5], [3.0]])
    assert kstest((found + 1) / 4, "uniform").pvalue > 0.01
    found = thresholds("S1", circle(0.5, 0.7, 1.5))
    assert kstest(found - 0.5, "uniform").pvalue > 0.01
    found = thresholds("S1", circle(3.0, 3.1, 3.5))  # an arc across pi
    assert kstest((found - 3.0) % np.pi / 0.5, "uniform").pvalue > 0.01
    found = thresholds("S1", circle(0.1, 2.2, 4.3))
    assert kstest(found / np.pi, "uniform").pvalue > 0.01


def test_features_are_drawn_at_each_node():
    X, y, _ = rows(60)
    tree = ProductDecisionTreeClassifier(space=SPACE, max_features=1, max_depth=2)
    trees = [clone(tree).set_params(random_state=k).fit(X, y).trees_[0] for k in range(210)]
    for node in (0, 1):
        counts = np.bincount([t.features[node] for t in trees if t.features[node] >= 0])
        assert len(counts) == 7
        assert chisquare(counts).pvalue > 0.01
    assert len({tuple(t.features[:2]) for t in trees}) > 40  # of 49
    # A constant column divides nothing, and another one is drawn.
    flat = np.column_stack([np.zeros((40, 9)), np.arange(40)])
    tree = ProductDecisionTreeClassifier(max_features=1, n_features="d", random_state=0)
    assert tree.fit(flat, np.arange(40) > 20).get_depth() == 1


@pytest.mark.parametrize(
    ("drawn", "n_features", "number"),
    [("sqrt", "d", 2), ("log2", "d_choose_2", 3), (0.5, "d", 3), (4, "d", 4), (50, "d", 6)],
)
def test_number_of_features_drawn(drawn, n_features, number):
    X, y, _ = rows(30)
    model = ProductDecisionTreeClassifier(space=SPACE, max_features=drawn, n_features=n_features)
    assert model._rules(len(model.fit(X, y).feature_names_))[4] == number


def test_xor_needs_a_split_without_gain():
    X = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    tree = ProductDecisionTreeClassifier(n_features="d").fit(X, [0, 1, 1, 0])
    assert tree.predict(X).tolist() == [0, 1, 1, 0]


def test_equal_rows_share_a_leaf():
    X, y = [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]], ["a", "b", "b"]
    for model in (
        ProductDecisionTreeClassifier(space="S1"),
        clone(FORESTS[2]).set_params(space="S1"),
    ):
        np.testing.assert_allclose(model.fit(X, y).predict_proba(X), [[1 / 3, 2 / 3]] * 3)


def test_neighbouring_numbers_are_divided():
    a = 1.0 + np.finfo(float).eps * np.arange(3)
    for pair in (a[:2, None], a[1:, None]):  # the midpoint is rounded down, and up
        tree = ProductDecisionTreeClassifier().fit(pair, [0, 1])
        assert tree.predict(pair).tolist() == [0, 1]
    # The gap between the angles pi and 0 has no number in its middle.
    X = [[0.0, 1.0], [1e-17, -1.0], [-1.0, 0.0]]
    tree = ProductDecisionTreeClassifier(space="S1").fit(X, [0, 0, 1])
    assert tree.get_depth() == 1
    assert tree.predict(X).tolist() == [0, 0, 1]
    # Close to the cut, on both sides of it.
    for angle in (1e-17, 1e-300):
        X = [[np.sin(angle), 1.0], [0.0, 1.0], [angle, -1.0], [0.0, -1.0]]
        tree = ProductDecisionTreeClassifier(space="S1").fit(X, [0, 0, 1, 1])
        assert tree.predict(X).tolist() == [0, 0, 1, 1]


def test_numbers_far_from_zero_keep_their_digits():
    y = 1e9 + np.array([0.0, 0.0, 1.0, 1.0])
    tree = ProductDecisionTreeRegressor().fit([[0.0], [1.0], [2.0], [3.0]], y)
    assert tree.get_n_leaves() == 2
    np.testing.assert_array_equal(tree.predict([[0.0], [3.0]]), y[[0, 3]])
    flat = ProductDecisionTreeRegressor().fit([[0.0], [1.0]], [0.1, 0.1])
    assert flat.get_depth() == 0
    assert flat.feature_importances_.tolist() == [0.0]


def test_a_class_without_weight_has_probability_zero():
    X, y, fresh = rows()
    y = np.where(np.arange(len(y)) < 9, 2, y)
    forest = ProductRandomForestClassifier(space=SPACE, n_estimators=5, random_state=0)
    found = forest.fit(X, y, (y != 2).astype(float)).predict_proba(fresh)
    assert found.shape[1] == 3
    assert found[:, 2].max() == 0


def test_columns_of_a_data_frame_keep_their_names():
    X, y, _ = rows()
    table = pd.DataFrame(X, columns=list("abcdefgh"))
    tree = ProductDecisionTreeClassifier(space=SPACE).fit(table, y)
    assert tree.feature_names_in_.tolist() == list("abcdefgh")
    np.testing.assert_array_equal(
        tree.predict(table), ProductDecisionTreeClassifier(space=SPACE).fit(X, y).predict(X)
    )


@pytest.mark.parametrize("model", ALL, ids=name_of)
def test_bad_rows_are_named(model):
    X, y, _ = rows(20)
    X[7, 6] = np.nan
    with pytest.raises(InputError, match="row 7, column 6 is NaN"):
        clone(model).fit(X, y)
    X, y, _ = rows(20)
    fitted = clone(model).fit(X, y)
    X[3, 3:6] *= 2
    with pytest.raises(InputError, match="factor S2: row 3"):
        fitted.predict(X)
    with pytest.raises(InputError, match="row 5 is -1"):
        clone(model).fit(rows(20)[0], y, np.where(np.arange(20) == 5, -1.0, 1.0))
    with pytest.raises(ValueError, match="space"):
        clone(model).set_params(space=3).fit(X, y)


@pytest.mark.parametrize("model", ALL, ids=name_of)
def test_the_space_comes_first_and_the_rest_by_name(model):
    kind = type(model)
    assert kind("H2 S2", max_depth=3).get_params() == kind(space="H2 S2", max_depth=3).get_params()
    assert kind.__init__.__qualname__ == f"{kind.__name__}.__init__"
    for args, given, message in [
        (("H2", "auto"), {}, "too many positional arguments"),
        (("H2",), {"space": "H2"}, "multiple values for argument 'space'"),
        ((), {"depth": 3}, "unexpected keyword argument 'depth'"),
    ]:
        with pytest.raises(TypeError, match=f"^{kind.__name__}: .*{message}"):
            kind(*args, **given)


def test_one_class_is_refused():
    X, y, _ = rows(20)
    with pytest.raises(InputError, match="1 class only"):
        ProductDecisionTreeClassifier(space=SPACE).fit(X, 0 * y)
