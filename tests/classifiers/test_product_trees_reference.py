"""Trees on product spaces against all splits one by one, scikit-learn, and invariances."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from noneuclid import (
    HyperbolicDecisionTreeClassifier,
    ProductDecisionTreeClassifier,
    ProductDecisionTreeRegressor,
)
from noneuclid.geometry import ProductSpace

SIGNATURES = ["H2 S2 E1", "S3", "H3", "E2 S1", "S2 S2", "H1 E3 S2"]


def cloud(signature, n, seed, n_classes=3):
    """Points of classes that overlap, and their classes."""
    space, rng = ProductSpace(signature), np.random.default_rng(seed)
    means = space.random_wrapped_normal(n_classes, random_state=rng)
    y = rng.permutation(np.arange(n) % n_classes)
    X = [space.random_wrapped_normal(1, means[k], 0.7, random_state=rng)[0] for k in y]
    return space, np.array(X), y


def slow_features(space, X, n_features):
    """Name, values along an axis or None, angles around a plane or None, of each feature."""
    for factor, block in zip(space.factors, space.split(X), strict=True):
        name, kind = factor.name, factor.kind
        axes = range(factor.dimension) if kind == "E" else range(1, factor.dimension + 1)
        for j in axes:
            if kind == "H":
                yield f"{name}: axis {j}", np.arctanh(block[:, j] / block[:, 0]), None
            elif kind == "E":
                yield f"{name}: axis {j}", block[:, j], None
            else:
                yield f"{name}: axes 0, {j}", None, np.arctan2(block[:, 0], block[:, j])
        if n_features == "d_choose_2" or (n_features == "auto" and kind == "S"):
            for i, j in combinations(axes, 2):
                yield f"{name}: axes {i}, {j}", None, np.arctan2(block[:, i], block[:, j])


def slow_splits(space, X, n_features):
    """Name, threshold and the left rows of all splits by midpoints."""
    for name, values, angles in slow_features(space, X, n_features):
        if angles is None:
            steps = np.unique(values)
            for t in (steps[1:] + steps[:-1]) / 2:
                yield name, t, values <= t
        else:
            steps = np.unique(angles % np.pi)
            steps = np.append(steps, steps[0] + np.pi)
            for t in (steps[1:] + steps[:-1]) / 2 % np.pi:
                yield name, t, (angles - t) % (2 * np.pi) >= np.pi


def impurity(y, w, criterion):
    """Impurity of rows times their weight."""
    if criterion == "squared_error":
        return np.sum(w * (y - np.average(y, weights=w)) ** 2)
    shares = np.bincount(y, w) / w.sum()
    shares = shares[shares > 0]
    if criterion == "gini":
        return w.sum() * (1 - (shares**2).sum())
    return -w.sum() * (shares * np.log2(shares)).sum()


def check_all_splits(model, space, X, y, w):
    """Compare each split with all splits of its rows; number of leaves."""
    tree, names = model.trees_[0], model.feature_names_
    least, depths = model.min_samples_leaf, tree.depths
    assert names == [name for name, *_ in slow_features(space, X, model.n_features)]

    def visit(node, rows):
        values = y[rows], w[rows]
        before = impurity(*values, model.criterion)
        if model.criterion == "squared_error":
            assert tree.values[node, 0] == pytest.approx(np.average(y[rows], weights=w[rows]))
        else:
            shares = np.bincount(*values, minlength=len(model.classes_)) / w[rows].sum()
            np.testing.assert_allclose(tree.values[node], shares, atol=1e-12)
        splits = []
        for name, t, left in slow_splits(space, X[rows], model.n_features):
            lightest = min(w[rows][left].sum(), w[rows][~left].sum())
            legal = lightest >= model.min_weight_fraction_leaf * w.sum()
            if legal and min(left.sum(), (~left).sum()) >= least:
                after = sum(
                    impurity(y[rows][s], w[rows][s], model.criterion) for s in (left, ~left)
                )
                splits.append((before - after, name, t, left))
        legal = len(rows) >= model.min_samples_split and (y[rows] != y[rows[0]]).any()
        legal &= model.max_depth is None or depths[node] < model.max_depth
        best = max((s[0] for s in splits), default=-np.inf)
        legal &= best / w.sum() >= model.min_impurity_decrease - 1e-12
        assert (tree.features[node] >= 0) == (legal and splits != [])
        if tree.features[node] < 0:
            return 1
        name, t = names[tree.features[node]], tree.thresholds[node]
        found = [s for s in splits if s[1] == name and abs(s[2] - t) < 1e-9]
        assert len(found) == 1
        assert found[0][0] == pytest.approx(best, abs=1e-9)
        left = found[0][3]
        child = tree.left[node]
        return visit(child, rows[left]) + visit(child + 1, rows[~left])

    return visit(0, np.arange(len(y)))


@pytest.mark.parametrize("seed", range(36))
def test_every_split_is_the_best_of_all(seed):
    rng = np.random.default_rng(seed)
    space, X, y = cloud(SIGNATURES[seed % 6], 24 + seed, seed, n_classes=2 + seed % 3)
    settings = {
        "space": space,
        "n_features": ["d", "d_choose_2", "auto"][seed // 6 % 3],
        "max_depth": [None, 2, 4][seed // 2 % 3],
        "min_samples_leaf": [1, 3][seed // 3 % 2],
        "min_samples_split": [2, 9][seed // 4 % 2],
        "min_weight_fraction_leaf": [0.0, 0.0, 0.1][seed // 4 % 3],
        "min_impurity_decrease": [0.0, 0.03][seed // 5 % 2],
    }
    w = [np.ones(len(y)), rng.integers(1, 4, len(y)).astype(float), rng.uniform(0.2, 2, len(y))]
    w = w[seed // 2 % 3]
    criterion = ["gini", "entropy", "log_loss"][seed % 3]
    tree = ProductDecisionTreeClassifier(criterion=criterion, **settings).fit(X, y, w)
    assert check_all_splits(tree, space, X, y, w) == tree.get_n_leaves() > 1
    y = y + rng.normal(size=len(y))
    tree = ProductDecisionTreeRegressor(**settings).fit(X, y, w)
    assert check_all_splits(tree, space, X, y, w) == tree.get_n_leaves() > 1


@pytest.mark.parametrize("direction", np.arange(16) * np.pi / 8)
def test_a_half_circle_is_one_split_wherever_it_lies(direction):
    rng = np.random.default_rng(0)
    angles = np.r_[rng.uniform(-1.5, 1.5, 40), np.pi + rng.uniform(-1.5, 1.5, 40)] + direction
    X, y = np.column_stack([np.cos(angles), np.sin(angles)]), np.repeat([0, 1], 40)
    tree = ProductDecisionTreeClassifier(space="S1").fit(X, y)
    assert tree.get_depth() == 1
    fresh = direction + np.array([-1.5, 0, 1.5, np.pi - 1.5, np.pi, np.pi + 1.5])
    fresh = np.column_stack([np.cos(fresh), np.sin(fresh)])
    assert tree.predict(fresh).tolist() == [0, 0, 0, 1, 1, 1]


def test_thresholds_are_midpoints():
    def root(space, X):
        return ProductDecisionTreeClassifier(space=space).fit(X, [0, 1]).trees_[0].thresholds[0]

    along = [[np.cosh(r), np.sinh(r)] for r in (-3.0, 5.0)]
    assert root("H1", along) == pytest.approx(1.0)
    assert root("E1", [[-3.0], [5.0]]) == 1.0
    around = [[np.sin(a), np.cos(a)] for a in (0.4, 0.6 + np.pi)]  # 0.6 is the antipode's
    assert root("S1", around) in (pytest.approx(0.5), pytest.approx(0.5 + np.pi / 2))
    # Equal rows and their antipodes differ by the side alone.
    tree = ProductDecisionTreeClassifier(space="S1").fit([[0.6, 0.8], [-0.6, -0.8]], [0, 1])
    assert tree.predict([[0.6, 0.8], [-0.6, -0.8]]).tolist() == [0, 1]


def same_tree(tree, theirs, node=0, other=0):
    """Whether a tree on flat columns is scikit-learn's, split by split."""
    if tree.features[node] < 0 or theirs.children_left[other] < 0:
        assert (tree.features[node] < 0) == (theirs.children_left[other] < 0)
        np.testing.assert_allclose(tree.values[node], theirs.value[other, 0], rtol=1e-9, atol=1e-9)
        return 1
    assert tree.features[node] == theirs.feature[other]
    assert tree.thresholds[node] == theirs.threshold[other]
    child = tree.left[node]
    return same_tree(tree, theirs, child, theirs.children_left[other]) + same_tree(
        tree, theirs, child + 1, theirs.children_right[other]
    )


