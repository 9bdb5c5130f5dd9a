"""Prediction sets of a stated error rate: thresholds, coverage of rows and of donors, answers."""

from math import ceil

import numpy as np
import pytest
from cases import each_of
from sklearn.base import BaseEstimator, ClassifierMixin, is_classifier
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, StratifiedKFold, cross_val_predict

from noneuclid import ConformalClassifier, HedgedClassifier
from noneuclid.classifiers.conformal_classifier import threshold
from noneuclid.errors import InputError
from noneuclid.geometry.class_trees import class_tree

PARENTS = {"0": "ab", "1": "ab", "ab": "all", "2": "cd", "3": "cd", "cd": "all"}


class Columns(ClassifierMixin, BaseEstimator):
    """Probabilities are the columns of X."""

    def fit(self, X, y):
        self.classes_ = np.arange(X.shape[1])
        return self

    def predict_proba(self, X):
        return np.asarray(X)


def calibrated(X, y, groups=None, **settings):
    model = Columns().fit(np.asarray(X), None)
    return ConformalClassifier(model, cv="prefit", **settings).fit(X, y, groups)


def rows(n, seed, classes=4):
    """True probabilities, and classes drawn from them."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(classes, 0.5), size=n)
    return p, np.array([rng.choice(classes, p=row) for row in p])


@each_of("error_rate", [0.05, 0.1, 0.1 + 1e-6, 0.31, 0.5, 0.9])
@each_of("n", [1, 4, 9, 10, 19, 20])
def test_the_threshold_is_the_order_statistic_of_split_conformal(n, error_rate):
    scores = np.random.default_rng(n).permutation(np.arange(1.0, n + 1))
    # Rounding aside: ceil((n + 1)(1 - error_rate)).
    rank = ceil((n + 1) * (1 - error_rate) - 1e-9)
    assert threshold(scores, np.arange(n), error_rate) == (rank if rank <= n else np.inf)


@pytest.mark.parametrize("seed", range(5))
def test_each_group_has_the_same_weight(seed):
    rng = np.random.default_rng(seed)
    groups = rng.choice(6, size=40, p=[0.5, 0.2, 0.1, 0.1, 0.05, 0.05])
    scores, present = rng.random(40), np.unique(groups)
    for error_rate in (0.2, 0.35, 0.6):
        found = threshold(scores, groups, error_rate)
        # The definition, for every candidate.
        weights = [
            np.sum([np.mean(scores[groups == g] <= q) for g in present]) / (len(present) + 1)
            for q in np.sort(scores)
        ]
        enough = np.sort(scores)[np.array(weights) >= 1 - error_rate - 1e-12]
        assert found == (enough[0] if len(enough) else np.inf)


def test_the_share_of_new_rows_is_the_stated_one():
    """Over calibrations the mean coverage of n rows is between 1 - a and 1 - a + 1/(n + 1)."""
    n, shares = 39, []
    for seed in range(300):
        X, y = rows(n + 200, seed)
        model = calibrated(X[:n], y[:n], error_rate=0.2)
        shares.append(model.predict_set(X[n:])[np.arange(200), y[n:]].mean())
    error = np.std(shares) / np.sqrt(len(shares))
    assert 0.8 - 3 * error <= np.mean(shares) <= 0.8 + 1 / (n + 1) + 3 * error


def donors(count, size, rng, spread):
    """Rows of donors: how much is known of the class depends on the donor."""
    X, y, groups = [], [], []
    for donor in range(count):
        p = rng.dirichlet(np.full(4, 0.5), size=size)
        y.append([rng.choice(4, p=row) for row in p])
        # Some donors have probabilities of little truth.
        mixed = rng.random() * spread
        X.append((1 - mixed) * p + mixed * rng.dirichlet(np.full(4, 0.2), size=size))
        groups += [donor] * size
    return np.concatenate(X), np.concatenate(y), np.array(groups)


def test_groups_cover_rows_of_new_donors():
    rng, shares = np.random.default_rng(0), {"rows": [], "donors": []}
    for _ in range(150):
        X, y, groups = donors(6, 30, rng, 1.0)
        known, new = groups < 5, groups == 5
        for name, given in (("rows", None), ("donors", groups[known])):
            model = calibrated(X[known], y[known], given, error_rate=0.2)
            shares[name].append(model.predict_set(X[new])[np.arange(30), y[new]].mean())
    error = np.std(shares["donors"]) / np.sqrt(150)
    assert np.mean(shares["donors"]) >= 0.8 - 2 * error
    assert np.mean(shares["rows"]) < np.mean(shares["donors"]) - 2 * error


def test_coverage_of_each_group_is_by_the_thresholds_of_the_others():
    X, y, groups = donors(12, 20, np.random.default_rng(1), 0.5)
    y = np.where(groups == 7, (y + 1) % 4, y)
    model = calibrated(X, y, groups, error_rate=0.2)
    assert min(model.group_coverage_, key=model.group_coverage_.get) == 7
    own = groups == 3
    other = calibrated(X[~own], y[~own], groups[~own], error_rate=0.2)
    expected = other.predict_set(X[own])[np.arange(20), y[own]].mean()
    assert model.group_coverage_[3] == pytest.approx(expected)
    assert not hasattr(calibrated(X, y), "group_coverage_")


def test_each_class_has_its_own_error_rate():
    rng = np.random.default_rng(0)
    y = (rng.random(3000) < 0.05).astype(int)
    p = np.clip(0.2 + 0.3 * y + 0.2 * rng.normal(size=3000), 0.001, 0.999)
    X = np.column_stack([1 - p, p])
    found = {}
    for conditional in (False, True):
        model = calibrated(X[:1500], y[:1500], error_rate=0.1, class_conditional=conditional)
        inside = model.predict_set(X[1500:])[np.arange(1500), y[1500:]]
        found[conditional] = [inside[y[1500:] == code].mean() for code in (0, 1)]
    assert found[False][1] < 0.5
    assert min(found[True]) > 0.82
    scores = 1 - X[np.arange(1500), y[:1500]]
    rare = y[:1500] == 1
    model = calibrated(X[:1500], y[:1500], class_conditional=True)
    assert model.thresholds_[1] == threshold(scores[rare], np.arange(rare.sum()), 0.1)


@pytest.mark.parametrize("parents", [None, PARENTS])
def test_the_answer_is_the_lowest_node_above_the_set(parents):
    X, y = rows(400, 0)
    model = calibrated(X, y, class_tree=parents, error_rate=0.3)
    tree = class_tree(parents or dict.fromkeys("0123", "unknown"), list("0123"))
    sets = model.predict_set(X)
    assert {0, 1, 2} <= set(sets.sum(axis=1).tolist())
    for chosen, answer in zip(sets, model.predict(X), strict=True):
        above = [k for k in range(len(tree.nodes)) if tree.ancestors[chosen, k].all()]
        deepest = max(above, key=lambda k: -tree.counts[k]) if chosen.any() else 0
        assert answer == tree.nodes[deepest]
    right = tree.ancestors[y, [tree.nodes.index(name) for name in model.predict(X)]].mean()
    assert model.score(X, y) == pytest.approx(right)
    assert right >= sets[np.arange(400), y].mean() >= 0.7


def test_folds_hold_whole_groups_and_the_estimator_sees_all_rows():
    X, y = load_iris(return_X_y=True)
    groups = np.arange(150) % 15
    base = LogisticRegression(max_iter=1000)
    model = ConformalClassifier(base, cv=15, error_rate=0.2, random_state=0).fit(X, y, groups)
    left_out = cross_val_predict(
        base, X, y, groups=groups, cv=GroupKFold(15), method="predict_proba"
    )
    expected = threshold(1 - left_out[np.arange(150), y], groups, 0.2)
    np.testing.assert_allclose(model.thresholds_, expected)
    np.testing.assert_allclose(model.predict_proba(X), base.fit(X, y).predict_proba(X))
    assert is_classifier(model)
    assert model.n_features_in_ == 4


def test_too_few_groups_or_rows_are_said():
    X, y = rows(100, 0)
    with pytest.warns(UserWarning, match="error_rate=0.1 needs 9 validation groups and has fewer"):
        model = calibrated(X, y, np.arange(100) % 8)
    assert set(model.predict(X)) == {"unknown"}
    y = np.where(np.arange(100) < 5, 3, np.arange(100) % 3)
    with pytest.warns(UserWarning, match="needs 9 validation rows and has fewer: .* class 3; rai"):
        calibrated(X, y, class_conditional=True)


@each_of(
    ("settings", "labels", "groups", "message"),
    [
        ({}, [0, 1, 2, 9], None, "class 9 of the validation rows is unknown"),
        ({"error_rate": 0}, [0, 1, 2, 3], None, "'error_rate' parameter .* must be a float in"),
        ({"class_tree": {"0": "r"}}, [0, 1, 2, 3], None, "class '1' is not in the tree"),
        ({}, [0, 1, 2, 3], [0, 1], "inconsistent numbers of samples"),
        ({}, [0, 1, 2, 3], ["a", "b", None, "a"], "groups: row 2 has None; give"),
    ],
)
def test_mistakes_are_named(settings, labels, groups, message):
    with pytest.raises((InputError, ValueError), match=message):
        calibrated(np.full((4, 4), 0.25), labels, groups, **settings)


@pytest.mark.parametrize(
    ("kind", "root"), [(ConformalClassifier, "unknown"), (HedgedClassifier, "any class")]
)
def test_a_class_with_the_name_of_the_answer_needs_a_tree(kind, root):
    X, y = np.eye(2)[np.arange(20) % 2], np.array(["a", root])[np.arange(20) % 2]
    with pytest.raises(InputError, match=f"class '{root}' has the name of the answer .* rename it"):
        kind(LogisticRegression(), random_state=0).fit(X, y)
    model = kind(LogisticRegression(), class_tree={"a": "top", root: "top"}, random_state=0)
    assert model.fit(X, y).score(X, y) == 1


@pytest.mark.parametrize("kind", [ConformalClassifier, HedgedClassifier])
@pytest.mark.parametrize("names", [(1, 2), ("b", "c")])
def test_weights_by_class_hold_in_the_folds(kind, names):
    rng = np.random.default_rng(0)
    codes = np.arange(400) % 2
    X, y = codes[:, None] + rng.normal(size=(400, 2)), np.array(names)[codes]
    found = {}
    for weights in ({0: 20, 1: 1}, None):
        given = weights and {names[code]: weight for code, weight in weights.items()}
        model = kind(LogisticRegression(class_weight=given), random_state=3)
        found[weights is None], coded, _ = model._fit_estimator(X, y)
        # Codes 0 and 1 are what cross_val_predict fits to.
        folds = StratifiedKFold(model.cv, shuffle=True, random_state=_seed(3))
        expected = cross_val_predict(
            LogisticRegression(class_weight=weights), X, codes, cv=folds, method="predict_proba"
        )
        np.testing.assert_array_equal(found[weights is None], expected)
        np.testing.assert_array_equal(coded, codes)
    assert (found[False][:, 0] > found[True][:, 0]).all()
    if kind is ConformalClassifier:
        fitted = kind(LogisticRegression(class_weight={names[0]: 20, names[1]: 1}), random_state=3)
        assert 0.87 < fitted.fit(X, y).predict_set(X)[np.arange(400), codes].mean() < 0.93


def test_a_class_of_one_row_has_no_probability_where_it_is_held_out():
    X, y = np.arange(20.0)[:, None], np.r_[0, np.tile([1, 2], 10)[:19]]
    model = ConformalClassifier(LogisticRegression(), random_state=0)
    with pytest.warns(UserWarning, match="least populated class"):
        found, *_ = model._fit_estimator(X, y)
    assert found[0, 0] == 0
    np.testing.assert_allclose(found.sum(axis=1), 1)


def _seed(random_state):
    return np.random.RandomState(random_state).randint(2**31)
