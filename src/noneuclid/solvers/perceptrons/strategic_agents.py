"""Game of rational agents, who move to be called positive, and a learner that sees where they are.

The setting of Pan et al. (2023), section V-B: agent t has a true point u_t in the tangent space at
p (here in hyperbolic units: |u_t| is the distance from p) and gains 1 from being called positive.
To move costs |v - u_t|/α. The agent sees w and shows the v of largest gain minus cost; then the
learner gets the true label.
"""

from dataclasses import dataclass

import numpy as np

from noneuclid.compiled import compile_cached, copy_into
from noneuclid.errors import InputError
from noneuclid.solvers.perceptrons.strategic import TOLERANCE, correct_weights
from noneuclid.solvers.products import compute_length


@dataclass(frozen=True)
class Game:
    """Course of a game between learner and agents."""

    w: np.ndarray  # (d,), at the end
    # (n_rounds,), mistakes of the learner, and agents who moved, in each round
    mistakes: np.ndarray
    moves: np.ndarray
    weights: np.ndarray  # (n_rounds, d); w after each round
    stream: np.ndarray  # (n_rounds, n, d), what the learner observed, in the order of arrival
    rows: np.ndarray  # (n_rounds, n), who came
    # "clean": ended by a round without mistakes; "cycle": by a w that was reached (to 1e-9) after
    # an earlier round in the same order, so that everything repeats; "max_rounds": by the limit
    status: str


def play_game(true, signs, budget, margin=None, max_rounds=100, order=None, tolerance=TOLERANCE):
    """Let the agents come round after round to a perceptron that learns from its mistakes.

    Memory: the stream of all rounds is kept.

    `true` (n, d) are the points of the agents, as tangent vectors at p whose length is the distance
    from p. The learner calls v positive if <w,v>/|w| >= margin, and takes back that much of the
    move of a negative agent on that line. A margin of None is the budget: Algorithm 5; 0 is
    Algorithm 1, which does not know of agents.
    """
    line = budget if margin is None else margin
    _check(budget, line)
    true = np.ascontiguousarray(true, dtype=float)
    signs = np.asarray(signs, dtype=np.int8)
    rows, w = np.arange(len(true)), np.zeros(true.shape[1])
    rounds, status = [], "max_rounds"
    past = np.empty((max_rounds, len(w)))
    while len(rounds) < max_rounds and status == "max_rounds":
        if order is not None:
            order.shuffle(rows)
        seen = np.empty_like(true)
        mistakes, moves = _round(true, signs, rows, w, seen, line, budget, tolerance)
        if mistakes == 0:
            status = "clean"
        elif order is None and _near(past[: len(rounds)], w):
            status = "cycle"
        past[len(rounds)] = w
        rounds.append((mistakes, moves, w.copy(), seen, rows.copy()))
    return Game(w, *(np.array(part) for part in zip(*rounds, strict=True)), status)


def move_agents(true, w, budget, margin=None, tolerance=TOLERANCE):
    """Move rational agents to where they show themselves to a learner with weights w.

    An agent called positive stays. One who can reach the line <w,v>/|w| = margin within the budget
    moves straight to it, at equal gain and cost too; one who cannot stays. While w = 0 all are
    called positive.

    `true` is (n, d).
    """
    line = budget if margin is None else margin
    _check(budget, line)
    shown = np.array(true, dtype=float)
    for v in shown:
        _move(v, w, compute_length(w), line, budget, tolerance)
    return shown


def _check(budget, line):
    for name, value in (("budget", budget), ("margin", line)):
        if not 0 <= value < np.inf:
            raise InputError(f"{name} is {value}; give a finite length >= 0 in hyperbolic units")


def _near(past, w):
    return (np.abs(past - w) <= 1e-9 * np.linalg.norm(w)).all(axis=1).any()


@compile_cached
def _move(v, w, length, line, budget, tolerance):
    """Best answer of the agent at v, in place; whether it is a move."""
    if length == 0.0:
        return False
    reached = 0.0
    for j in range(len(w)):
        reached += v[j] * w[j]
    reached /= length
    if reached > line - tolerance or reached < line - budget - tolerance:
        return False
    for j in range(len(w)):
        v[j] += (line - reached) / length * w[j]
    return True


@compile_cached
def _round(true, signs, rows, w, seen, line, budget, tolerance):
    """One round; `w` changes, `seen` is filled in the order of arrival."""
    mistakes = 0
    moves = 0
    length = compute_length(w)
    for t in range(len(rows)):
        copy_into(true[rows[t]], seen[t])
        moves += _move(seen[t], w, length, line, budget, tolerance)
        if correct_weights(seen[t], signs[rows[t]], w, length, line, tolerance):
            mistakes += 1
            length = compute_length(w)
    return mistakes, moves
