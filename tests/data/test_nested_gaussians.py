import numpy as np
import pytest

from noneuclid.errors import InputError
from noneuclid.geometry.class_trees import class_tree
from noneuclid_compare.data.generators import nested_gaussians


def test_means_follow_the_tree():
    data = nested_gaussians.load(
        {}, 1, depth=3, n_branches=3, n_features=2000, n_samples_per_class=2, noise=0.1
    )
    tree = class_tree(data.about["class_tree"], data.class_names)
    assert tree.depths.tolist() == [3] * 27
    assert np.bincount(data.labels).tolist() == [2] * 27
    means = np.array([data.features[data.labels == k].mean(axis=0) for k in range(27)])
    squares = np.square(means[:, None] - means).mean(axis=2)
    # Each edge of the path adds 1 to the mean squared difference of a feature; noise adds 0.01.
    expected = tree.distances + 0.01 * (1 - np.eye(27))
    np.testing.assert_allclose(squares, expected, rtol=0.2)


def test_the_seed_decides():
    first, again, other = (nested_gaussians.load({}, seed).features for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert not np.allclose(first, other)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"depth": 0}, "depth = 0; give an integer"),
        ({"n_branches": 1}, "n_branches = 1; give an integer"),
        ({"noise": -1}, "noise = -1; give a number"),
        ({"depth": 14}, "depth=14 and n_branches=2 give more than 10000 classes"),
    ],
)
def test_settings_out_of_range(settings, message):
    with pytest.raises(InputError, match=message):
        nested_gaussians.load({}, 0, **settings)
