"""Numbers that yang2024 prints, by the faults of the authors' program."""

import math
import warnings
from itertools import combinations

import numpy as np
import pytest
from paper_mirror import MIRROR, needs_mirror
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import StratifiedKFold

from noneuclid import HyperboloidSVC
from noneuclid.errors import InputError
from noneuclid.solvers.conic import programs
from noneuclid.solvers.hyperboloid.problem import objective, signed_rows
from noneuclid.solvers.hyperboloid.relaxations import moment_relaxation, sdp_relaxation
from noneuclid_compare.stages.evaluate import optimum
from noneuclid_papers.programs import yang2024, yang2024_solvers

RELEASED = (yang2024.ReleasedPGD, yang2024.ReleasedSDP, yang2024.ReleasedMoment)


@needs_mirror
@pytest.mark.parametrize(
    ("name", "scheme", "C", "printed"),
    [
        ("polbooks", "ovo", 0.1, 0.9237),
        ("polbooks", "ovo", 1.0, 0.7263),
        ("polbooks", "ovo", 10.0, 0.3383),
        ("olsson", "ovr", 1.0, 0.5281),
        ("olsson", "ovr", 10.0, 0.4118),
    ],
)
def test_printed_gaps_of_the_semidefinite_relaxation(name, scheme, C, printed):
    X = np.load(MIRROR / f"hsvm-relax/{name}/X_lorentz.npy")
    y = np.load(MIRROR / f"hsvm-relax/{name}/y.npy").astype(int)
    settings = {"C": C, "multi_class": scheme, "chart": "hyperboloid"}
    gaps = {"released": [], "correct": []}
    for train, _ in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        for program, values in gaps.items():
            released = program == "released"
            model = yang2024.ReleasedSDP() if released else HyperboloidSVC(solver="sdp")
            model.set_params(random_state=0, **settings).fit(X[train], y[train])
            facts = {"objective": model.objective_, "eta": model.eta_}
            values.append(optimum(facts)["optimality_gap"])
    # Random candidates of the program have no seed.
    assert np.mean(gaps["released"]) == pytest.approx(printed, abs=0.002)
    assert np.mean(gaps["correct"]) < printed - 0.02


@needs_mirror
def test_printed_karate_is_the_constant_predictor():
    y = np.load(MIRROR / "hsvm-relax/karate/y.npy").ravel()
    assert set((2 * y - 1).tolist()) == {1, 255}
    folds = StratifiedKFold(5, shuffle=True, random_state=0).split(y[:, None], y)
    constant = np.ones_like(y)
    tested = [test for _, test in folds]
    accuracy = [100 * accuracy_score(y[test], constant[test]) for test in tested]
    weighted, own = (
        [f1_score(y[test], constant[test], average=average) for test in tested]
        for average in ("weighted", "binary")
    )
    rows = [(np.mean(values), np.std(values)) for values in (accuracy, weighted, own)]
    np.testing.assert_allclose(rows, [(50.00, 6.39), (0.34, 0.07), (0.66, 0.06)], atol=0.005)


@needs_mirror
@pytest.mark.parametrize(
    "program",
    [
        yang2024.ReleasedPGD,
        yang2024.ReleasedSDP,
        pytest.param(yang2024.ReleasedMoment, marks=pytest.mark.slow),
    ],
    ids=lambda program: program.solver,
)
def test_printed_karate_follows_from_labels_in_bytes(program):
    X = np.load(MIRROR / "hsvm-relax/karate/X_lorentz.npy")
    y = np.load(MIRROR / "hsvm-relax/karate/y.npy").ravel()
    right = {True: [], False: []}
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        for byte_labels, values in right.items():
            model = program(byte_labels=byte_labels, chart="hyperboloid")
            values.append(100 * model.fit(X[train], y[train]).score(X[test], y[test]))
    np.testing.assert_allclose((np.mean(right[True]), np.std(right[True])), (50, 6.39), atol=0.005)
    assert np.mean(right[False]) > 55


def test_labels_in_bytes_are_all_positive_and_one_weighs_255():
    points, signs = points_of(0)
    seen = []

    class Spy(yang2024.ReleasedSDP):
        def _fit_binary(self, points, signs, seed, weights):
            seen.append(signs)
            return super()._fit_binary(points, signs, seed, weights)

    Spy(byte_labels=True, chart="hyperboloid").fit(points, signs)
    np.testing.assert_array_equal(seen[0], np.where(signs > 0, 1.0, 255.0))


