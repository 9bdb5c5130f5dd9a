import numpy as np
import pytest

from noneuclid import PoincarePerceptron, compiled
from noneuclid.classifiers import reference_rules
from noneuclid.geometry import lorentz, poincare
from noneuclid.geometry.charts import convert
from noneuclid.solvers.perceptrons import mistake_driven


def mobius_log(p, x):
    """log_p(x) in the unit ball, written out as in pan2023 section III, one point."""
    a = -p
    dot, aa, xx = a @ x, a @ a, x @ x
    u = ((1 + 2 * dot + xx) * a + (1 - aa) * x) / (1 + 2 * dot + aa * xx)
    sigma = 2 / (1 - p @ p)
    length = np.linalg.norm(u)
    return sigma, 2 / sigma * np.arctanh(length) * u / length


def eta(sigma, v):
    """Eq. 13."""
    th = np.tanh(sigma * np.linalg.norm(v) / 2)
    return 2 * th / ((1 - th**2) * np.linalg.norm(v))


def ball_points(seed, n, d, R=0.9):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return R * rng.random(n)[:, None] ** (1 / d) * X / np.linalg.norm(X, axis=1, keepdims=True)


@pytest.mark.parametrize("d", [1, 2, 5])
def test_boosted_coordinates_are_eta_times_log(d):
    X, p = ball_points(0, 40, d), ball_points(1, 1, d)[0]
    expected = []
    for x in X:
        sigma, v = mobius_log(p, x)
        expected.append(eta(sigma, v) * v)
    points = convert(X, "poincare", "hyperboloid")
    point = convert(p, "poincare", "hyperboloid")
    np.testing.assert_allclose(
        reference_rules.seen_from(points, point), expected, rtol=1e-9, atol=1e-12
    )
    w = np.arange(1.0, d + 1)
    normal = reference_rules.to_normal(w, point)
    scores = lorentz.product(points, normal)
    np.testing.assert_allclose(scores, np.array(expected) @ w, rtol=1e-9, atol=1e-10)
    lengths = poincare.hyperplane_distance(X, p, w)
    np.testing.assert_allclose(lorentz.hyperplane_distance(points, normal), lengths, rtol=1e-7)


def algorithm_1(X, y, p, epochs):
    """Algorithm 1 of pan2023, point by point, passes repeated."""
    w, updates = np.zeros(X.shape[1]), 0
    for _ in range(epochs):
        mistakes = 0
        for x, label in zip(X, y, strict=True):
            sigma, v = mobius_log(p, x)
            if label * (w @ v) <= 0:
                w = w + eta(sigma, v) * label * v
                mistakes += 1
        updates += mistakes
        if not mistakes:
            break
    return w, updates


def separable(seed, margin, n=120, d=2):
    """Points at least `margin` away from a random hyperplane through a random point."""
    rng = np.random.default_rng(seed)
    X, p, w = ball_points(seed, 4 * n, d), ball_points(seed + 99, 1, d, 0.5)[0], rng.normal(size=d)
    distance = poincare.hyperplane_distance(X, p, w)
    kept = np.flatnonzero(np.abs(distance) >= margin)[:n]
    return X[kept], np.sign(distance[kept]), p


@pytest.mark.parametrize("seed", range(5))
def test_equals_algorithm_1_and_keeps_its_bound(seed):
    margin = 0.1
    X, y, p = separable(seed, margin)
    w, updates = algorithm_1(X, y, p, 1000)
    model = PoincarePerceptron(
        reference_point=p, chart="poincare", shuffle=False, max_iter=1000
    ).fit(X, y)
    assert model.status_ == "separated"
    assert model.score(X, y) == 1.0
    assert model.n_updates_[0] == updates > 0
    point = convert(p, "poincare", "hyperboloid")
    np.testing.assert_allclose(
        model.coef_[0], reference_rules.to_normal(w, point), rtol=1e-8, atol=1e-8
    )
    R, size = np.linalg.norm(X, axis=1).max(), np.linalg.norm(p)
    R_p = (size + R) / (1 + size * R)
    bound = (2 * R_p / ((1 - R_p**2) * np.sinh(margin))) ** 2  # theorem IV.1
    for shuffled in range(3):
        model.set_params(shuffle=True, random_state=shuffled).fit(X, y)
        assert model.status_ == "separated"
        assert model.n_updates_[0] <= bound


def test_decisions_move_with_points_and_reference():
    X, y, p = separable(3, 0.05)
    points, point = (convert(a, "poincare", "hyperboloid") for a in (X, p))
    boost = lorentz.boost(convert(np.array([0.4, -0.5]), "poincare", "hyperboloid"))
    settings = {"chart": "hyperboloid", "shuffle": False, "max_iter": 5}
    plain = PoincarePerceptron(reference_point=point, **settings)
    moved = PoincarePerceptron(reference_point=boost @ point, **settings)
    expected = plain.fit(points, y).decision_function(points)
    found = moved.fit(points @ boost, y).decision_function(points @ boost)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


def test_average_is_the_mean_of_all_steps():
    rng = np.random.default_rng(0)
    Z, y = rng.normal(size=(30, 2)), np.where(rng.random(30) < 0.5, 1.0, -1.0)
    w, steps = np.zeros(2), []
    for _ in range(4):
        for z, label in zip(Z, y, strict=True):
            if label * (w @ z) <= 0:
                w = w + label * z
            steps.append(w)
    last = mistake_driven.run(Z, y, max_iter=4, average=False)
    mean = mistake_driven.run(Z, y, max_iter=4, average=True)
    np.testing.assert_allclose(last.w, w, atol=1e-12)
    np.testing.assert_allclose(mean.w, np.mean(steps, axis=0), atol=1e-12)
    assert last.mistakes == np.count_nonzero(y * (Z @ w) <= 0) > 0


def test_limit_on_updates_stops_within_a_pass():
    Z, y = np.eye(4), np.ones(4)
    done = mistake_driven.run(Z, y, max_updates=2, average=False)
    assert (done.n_updates, done.n_epochs, done.mistakes) == (2, 1, 2)


def test_without_a_writable_cache_kernels_compile_in_memory(monkeypatch):
    def njit(cache=False, **options):
        return refuse if cache else lambda function: function

    def refuse(function):
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(compiled.numba, "njit", njit)
    assert compiled.compile_cached(abs)(-2) == 2
