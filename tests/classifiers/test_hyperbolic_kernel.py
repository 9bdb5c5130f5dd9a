"""The kernel object alone, in scikit-learn's estimators, and in the classes that share it."""

import numpy as np
import pytest
from cases import each_of
from kernel_clouds import isometry, three_clouds
from sklearn.base import clone
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import ConstantKernel, Hyperparameter, Kernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVC
from threadpoolctl import threadpool_info, threadpool_limits

from noneuclid import (
    GeodesicKNeighborsRegressor,
    HyperbolicDecisionTreeRegressor,
    HyperbolicGaussianProcessClassifier,
    HyperbolicKernel,
    HyperbolicKernelRidge,
    HyperbolicKernelSVC,
    HyperbolicNystroem,
    HyperbolicNystroemClassifier,
)
from noneuclid.classifiers import hyperbolic_gaussian_process
from noneuclid.classifiers.validation import to_hyperboloid
from noneuclid.errors import InputError
from noneuclid.geometry import charts, lorentz
from noneuclid.geometry.distance_kernels import KINDS, psi

X, Y = three_clouds()
USERS = (
    HyperbolicGaussianProcessClassifier,
    HyperbolicKernelRidge,
    HyperbolicKernelSVC,
    HyperbolicNystroem,
    HyperbolicNystroemClassifier,
)


def plain_psi(points, kind):
    d = lorentz.pairwise_distances(points)
    return np.log(np.cosh(d)) if kind == "cosh" else d


@pytest.mark.parametrize("kind", KINDS)
def test_values_mean_and_charts(kind):
    psi = plain_psi(X, kind)
    weights = np.arange(1.0, len(X) + 1)
    kernel = HyperbolicKernel(kind, 1.7, chart="hyperboloid").with_mean_of(X)
    assert kernel.mean_psi == pytest.approx(psi.mean())
    weighted = kernel.with_mean_of(X, weights).mean_psi
    assert weighted == pytest.approx(np.average(psi, weights=np.outer(weights, weights)))
    np.testing.assert_allclose(kernel(X), np.exp(-1.7 * psi / psi.mean()), rtol=1e-12)
    np.testing.assert_allclose(kernel(X[:5], X), kernel(X)[:5], rtol=1e-12)
    np.testing.assert_array_equal(kernel.diag(X), 1.0)
    for chart in charts.CHARTS:
        written = charts.convert(X / 2.0, "hyperboloid", chart, 4.0)
        other = HyperbolicKernel(kind, 1.7, chart=chart, curvature=4.0).with_mean_of(written)
        np.testing.assert_allclose(other(written), kernel(X), rtol=1e-9)


def test_the_mean_of_many_rows_is_that_of_a_fixed_sample_and_one_where_all_coincide():
    many = np.random.default_rng(0).normal(size=(1200, 2))
    means = [HyperbolicKernel().with_mean_of(many).mean_psi for _ in range(2)]
    everything = plain_psi(charts.convert(many, "tangent", "hyperboloid"), "cosh").mean()
    assert means[0] == means[1] == pytest.approx(everything, rel=0.03)
    assert means[0] != everything
    assert HyperbolicKernel().with_mean_of(np.zeros((3, 2))).mean_psi == 1.0


@pytest.mark.parametrize("kind", KINDS)
def test_isometries_change_nothing(kind):
    kernel = HyperbolicKernel(kind, chart="hyperboloid")
    for distance in (1.5, 3.0):
        moved = X @ isometry(distance).T
        assert kernel.with_mean_of(moved).mean_psi == pytest.approx(
            kernel.with_mean_of(X).mean_psi, rel=1e-11
        )
        np.testing.assert_allclose(kernel(moved), kernel(X), rtol=0, atol=1e-11)


def test_it_is_a_kernel_of_scikit_learn():
    kernel = HyperbolicKernel("laplace", 2.0, mean_psi=3.0, chart="hyperboloid")
    assert clone(kernel) == kernel
    assert clone(kernel) is not kernel
    assert kernel.hyperparameter_scale == Hyperparameter("scale", "numeric", (1e-3, 1e3))
    assert not kernel.is_stationary()
    np.testing.assert_allclose(np.exp(kernel.theta), [2.0])
    step = 1e-6
    k, gradient = kernel(X, eval_gradient=True)
    ends = [kernel.clone_with_theta(kernel.theta + s)(X) for s in (step, -step)]
    np.testing.assert_allclose(gradient[:, :, 0], (ends[0] - ends[1]) / (2 * step), atol=1e-8)
    np.testing.assert_array_equal(k, kernel(X))
    fixed = HyperbolicKernel(scale_bounds="fixed", chart="hyperboloid")
    assert fixed(X, eval_gradient=True)[1].shape == (len(X), len(X), 0)
    assert repr(ConstantKernel(4.0) * kernel) == (
        "2**2 * HyperbolicKernel(kind='laplace', scale=2)"
    )
    model = SVC(kernel=kernel, tol=1e-10).fit(X, Y)
    same = SVC(kernel="precomputed", tol=1e-10).fit(kernel(X), Y)
    np.testing.assert_allclose(model.decision_function(X), same.decision_function(kernel(X)))


