"""Errors number the rows of the user, whatever was left out before."""

import warnings

import numpy as np
import pytest
from cases import each_of

from noneuclid import (
    HilbertNearestClassifier,
    HilbertSVC,
    HyperbolicLogisticRegression,
    HyperboloidPerceptron,
    HyperboloidSVC,
    PoincarePerceptron,
    PoincareSVC,
)
from noneuclid.errors import InputError

BALL = [HyperbolicLogisticRegression, HyperboloidPerceptron, HyperboloidSVC, PoincareSVC]


def rows(n=24, seed=0):
    X = 0.2 * np.random.default_rng(seed).normal(size=(n, 2))
    weights = np.ones(n)
    weights[:5] = 0.0
    return X, np.arange(n) % 3, weights


@pytest.mark.parametrize("model", BALL)
def test_a_row_outside_the_ball(model):
    X, y, weights = rows()
    X[20] = 2.0, 0.0
    with pytest.raises(InputError, match=r"^row 20 lies outside"):
        model(chart="poincare").fit(X, y, weights)


@pytest.mark.parametrize("model", [HilbertSVC, HilbertNearestClassifier])
def test_a_row_outside_the_simplex(model):
    X, y, weights = rows()
    X = np.column_stack([0.5 + X, -X.sum(axis=1)])
    X = np.abs(X) / np.abs(X).sum(axis=1, keepdims=True)
    X[20] = 1.0, 0.0, 0.0
    with pytest.raises(InputError, match=r"^row 20 has part 1"):
        model().fit(X, y, weights)


@each_of("far", [[300.0, 0.0], [400.0, 0.0]])
@each_of("weighted", [True, False])
@each_of("model", [HyperboloidSVC, PoincareSVC, PoincarePerceptron])
def test_a_row_too_far_out(model, weighted, far):
    X, y, weights = rows()
    X[20] = far
    settings = {} if model is HyperboloidSVC else {"reference_point": "midpoint of means"}
    model = model(multi_class="ovo", **settings)
    if far[0] < 350.0 and settings:
        return  # within their reach
    with pytest.raises(InputError, match=r"^row 20 "):
        model.fit(X, y, weights if weighted else None)


def test_a_row_of_a_batch():
    X, y, weights = rows()
    X[20] = 2.0, 0.0
    model = PoincarePerceptron(chart="poincare", reference_point="origin")
    with pytest.raises(InputError, match=r"^row 20 lies outside"):
        model.partial_fit(X, y, classes=[0, 1, 2], sample_weight=weights)


def test_two_rows_at_one_point():
    X, y, weights = rows()
    X[20], y = X[10], np.arange(24) // 12
    with pytest.raises(InputError, match=r"^rows 10 and 20 are the same point"):
        PoincareSVC(C=np.inf).fit(X, y, weights)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        PoincarePerceptron(max_iter=2, reference_point="origin").fit(X, y, weights)
    assert "rows 10 and 20 are the same point" in str(caught[0].message)
    with pytest.raises(InputError, match=r"^rows 10 and 20 are the same point"):
        HilbertNearestClassifier(chart="tangent").fit(X, y, weights)


@pytest.mark.parametrize("model", [HyperboloidSVC, PoincareSVC, PoincarePerceptron])
def test_weights_beyond_double_precision(model):
    X, y, weights = rows()
    weights[7] = 1e300
    with pytest.raises(InputError, match=r"weight of row 7 is 1e.300, above 1e.100"):
        model().fit(X, y, weights)
    weights[7] = 1e-300
    factors = {0: 1e-300, 1: 1e-300, 2: 1e-300}
    with pytest.raises(InputError, match=r"class 0 is 0 for all rows"):
        model(class_weight=factors).fit(X, y, 1e-300 * weights)
