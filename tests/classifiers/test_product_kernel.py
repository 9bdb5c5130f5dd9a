"""Kernels of product spaces: values, definiteness, gradients, invariance, and their SVM."""

import numpy as np
import pytest
from cases import each_of
from product_clouds import SPACES, two_clouds
from sklearn.base import clone
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Hyperparameter, WhiteKernel
from sklearn.kernel_approximation import Nystroem
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVC

from noneuclid import HyperbolicKernel, HyperbolicKernelSVC, ProductKernel, ProductKernelSVC
from noneuclid.errors import InputError
from noneuclid.geometry import ProductSpace
from noneuclid.geometry.distance_kernels import KINDS

TIGHT = {"tol": 1e-12, "calibration": None}


def plain_psi(space, X, kind):
    """ψ of each factor by its definition, (n_factors, n, n)."""
    found = []
    for factor, block in zip(space.factors, space.split(X), strict=True):
        r = np.sqrt(abs(factor.curvature) or 1.0) * factor.pairwise_distances(block, None)
        smooth = {"H": lambda r: np.log(np.cosh(r)), "S": lambda r: 1 - np.cos(r)}
        found.append(smooth.get(factor.kind, lambda r: r**2 / 2)(r) if kind == "cosh" else r)
    return np.array(found)


@pytest.mark.parametrize("kind", KINDS)
@each_of("space", SPACES)
def test_values_and_means_are_those_of_the_definition(space, kind):
    X, _ = two_clouds(space)
    scale, psi = np.array([0.5, 1.0, 3.0]), plain_psi(space, X, kind)
    kernel = ProductKernel(space, kind, scale).with_mean_of(X)
    np.testing.assert_allclose(kernel.mean_psi, 3 * psi.mean(axis=(1, 2)), rtol=1e-12)
    expected = np.exp(-np.tensordot(scale / (3 * psi.mean(axis=(1, 2))), psi, 1))
    np.testing.assert_allclose(kernel(X), expected, rtol=1e-12)
    np.testing.assert_allclose(kernel(X[:5], X), expected[:5], rtol=1e-12)
    np.testing.assert_array_equal(kernel.diag(X), 1.0)
    weights = np.arange(1.0, len(X) + 1)
    means = [np.average(p, weights=np.outer(weights, weights)) for p in psi]
    np.testing.assert_allclose(kernel.with_mean_of(X, weights).mean_psi, 3 * np.array(means))
    same = ProductKernel(space, kind, 2.0, mean_psi=4.0)(X)
    np.testing.assert_allclose(same, np.exp(-psi.sum(axis=0) / 2), rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_one_hyperbolic_factor_is_the_hyperbolic_kernel_to_the_digit(kind):
    X, y = two_clouds(ProductSpace("H3"))
    ours = ProductKernel("H3", kind, 1.7).with_mean_of(X)
    theirs = HyperbolicKernel(kind, 1.7, chart="hyperboloid").with_mean_of(X)
    assert ours.mean_psi == theirs.mean_psi
    np.testing.assert_array_equal(ours(X), theirs(X))
    np.testing.assert_array_equal(ours(X[:5], X), theirs(X[:5], X))
    np.testing.assert_array_equal(ours(X, eval_gradient=True)[1], theirs(X, eval_gradient=True)[1])
    models = (
        ProductKernelSVC("H3", kernel=kind),
        HyperbolicKernelSVC(kernel=kind, chart="hyperboloid"),
    )
    ours, theirs = (model.fit(X, y).predict_proba(X) for model in models)
    np.testing.assert_array_equal(ours, theirs)


def test_flat_columns_are_the_gaussian_kernel_of_scikit_learn():
    X, y = two_clouds(ProductSpace("E4"))
    model = ProductKernelSVC(kernel="cosh", **TIGHT).fit(X, y)
    gamma = 1 / X.var(axis=0).sum()  # the mean of |x - y|² is twice this sum
    same = SVC(gamma=gamma, tol=1e-12).fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), same.decision_function(X), atol=1e-6)
    assert model.space_ == ProductSpace("E4")