def test_the_gradient_is_finite_where_the_kernel_underflows():
    far = lorentz.from_spatial(np.array([[0.0], [np.sinh(30.0)]]))
    kernel = HyperbolicKernel("laplace", 1e3, chart="hyperboloid")
    k, gradient = kernel(far, eval_gradient=True)
    assert k[0, 1] == 0.0
    np.testing.assert_array_equal(gradient, 0.0)


@each_of("kind", ["gaussian", "rbf", "exp(-d^2)", "exp(-d^1.5)", "half_cosh", "heat", None])
def test_kernels_that_are_not_positive_definite_are_refused_in_one_line(kind):
    with pytest.raises(InputError, match=r"give 'cosh' or 'laplace'.*not positive def") as caught:
        HyperbolicKernel(kind)(X[:, 1:])
    assert "\n" not in str(caught.value)
    for user in USERS:
        with pytest.raises(ValueError, match=r"'kernel' parameter.*'(cosh|laplace)'") as caught:
            user(kernel=kind).fit(X[:, 1:], Y)
        assert "\n" not in str(caught.value)


@each_of(
    ("settings", "message"),
    [
        ({"scale": 0.0}, "scale is 0.0; give"),
        ({"scale": "a"}, "scale is 'a'; give a finite number above 0"),
        ({"scale": None}, "scale is None; give"),
        ({"mean_psi": np.nan}, "mean_psi is nan; give"),
        ({"curvature": "q"}, "curvature is q; give K > 0"),
        ({"chart": "poincare"}, "row 0 lies outside the Poincaré ball"),
    ],
)
def test_bad_settings_are_one_line(settings, message):
    with pytest.raises(InputError, match=message):
        HyperbolicKernel(**settings)(10.0 + X[:, 1:])
    with pytest.raises(InputError, match="X has dimension 2, Y 1; give equal dimensions"):
        HyperbolicKernel(chart="tangent")(X[:, 1:3], X[:, 1:2])
    with pytest.raises(InputError, match="give no Y with"):
        HyperbolicKernel()(X, X, eval_gradient=True)


