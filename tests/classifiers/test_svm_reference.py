import numpy as np
import pytest
from cases import each_of
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning

from noneuclid import PoincareSVC
from noneuclid.classifiers import reference_rules
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import convert
from noneuclid.solvers.hyperboloid.descent import projected_gradient as pgd
from noneuclid.solvers.hyperboloid.descent.warm_start import warm_start
from noneuclid.solvers.hyperboloid.problem import objective as svm_objective
from noneuclid.solvers.linear import liblinear
from noneuclid.solvers.linear.liblinear import linear_svm
from noneuclid_papers.programs import cho2019, yang2024, yang2024_solvers

LOSSES = ["arcsinh", "hinge"]


def two_clouds(seed, n=60, spread=0.5, d=2):
    rng = np.random.default_rng(seed)
    signs = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    tangent = spread * rng.normal(size=(n, d))
    tangent[:, 0] += 0.8 * signs
    return convert(tangent, "tangent", "hyperboloid"), signs


def obvious_objective(w, points, signs, C, loss):
    """Eq. 19 of cho2019, or (7) of yang2024, in our signs, point by point."""
    total = 0.5 * (w[1:] @ w[1:] - w[0] ** 2)
    for x, y in zip(points, signs, strict=True):
        margin = y * (w[1:] @ x[1:] - w[0] * x[0])
        hinge = (1 - margin) / np.sqrt(2)
        gap = np.arcsinh(1) - np.arcsinh(margin) if loss == "arcsinh" else hinge
        total += C * max(0.0, gap)
    return total


def obvious_descent(points, signs, start, C, loss, rate, steps):
    """Subgradient steps as written in cho2019, projection and best iterate."""
    flip = np.r_[-1.0, np.ones(points.shape[1] - 1)]
    w, path = start, [start]
    for _ in range(steps):
        gradient = flip * w
        for x, y in zip(points, signs, strict=True):
            margin = y * ((flip * w) @ x)
            if margin < 1:
                scale = 1 / np.sqrt(1 + margin**2 if loss == "arcsinh" else 2.0)
                gradient = gradient - C * scale * y * flip * x
        w = pgd.project(w - rate * gradient)
        path.append(w)
    values = [obvious_objective(v, points, signs, C, loss) for v in path]
    return path[int(np.argmin(values))], min(values)


@pytest.mark.parametrize("loss", LOSSES)
def test_descent_equals_the_obvious_one(loss):
    points, signs = two_clouds(0)
    start = warm_start(points, signs, 1.0)
    w, value = obvious_descent(points, signs, start, 1.0, loss, 1e-3, 60)
    fit = pgd.descend(points, signs, start, 1.0, loss, learning_rate=1e-3, max_iter=60)
    np.testing.assert_allclose(fit.w, w, rtol=1e-8, atol=1e-9)
    assert fit.objective == pytest.approx(value, rel=1e-10)
    assert value < obvious_objective(start, points, signs, 1.0, loss)
    assert svm_objective(fit.w, points, signs, 1.0, loss) == pytest.approx(value, rel=1e-10)


def brute_force(points, signs, C, loss, seed):
    """Best of many Nelder-Mead runs over spacelike w."""
    rng = np.random.default_rng(seed)

    def objective(w):
        if w[1:] @ w[1:] <= w[0] ** 2:
            return np.inf
        return svm_objective(w, points, signs, C, loss)

    options = {"maxiter": 4000, "maxfev": 8000, "xatol": 1e-9, "fatol": 1e-11}
    best = np.inf
    for _ in range(15):
        start = pgd.project(rng.normal(size=3))
        best = min(best, minimize(objective, start, method="Nelder-Mead", options=options).fun)
    return best


@each_of("seed", range(3))
@each_of("loss", LOSSES)
def test_descent_comes_near_the_optimum_from_above(seed, loss):
    points, signs = two_clouds(seed)
    optimum = brute_force(points, signs, 1.0, loss, seed)
    start = warm_start(points, signs, 1.0)
    fit = pgd.descend(points, signs, start, 1.0, loss, max_iter=5000)
    assert optimum * (1 - 1e-6) <= fit.objective <= optimum * 1.005
    assert lorentz.product(fit.w, fit.w) > 0