@pytest.mark.parametrize("seed", range(5))
def test_flat_columns_give_the_tree_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(400, 3)).astype(np.float32).astype(float)
    y, w = X[:, 0] * X[:, 1] + rng.normal(size=400), rng.uniform(0.5, 2, 400)
    rules = {"max_depth": 5, "min_weight_fraction_leaf": 0.02}
    rules |= {"min_impurity_decrease": 1e-3}
    ours, theirs = ProductDecisionTreeRegressor(**rules), DecisionTreeRegressor(**rules)
    assert same_tree(ours.fit(X, y, w).trees_[0], theirs.fit(X, y, w).tree_) > 8
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X))
    for criterion in ("gini", "entropy"):  # with weights no two splits are equal
        rules |= {"criterion": criterion}
        ours, theirs = ProductDecisionTreeClassifier(**rules), DecisionTreeClassifier(**rules)
        ours.fit(X, y > 0.3, w)
        assert same_tree(ours.trees_[0], theirs.fit(X, y > 0.3, w).tree_) > 8
        np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_)
    rules = {"class_weight": {True: 2.5}, "max_depth": 3, "min_samples_leaf": 8}
    ours, theirs = ProductDecisionTreeClassifier(**rules), DecisionTreeClassifier(**rules)
    assert same_tree(ours.fit(X, y > 1, w).trees_[0], theirs.fit(X, y > 1, w).tree_) > 3


@pytest.mark.parametrize("seed", range(4))
def test_a_hyperbolic_factor_gives_the_hyperbolic_tree(seed):
    _, X, y = cloud("H3", 300, seed)
    _, fresh, _ = cloud("H3", 300, seed + 100)
    w = np.random.default_rng(seed).uniform(0.5, 2, len(y))
    rules = {"max_depth": 4, "min_samples_leaf": 8}  # deeper splits may tie
    ours = ProductDecisionTreeClassifier(space="H3", n_features="d", **rules).fit(X, y, w)
    theirs = HyperbolicDecisionTreeClassifier(chart="hyperboloid", precision="float64", **rules)
    theirs.fit(X, y, w)
    np.testing.assert_array_equal(ours.predict(fresh), theirs.predict(fresh))
    np.testing.assert_allclose(ours.predict_proba(fresh), theirs.predict_proba(fresh))
    assert ours.get_n_leaves() == theirs.get_n_leaves() > 7