@pytest.mark.parametrize("program", RELEASED, ids=lambda program: program.solver)
def test_labels_in_bytes_need_two_classes(program):
    points, _ = points_of(0)
    model = program(byte_labels=True, chart="hyperboloid")
    with pytest.raises(InputError, match="y has 3 classes, and this fault belongs to two"):
        model.fit(points, np.arange(30) % 3)


def points_of(seed):
    rng = np.random.default_rng(seed)
    spatial = rng.normal(size=(30, 2))
    points = np.column_stack([np.sqrt(1 + (spatial**2).sum(axis=1)), spatial])
    return points, np.where(spatial[:, 0] + rng.normal(size=30) > 0.2, 1.0, -1.0)


def test_released_candidates_are_compared_by_their_losses_alone(monkeypatch):
    results, different = [], 0

    def spy(*args, original=programs.solve, **kwargs):
        results.append(original(*args, **kwargs))
        return results[-1]

    monkeypatch.setattr(programs, "solve", spy)
    for seed in range(12):
        points, signs = points_of(seed)
        fit = sdp_relaxation.solve(
            points, signs, 0.1, seed=seed, compare=yang2024_solvers.summed_losses
        )
        unit = sdp_relaxation._length(signed_rows(points, signs), 0.1, np.ones(len(signs)))
        candidates, _ = sdp_relaxation._candidates(
            *sdp_relaxation._unpack(results[-1].x, 3, unit), 10, seed
        )
        margins = candidates @ signed_rows(points, signs).T
        losses = np.maximum(0, math.asinh(1) - np.arcsinh(margins)).sum(axis=1)
        np.testing.assert_array_equal(fit.w, candidates[losses.argmin()])
        f, p = objective(fit.w, points, signs, 0.1, loss="arcsinh"), fit.extras["relaxation"]
        gap = yang2024_solvers.released_gap(fit.w, points, signs, 0.1, p)
        assert gap == pytest.approx((f - p) / (1 + f + p))
        model = yang2024.ReleasedSDP(C=0.1, chart="hyperboloid")
        model._keep([model._fit_binary(points, signs, seed, None)])
        np.testing.assert_array_equal(model.coef_[0], fit.w)
        assert model.eta_[0] == gap
        best = sdp_relaxation.solve(points, signs, 0.1, seed=seed)
        assert best.objective <= fit.objective
        different += best.objective < fit.objective
    assert different


def test_released_gap_of_the_moment_relaxation_has_two_losses():
    points, signs = points_of(0)
    first = HyperboloidSVC(solver="moment", chart="hyperboloid").fit(points, signs)
    second = yang2024.ReleasedMoment(ball=True, chart="hyperboloid").fit(points, signs)
    np.testing.assert_array_equal(first.coef_, second.coef_)
    f, p = first.objective_, first.relaxation_[0]
    assert first.eta_[0] == pytest.approx(abs(f - p) / (1 + f + p))
    f = objective(first.coef_[0], points, signs, 1.0, loss="arcsinh")
    assert second.eta_[0] == pytest.approx((f - p) / (1 + f + p))
    assert second.objective_ == pytest.approx(f)
    assert f != pytest.approx(first.objective_)


def test_released_moment_relaxation_has_no_ball():
    points, signs = points_of(0)
    model = yang2024.ReleasedMoment(chart="hyperboloid")
    fit = moment_relaxation.solve(points, signs, 1.0, ball=False)
    found = model._fit_binary(points, signs, 0, None)
    np.testing.assert_array_equal(found.coef, fit.w)
    assert np.isnan(found.lower_bound)
    assert found.extras["relaxation"] == fit.extras["relaxation"]
    assert np.isnan(found.extras["radius"])
    with pytest.warns(ConvergenceWarning, match="without a ball"):
        model.fit(points, signs)


@pytest.mark.parametrize("program", RELEASED, ids=lambda program: program.solver)
def test_released_programs_have_no_robust_form(program):
    with pytest.raises(TypeError, match="robust_radius"):
        program(robust_radius=0.1)
    with pytest.raises(ValueError, match="Invalid parameter 'robust_radius'"):
        program().set_params(robust_radius=0.1)


