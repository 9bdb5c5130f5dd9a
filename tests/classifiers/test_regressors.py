"""Several numbers for each row, and ridge regression in a pipeline."""

import numpy as np
import pytest
from cases import each_of
from clouds import ring_clouds
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import make_pipeline

import noneuclid
from noneuclid.errors import InputError
from noneuclid.geometry.charts import convert

X, _ = ring_clouds()
TWO = np.column_stack([X[:, 0] ** 2, X[:, 1] - X[:, 0]])
APART = [
    noneuclid.GeodesicKNeighborsRegressor(weights="distance"),
    noneuclid.HyperbolicKernelRidge(),
    noneuclid.HyperbolicGaussianProcessRegressor(optimizer=None),
]
TREES = [
    noneuclid.HyperbolicDecisionTreeRegressor(max_depth=2, random_state=0),
    noneuclid.HyperbolicRandomForestRegressor(n_estimators=3, random_state=0),
    noneuclid.HyperbolicExtraTreesRegressor(n_estimators=3, max_depth=2, random_state=0),
]


@each_of("model", APART)
def test_several_numbers_are_as_many_fits(model):
    each = [clone(model).fit(X, y).predict(X) for y in TWO.T]
    np.testing.assert_allclose(model.fit(X, TWO).predict(X), np.column_stack(each), atol=1e-12)


@each_of("model", TREES)
def test_trees_share_their_splits(model):
    """Copies of one number give its tree; two numbers give the means of common leaves."""
    one = clone(model).fit(X, TWO[:, 0])
    copies = clone(model).fit(X, TWO[:, [0, 0]]).predict(X)
    np.testing.assert_allclose(copies, one.predict(X)[:, None].repeat(2, axis=1), atol=1e-12)
    found = model.fit(X, TWO).predict(X)
    assert found.shape == TWO.shape
    assert not np.allclose(found[:, 0], one.predict(X))


def test_boosting_takes_one_number():
    model = noneuclid.HyperbolicHistGradientBoostingRegressor(max_iter=5, chart="tangent")
    with pytest.raises(InputError, match=r"y has 2 columns.*MultiOutputRegressor\(model\)"):
        model.fit(X, TWO)
    assert MultiOutputRegressor(model).fit(X, TWO).predict(X).shape == TWO.shape


@each_of("model", [*APART, *TREES])
def test_a_missing_number_of_several_is_named(model):
    y = TWO.astype(object)
    y[7, 1] = None
    with pytest.raises(InputError, match="y at row 7 is None"):
        model.fit(X, y)


@pytest.mark.parametrize("kernel", ["cosh", "laplace"])
def test_ridge_on_all_landmarks_is_kernel_ridge(kernel):
    nystroem = noneuclid.HyperbolicNystroem(kernel=kernel, n_components=len(X))
    line = make_pipeline(nystroem, Ridge(0.1, fit_intercept=False)).fit(X, TWO)
    ridge = noneuclid.HyperbolicKernelRidge(kernel=kernel, alpha=0.1).fit(X, TWO)
    np.testing.assert_allclose(line.predict(X), ridge.predict(X), rtol=0, atol=1e-8)


def test_ridge_in_the_tangent_space():
    transformers = pytest.importorskip("noneuclid.geometry.transformers")
    line = make_pipeline(transformers.ChartTransformer("poincare", "tangent"), Ridge(0.1))
    ball = convert(X, "tangent", "poincare")
    expected = Ridge(0.1).fit(X, TWO).predict(X)
    np.testing.assert_allclose(line.fit(ball, TWO).predict(ball), expected, rtol=0, atol=1e-12)
