"""Stochastic gradient descent for the linear SVM, Algorithm 3 of Pan et al. (2023)."""

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.solvers import progress
from noneuclid.solvers.linear.liblinear import LinearSolution

DELAY = 1000
"""Step t has length 1 / (t + DELAY)."""


def sgd_svm(X, signs, C=1.0, tol=1e-3, max_iter=1000, seed=0, weights=None):
    """Minimise ½|w|² + C Σ q_i max(0, 1 - y_i w·x_i) by one row at a time.

    Step t is w <- w - (w - n C q_i y_i x_i [y_i w·x_i <= 1]) / (t + 1000). The lengths of the steps
    telescope: from w = 0, after t of them w = Σ α_i y_i x_i with α_i = n C q_i c_i / (t + 1000),
    c_i the number of steps that row i took inside the margin. These are dual multipliers, and so
    are n C q_i c_i / t once every row had its turn equally often: the lower bound costs nothing.

    Rows come in a new random order in each pass, so that no α_i exceeds C q_i. The descent ends
    when the objective is proved to be within `tol`, tried after each pass; `n_iter` counts passes.
    """
    X = np.ascontiguousarray(X)
    weights = np.ones(len(X)) if weights is None else weights
    signs, rng, n = np.asarray(signs, dtype=float), np.random.default_rng(seed), len(X)
    w, counts = np.zeros(X.shape[1]), np.zeros(n, dtype=np.int64)
    best, best_value, lower = w, C * weights.sum(), 0.0
    for n_iter in progress.bar(range(1, max_iter + 1), "pass"):
        run_steps(X, signs, weights, rng.permutation(n), w, counts, n * C, (n_iter - 1) * n + DELAY)
        alpha = counts * (n * C / (n_iter * n + DELAY)) * weights
        # Rounding adds up over the steps; the multipliers do not forget.
        w = X.T @ (alpha * signs)
        value = objective(X, signs, weights, w, C)
        undelayed = 1.0 + DELAY / (n_iter * n)
        dual = undelayed * alpha.sum() - 0.5 * undelayed**2 * (w @ w)
        lower = max(lower, float(dual))
        if value < best_value:
            best, best_value = w.copy(), value
        gap = (best_value - lower) / best_value
        if gap <= tol:
            return LinearSolution(best, best_value, lower, n_iter, "optimal", "")
    warning = f"SGD: relative gap {gap:.1e} after {max_iter} passes; raise max_iter or tol"
    return LinearSolution(best, best_value, lower, max_iter, "max_iter", warning)


def objective(X, signs, weights, w, C):
    """½|w|² + C Σ q_i max(0, 1 - y_i w·x_i)."""
    return float(0.5 * (w @ w) + C * (weights * np.maximum(0.0, 1.0 - signs * (X @ w))).sum())


@compile_cached
def run_steps(X, signs, weights, rows, w, counts, weight, elapsed):
    """Steps on the rows in their order; `w` and `counts` change in place."""
    for k in range(len(rows)):
        i = rows[k]
        length = 1.0 / (elapsed + k + 1)
        score = 0.0
        for j in range(len(w)):
            score += X[i, j] * w[j]
        push = 0.0
        if signs[i] * score <= 1.0:  # the paper's step at the kink
            counts[i] += 1
            push = length * weight * weights[i] * signs[i]
        for j in range(len(w)):
            w[j] += push * X[i, j] - length * w[j]
