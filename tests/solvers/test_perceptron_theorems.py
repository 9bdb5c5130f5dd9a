"""The theorems and counterexamples of pan2023 on perceptrons, met by ours on random data."""

import numpy as np
import pytest
from cases import each_of

from noneuclid import WeberPerceptron
from noneuclid.classifiers import reference_rules
from noneuclid.classifiers.weber_perceptron import Weber
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz, poincare
from noneuclid.geometry.charts import convert
from noneuclid.solvers.perceptrons import mistake_bounds, mistake_driven, strategic_agents
from noneuclid.solvers.perceptrons.mistake_driven import Plain
from noneuclid.solvers.perceptrons.second_order import SecondOrder
from noneuclid.solvers.perceptrons.strategic import Strategic
from noneuclid_compare.data.generators import uniform_ball

MARGINS = (1.0, 0.3, 0.1, 0.03)
FRACTIONS = (0.0, 0.2, 0.6, 0.7)


def separable(seed, margin, fraction, d=3, n=150, R=0.9):
    """z_i seen from p, signs, the largest |x_i|, |p|, and the unit normal w* among the z_i."""
    settings = {
        "n_samples": n,
        "n_features": d,
        "radius": R,
        "margin": margin,
        "reference_fraction": fraction,
    }
    data = uniform_ball.load({}, seed, **settings)
    (center,) = np.array(data.about["reference_points"])
    point = convert(center, "poincare", "hyperboloid")
    z = reference_rules.seen_from(convert(data.features, "poincare", "hyperboloid"), point)
    farthest = np.linalg.norm(data.features, axis=1).max()
    size = np.linalg.norm(center)
    return z, 2 * data.labels - 1, farthest, size, np.array(data.about["normal"])


def order(seed):
    return np.random.RandomState(seed)


def axes(n, s):
    """n points at distance s from p on orthogonal axes, all signs +1, and their largest margin."""
    return np.sinh(s) * np.eye(n), np.ones(n), np.arcsinh(np.sinh(s) / np.sqrt(n))


@each_of("margin", MARGINS)
@each_of("fraction", FRACTIONS)
def test_theorem_iv_1(margin, fraction):
    for seed in range(4):
        z, signs, R, size, normal = separable(seed, margin, fraction, n=500)
        assert (signs * (z @ normal)).min() >= np.sinh(margin) * (1 - 1e-9)
        done = mistake_driven.run(z, signs, max_iter=100_000, order=order(seed))
        assert done.clean
        assert done.n_updates <= mistake_bounds.poincare(R, size, margin)


def test_theorem_iv_1_is_tight():
    z, signs, margin = axes(16, s=2.0)
    done = mistake_driven.run(z, signs)
    bound = mistake_bounds.poincare(np.tanh(1.0), 0.0, margin)
    assert done.n_updates == round(bound, 9) == 16


def test_bounds_of_table_ii():
    published = {0.2: (594, 81_749, 8.2e6, 8.2e8), 0.6: (3670, 5.05e5, 5.07e7, 5.07e9)}
    for fraction, row in published.items():
        for margin, value in zip((1, 0.1, 0.01, 0.001), row, strict=True):
            bound = mistake_bounds.poincare(0.95, fraction * 0.95, margin)
            assert bound == pytest.approx(value, rel=0.005)


def algorithm_4(z, signs, a, max_iter=1000):
    """Word for word, the row at hand in the matrix; rows mistaken, and w of the next prediction."""
    mistaken, xi = [], np.zeros(z.shape[1])
    for _ in range(max_iter):
        before = len(mistaken)
        for row, sign in zip(z, signs, strict=True):
            S = np.array([*mistaken, row])
            matrix = a * np.eye(len(row)) + S.T @ S
            w = (np.linalg.inv(matrix) if a else np.linalg.pinv(matrix)) @ xi
            # For a = 0 and a new direction w·z is 0 but for rounding.
            value = sign * (w @ row)
            if value <= 1e-9 * np.linalg.norm(w) * np.linalg.norm(row):
                xi = xi + sign * row
                mistaken.append(row)
        if len(mistaken) == before:
            break
    return np.array(mistaken), xi