@pytest.mark.parametrize("kind", KINDS)
@each_of("signature", ["S1", "S2", "S7", "S1 S1", "H2 S2 E1", "S3 H1 H4 E2"])
def test_matrices_are_positive_semidefinite(signature, kind):
    space, rng = ProductSpace(signature), np.random.default_rng(0)
    for spread in (0.01, 1.0, 9.0):  # of the last, most go around the sphere
        X = space.random_wrapped_normal(150, covariances=spread, random_state=rng)
        for scale in (0.02, 0.7, 30.0):
            values = np.linalg.eigvalsh(ProductKernel(space, kind, scale)(X))
            assert values[0] > -1e-13 * values[-1]


def test_what_is_kept_out_is_not_positive_semidefinite():
    angles = np.arange(60) * np.pi / 30
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    d = ProductSpace("S1").pairwise_distances(circle)
    for kernel in (np.exp(-(d**2) / 4), np.exp(-(d**1.5) / 2)):
        assert np.linalg.eigvalsh(kernel)[0] < -1e-4  # the bound above is -1e-13
    # The same with the distance of a product, on the rows that differ in the circle alone.
    space = ProductSpace("S1 E1")
    d = space.pairwise_distances(np.column_stack([circle, np.zeros(60)]))
    assert np.linalg.eigvalsh(np.exp(-(d**2) / 4))[0] < -1e-4


@pytest.mark.parametrize("kind", KINDS)
@each_of("space", SPACES)
def test_isometries_order_and_a_constant_factor_change_nothing(space, kind):
    X, y = two_clouds(space)
    kernel = ProductKernel(space, kind, [1.0, 2.0, 0.5])
    gram = kernel.with_mean_of(X)(X)
    moved = space.random_isometry(0.2, random_state=5).transform(X)
    np.testing.assert_allclose(kernel.with_mean_of(moved)(moved), gram, atol=1e-10)
    signature = f"{space.signature} S1"
    wide = ProductSpace(signature, curvatures=[*space.curvatures, 1], charts=[*space.charts, None])
    same = ProductKernel(wide, kind, [1.0, 2.0, 0.5, 9.0])
    rows = np.column_stack([X, np.ones(len(X)), np.zeros(len(X))])
    np.testing.assert_allclose(same.with_mean_of(rows)(rows), gram, rtol=1e-12)
    model = ProductKernelSVC(space, kernel=kind, **TIGHT).fit(X, y)
    value = model.decision_function(X)
    again = clone(model).fit(moved, y).decision_function(moved)
    np.testing.assert_allclose(again, value, atol=1e-6)
    np.testing.assert_allclose(clone(model).fit(X, 1 - y).decision_function(X), -value, atol=1e-6)
    order = np.random.default_rng(0).permutation(len(X))
    other = clone(model).fit(X[order], y[order]).decision_function(X)
    np.testing.assert_allclose(other, value, atol=1e-6)
    weights = np.arange(len(X)) % 3
    twice = np.repeat(X, weights, axis=0), np.repeat(y, weights)
    np.testing.assert_allclose(
        clone(model).fit(X, y, weights).decision_function(X),
        clone(model).fit(*twice).decision_function(X),
        atol=1e-6,
    )


