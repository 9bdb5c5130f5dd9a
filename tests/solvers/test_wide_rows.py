"""Shortcuts for rows of 32 columns or more change no digit."""

import numpy as np
import pytest
from cases import each_of

from noneuclid.solvers import products
from noneuclid.solvers.hyperboloid.descent import gradient_steps
from noneuclid.solvers.perceptrons import mistake_driven
from noneuclid.solvers.perceptrons.mistake_driven import Plain


def plain_dot(row, w):
    """Sum from the first column to the last."""
    total = 0.0
    for a, b in zip(row.tolist(), w.tolist(), strict=True):
        total += a * b
    return total


@each_of("width", [1, 31, 32, 100])
@each_of("n", [1, 7, 8, 9, 24, 29])
def test_products_have_the_digits_of_one_sum_after_the_other(n, width):
    rng = np.random.default_rng(n + width)
    rows, w = rng.normal(size=(n, width)), rng.normal(size=width)
    wanted = [plain_dot(row, w) for row in rows]
    assert [products.dot(rows, i, w) for i in range(n)] == wanted
    found = np.empty(n)
    products.multiply(rows, products.count_up(n), w, found)
    assert found.tolist() == wanted
    order, some = rng.permutation(n).astype(np.int32), np.empty(products.AT_ONCE)
    for k in range(n):
        count = products.multiply_ahead(rows, order, k, w, some)
        assert count == (products.AT_ONCE if k + products.AT_ONCE <= n else 1)
        assert some[:count].tolist() == [wanted[i] for i in order[k : k + count]]


@pytest.mark.parametrize("n", [8, 9, 16, 17, 40])
def test_right_rows_are_counted_up_to_a_mistake_or_a_few_before_the_end(n):
    w, order = np.ones(40), np.arange(n, dtype=np.int32)
    signs = np.where(order % 2, 1, -1).astype(np.int8)
    for wrong in range(n + 1):
        rows = np.outer(signs, np.ones(40))
        rows[wrong:] *= -1.0
        for k in range(n):
            found = products.count_positive(rows, signs, order, k, w)
            assert found <= max(0, wrong - k)
            assert k + found < n
            if wrong - k >= 0 and k + products.AT_ONCE * ((wrong - k) // products.AT_ONCE + 1) < n:
                assert found == wrong - k
    rows[:] = 0.0
    assert products.count_positive(rows, signs, order, 0, w) == 0


def slow_pass(rows, signs, w, total, limit):
    """Rosenblatt's rule, row by row."""
    made = held = 0
    for row, sign in zip(rows, signs.tolist(), strict=True):
        if sign * plain_dot(row, w) <= 0:
            total += held * w
            w += sign * row
            made, held = made + 1, 0
        held += abs(sign)
        if made == limit:
            break
    total += held * w
    return made


@each_of("noise", [0.0, 0.3, 5.0])
@each_of("weighted", [False, True])
@each_of("n", [1, 8, 64, 203])
def test_a_pass_has_the_digits_of_the_rule(n, weighted, noise):
    rng = np.random.default_rng(n)
    rows = rng.normal(size=(n, 50))
    signs = np.sign(rows @ rng.normal(size=50) + noise * rng.normal(size=n))
    if weighted:
        signs *= rng.uniform(0.5, 2.0, size=n)
    for limit in (None, 5):
        learner, w, total, made = Plain().start(50), np.zeros(50), np.zeros(50), 0
        for _ in range(12):
            room = np.inf if limit is None else limit - made
            if room:
                made += slow_pass(rows, signs, w, total, room)
            mistake_driven.learn(learner, Plain(), rows, signs, limit)
            np.testing.assert_array_equal(learner.w, w)
            np.testing.assert_array_equal(learner.total, total)
            assert learner.n_updates == made
        if limit is None:
            assert learner.n_steps == pytest.approx(12 * np.abs(signs).sum())


def descents(rows, limits, arcsinh, step, n_steps=300):
    """Values and best iterates of a descent with all rows, and with the near ones."""
    found = []
    for near in (None, np.empty(len(rows), dtype=np.int32)):
        w = np.zeros(rows.shape[1])
        w[1] = 0.3
        best, values = np.empty_like(w), np.empty(n_steps)
        n = gradient_steps.descend_in_place(
            rows, w, best, values, limits, arcsinh, step, 0.0, n_steps + 1, near
        )
        found.append((values[:n].tolist(), best.tolist(), w.tolist()))
    return found


@each_of("step", [1e-5, 1e-3, 0.1])
@each_of("arcsinh", [True, False])
@each_of("weighted", [True, False])
def test_a_descent_that_leaves_out_far_rows_has_the_same_digits(step, arcsinh, weighted):
    rng = np.random.default_rng(4)
    for spread in (0.1, 1.0, 10.0):
        rows = rng.normal(size=(301, 40)) * spread * rng.lognormal(size=(301, 1))
        limits = rng.uniform(0.5, 2.0, size=301) if weighted else np.array([1.5])
        every, near = descents(rows, limits, arcsinh, step)
        assert every == near
        assert len(every[0]) > 1


def test_a_row_counts_from_the_step_that_brings_it_to_the_margin():
    """One row pulls w along an axis; the others lie against it, each a little farther."""
    rows = np.zeros((401, 40))
    rows[0, 1] = 0.01
    rows[1:, 1] = -1.0
    rows[1:, 2] = 1e-3 + 1e-6 * np.arange(400)
    limits = np.full(401, 1e3)
    limits[0] = 1e8
    found = []
    for near in (None, np.empty(401, dtype=np.int32)):
        w, best, values = np.zeros(40), np.empty(40), np.empty(200)
        w[2] = 1e3
        gradient_steps.descend_in_place(rows, w, best, values, limits, False, 2e-9, 0.0, 201, near)
        found.append(values.tolist())
    # A row reaches the margin at every step.
    assert -0.3 < rows[-1] @ w - 1.0 < 0.3
    assert found[0] == found[1]


def test_moves_whose_squares_underflow_count():
    """w shrinks by 3e-11 of its length of 2e-152 a step, until the first rows reach the margin."""
    rows = np.zeros((20, 40))
    rows[:, 1] = 4.6e151 * (1 + 1e-9 * np.arange(20))
    found = []
    for near in (None, np.empty(20, dtype=np.int32)):
        w, best, values = np.zeros(40), np.empty(40), np.empty(1000)
        w[1] = (1 + 2e-8) / rows[0, 1]
        limits = np.array([1e10])
        gradient_steps.descend_in_place(
            rows, w, best, values, limits, False, 3e-11, 0.0, 2000, near
        )
        found.append(values.tolist())
    assert found[0][400] < 1e-100 < max(found[0])
    assert found[0] == found[1]


def test_rows_that_a_move_of_w_may_bring_to_the_margin_are_listed():
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(200, 40))
    w = np.zeros(40)
    w[1] = 5.0
    margins = rows @ w
    lengths, near = np.linalg.norm(rows, axis=1), np.empty(200, dtype=np.int32)
    for reach in (0.0, 0.1, 1.0):
        count = gradient_steps._within_reach(margins, lengths, reach, 5.0, near)
        wanted = np.flatnonzero(margins - 1 <= lengths * reach)
        assert near[:count].tolist() == wanted.tolist()
    assert 0 < len(wanted) < 200
    margins[3], lengths[4] = np.nan, np.inf
    count = gradient_steps._within_reach(margins, lengths, 0.1, 5.0, near)
    assert {3, 4} <= set(near[:count].tolist())