@each_of("a", [0.0, 0.1, 1.0, 100.0])
@each_of("margin", MARGINS)
def test_algorithm_4_and_theorem_v_1(a, margin):
    for seed in range(3):
        z, signs, _, _, normal = separable(seed, margin, 0.3, n=60)
        mistaken, xi = algorithm_4(z, signs, a)
        done = mistake_driven.run(z, signs, max_iter=1000, rule=SecondOrder(a))
        assert done.clean
        assert done.n_updates == len(mistaken)
        matrix = a * np.eye(z.shape[1]) + mistaken.T @ mistaken
        inverse = np.linalg.inv(matrix) if a else np.linalg.pinv(matrix)
        np.testing.assert_allclose(done.learner.memory["inverses"], inverse, rtol=1e-6, atol=1e-12)
        np.testing.assert_allclose(done.w, inverse @ xi, rtol=1e-6, atol=1e-10)
        if a:
            assert len(mistaken) <= mistake_bounds.second_order(mistaken, normal, margin, a)


def test_theorem_v_1_on_orthogonal_points_and_small_a():
    z, signs, margin = axes(16, s=2.0)
    assert mistake_driven.run(z, signs, rule=SecondOrder(1e-3)).n_updates == 16
    normal = np.full(16, 0.25)
    bounds = [mistake_bounds.second_order(z, normal, margin, a) for a in (1e-3, 1.0, 1e6)]
    assert bounds[-1] == pytest.approx(16, rel=1e-4)
    assert min(bounds) >= 16


def tangents(z):
    """Tangent vectors at p of length dist(p, x), from those of length sinh dist."""
    sinh = np.linalg.norm(z, axis=1, keepdims=True)
    return z * np.arcsinh(sinh) / sinh


@each_of("budget", [0.1, 1.0, 3.0])
@each_of("margin", MARGINS[:3])
def test_theorem_v_2_with_rational_agents(budget, margin):
    moved = 0
    for seed, fraction in enumerate((0.0, 0.2, 0.6)):
        z, signs, R, size, _ = separable(seed, margin, fraction, d=2, n=100)
        game = strategic_agents.play_game(
            tangents(z), signs, budget, max_rounds=4000, order=order(seed)
        )
        assert game.status == "clean"
        mistakes = game.mistakes.sum()
        assert mistakes <= mistake_bounds.strategic(R, size, margin, budget, published=True)
        assert mistakes <= mistake_bounds.strategic(R, size, margin, budget)
        moved += game.moves.sum()
    assert moved > 0 or budget < margin


def test_proof_of_theorem_v_2_bounds_updates_too_low():
    # p is the origin, a negative agent moves sideways: s = 3, α = 1, σ_p = 2.
    w, u = np.array([1.0, 0.0]), np.array([[0.0, 3.0]])
    v = strategic_agents.move_agents(u, w, 1.0)
    learner = Strategic(1.0).start(2)
    learner.w[:] = w
    assert mistake_driven.learn(learner, Strategic(1.0), v, np.array([-1])) == 1
    update = np.linalg.norm(learner.w - w)
    assert update > np.sinh(3.0) + 1.0 / 2
    S = np.hypot(3.0, 1.0)
    assert update == pytest.approx(3.0 * np.sinh(S) / S)  # what the corrected bound allows


@pytest.mark.parametrize("margin", MARGINS)
def test_theorem_of_the_hyperboloid_perceptron(margin):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        w = rng.normal(size=3)
        w[0] *= 0.3
        w /= np.sqrt(lorentz.product(w, w))
        points = lorentz.from_spatial(rng.normal(size=(600, 2)))
        distance = np.arcsinh(lorentz.product(points, w))
        points = points[np.abs(distance) >= margin]
        signs = np.sign(lorentz.product(points, w))
        done = mistake_driven.run(points * [-1, 1, 1], signs, max_iter=100_000, order=order(seed))
        assert done.clean
        R = np.linalg.norm(points, axis=1).max()
        assert done.n_updates <= mistake_bounds.hyperboloid(R, w, margin)


