"""Largest numbers of mistakes that the theorems of Pan et al. (2023) allow to their perceptrons.

Distances are hyperbolic (curvature -1); the paper's data satisfy: a hyperplane through p with unit
normal w* leaves every point on its side, at least `margin` away, and |x_i| <= `radius` < 1 in the
Poincaré ball.
"""

import numpy as np

from noneuclid.errors import InputError
from noneuclid.solvers.linear.hard_margin import hard_margin_svm


def farthest(radius, reference_norm):
    """R_p = (|p| + R)/(1 + |p| R), the Poincaré radius about p that holds all points."""
    for name, value in (("radius", radius), ("reference_norm", reference_norm)):
        if not 0 <= value < 1:
            raise InputError(f"{name} is {value}; give a Poincaré radius in [0, 1)")
    return (reference_norm + radius) / (1 + reference_norm * radius)


def poincare(radius, reference_norm, margin):
    """Theorem IV.1, for Algorithm 1: (2 R_p / ((1 - R_p²) sinh ε))²."""
    return float((_sinh_reach(radius, reference_norm) / _sinh_margin(margin)) ** 2)


def second_order(vectors, normal, margin, a):
    """Theorem V.1, for Algorithm 4: sqrt((a + λ_w) Σ log(1 + λ_j/a)) / sinh ε.

    `vectors` are z_i = η_i log_p(x_i) of the rows that were mistaken, in any order; λ_w = Σ
    (w*·z_i)² with w* = `normal` of length 1. For a = 0 the bound is infinite.
    """
    if not a > 0:
        raise InputError(f"a is {a}; theorem V.1 needs a > 0")
    eigenvalues = np.linalg.svd(vectors, compute_uv=False) ** 2
    square = a + np.sum((vectors @ normal) ** 2)
    return float(np.sqrt(square * np.log1p(eigenvalues / a).sum()) / _sinh_margin(margin))


def strategic(radius, reference_norm, margin, budget, published=False):
    """Theorem V.2, for Algorithm 5 facing agents of the budget α.

    Its proof bounds an update by sinh s + α/σ_p, where s is the largest distance from p and
    σ_p = 2/(1 - |p|²), but (52) drops the factor η_i in front of the agent's move. A moved agent
    is at most S = sqrt(s² + α²) from p and is corrected to a ṽ of length at most s, so the
    update is at most (s/S) sinh S, and a bound is (s sinh S / (S sinh ε))².

    `published` gives ((sinh s + α/σ_p) / sinh ε)², as printed. α is `budget`.
    """
    if not 0 <= budget < np.inf:
        raise InputError(f"budget is {budget}; give a finite length >= 0 in hyperbolic units")
    update = _sinh_reach(radius, reference_norm)
    if published:
        update += budget * (1 - reference_norm**2) / 2
    elif budget:
        reach = np.arcsinh(update)
        moved = np.hypot(reach, budget)
        update = reach * np.sinh(moved) / moved
    return float((update / _sinh_margin(margin)) ** 2)


def hyperboloid(size, normal, margin):
    """Theorem .1, for Algorithm 8: (R |w*| / sinh ε)².

    `size` is R, the largest Euclidean length of a point (x_0, ..., x_d) of the hyperboloid;
    `normal` is w*, <w*,w*>_L = 1, with y_i asinh <w*,x_i>_L >= ε.
    """
    return float((size * np.linalg.norm(normal) / _sinh_margin(margin)) ** 2)


def of_data(vectors, signs):
    """Theorems IV.1 and .1 with the hyperplane that makes them least: (max |v_i| |u|)².

    u is the shortest vector with y_i u·v_i >= 1. For v_i = z_i the largest |z_i| is
    2 R_p/(1 - R_p²) and |u| = 1/sinh ε; for v_i = H x_i, |u| = |w*|/sinh ε.

    With weights q_i, w grows by q_i y_i v_i, so M updates have (Σ q)² <= (max |v_i| |u|)² Σ q²,
    sums over the updates, and M is at most q_max/q_min times the bound.
    """
    longest = np.einsum("ij,ij->i", vectors, vectors).max()
    u = _widest(vectors, signs)
    weights = np.abs(signs)
    return float(longest * (u @ u) * (weights.max() / weights.min()))


def weber(vectors, signs):
    """What Weber et al. claim for their perceptron, O(1/sinh ε), with the constant 1.

    ε is the hyperbolic margin of the hyperplane of `of_data`.
    """
    u = _widest(vectors, signs)
    # A vector that is not spacelike calls all points alike.
    square = u[1:] @ u[1:] - u[0] ** 2
    if not square > 0:
        raise InputError(
            "rows of one class have no separating hyperplane; give max_updates a number"
        )
    return float(np.sqrt(square))


def _widest(vectors, signs):
    """Shortest u with signs·(vectors u) >= 1."""
    fit = hard_margin_svm(vectors, np.sign(signs))
    if not np.isfinite(fit.objective):
        raise InputError(
            "no hyperplane separates the classes by more than rounding, so no theorem bounds the "
            "updates; give max_updates a number"
        )
    return fit.w


def _sinh_reach(radius, reference_norm):
    far = farthest(radius, reference_norm)
    return 2 * far / ((1 - far) * (1 + far))


def _sinh_margin(margin):
    if not margin > 0:
        raise InputError(f"margin is {margin}; the theorems bound mistakes for a margin > 0 only")
    return np.sinh(margin)
