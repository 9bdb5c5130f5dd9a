"""Leaves of forests on many rows, and the memory of their trees."""

import inspect

import numpy as np
import pytest
from cases import each_of

from noneuclid_compare.config import load_by_name
from noneuclid_compare.jobs import forests
from noneuclid_compare.stages import train

USES = [
    *("noneuclid.HyperbolicRandomForestClassifier", "noneuclid.HyperbolicExtraTreesRegressor"),
    *("noneuclid.HorosphereForestClassifier", "sklearn.ensemble.RandomForestClassifier"),
    *("baseline_forest", "baseline_forest_regressor"),
]


def forest(use=USES[0], grid=None, **params):
    return {"use": use, "params": params, "grid": grid or {}}


@each_of("use", USES)
def test_each_forest_has_larger_leaves_on_many_rows_unless_told(use):
    assert "min_samples_leaf" in inspect.signature(load_by_name.estimator(use)).parameters
    assert [forests.leaf_size(forest(use), n) for n in (20_000, 20_001, 10**6)] == [None, 2, 100]
    for name in forests.LIMITS:
        assert forests.leaf_size(forest(use, **{name: 1}), 10**6) is None
        assert forests.leaf_size(forest(use, grid={name: [1]}), 10**6) is None
    assert forests.leaf_size(forest("my.RandomForest"), 10**6) is None
    assert forests.leaf_size(forest("sklearn.tree.DecisionTreeClassifier"), 10**6) is None


def test_the_stage_gives_the_leaves_and_the_record_has_them(monkeypatch):
    from noneuclid_compare.records import Embedded

    monkeypatch.setattr(forests, "MANY", 30)
    monkeypatch.setattr(forests, "LEAVES", 8)
    points = np.random.default_rng(0).normal(size=(40, 2)) / 10
    embedded = Embedded(points, "poincare", np.arange(40) % 2, ("a", "b"))
    for params, leaf in (({}, 5), ({"max_depth": 2}, 1)):
        method = forest(n_estimators=2, **params) | {"chart": "poincare"}
        model, *_ = train.prepare(method, embedded, 0)
        assert model.min_samples_leaf == leaf
        chosen = train.decided(method, embedded)
        assert chosen == ({} if leaf == 1 else {"min_samples_leaf": 5})


def test_memory_of_trees_is_that_of_their_nodes():
    full = forests.memory_mb(forest(min_samples_leaf=1), 10**5, 59)
    assert full == pytest.approx(100 * 0.7 * 1e5 * (64 + 8 * 59) / 1e6)
    assert forests.memory_mb(forest(), 10**5, 59) == pytest.approx(full / 7)  # leaves of 10 rows
    assert forests.memory_mb(forest(min_samples_leaf=1, n_estimators=5), 10**5, 59) == full / 20
    assert forests.memory_mb(forest(max_depth=3), 10**5, 59) == pytest.approx(1600 * 536 / 1e6)
    assert forests.memory_mb(forest("a.Tree"), 10**5, 59) == 0
    grid = {"n_estimators": [10, 100], "max_depth": [3, 5], "C": [1]}
    largest = forest(grid=grid), forest(max_depth=5, n_estimators=100)
    assert forests.memory_mb(largest[0], 10**5, 59) == forests.memory_mb(largest[1], 10**5, 59)


def test_trees_hold_about_the_nodes_that_the_estimate_says():
    from noneuclid import HyperbolicRandomForestClassifier

    rng = np.random.default_rng(0)
    y = rng.integers(20, size=4000)
    X = rng.normal(size=(20, 2))[y] + 0.25 * rng.normal(size=(4000, 2))
    for leaf in (1, 2, 10):
        model = HyperbolicRandomForestClassifier(
            n_estimators=3, min_samples_leaf=leaf, chart="tangent", random_state=0
        ).fit(X, y)
        trees = [tree.tree_ for tree in model.model_.estimators_]
        true = sum(64 * tree.node_count + tree.value.nbytes for tree in trees) / 1e6
        said = forests.memory_mb(forest(n_estimators=3, min_samples_leaf=leaf), 4000, 20)
        assert 0.5 < said / true < 2