def test_example_of_section_v_b_cycles_for_algorithm_1_and_ends_for_algorithm_5():
    half = np.sqrt(5) / 2
    C = np.tanh(half) / np.sqrt(5) * np.array([-1, -2])
    ball = np.array([[-np.tanh(1), 0], [0, -np.tanh(1)], C])
    true, signs = convert(ball, "poincare", "tangent"), np.array([-1, 1, -1])
    game = strategic_agents.play_game(true, signs, budget=1.0, margin=0.0)
    assert game.status == "cycle"
    w3 = np.full(2, 2 * np.tanh(1) / (1 - np.tanh(1) ** 2))
    np.testing.assert_allclose(game.weights, [w3, w3])
    assert game.mistakes.tolist() == [2, 2]
    np.testing.assert_allclose(game.stream[0, 2], [0, -2], atol=1e-12)  # C went to where B is
    game = strategic_agents.play_game(true, signs, budget=1.0)
    assert game.status == "clean"
    # Without moves there is a separator.
    unmoved = strategic_agents.play_game(true, signs, budget=0.0)
    assert unmoved.status == "clean"


def test_counterexamples_to_weber():
    up = np.array([[1.0, 0.0, 0.0]])
    rule = Weber(initial=(0.0, 1.0, 0.0))
    learner = rule.start(3)
    mistake_driven.learn(learner, rule, up, np.array([1]))
    assert lorentz.product(learner.w, learner.w) == 0
    assert learner.memory["undefined"][0] == 1
    anywhere = lorentz.from_spatial(np.random.default_rng(0).normal(size=(20, 2)))
    for x in anywhere:
        learner = Weber().start(3)
        mistake_driven.learn(learner, Weber(), x[None] * [1, -1, -1], np.array([1]))
        assert lorentz.product(learner.w, learner.w) == pytest.approx(-1)
        assert learner.memory["undefined"][0] == 1


def test_weber_fails_where_algorithm_8_converges():
    failed = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        w = np.array([rng.normal(), *rng.normal(size=2)]) * [0.3, 1, 1]
        w /= np.sqrt(lorentz.product(w, w))
        points = lorentz.from_spatial(rng.normal(size=(400, 2)))
        points = points[np.abs(np.arcsinh(lorentz.product(points, w))) >= 0.1]
        signs = np.sign(lorentz.product(points, w))
        bound = mistake_bounds.hyperboloid(np.linalg.norm(points, axis=1).max(), w, 0.1)
        settings = {"max_iter": 100_000, "max_updates": int(bound), "order": order(seed)}
        assert mistake_driven.run(points * [-1, 1, 1], signs, rule=Plain(), **settings).clean
        failed += not mistake_driven.run(
            points * [1, -1, -1], signs, rule=Weber(), **settings
        ).clean
    assert failed >= 4


def test_weber_by_hand():
    X = lorentz.from_spatial(np.random.default_rng(1).normal(size=(40, 2)))
    y = np.random.default_rng(2).integers(2, size=40)
    w = np.array([0.0, 0.0, 1.0])
    for x, label in zip(X, 2 * y - 1, strict=True):
        if -label * lorentz.product(w, x) <= 0:
            w = w + label * x
            square = lorentz.product(w, w)
            if square > 0:
                w = w / min(1.0, np.sqrt(square))
    model = WeberPerceptron(
        init=[0, 0, 1], chart="hyperboloid", shuffle=False, max_iter=1, average=False
    )
    with pytest.warns(match="still misclassified"):
        model.fit(X, y)
    np.testing.assert_allclose(model.coef_[0], -w, rtol=1e-9)


