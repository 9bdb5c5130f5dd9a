"""The objective of a fitted hyperboloid SVM on other rows."""

import numpy as np
import pytest
from cases import each_of

from noneuclid import HyperboloidSVC
from noneuclid.errors import InputError
from noneuclid.geometry.charts import convert


def clouds(classes, seed=0):
    y = np.arange(30 * classes) % classes
    centres = 1.5 * np.random.default_rng(seed).normal(size=(classes, 2))
    return centres[y] + np.random.default_rng(seed + 1).normal(size=(len(y), 2)), y


@each_of("curvature", [1.0, 0.5])
@each_of(
    ("classes", "settings"),
    [
        (2, {}),
        (3, {}),
        (3, {"multi_class": "ovo"}),
        (3, {"solver": "pgd", "loss": "arcsinh"}),
        (2, {"robust_radius": 0.2}),
    ],
)
def test_objective_of_the_training_rows_is_that_of_the_fit(classes, settings, curvature):
    X, y = clouds(classes)
    model = HyperboloidSVC(C=3.0, tol=1e-4, curvature=curvature, chart="tangent", **settings)
    found = model.fit(X, y).objective(X, y)
    np.testing.assert_allclose(found, np.atleast_1d(model.objective_), rtol=1e-9)


def test_objective_of_other_rows():
    X, y = clouds(2)
    model = HyperboloidSVC(C=3.0, tol=1e-4, chart="tangent").fit(X[:40], y[:40])
    points, (w,) = convert(X[40:], "tangent", "hyperboloid"), model.coef_
    margins = np.where(y[40:] == 1, 1.0, -1.0) * (points[:, 1:] @ w[1:] - points[:, 0] * w[0])
    square = w[1:] @ w[1:] - w[0] ** 2
    expected = square / 2 + 3.0 * np.maximum(0.0, 1.0 - margins).sum() / 2**0.5
    assert model.objective(X[40:], y[40:]) == pytest.approx([expected])
    parts = [model.objective(X[rows], y[rows])[0] for rows in (slice(40), slice(40, None))]
    assert model.objective(X, y) == pytest.approx([sum(parts) - square / 2])
    with pytest.raises(InputError, match="not among"):
        model.objective(X, y + 1)


def test_objective_without_a_row_of_a_pair_is_half_the_square():
    X, y = clouds(3)
    model = HyperboloidSVC(C=3.0, tol=1e-4, chart="tangent", multi_class="ovo").fit(X, y)
    rows = y < 1
    found, w = model.objective(X[rows], y[rows]), model.coef_[2]
    assert found[2] == pytest.approx((w[1:] @ w[1:] - w[0] ** 2) / 2)
    assert found[0] > found[2]