def test_warm_start_scores_as_the_euclidean_svm():
    points, signs = two_clouds(1)
    euclidean = linear_svm(points, signs, C=1.0).w
    start = warm_start(points, signs, 1.0)
    assert lorentz.product(start, start) > 0  # else it would have been projected
    np.testing.assert_allclose(lorentz.product(points, start), points @ euclidean)


@pytest.mark.parametrize("loss", LOSSES)
def test_objective_is_invariant_under_isometries(loss):
    points, signs = two_clouds(2, d=4)
    rng = np.random.default_rng(0)
    boost = lorentz.boost(lorentz.from_spatial(rng.normal(size=4)))
    for _ in range(5):
        w = rng.normal(size=5)
        before = svm_objective(w, points, signs, 2.0, loss)
        after = svm_objective(boost @ w, points @ boost, signs, 2.0, loss)
        assert after == pytest.approx(before, rel=1e-9)


@pytest.mark.parametrize("time_part", [5.0, -5.0])
def test_projection_is_the_nearest_feasible_vector(time_part):
    w = np.array([time_part, 1.0, -2.0])
    near = pgd.project(w)
    assert np.sign(near[0]) == np.sign(time_part)
    assert near[1:] @ near[1:] > near[0] ** 2
    rng = np.random.default_rng(0)
    others = near + 0.3 * rng.normal(size=(20_000, 3))
    feasible = others[(others[:, 1:] ** 2).sum(axis=1) > others[:, 0] ** 2]
    assert np.linalg.norm(feasible - w, axis=1).min() > np.linalg.norm(near - w) - 1e-8
    inside = np.array([0.5, 1.0, 0.0])
    np.testing.assert_array_equal(pgd.project(inside), inside)
    assert lorentz.product(*[pgd.project(np.zeros(3))] * 2) > 0


def test_infeasible_start_is_projected_and_trained():
    points, signs = two_clouds(3)
    fit = pgd.descend(points, signs, np.array([3.0, 0.5, 0.0]), 1.0, max_iter=5000)
    good = pgd.descend(points, signs, warm_start(points, signs, 1.0), 1.0, max_iter=5000)
    assert fit.objective == pytest.approx(good.objective, rel=0.01)


def test_too_long_steps_are_cut():
    points, signs = two_clouds(4)
    start = warm_start(points, signs, 1.0)
    fit = pgd.descend(points, signs, start, 1.0, learning_rate=10.0, max_iter=3000)
    assert fit.n_iter > 3000
    plain = pgd.descend(points, signs, start, 1.0, max_iter=3000)
    assert fit.objective == pytest.approx(plain.objective, rel=0.02)


def test_status_tells_falling_from_converged():
    points, signs = two_clouds(5)
    start = np.array([0.0, 0.01, 0.01])
    slow = pgd.descend(points, signs, start, 1.0, learning_rate=1e-6, max_iter=200)
    assert slow.status == "still falling"
    assert slow.extras["fall"] > 1e-3
    assert "raise max_iter" in slow.warning
    done = pgd.descend(points, signs, start, 1.0, max_iter=5000)
    assert (done.status, done.warning) == ("converged", "")
    again = pgd.descend(points, signs, done.w, 1.0, learning_rate=1.0, max_iter=1)
    assert (again.status, again.objective) == ("start kept", pytest.approx(done.objective))
    assert "lower learning_rate" in again.warning


def test_overflow_is_an_error():
    points, signs = lorentz.from_spatial([[1e200, 0.0], [-1e200, 0.0]]), np.array([1.0, -1.0])
    with pytest.raises(InputError, match="overflows at the start"):
        pgd.descend(points, signs, np.array([0.0, -1e200, 0.0]), 1.0, loss="hinge")


def test_far_margins_do_not_spoil_the_product_of_logarithms():
    points, signs = two_clouds(7, n=3000, spread=3.0)
    start = np.array([0.0, -5.0, 0.3])
    fit = pgd.descend(points, signs, start, 1.0, max_iter=1)
    values = [svm_objective(w, points, signs, 1.0, "arcsinh") for w in (start, fit.w)]
    assert fit.objective == pytest.approx(values[1], rel=1e-12)
    assert values[0] > 1000.0


def test_hinge_start_is_the_soft_margin_svm():
    points, signs = two_clouds(8, n=200)
    w = warm_start(points, signs, 5.0, "hinge") * [-1.0, 1.0, 1.0]

    def value(v):
        return 0.5 * v @ v + 5.0 * np.maximum(0, 1 - signs * (points @ v)).sum()

    rng = np.random.default_rng(0)
    for size in (1e-3, 1e-2, 0.1):
        assert all(value(w + size * rng.normal(size=3)) > value(w) for _ in range(50))