@pytest.mark.parametrize("wrong", [0.0, -1.0, np.nan])
def test_no_bound_without_a_margin(wrong):
    for bound in (
        lambda: mistake_bounds.poincare(0.9, 0.1, wrong),
        lambda: mistake_bounds.strategic(0.9, 0.1, wrong, 1.0),
        lambda: mistake_bounds.hyperboloid(2.0, np.ones(3), wrong),
        lambda: mistake_bounds.second_order(np.ones((1, 1)), np.ones(1), wrong, 1.0),
        lambda: mistake_bounds.second_order(np.ones((1, 1)), np.ones(1), 1.0, wrong),
    ):
        with pytest.raises(InputError, match=r"margin|a is"):
            bound()
    with pytest.raises(InputError, match=r"\[0, 1\)"):
        mistake_bounds.poincare(1.0, 0.1, 0.1)


def test_agents_answer_best():
    rng = np.random.default_rng(0)
    true, w, budget = rng.normal(size=(60, 2)), np.array([0.6, -1.0]), 0.7
    shown = strategic_agents.move_agents(true, w, budget)
    unit = w / np.linalg.norm(w)

    def gain(u, v):
        return (v @ unit >= budget - 1e-9) - np.linalg.norm(v - u) / budget

    moves = [
        budget * t * np.array([np.cos(a), np.sin(a)])
        for t in np.linspace(0, 1.2, 13)
        for a in np.linspace(0, 2 * np.pi, 73)
    ]
    for u, v in zip(true, shown, strict=True):
        assert all(gain(u, v) >= gain(u, u + move) - 1e-9 for move in moves)
        assert v @ unit <= 0 or v @ unit >= budget - 1e-9  # observation 2 of pan2023
    assert 0 < np.count_nonzero((shown != true).any(axis=1)) < 60


def algorithm_5(stream, signs, p, alpha):
    """On observed points of the ball, in the paper's own coordinates, one pass."""
    sigma, w = 2 / (1 - p @ p), np.zeros(len(p))
    for x, sign in zip(stream, signs, strict=True):
        v = poincare.log(p, x)
        th = np.tanh(sigma * np.linalg.norm(v) / 2)
        eta = 2 * th / ((1 - th**2) * np.linalg.norm(v))
        if not w.any():
            if sign < 0:
                w = w - eta * v
            continue
        reached = w @ v / np.linalg.norm(w)
        on_line = np.isclose(reached, alpha / sigma, rtol=0, atol=1e-9)
        if (reached > alpha / sigma or on_line) == (sign > 0):
            continue
        if sign < 0 and on_line:
            v = v - alpha / sigma * w / np.linalg.norm(w)
        w = w + eta * sign * v
    return w


def test_algorithm_5_on_an_observed_stream():
    rng = np.random.default_rng(3)
    p, alpha = np.array([0.2, -0.3]), 0.8
    point = convert(p, "poincare", "hyperboloid")
    points = convert(0.8 * rng.uniform(-0.7, 0.7, size=(60, 2)), "poincare", "hyperboloid")
    true, signs = tangents(reference_rules.seen_from(points, point)), rng.choice([-1, 1], size=60)
    game = strategic_agents.play_game(true, signs, alpha, max_rounds=1)
    assert game.moves[0] > 3
    seen = game.stream[0] * lorentz.sinhc(np.linalg.norm(game.stream[0], axis=1))[:, None]
    moved = lorentz.from_spatial(seen) @ lorentz.boost(point)
    ball = convert(moved, "hyperboloid", "poincare")
    expected = algorithm_5(ball, signs, p, alpha)
    np.testing.assert_allclose(game.w, expected, rtol=1e-6)
    learner = Strategic(alpha).start(2)
    mistake_driven.learn(learner, Strategic(alpha), game.stream[0], signs)
    np.testing.assert_allclose(learner.w, expected, rtol=1e-6)
    assert learner.n_updates == game.mistakes[0]
