"""The ablation of figure 8 of chlenski2024: a tree on angles differs in its thresholds only."""

import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from noneuclid.classifiers import tree_text
from noneuclid_compare.data.generators import wrapped_normal_mixture

FOLDER = Path(__file__).parents[2] / "papers/benchmarks"


@pytest.fixture(scope="module")
def ablation():
    sys.path.insert(0, str(FOLDER))
    yield runpy.run_path(str(FOLDER / "chlenski2024_figures.py"))
    sys.path.remove(str(FOLDER))


@pytest.mark.parametrize(("seed", "dimension"), [(0, 2), (1, 2), (2, 5)])
def test_same_splits_of_the_training_rows_and_mean_angles(ablation, seed, dimension):
    settings = {"n_samples": 150, "n_features": dimension, "n_classes": 3, "spread": 0.5}
    data = wrapped_normal_mixture.load({}, seed, **settings)
    X, y = data.features, data.labels
    ours = ablation["build"]("hyperbolic_tree", 1, 3, seed).fit(X, y)
    theirs = ablation["build"]("mean_angle_tree", 1, 3, seed).fit(X, y)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    tree = theirs[-1].tree_
    angles = np.arctan2(X[:, :1], X[:, 1:])
    paths = tree.decision_path(-angles.astype(np.float32)).toarray().astype(bool)
    moved = False
    for number, node in enumerate(tree_text.splits(ours)):
        assert (node.left, node.right) == (tree.children_left[number], tree.children_right[number])
        if node.left >= 0:
            assert node.axis == tree.feature[number]
            low, high = (angles[paths[:, child], node.axis] for child in (node.left, node.right))
            assert -tree.threshold[number] == pytest.approx((low.min() + high.max()) / 2, abs=1e-6)
            moved |= abs(-tree.threshold[number] - node.angle) > 1e-4
    assert moved
