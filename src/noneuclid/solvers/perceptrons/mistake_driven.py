"""Perceptron passes over vectors, compiled; the update rule is exchangeable."""

from dataclasses import dataclass, field

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.solvers import progress
from noneuclid.solvers.perceptrons.sample_orders import given_order, new_orders
from noneuclid.solvers.products import WIDE, count_positive, dot

_BLOCK = 4096
# Rows after a mistake that are multiplied one by one: the next mistake may be near.
_ALONE = 32
# Share of the rows by which mistakes must fall, as in scikit-learn.
_PROGRESS = 1e-3


@compile_cached
def add_held(total, w, steps):
    """Add w, which was held for this number of steps, to the running sum."""
    for j in range(len(w)):
        total[j] += steps * w[j]


@dataclass
class Learner:
    """State of an online algorithm between rows; passes change it in place."""

    # (d,), weights, and their sum over all steps (`SecondOrder`: that of their directions)
    w: np.ndarray
    total: np.ndarray
    n_steps: float = 0  # rows seen, each as often as its weight says
    n_updates: int = 0  # mistakes among them
    memory: dict = field(default_factory=dict)  # what the rule needs besides `w`

    @property
    def mean(self):
        """Mean of w over all steps."""
        return self.total / (self.n_steps or 1)


@dataclass(frozen=True)
class Plain:
    """Rosenblatt's rule: w <- w + y_i z_i if y_i w·z_i <= 0, from w = 0.

    A row of weight q_i adds q_i y_i z_i, and counts q_i times in the mean of w over the steps.
    With z_i = η_i log_p(x_i) this is Algorithm 1 of Pan et al. (2023), with z_i = H x_i, where H
    changes the sign of the time coordinate, Algorithm 8.
    """

    def start(self, width):
        """Learner that has seen nothing."""
        return Learner(np.zeros(width), np.zeros(width))

    def sweep(self, learner, vectors, signs, rows, limit):
        """One pass in the order `rows`, at most `limit` updates; updates made and steps seen."""
        return _pass(vectors, signs, rows, learner.w, learner.total, limit)

    def scores(self, vectors, w):
        """Decision values, positive for the label +1."""
        return vectors @ w


@dataclass(frozen=True)
class PerceptronRun:
    """Result of a perceptron run."""

    w: np.ndarray  # (d,), the last weights or their mean, as asked for
    n_epochs: int  # passes begun, and updates made (mistakes on the way)
    n_updates: int
    mistakes: int  # rows that `w` leaves on the wrong side or on the hyperplane
    clean: bool  # whether the last w makes no mistake
    learner: Learner  # state at the end, from which a later run can go on


def run(
    vectors,
    signs,
    max_iter=100,
    max_updates=None,
    average=True,
    order=None,
    rule=None,
    n_iter_no_change=None,
):
    """Pass over the rows repeatedly until a pass makes no mistake.

    It ends earlier if no pass of the last `n_iter_no_change` had fewer mistakes than the best one
    before, by more than one in a thousand rows.

    Cost: O(n d) a pass; no memory of the size of the input.

    `average`: without a clean pass, return the mean of w over all steps rather than the last w.
    """
    rule = rule or Plain()
    vectors = np.ascontiguousarray(vectors, dtype=float)
    signs = _narrow(signs)
    learner = rule.start(vectors.shape[1])
    epochs, clean, fewest, idle = 0, False, np.inf, 0
    orders = None if order is None else new_orders(len(vectors), order)
    with progress.bar(desc="pass", total=max_iter) as bar:
        while epochs < max_iter and not clean and learner.n_updates != max_updates:
            rows = None if orders is None else next(orders)
            made = learn(learner, rule, vectors, signs, max_updates, rows)
            clean = made == 0
            idle = 0 if made < fewest - _PROGRESS * len(signs) else idle + 1
            fewest = min(fewest, made)
            epochs += 1
            bar.update()
            if n_iter_no_change is not None and idle >= n_iter_no_change:
                break
    mistakes = 0 if clean else _count_misses(rule, vectors, signs, learner.w)
    clean = mistakes == 0
    w = learner.w
    if average and not clean:
        w = learner.mean
        mistakes = _count_misses(rule, vectors, signs, w)
    return PerceptronRun(w, epochs, learner.n_updates, mistakes, clean, learner)


def _count_misses(rule, vectors, signs, w):
    parts = (slice(i, i + _BLOCK) for i in range(0, len(signs), _BLOCK))
    return sum(int(np.sum(signs[part] * rule.scores(vectors[part], w) <= 0)) for part in parts)


def learn(learner, rule, vectors, signs, max_updates=None, rows=None):
    """Make one pass from the present state of the learner; returns the updates made."""
    room = np.iinfo(np.int64).max if max_updates is None else max_updates - learner.n_updates
    made = 0
    vectors = np.ascontiguousarray(vectors, dtype=float)
    signs = _narrow(signs)
    for part in given_order(len(vectors)) if rows is None else rows:
        if made >= room:
            break
        fresh, taken = rule.sweep(learner, vectors, signs, part, room - made)
        made += fresh
        learner.n_steps += int(taken) if signs.dtype == np.int8 else taken
    learner.n_updates += made
    return made


def _narrow(signs):
    """Bytes, if no row has a weight: the compiled passes read less memory."""
    if isinstance(signs, np.ndarray) and signs.dtype == np.int8:
        return signs
    signs = np.asarray(signs)
    return signs if np.any(np.abs(signs) != 1) else signs.astype(np.int8, copy=False)


@compile_cached
def _pass(vectors, signs, rows, w, total, limit):
    """One pass in the order `rows`; `w` and `total` change in place."""
    made = 0
    taken = 0.0
    held = 0.0
    # From this place on, rows are multiplied several at a time until the next mistake.
    far = 0 if len(w) >= WIDE else len(rows)
    k = 0
    while k < len(rows):
        if k == far:
            for _ in range(count_positive(vectors, signs, rows, k, w)):
                held += abs(signs[rows[k]])
                taken += abs(signs[rows[k]])
                k += 1
        i = rows[k]
        if signs[i] * dot(vectors, i, w) <= 0.0:
            add_held(total, w, held)
            held = 0.0
            for j in range(len(w)):
                w[j] += signs[i] * vectors[i, j]
            made += 1
            far = max(far, k + _ALONE)
        held += abs(signs[i])
        taken += abs(signs[i])
        k += 1
        if made == limit:
            break
    add_held(total, w, held)
    return made, taken