def test_curvatures_and_charts_are_units_and_writings():
    space = ProductSpace("H2 S2 E2")
    X, y = two_clouds(space)
    value = ProductKernelSVC(space, **TIGHT).fit(X, y).decision_function(X)
    curved = ProductSpace("H2 S2 E2", curvatures=[-4.0, 0.25, 0])
    H, S, E = space.split(X)
    rows = np.hstack([H / 2, 2 * S, 100 * E])
    model = ProductKernelSVC(curved, **TIGHT).fit(rows, y)
    np.testing.assert_allclose(model.decision_function(rows), value, atol=1e-6)
    charts = ["klein", "tangent", "euclidean"]
    written = curved.convert(rows, charts)
    model = ProductKernelSVC(curved.in_charts(charts), **TIGHT).fit(written, y)
    np.testing.assert_allclose(model.decision_function(written), value, atol=1e-6)
    gram = model.kernel_(model.support_points_)
    w = model.dual_coef_[0]
    assert 0.5 * w @ gram @ w <= model.objective_


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_are_those_of_differences(kind):
    space = SPACES[0]
    X, _ = two_clouds(space, 12)
    for scale in (1.5, [1.5, 0.3, 2.0]):
        kernel = ProductKernel(space, kind, scale, mean_psi=[2.0, 1.0, 0.5])
        k, gradient = kernel(X, eval_gradient=True)
        np.testing.assert_array_equal(k, kernel(X))
        assert gradient.shape == (12, 12, np.size(scale))
        for f in range(np.size(scale)):
            step = 1e-6 * np.eye(np.size(scale))[f]
            ends = [kernel.clone_with_theta(kernel.theta + s)(X) for s in (step, -step)]
            np.testing.assert_allclose(gradient[:, :, f], (ends[0] - ends[1]) / 2e-6, atol=1e-8)
    assert kernel.hyperparameter_scale == Hyperparameter("scale", "numeric", (1e-3, 1e3), 3)
    fixed = ProductKernel(space, kind, scale, "fixed")
    assert fixed(X, eval_gradient=True)[1].shape == (12, 12, 0)
    assert clone(kernel) == kernel


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # scales at bounds
def test_estimators_of_scikit_learn_take_the_kernel():
    space = SPACES[0]
    X, y = two_clouds(space)
    kernel = ProductKernel(space, scale=[2.0, 2.0, 2.0]).with_mean_of(X)
    np.testing.assert_array_equal(
        SVC(kernel=kernel).fit(X, y).predict(X),
        SVC(kernel="precomputed").fit(kernel(X), y).predict(kernel(X)),
    )
    ridge = KernelRidge(kernel=kernel, alpha=0.1).fit(X, y)
    alpha = np.linalg.solve(kernel(X) + 0.1 * np.eye(len(X)), y)
    np.testing.assert_allclose(ridge.predict(X), kernel(X) @ alpha)
    features = Nystroem(kernel, n_components=len(X)).fit_transform(X)
    np.testing.assert_allclose(features @ features.T, kernel(X), atol=1e-6)
    model = GaussianProcessClassifier(ConstantKernel() * kernel).fit(X, y)
    assert model.score(X, y) > 0.8
    assert model.kernel_.k2.scale.shape == (3,)
    # Numbers that depend on the flat column alone: its scale is the largest.
    numbers = np.sin(3 * X[:, -1])
    model = GaussianProcessRegressor(kernel + WhiteKernel(1e-3)).fit(X, numbers)
    assert model.kernel_.k1.scale.argmax() == 2
    start = GaussianProcessRegressor(kernel + WhiteKernel(1e-3), optimizer=None).fit(X, numbers)
    assert model.log_marginal_likelihood_value_ > start.log_marginal_likelihood_value_ + 10


def test_near_rows_keep_their_digits():
    angles = np.array([0.0, 1e-9, 3e-9, np.pi, np.pi - 1e-9])
    X = np.column_stack([np.cos(angles), np.sin(angles)])
    for kind, expected in (("cosh", 0.5e-18), ("laplace", 1e-9)):
        near = -np.log(ProductKernel("S1", kind, 1e-3 / expected)(X[:2]))[0, 1]
        assert near == pytest.approx(1e-3, rel=1e-9)
    far = -np.log(ProductKernel("S1", "laplace")(X))[0, 3:]
    assert far[0] - far[1] == pytest.approx(1e-9, rel=1e-6)


@each_of(
    "given, message",
    [
        ({"scale": [1.0, 2.0]}, "scale has 2 numbers for 3 factors, H2, S2, E1"),
        ({"scale": [1.0, -2.0, 1.0]}, r"scale is .*-2.*give finite numbers above 0"),
        ({"kernel": "rbf"}, "'kernel' parameter"),
        ({"space": "H2 S2"}, "7 coordinates, but H2 S2 .* 6"),
        ({"space": "S2 H2 E1"}, "factor S2: row 0 is not on the sphere"),
        ({"space": "Q2"}, "'Q2' in the signature"),
    ],
)
def test_bad_settings_are_refused_in_one_line(given, message):
    X, y = two_clouds(SPACES[0])
    with pytest.raises(ValueError, match=message) as caught:
        ProductKernelSVC(**{"space": SPACES[0]} | given).fit(X, y)
    assert "\n" not in str(caught.value)


def test_nan_is_refused_with_its_place():
    X, y = two_clouds(SPACES[0])
    X[3, 6] = np.nan
    with pytest.raises(InputError, match="row 3, column 6 is NaN"):
        ProductKernelSVC(SPACES[0]).fit(X, y)
    with pytest.raises(InputError, match="factor E1: row 3, column 6 is nan"):
        ProductKernel(SPACES[0])(X)
    with pytest.raises(InputError, match="mean_psi is 0"):
        ProductKernel(SPACES[0], mean_psi=0)(X[:2])
