"""Rows on the edges of a branching process."""

import numpy as np
import pytest

from noneuclid.errors import InputError
from noneuclid_compare.data.generators import branching_features as generator
from noneuclid_compare.data.shipped import sklearn_table


def test_the_tree_has_two_children_below_the_branches():
    parent, branch = generator.tree(3, 4)
    assert len(parent) == 1 + 3 * (1 + 2 + 4 + 8)
    children = np.bincount(parent[1:])
    assert children[0] == 3
    assert (children[1:] == 2).all()
    below = np.flatnonzero(parent > 0)
    np.testing.assert_array_equal(branch[below], branch[parent[below]])


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_rows_lie_on_edges_of_their_branch(depth):
    data = generator.load(
        {}, 3, n_samples=90, depth=depth, n_features=2007, noise=0.0, noise_features=7
    )
    assert data.features.shape == (90, 2007)
    assert np.bincount(data.labels).tolist() == [23, 23, 22, 22]
    signal = data.features[:, :2000]
    # Two branches share no edge, so their rows are about orthogonal; in one branch rows share one.
    same = data.labels[:, None] == data.labels
    np.fill_diagonal(same, False)
    product = signal @ signal.T / 2000
    assert np.abs(product[data.labels[:, None] != data.labels]).max() < 0.5
    if depth > 1:
        assert product[same].min() > 0.5
        # A row of depth k has k - 1 whole edges and a part of one.
        assert np.square(signal).mean() == pytest.approx((0.7 + depth - 1), rel=0.5)


def test_deeper_trees_spread_their_rows_further():
    spread = [
        np.square(generator.load({}, 0, depth=depth).features[:, :20]).mean() for depth in (2, 4, 6)
    ]
    assert spread == sorted(spread)


def test_noise_features_do_not_follow_the_tree():
    data = generator.load({}, 0, n_samples=4000)
    others = data.features[:, 20:]
    assert np.abs(np.corrcoef(others.T)[~np.eye(20, dtype=bool)]).max() < 0.08
    assert others.std() == pytest.approx(1, abs=0.02)
    plain = generator.load({}, 0, n_samples=4000, noise=0.0).features[:, :20]
    assert (data.features[:, :20] - plain).std() == pytest.approx(0.5, abs=0.02)


def test_the_seed_decides():
    first, again, other = (generator.load({}, seed).features for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert not np.allclose(first, other)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"depth": 40}, "depth"),
        ({"n_classes": 1}, "n_classes"),
        ({"n_samples": 3}, "n_samples"),
        ({"noise_features": 40}, "noise_features"),
    ],
)
def test_settings_out_of_range(settings, message):
    with pytest.raises(InputError, match=message):
        generator.load({}, 0, **settings)


@pytest.mark.parametrize(
    ("name", "shape", "classes"),
    [("iris", (150, 4), 3), ("wine", (178, 13), 3), ("breast_cancer", (569, 30), 2)],
)
def test_tables_of_scikit_learn(name, shape, classes):
    data = sklearn_table.load({}, 0, name=name)
    assert (data.features.shape, len(data.class_names)) == (shape, classes)
    assert len(data.about["columns"]) == shape[1]
    assert data.name == name


def test_an_unknown_table():
    with pytest.raises(InputError, match="give one of iris, wine, breast_cancer"):
        sklearn_table.load({}, 0, name="digits")
