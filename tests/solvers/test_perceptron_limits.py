"""Limits on updates that theorems set: `max_updates` as a word."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from noneuclid import HyperboloidPerceptron, PoincarePerceptron, WeberPerceptron
from noneuclid.classifiers import reference_rules
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import convert
from noneuclid.solvers.perceptrons import mistake_bounds
from noneuclid_compare.data.generators import uniform_ball

SETTINGS = {"chart": "poincare", "average": False, "max_iter": 100_000, "random_state": 0}


def ball(seed, margin=0.3, points=400):
    data = uniform_ball.load({}, seed, n_samples=points, margin=margin)
    return data.features, 2 * data.labels - 1, np.array(data.about["reference_points"][0])


def test_the_bound_of_data_is_the_theorem_with_their_own_margin():
    angle = np.linspace(0, 2 * np.pi, 100_001)
    normals = np.column_stack([np.cos(angle), np.sin(angle)])
    for seed in range(3):
        X, y, p = ball(seed, points=60)
        z = reference_rules.seen_from(
            *(convert(part, "poincare", "hyperboloid") for part in (X, p))
        )
        # The widest of many hyperplanes through p.
        widest = np.arcsinh((y * (normals @ z.T)).min(axis=1).max())
        far = np.tanh(np.arcsinh(np.linalg.norm(z, axis=1).max()) / 2)
        expected = mistake_bounds.poincare(far, 0.0, widest)
        found = mistake_bounds.of_data(z, y)
        assert found == pytest.approx(expected, rel=1e-2)
        assert found <= expected * (1 + 1e-6)
        assert found <= mistake_bounds.poincare(0.95, 0.38, 0.3)


def test_bounds_on_the_hyperboloid():
    X, y, _ = ball(1)
    points = convert(X, "poincare", "hyperboloid")
    vectors = points * [-1, 1, 1]
    u = mistake_bounds._widest(vectors, y)
    w = u / np.sqrt(lorentz.product(u, u))
    margin = np.arcsinh(y * lorentz.product(points, w)).min()
    assert margin > 0
    size = np.linalg.norm(points, axis=1).max()
    expected = mistake_bounds.hyperboloid(size, w, margin)
    assert mistake_bounds.of_data(vectors, y) == pytest.approx(expected, rel=1e-5)
    # Those of Weber et al. have all signs changed.
    for rows in (vectors, -vectors):
        assert mistake_bounds.weber(rows, y) == pytest.approx(1 / np.sinh(margin), rel=1e-5)


@pytest.mark.parametrize("margin", [0.1, 0.5])
def test_perceptrons_end_within_their_theorems(margin):
    for seed in range(3):
        X, y, p = ball(seed, margin)
        for model in (PoincarePerceptron(reference_point=p), HyperboloidPerceptron()):
            model.set_params(max_updates="bound", **SETTINGS).fit(X, y)
            assert model.status_ == "separated"
            assert model.score(X, y) == 1


def test_the_limits_are_kept():
    X, y, _ = ball(0, 0.1)
    vectors = convert(X, "poincare", "hyperboloid") * [-1, 1, 1]
    limits = {
        "weber": np.ceil(mistake_bounds.weber(vectors, y)),
        "bound": np.ceil(mistake_bounds.of_data(vectors, y)),
    }
    assert limits["weber"] < limits["bound"]
    for word, limit in limits.items():
        with pytest.warns(ConvergenceWarning, match=f"after {limit:.0f} updates"):
            model = WeberPerceptron(max_updates=word, **SETTINGS).fit(X, y)
        assert model.n_updates_.tolist() == [limit]


@pytest.mark.parametrize(
    "model", [PoincarePerceptron(), HyperboloidPerceptron(), WeberPerceptron()]
)
def test_where_there_is_no_bound(model):
    model = clone(model).set_params(max_updates="bound", **SETTINGS)
    X, y, _ = ball(0)
    with pytest.raises(
        InputError, match="no theorem bounds the updates; give max_updates a number"
    ):
        model.fit(X, np.arange(len(y)) % 2)
    with pytest.raises(InputError, match="needs all rows at once; for partial_fit give a number"):
        model.partial_fit(X, y, classes=[-1, 1])


def test_words_of_other_theorems_are_refused():
    X, y, _ = ball(0)
    with pytest.raises(ValueError, match="max_updates"):
        PoincarePerceptron(max_updates="weber").fit(X, y)