def test_variants_differ_as_published():
    points, signs = two_clouds(9)
    cho = pgd.solve(points, signs, 1.0, max_iter=500)
    start = warm_start(points, signs, 1.0)
    np.testing.assert_array_equal(cho.w, pgd.descend(points, signs, start, 1.0, max_iter=500).w)
    yang = yang2024_solvers.published_pgd(points, signs, 1.0, loss="hinge")
    start = warm_start(points, signs, 1.0, "hinge")
    steps = {"loss": "hinge", "max_iter": 4000, "cuts": 0}
    np.testing.assert_array_equal(yang.w, pgd.descend(points, signs, start, 1.0, **steps).w)
    assert (pgd.solve(points, signs, 1.0, max_iter=None).n_iter, yang.n_iter) == (2000, 4000)
    # Steps too long are cut in one variant and kept in the other.
    assert pgd.solve(points, signs, 1.0, learning_rate=0.5).n_iter > 2000
    assert yang2024_solvers.published_pgd(points, signs, 1.0, learning_rate=0.5).n_iter == 4000


def test_released_start_of_yang_has_heavy_negatives_and_the_wrong_spatial_sign():
    points, signs = two_clouds(10)
    released = yang2024_solvers.released_start(points, signs, 1.0)
    heavy = np.where(signs > 0, 1.0, 3.0)[:, None] * points
    w = warm_start(heavy, signs, 1.0, "hinge")
    np.testing.assert_allclose(released, w * [1.0, -1.0, -1.0], rtol=1e-6, atol=1e-8)
    fit = yang2024_solvers.released_pgd(points, signs, 1.0, max_iter=50)
    steps = {"max_iter": 50, "cuts": 0}
    np.testing.assert_array_equal(fit.w, pgd.descend(points, signs, released, 1.0, **steps).w)
    right = yang2024_solvers.published_pgd(points, signs, 1.0, max_iter=50)
    assert np.abs(right.w - fit.w).max() > 0.1


@pytest.mark.parametrize("loss", LOSSES)
def test_estimators_of_yang_start_as_they_say(loss):
    points, signs = two_clouds(10)
    for estimator, solve in (
        (yang2024.PublishedPGD, yang2024_solvers.published_pgd),
        (yang2024.ReleasedPGD, yang2024_solvers.released_pgd),
    ):
        settings = {"loss": loss, "max_iter": 50, "learning_rate": 2e-3, "tol": 0.1}
        found = estimator(C=2.0, **settings)._fit_binary(points, signs, 0, None)
        fit = solve(points, signs, 2.0, **settings)
        np.testing.assert_array_equal(found.coef, fit.w)
        assert (found.objective, found.status) == (fit.objective, fit.status)


def test_released_program_of_cho_leaves_an_infeasible_start_alone():
    rng = np.random.default_rng(0)
    points = lorentz.from_spatial(0.3 * rng.normal(size=(60, 2)))
    signs = np.where(np.arange(60) < 6, 1.0, -1.0)  # few positives: nearly all on one side
    start = warm_start(points, signs, 1.0)
    assert lorentz.product(start, start) < 0
    released = cho2019.released_pgd(points, signs, 1.0)
    np.testing.assert_array_equal(released.w, start)
    assert (released.status, released.n_iter) == ("start kept", 0)
    assert "unchanged" in released.warning
    trained = pgd.solve(points, signs, 1.0)
    assert lorentz.product(trained.w, trained.w) > 0
    assert trained.n_iter >= 2000


def test_classes_with_and_without_a_feasible_start_are_one_fit():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(c, 0.3, size=(k, 2)) for c, k in ((-1, 40), (0, 6), (1, 40))])
    y = np.repeat([0, 1, 2], [40, 6, 40])
    model = cho2019.ReleasedPGD()
    with pytest.warns(ConvergenceWarning, match="unchanged"):
        model.fit(X, y)
    assert set(model.n_iter_ == 0) == {True, False}
    assert model.fall_[model.n_iter_ == 0].tolist() == [0.0] * np.sum(model.n_iter_ == 0)