def test_a_start_is_cut_at_the_light_cone():
    w = np.array([-3.0, 1.0, 2.0])
    cut = yang2024_solvers.cut_start(w)
    np.testing.assert_allclose(cut, [-1.01 * 5**0.5, 1.01, 2.02], atol=1e-6)
    square = (cut[1:] ** 2).sum() - cut[0] ** 2
    assert square == pytest.approx(1e-6, rel=1e-6)
    feasible = np.array([-2.0, 1.0, 2.0])
    assert yang2024_solvers.cut_start(feasible) is feasible


def plain_program(points, signs, C, steps, rate=1e-3):
    """Slow descent with one row at a time, from a start whose first row has no cost."""
    n, p = points.shape
    heavy = np.where(signs > 0, 1.0, -3.0)[:, None] * points
    quadratic = sparse.diags_array(np.r_[np.ones(p), np.zeros(n)])
    rows = sparse.csc_array(np.block([[-heavy, -np.eye(n)], [np.zeros((n, p)), -np.eye(n)]]))
    costs = np.r_[np.zeros(p + 1), np.full(n - 1, C)]
    sides = np.r_[-np.ones(n), np.zeros(n)]
    cones = [("nonnegative", 2 * n)]
    w = -programs.solve(quadratic, costs, rows, sides, cones, solver="clarabel").x[:p]
    if w[1:] @ w[1:] <= w[0] ** 2:
        w[1:] *= 1.01
        w[0] = math.copysign(math.sqrt(w[1:] @ w[1:] - 1e-6), w[0])
    best, lowest = w, math.inf
    for _ in range(steps + 1):
        value, slope = 0.5 * (w[1:] @ w[1:] - w[0] ** 2), np.r_[-w[0], w[1:]]
        for x, sign in zip(points, signs, strict=True):
            margin = sign * (x[1:] @ w[1:] - x[0] * w[0])
            if margin < 1:
                value += C * (math.asinh(1) - math.asinh(margin))
                slope -= C * sign * np.r_[-x[0], x[1:]] / math.sqrt(1 + margin**2)
        if value < lowest:
            best, lowest = w, value
        w = w - rate * slope
        length = math.sqrt(w[1:] @ w[1:])
        if length <= abs(w[0]):
            w[1:] *= 0.5 * (length + abs(w[0])) / length
            w[0] = math.copysign(math.sqrt(w[1:] @ w[1:] - 1e-6), w[0])
    return best


@pytest.mark.parametrize("seed", range(4))
def test_steps_of_the_program_one_row_at_a_time(seed):
    rng = np.random.default_rng(seed)
    spatial = rng.normal([1.0, 0.0], 1.0, size=(30, 2))
    points = np.column_stack([np.sqrt(1 + (spatial**2).sum(axis=1)), spatial])
    signs = np.where(spatial[:, 1] + rng.normal(size=30) > 1.0, 1.0, -1.0)
    found = yang2024_solvers.released_pgd(points, signs, 3.0, max_iter=300, program_steps=True).w
    np.testing.assert_allclose(found, plain_program(points, signs, 3.0, 300), rtol=1e-4, atol=1e-5)


def test_the_first_row_has_no_cost_in_the_start_of_the_program():
    rng = np.random.default_rng(0)
    spatial = rng.normal(size=(30, 2))
    points = np.column_stack([np.sqrt(1 + (spatial**2).sum(axis=1)), spatial])
    signs = np.where(spatial[:, 0] > 0, 1.0, -1.0)
    worst = np.argmin(spatial[:, 0])
    signs[worst] = 1.0
    order = np.r_[worst, np.delete(np.arange(30), worst)]
    first, last = (
        yang2024_solvers.released_pgd(points[k], signs[k], 3.0, max_iter=1, program_steps=True).w
        for k in (order, order[::-1])
    )
    left_out = yang2024_solvers.released_start(points[order[1:]], signs[order[1:]], 3.0)
    assert np.abs(first - left_out).max() < 0.1 < np.abs(last - left_out).max()