@pytest.mark.parametrize(("few", "threads"), [(1000, 1), (1, 2)])
def test_short_calls_of_blas_have_one_thread(monkeypatch, few, threads):
    seen = set()

    def optimizer(objective, start, bounds):
        seen.update(pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas")
        return start, objective(start, eval_gradient=False)

    monkeypatch.setattr(hyperbolic_gaussian_process, "_FEW", few)
    with threadpool_limits(2, "blas"):
        HyperbolicGaussianProcessClassifier(optimizer=optimizer).fit(X[:, 1:], Y > 0)
    assert max(seen) == threads


@each_of("labels", [list("ab"), np.array(["a", "b"], object), ["1", "b"]])
@each_of(
    "model",
    [HyperbolicKernelRidge(), GeodesicKNeighborsRegressor(), HyperbolicDecisionTreeRegressor()],
)
def test_a_regressor_takes_no_labels(model, labels):
    message = rf"y holds the text '[a1]', but {type(model).__name__} is a regressor and predicts"
    with pytest.raises(InputError, match=message):
        model.fit([[0.0, 0.0], [1.0, 0.0]], labels)


class Table(Kernel):
    """σ²-free kernel of row numbers: exp(-scale ψ / mean), an independent implementation."""

    def __init__(self, psi, scale):
        self.psi, self.scale = psi, scale

    @property
    def hyperparameter_scale(self):
        return Hyperparameter("scale", "numeric", (1e-3, 1e3))

    def __call__(self, X, Y=None, eval_gradient=False):
        rows, columns = (np.asarray(a).astype(int).ravel() for a in (X, X if Y is None else Y))
        k = np.exp(-self.scale * self.psi[np.ix_(rows, columns)])
        return (k, (k * np.log(k))[:, :, None]) if eval_gradient else k

    def diag(self, X):
        return np.ones(len(X))

    def is_stationary(self):
        return False


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("classes", [2, 3])
def test_gaussian_process_is_that_of_scikit_learn(kind, classes):
    rows = np.flatnonzero(classes > Y)
    psi = plain_psi(X[rows], kind)
    numbers = np.arange(len(rows))[:, None]
    model = HyperbolicGaussianProcessClassifier(kernel=kind, chart="hyperboloid")
    model.fit(X[rows], np.array(["a", "b", "c"])[Y[rows]])
    table = ConstantKernel() * Table(psi / psi.mean(), 2.0)
    expected = GaussianProcessClassifier(table).fit(numbers, Y[rows])
    np.testing.assert_allclose(
        model.predict_proba(X[rows]), expected.predict_proba(numbers), atol=1e-6
    )
    np.testing.assert_allclose(model.kernel_.theta, expected.kernel_.theta, atol=1e-4)
    assert model.log_marginal_likelihood_ == pytest.approx(expected.log_marginal_likelihood())
    assert model.predict(X[rows])[0] in ("a", "b", "c")
    pairs = HyperbolicGaussianProcessClassifier(
        chart="hyperboloid", multi_class="ovo", optimizer=None
    ).fit(X[rows], Y[rows])
    assert hasattr(pairs, "predict_proba") == (classes == 2)
    assert np.mean(pairs.predict(X[rows]) == Y[rows]) > 0.7


@pytest.mark.parametrize("kind", KINDS)
def test_ridge_is_that_of_scikit_learn(kind):
    psi = plain_psi(X, kind)
    target = np.column_stack([X[:, 1], np.cos(X[:, 2])])
    gram = np.exp(-0.5 * psi / psi.mean())
    model = HyperbolicKernelRidge(alpha=0.1, kernel=kind, scale=0.5, chart="hyperboloid")
    for y in (target, target[:, 0]):
        expected = KernelRidge(alpha=0.1, kernel="precomputed").fit(gram, y)
        np.testing.assert_allclose(model.fit(X, y).predict(X), expected.predict(gram), rtol=1e-9)
    moved = X @ isometry(1.5).T
    np.testing.assert_allclose(
        clone(model).fit(moved, target).predict(moved), model.fit(X, target).predict(X), atol=1e-9
    )
    counts = np.arange(len(X)) % 3
    weighted = clone(model).fit(X, target, counts)
    repeated = clone(model).fit(X.repeat(counts, axis=0), target.repeat(counts, axis=0))
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), rtol=0, atol=1e-9)
    with pytest.raises(InputError, match="zero for all rows"):
        model.fit(X, target, np.zeros(len(X)))
    with pytest.raises(InputError, match="sample_weight of row 3 is -1"):
        model.fit(X, target, np.where(np.arange(len(X)) == 3, -1.0, 1.0))


def test_rows_of_weight_0_do_not_set_the_unit():
    rng = np.random.default_rng(0)
    X, weights = rng.normal(size=(3000, 2)), np.zeros(3000)
    chosen = rng.permutation(3000)[:30]
    weights[chosen] = 1.0
    kept = np.sort(chosen)
    found = HyperbolicKernel().with_mean_of(X, weights).mean_psi
    assert found == HyperbolicKernel().with_mean_of(X[kept], weights[kept]).mean_psi


def test_the_sample_for_the_mean_follows_the_weights():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(3000, 2))
    points[:3] += 4.0
    weights = np.ones(3000)
    weights[:3] = 997.0  # half of the total
    kernel = HyperbolicKernel(chart="tangent")
    with pytest.raises(InputError, match="sample_weight of row 1 is nan"):
        kernel.with_mean_of(points[:2], [1.0, np.nan])
    whole = psi(to_hyperboloid(points, "tangent", 1.0), kind="cosh")
    expected = weights @ whole @ weights / weights.sum() ** 2
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(3000)
        found = kernel.with_mean_of(points[order], weights[order]).mean_psi
        assert found == pytest.approx(expected, rel=0.03)


@each_of("size", [1e-155, 1e-160, 1e-165, 1e-200])
@each_of("kind", ["cosh", "laplace"])
def test_rows_whose_distances_underflow_are_refused(kind, size):
    X = size * np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [1.0, 1.0]])
    with pytest.raises(InputError, match=r"so near to each other .* multiply all coordinates"):
        HyperbolicKernelSVC(kernel=kind, chart="tangent").fit(X, [0, 0, 1, 1])
    model = HyperbolicKernelSVC(kernel=kind, chart="tangent").fit(1e150 * X, [0, 0, 1, 1])
    assert np.isfinite(model.decision_function(1e150 * X)).all()