def literal_log(points, p):
    """log_p in the coordinates of the unit ball (pan2023), from hyperboloid points."""
    ball, q = convert(points, "hyperboloid", "poincare"), convert(p, "hyperboloid", "poincare")
    vectors = []
    for x in ball:
        dot = -q @ x
        u = (-(1 + 2 * dot + x @ x) * q + (1 - q @ q) * x) / (1 + 2 * dot + (q @ q) * (x @ x))
        vectors.append((1 - q @ q) * np.arctanh(np.linalg.norm(u)) * u / np.linalg.norm(u))
    return np.array(vectors)


def quadratic_programme(V, signs, C, loss):
    """Soft-margin primal (31) without bias: one dual multiplier at a time, until nothing moves."""
    rows, multipliers = V * signs[:, None], np.zeros(len(V))
    ceiling, ridge = (np.inf, 0.5 / C) if loss == "squared_hinge" else (C, 0.0)
    w, largest_step = np.zeros(V.shape[1]), np.inf
    while largest_step > 1e-13:
        largest_step = 0.0
        for i, row in enumerate(rows):
            slope = 1 - row @ w - ridge * multipliers[i]
            new = np.clip(multipliers[i] + slope / (row @ row + ridge), 0, ceiling)
            w += (new - multipliers[i]) * row
            largest_step = max(largest_step, abs(new - multipliers[i]))
            multipliers[i] = new
    slack = np.maximum(0, 1 - rows @ w)
    penalty = slack @ slack if loss == "squared_hinge" else slack.sum()
    return w, 0.5 * w @ w + C * penalty


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("margin", ["paper", "exact"])
def test_poincare_svm_solves_its_quadratic_programme(loss, margin):
    points, signs = two_clouds(6, n=25)
    p = convert(np.array([0.1, -0.2]), "tangent", "hyperboloid")
    V = literal_log(points, p)
    if margin == "exact":
        V = V / np.linalg.norm(V, axis=1, keepdims=True)
        V = V * np.sinh(lorentz.distance(points, p))[:, None]
    w, value = quadratic_programme(V, signs, 2.0, loss)
    model = PoincareSVC(C=2.0, loss=loss, margin=margin, reference_point=p, chart="hyperboloid")
    model.fit(points, signs)
    assert model.objective_ == pytest.approx(value, rel=1e-6)
    normal = reference_rules.to_normal(w, p)
    np.testing.assert_allclose(model.coef_[0], normal, rtol=2e-3, atol=2e-3)
    assert ((V @ w > 0) == (model.decision_function(points) > 0)).all()
    if loss == "squared_hinge":
        assert model.lower_bound_ <= value * (1 + 1e-9)
        assert model.gap_ < 1e-6


@pytest.mark.parametrize("C", [1e-3, 1.0, 1e3])
def test_bound_from_any_point_lies_below_the_optimum_and_reaches_it(C):
    rng = np.random.default_rng(0)
    X, signs = rng.normal(size=(50, 3)), np.where(rng.random(50) < 0.5, 1.0, -1.0)
    full = linear_svm(X, signs, C=C)

    def bound(w):
        slack = np.maximum(0, 1 - signs * (X @ w))
        pull = X.T @ (slack * signs)
        return liblinear.squared_hinge_bound(slack.sum(), slack @ slack, pull, C)

    assert bound(full.w) == pytest.approx(full.objective, rel=1e-6)
    for _ in range(200):
        w = full.w + rng.normal(size=3) * rng.choice([1e-3, 0.1, 1.0])
        assert bound(w) <= full.objective * (1 + 1e-9)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"solver": "liblinear", "max_iter": 1}, "LIBLINEAR stopped at max_iter=1, relative gap"),
        (
            {"solver": "newton", "max_iter": 1, "reference_point": "origin"},
            "newton stopped after 1 steps, relative gap",
        ),
        ({"solver": "sgd", "loss": "hinge", "max_iter": 1}, "SGD: relative gap .* after 1 passes"),
    ],
)
def test_unfinished_solver_says_so(settings, said):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 5))
    y = X[:, 0] + 0.5 * rng.normal(size=80) > 0
    with pytest.warns(match=f"PoincareSVC: 1 of 1 .*{said}"):
        model = PoincareSVC(C=100.0, **settings).fit(X, y)
    assert model.status_ == "max_iter"
    assert 0 <= model.lower_bound_ <= model.objective_