def test_equal_votes_go_to_the_first_class():
    rng = np.random.default_rng(0)
    spatial = rng.normal(size=(60, 2))
    X = np.column_stack([np.sqrt(1 + (spatial**2).sum(axis=1)), spatial])
    model = yang2024.ReleasedPGD(multi_class="ovo", chart="hyperboloid", calibration="platt")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, rng.integers(6, size=60))
    log_odds = model._to_log_odds(model._scores(X))
    votes = np.zeros((60, 6))
    for column, (i, j) in enumerate(combinations(range(6), 2)):
        for row in range(60):
            votes[row, j if log_odds[row, column] > 0 else i] += 1
    most = votes.max(axis=1)
    ties = (votes == most[:, None]).sum(axis=1) > 1
    first = np.array([list(row).index(top) for row, top in zip(votes, most, strict=True)])
    assert ties.any()
    np.testing.assert_array_equal(model.predict(X), first)
    assert (HyperboloidSVC.decision_function(model, X).argmax(axis=1) != first)[ties].any()


@needs_mirror
@pytest.mark.parametrize(
    ("name", "scheme", "C", "printed", "other"),
    [
        ("krumsiek", "ovr", 0.1, (67.24, 2.64), {"program_steps": False}),
        ("football", "ovo", 0.1, (39.13, 9.12), "classes in the other order"),
        ("football", "ovo", 1.0, (40.00, 6.39), "classes in the other order"),
        ("olsson", "ovo", 0.1, (93.41, 1.84), "classes in the other order"),
    ],
)
def test_printed_scores_have_the_steps_of_the_program(name, scheme, C, printed, other):
    X = np.load(MIRROR / f"hsvm-relax/{name}/X_lorentz.npy")
    y = np.load(MIRROR / f"hsvm-relax/{name}/y.npy").astype(int)
    scores, others = [], []
    settings = {"C": C, "multi_class": scheme, "chart": "hyperboloid", "calibration": "platt"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
            model = yang2024.ReleasedPGD(**settings, program_steps=True).fit(X[train], y[train])
            scores.append(100 * model.score(X[test], y[test]))
            sign = 1 if isinstance(other, dict) else -1
            model.set_params(**other if isinstance(other, dict) else {})
            others.append(100 * model.fit(X[train], sign * y[train]).score(X[test], sign * y[test]))
    assert (np.mean(scores), np.std(scores)) == pytest.approx(printed, abs=0.00501)
    assert abs(np.mean(others) - printed[0]) > 0.3


def test_of_candidates_without_loss_the_first_is_the_solution_of_the_relaxation(monkeypatch):
    real, seen = sdp_relaxation._candidates, []
    monkeypatch.setattr(
        sdp_relaxation, "_candidates", lambda *args: seen.append(args[0]) or real(*args)
    )
    far = np.array([[1.0, 0.2], [1.5, -0.3], [2.0, 0.4], [1.2, 0.5]])
    spatial = np.vstack([far, -far])
    points = np.column_stack([np.sqrt(1 + (spatial**2).sum(axis=1)), spatial])
    model = yang2024.ReleasedSDP(C=10.0, left_out=True, chart="hyperboloid", random_state=0)
    assert model.fit(points, np.repeat([1, 0], 4)).candidate_.tolist() == [0]
    np.testing.assert_allclose(model.coef_[0], seen[0], rtol=1e-12)
    margins = signed_rows(points, np.repeat([1.0, -1.0], 4)) @ model.coef_[0]
    assert (margins > 1.0).all()


def test_candidates_inside_the_light_cone_are_left_out(monkeypatch):
    w, spread = np.array([2.0, 1.9, 0.0]), np.diag([0.04, 0.09, 0.25])
    args = w, np.outer(w, w) + spread, 10, 0
    every, kinds = sdp_relaxation._candidates(*args)
    left, left_kinds = sdp_relaxation._candidates(*args, left_out=True)
    moved = 1.0 - np.abs(every[:, 0]) / np.linalg.norm(every[:, 1:], axis=1) < 1e-8
    assert 0 < moved.sum() < len(every)
    np.testing.assert_array_equal(left, every[~moved])
    np.testing.assert_array_equal(left_kinds, kinds[~moved])
    inside = np.array([1.0, 0.0, 0.0]), np.diag([1.0, 0.0, 0.0])
    assert not len(sdp_relaxation._candidates(*inside, 0, 0, left_out=True)[0])
    real, seen = sdp_relaxation._candidates, []
    monkeypatch.setattr(
        sdp_relaxation, "_candidates", lambda *args: seen.append(args[-1]) or real(*args)
    )
    for left_out in (True, False):
        yang2024.ReleasedSDP(left_out=left_out, chart="hyperboloid").fit(*points_of(0))
    assert seen == [True, False]
