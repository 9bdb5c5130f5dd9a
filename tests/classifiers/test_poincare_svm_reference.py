"""PoincareSVC and its solvers against slow obvious versions and the paper's statements."""

import numpy as np
import pytest
from cases import each_of

from noneuclid import HyperboloidSVC, PoincareSVC
from noneuclid.classifiers import reference_rules
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz, poincare
from noneuclid.geometry.charts import convert
from noneuclid.solvers.linear import newton, sgd
from noneuclid.solvers.linear.hard_margin import hard_margin_svm
from noneuclid.solvers.linear.liblinear import polish_hinge_svm
from noneuclid.solvers.linear.newton import newton_svm
from noneuclid_papers.programs import pan2023

QUIET = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def noisy_rows(seed, n, p, noise=0.7, gap=0.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * rng.lognormal(size=(n, 1))
    score = X @ rng.normal(size=p)
    X, score = X[np.abs(score) > gap], score[np.abs(score) > gap]
    return X, np.where(score + noise * rng.normal(size=len(X)) > 0, 1.0, -1.0)


def obvious_dual(X, signs, ceiling, ridge):
    """Primal solution from one multiplier at a time, until nothing moves."""
    rows, alpha, w = X * signs[:, None], np.zeros(len(X)), np.zeros(X.shape[1])
    for _ in range(200_000):
        largest = 0.0
        for i, row in enumerate(rows):
            slope = 1 - row @ w - ridge * alpha[i]
            new = np.clip(alpha[i] + slope / (row @ row + ridge), 0, ceiling)
            w += (new - alpha[i]) * row
            largest = max(largest, abs(new - alpha[i]))
            alpha[i] = new
        if largest < 1e-12:
            return w
    raise AssertionError("the obvious solver did not end")


@each_of("p", [2, newton._LOOPS, newton._LOOPS + 1, 60, 61])
@each_of("C", [1e-3, 0.3])
def test_newton_solves_the_squared_hinge(monkeypatch, p, C):
    monkeypatch.setattr(newton, "_BLOCK", 7 * p)
    monkeypatch.setattr(newton, "_ROWS", 9)
    monkeypatch.setattr(newton, "_DIRECT", 60)  # 61: conjugate gradients
    X, signs = noisy_rows(p, 50, p)
    fit = newton_svm(X, signs, C, tol=1e-12)
    np.testing.assert_allclose(fit.w, obvious_dual(X, signs, np.inf, 0.5 / C), atol=1e-6)
    slack = np.maximum(0, 1 - signs * (X @ fit.w))
    assert fit.objective == pytest.approx(0.5 * fit.w @ fit.w + C * slack @ slack, rel=1e-12)
    assert fit.status == "optimal"
    assert fit.objective * (1 - 1e-12) <= fit.lower_bound <= fit.objective


def test_newton_that_is_cut_short_reports_its_gap():
    X, signs = noisy_rows(3, 50, 4)
    fit = newton_svm(X, signs, 100.0, tol=1e-12, max_iter=2)
    gap = (fit.objective - fit.lower_bound) / fit.objective
    assert fit.status == "max_iter"
    assert f"relative gap {gap:.1e}; raise max_iter" in fit.warning
    # The tolerance is met at the gap itself, and not just below it.
    assert newton_svm(X, signs, 100.0, tol=gap * 1.01, max_iter=2).status == "optimal"
    assert newton_svm(X, signs, 100.0, tol=gap * 0.99, max_iter=2).status == "max_iter"


def test_newton_is_exact_at_large_weights_where_it_is_a_hard_margin():
    X, signs = noisy_rows(3, 500, 4, noise=0, gap=0.5)
    soft, hard = newton_svm(X, signs, 1e8), hard_margin_svm(X, signs)
    assert soft.status == hard.status == "optimal"
    assert soft.objective < hard.objective
    np.testing.assert_allclose(soft.w, hard.w, rtol=1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_polish_bounds_the_hinge_from_any_start_and_reaches_it(seed):
    X, signs = noisy_rows(seed, 120, 3)
    w = obvious_dual(X, signs, 0.7, 0.0)
    optimum = 0.5 * w @ w + 0.7 * np.maximum(0, 1 - signs * (X @ w)).sum()
    rng = np.random.default_rng(seed)
    for size in (0.0, 1e-3, 0.1, 3.0):
        start = w + size * rng.normal(size=3)
        found, objective, bound = polish_hinge_svm(X, signs, start, 0.7, tol=1e-8)
        assert bound <= optimum * (1 + 1e-9)
        assert objective >= optimum * (1 - 1e-9)
        assert objective - bound <= 1e-8 * objective
        np.testing.assert_allclose(found, w, atol=1e-3)


def test_one_small_band_gives_a_bound_that_is_true_but_loose(monkeypatch):
    monkeypatch.setattr("noneuclid.solvers.linear.liblinear._WORK", 0)
    X, signs = noisy_rows(0, 400, 3)
    w = obvious_dual(X, signs, 0.7, 0.0)
    optimum = 0.5 * w @ w + 0.7 * np.maximum(0, 1 - signs * (X @ w)).sum()
    _, objective, bound = polish_hinge_svm(X, signs, w + 0.3, 0.7)
    assert bound < optimum * (1 - 1e-3) < objective


@QUIET
@pytest.mark.parametrize("margin", ["paper", "exact"])
def test_gap_of_the_hinge_is_honest_where_liblinear_gives_up(margin):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    y = X[:, 0] + 0.3 * rng.normal(size=400) > 0
    rough = PoincareSVC(loss="hinge", C=1000.0, max_iter=3, margin=margin).fit(X, y)
    assert rough.status_ == "optimal"
    assert 0 <= rough.gap_ < 1e-6
    slow = PoincareSVC(loss="hinge", solver="sgd", C=1.0, max_iter=2000, margin=margin).fit(X, y)
    quick = PoincareSVC(loss="hinge", C=1.0, margin=margin).fit(X, y)
    assert slow.lower_bound_ <= quick.objective_ <= slow.objective_ * (1 + 1e-9)
    assert quick.lower_bound_ <= slow.objective_ <= quick.objective_ * 1.01


@pytest.mark.parametrize("p", [2, 6, 70])
def test_hard_margin_solves_its_programme(p):
    X, signs = noisy_rows(p, 60, p, noise=0, gap=0.4)
    for scale in (1.0, 1e-6, 1e5):
        fit = hard_margin_svm(scale * X, signs)
        assert fit.status == "optimal"
        assert (signs * (X @ fit.w) * scale).min() >= 1 - 1e-9
        assert fit.objective == pytest.approx(0.5 * fit.w @ fit.w)
        assert fit.lower_bound <= fit.objective <= fit.lower_bound * (1 + 1e-6)
        np.testing.assert_allclose(fit.w * scale, obvious_dual(X, signs, np.inf, 0), rtol=1e-5)


def test_hard_margin_finds_its_few_rows_among_many():
    X, signs = noisy_rows(1, 20_000, 5, noise=0, gap=0.05)
    fit = hard_margin_svm(X, signs)
    assert 1 < fit.n_iter < 30
    assert (signs * (X @ fit.w)).min() >= 1 - 1e-9
    assert fit.objective - fit.lower_bound <= 1e-6 * fit.objective
    rough = hard_margin_svm(X, signs, tol=0.5)
    assert rough.n_iter < fit.n_iter
    assert (signs * (X @ rough.w)).min() == pytest.approx(1, rel=1e-12)
    assert rough.lower_bound <= fit.objective < rough.objective


def test_hard_margin_names_what_no_plane_through_p_separates():
    X, signs = noisy_rows(0, 60, 2)
    assert hard_margin_svm(X, signs).status == "inseparable"
    with pytest.raises(InputError, match="no hyperplane through the reference point separates"):
        PoincareSVC(C=np.inf, reference_point="origin").fit(X, signs)


def separable(seed=0, n=80, at=(0.3, -0.2)):
    """Points that a plane through p separates; p, in the ball."""
    rng = np.random.default_rng(seed)
    p = np.array(at)
    ball = (
        0.95
        * np.sqrt(rng.random((n, 1)))
        * (lambda v: v / np.linalg.norm(v, axis=1)[:, None])(rng.normal(size=(n, 2)))
    )
    apart = poincare.hyperplane_distance(ball, p, np.array([0.6, 0.8]))
    return ball[np.abs(apart) > 0.1], (apart > 0)[np.abs(apart) > 0.1], p


def test_exact_hard_margin_is_the_largest_hyperbolic_distance_over_all_directions():
    X, y, p = separable()
    model = PoincareSVC(C=np.inf, margin="exact", reference_point=p, chart="poincare").fit(X, y)
    points, signs = convert(X, "poincare", "hyperboloid"), np.where(y, 1, -1)
    margin = (signs * lorentz.hyperplane_distance(points, model.coef_[0])).min()
    assert margin == pytest.approx(np.arcsinh(1 / np.sqrt(2 * model.objective_)), rel=1e-6)
    turns = np.pi * np.arange(20_000) / 10_000
    normals = np.column_stack([np.cos(turns), np.sin(turns)])
    seen = reference_rules.seen_from(points, convert(p, "poincare", "hyperboloid"))
    others = np.arcsinh((signs[:, None] * (seen @ normals.T)).min(axis=0))
    assert others.max() == pytest.approx(margin, abs=1e-4)
    paper = PoincareSVC(C=np.inf, reference_point=p, chart="poincare").fit(X, y)
    distance = signs * lorentz.hyperplane_distance(points, paper.coef_[0])
    # Eq. 28: sinh of twice the artanh is 2 t / (1 - t²) with t = tanh(σ_p / (2 |w|)).
    t = np.tanh(2 / (1 - p @ p) / 2 / np.sqrt(2 * paper.objective_))
    assert np.arcsinh(2 * t / (1 - t**2)) <= distance.min() <= margin + 1e-9


def literal_algorithm_3(X, signs, C, epsilon, limit, rng):
    """As printed, with f taken after each step."""
    n, w = len(X), np.zeros(X.shape[1])

    def f(v):
        return 0.5 * v @ v + C * sum(max(0, 1 - y * (x @ v)) for x, y in zip(X, signs, strict=True))

    value, t = n * C, 0
    while t < limit:
        t += 1
        i = rng.integers(n, size=1)[0]
        slope = w if 1 - signs[i] * (X[i] @ w) < 0 else w - n * C * signs[i] * X[i]
        w = w - slope / (t + 1000)
        previous, value = value, f(w)
        if value - previous <= epsilon:
            break
    return w, t, value


@pytest.mark.parametrize(("C", "scale"), [(1.0, 1.0), (1.0, 30.0), (0.01, 3.0)])
def test_algorithm_3_as_published(C, scale):
    X, signs = noisy_rows(5, 60, 3)
    X = X * scale
    fit = pan2023.published_sgd(X, signs, C, tol=1e-3, seed=4)
    w, t, value = literal_algorithm_3(X, signs, C, 1e-3, 10_000, np.random.default_rng(4))
    assert (fit.n_iter, fit.status) == (t, "fell")
    np.testing.assert_allclose(fit.w, w, rtol=1e-12)
    assert fit.objective == pytest.approx(value)
    assert fit.lower_bound <= newton_svm(X, signs, 1e9).objective


def test_published_rule_stops_far_from_the_optimum_and_the_sound_one_near():
    X, signs = noisy_rows(6, 200, 3)
    w = obvious_dual(X, signs, 0.05, 0.0)
    optimum = 0.5 * w @ w + 0.05 * np.maximum(0, 1 - signs * (X @ w)).sum()
    early = pan2023.published_sgd(X, signs, 0.05, tol=1e-6)
    assert early.n_iter < 10
    assert early.objective > 1.05 * optimum
    sound = sgd.sgd_svm(X, signs, 0.05, tol=0.01, max_iter=3000)
    assert sound.status == "optimal"
    assert sound.lower_bound <= optimum <= sound.objective <= 1.01 * optimum


def test_multipliers_of_sgd_are_its_counts():
    X, signs = noisy_rows(7, 40, 3)
    n, C, passes = len(X), 2.0, 5
    w, counts, rng = np.zeros(3), np.zeros(n, dtype=np.int64), np.random.default_rng(0)
    for k in range(passes):
        sgd.run_steps(X, signs, np.ones(n), rng.permutation(n), w, counts, n * C, k * n + sgd.DELAY)
    alpha = n * C * counts / (passes * n + sgd.DELAY)
    np.testing.assert_allclose(w, X.T @ (alpha * signs), rtol=1e-10)
    assert alpha.max() <= C
    assert counts.max() == passes


@each_of("seed", range(3))
@each_of("d", [2, 3])
def test_best_plane_is_the_best_of_all_reference_points(seed, d):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(70, d))
    y = X[:, 0] + 0.4 * rng.normal(size=70) > 0.3  # the classes' hulls overlap
    settings = {"margin": "exact", "loss": "hinge", "C": 2.0}
    best = PoincareSVC(reference_point="best plane", **settings).fit(X, y)
    assert best.reference_rules_[0] == "best plane"
    whole = HyperboloidSVC(C=2.0 * np.sqrt(2)).fit(X, y)
    assert best.objective_ == pytest.approx(whole.objective_, rel=2e-4)
    assert best.objective_ >= whole.lower_bound_ * (1 - 1e-9)
    for rule in ("hull vertices", "midpoint of means", "origin", *rng.normal(size=(10, d))):
        other = PoincareSVC(reference_point=rule, **settings).fit(X, y)
        assert other.objective_ >= whole.lower_bound_ * (1 - 1e-9)
        assert other.objective_ > best.objective_ * (1 - 2e-4)
    # Every point of the best plane is as good.
    along = reference_rules._foot(
        convert(rng.normal(size=d), "tangent", "hyperboloid"), whole.coef_[0]
    )
    there = PoincareSVC(reference_point=convert(along, "hyperboloid", "tangent"), **settings)
    assert there.fit(X, y).objective_ == pytest.approx(best.objective_, rel=2e-4)


@QUIET
@pytest.mark.parametrize("settings", [{}, {"margin": "exact"}, {"loss": "hinge"}, {"C": 1e-6}])
def test_there_is_no_intercept(settings):
    X, y, _ = separable(n=60)
    p = np.array([0.5, 0.4])
    model = PoincareSVC(reference_point=p, chart="poincare", **settings).fit(X, y)
    scale = np.abs(model.decision_function(X)).max()
    assert abs(model.decision_function(p[None])[0]) < 1e-9 * scale


@pytest.mark.parametrize("margin", ["paper", "exact"])
def test_solvers_agree(margin):
    X, y, _ = separable(n=300)
    y = y ^ (np.random.default_rng(0).random(len(y)) < 0.1)
    fits = [
        PoincareSVC(solver=solver, C=0.5, margin=margin, chart="poincare").fit(X, y)
        for solver in ("newton", "liblinear", "auto")
    ]
    for fit in fits[1:]:
        np.testing.assert_allclose(fit.coef_, fits[0].coef_, rtol=1e-4)
        assert fit.objective_ == pytest.approx(fits[0].objective_, rel=1e-6)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"solver": "newton", "loss": "hinge"}, "minimises loss='squared_hinge'"),
        ({"solver": "sgd"}, "minimises loss='hinge'"),
        ({"solver": "liblinear", "C": np.inf}, "needs a finite C"),
        ({"reference_point": "best plane", "C": np.inf}, "give a finite C"),
    ],
)
def test_contradictions_are_named(settings, said):
    X, y, _ = separable()
    with pytest.raises(InputError, match=said):
        PoincareSVC(chart="poincare", **settings).fit(X, y)


def test_the_midpoint_of_hulls_is_not_on_the_widest_plane():
    ratios = []
    for seed in range(6):
        X = np.random.default_rng(seed).normal(size=(40, 2))
        y = np.arange(40) % 2
        X[:, 0] = (np.abs(X[:, 0]) + 0.1) * (2 * y - 1)
        plane = PoincareSVC(C=1e5, margin="exact", loss="hinge", reference_point="best plane")
        p = convert(plane.fit(X, y).reference_points_[0], "hyperboloid", "tangent")
        hard = [
            PoincareSVC(C=np.inf, margin="exact", reference_point=rule).fit(X, y)
            for rule in (p, "hulls")
        ]
        assert hard[1].reference_rules_[0] == "hulls"
        best, theirs = (np.arcsinh(1 / np.sqrt(2 * model.objective_)) for model in hard)
        ratios.append(best / theirs)
    assert min(ratios) > 1 - 1e-4
    assert max(ratios) > 1.05
