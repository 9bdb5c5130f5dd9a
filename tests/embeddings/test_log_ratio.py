from itertools import pairwise

import numpy as np
import pytest
from scipy.special import softmax

from noneuclid import LogRatio
from noneuclid.errors import InputError
from noneuclid_compare.embed.of_dataset import embed
from noneuclid_compare.records import Dataset


def composition(rows, **about):
    labels = np.arange(len(rows)) % 2
    features = np.asarray(rows, dtype=float)
    return Dataset("d", "composition", labels, ("a", "b"), features=features, about=about)


@pytest.fixture
def rows():
    return np.random.default_rng(0).dirichlet(np.ones(5), size=40)


def test_distances_are_those_of_centred_log_ratios(rows):
    clr = np.log(rows) - np.log(rows).mean(axis=1, keepdims=True)
    points = embed(LogRatio, composition(rows), 0).points
    assert points.shape == (40, 4)
    for i, j in pairwise(range(40)):
        expected = np.linalg.norm(clr[i] - clr[j])
        assert np.linalg.norm(points[i] - points[j]) == pytest.approx(expected, rel=1e-12)


def test_scaling_a_row_changes_nothing(rows):
    first = embed(LogRatio, composition(rows), 0).points
    second = embed(LogRatio, composition(7 * rows), 0).points
    np.testing.assert_allclose(first, second, atol=1e-12)


@pytest.mark.parametrize("chart", ["tangent", "poincare", "hyperboloid"])
def test_rows_come_back(rows, chart):
    near = softmax(0.1 * np.log(rows), axis=1)
    model = LogRatio(scale=0.5, chart=chart).fit(near)
    np.testing.assert_allclose(model.inverse_transform(model.transform(near)), near, rtol=1e-9)
    box = LogRatio(low=0.0, high=[1.0, 2, 1, 1, 3], chart=chart).fit(near)
    np.testing.assert_allclose(box.inverse_transform(box.transform(near)), near, rtol=1e-9)
    with pytest.raises(InputError, match="X has 3 columns, but its points have"):
        model.inverse_transform(np.zeros((1, 3)))


def test_inverse_is_that_of_the_fit(rows):
    near = softmax(0.1 * np.log(rows), axis=1)
    for box in ({}, {"low": 0.0, "high": 2.0}):
        model = LogRatio(scale=0.5, **box).fit(near)
        points = model.transform(near)
        model.set_params(scale=3.0, **({"high": 9.0} if box else {"low": 0.0, "high": 9.0}))
        np.testing.assert_allclose(model.inverse_transform(points), near, rtol=1e-9)


def test_box_gives_logits():
    domain = {"polytope": "box", "low": [0.0, -1.0], "high": [1.0, 1.0]}
    data = composition([[0.5, 0.0], [0.75, 0.8]], domain=domain)
    expected = [[0, 0], [np.log(3), np.log(9)]]
    np.testing.assert_allclose(embed(LogRatio, data, 0).points, expected, atol=1e-12)


def test_boundary_is_named():
    with pytest.raises(InputError, match=r"of d: row 1 has 0\.0 in column 0.*pseudocount"):
        embed(LogRatio, composition([[0.5, 0.5], [0.0, 1.0]]), 0)


def test_other_kinds_are_refused():
    data = Dataset("d", "points", np.array([0, 1]), ("a", "b"), features=np.eye(2), chart="tangent")
    with pytest.raises(InputError, match="kind 'points'"):
        embed(LogRatio, data, 0)
