"""Quadratic programs with many hinges in few variables, by an interior point method."""

import numpy as np

_MAX_STEPS = 60
# Share of the way to the nearest bound that is gone.
_CAUTION = 0.995


@np.errstate(divide="ignore", invalid="ignore", over="ignore")
def hinge_qp(rows, B, g, weights, reaches, A, b, tol):
    """Minimise ½ p·Bp + g·p + Σ c_i max(0, e_i - r_i·p) subject to A p >= b.

    Mehrotra's predictor and corrector on slacks s - ξ = R p - e, s, ξ >= 0, their multipliers
    α + β = c, and v = A p - b >= 0 with γ. Each step solves one system in p. Cost: O(n D²) a step.

    Parameters
    ----------
    rows : ndarray, shape (n, D)
        R, with rows r_i.
    B : ndarray, shape (D, D)
        Positive semidefinite.
    g : ndarray, shape (D,)
    weights, reaches : ndarray, shape (n,)
        c > 0 and e.
    A : ndarray, shape (k, D)
    b : ndarray, shape (k,)
    tol : float
        Largest sum of complementarity products, and largest dual residual times p. Where 60
        steps do not reach it, or digits run out, the last p is returned.

    Returns
    -------
    p : ndarray, shape (D,)
    gamma : ndarray, shape (k,)
        Multipliers of A p >= b.
    error : float
        What is to be compared with `tol`, at the last p looked at.

    Examples
    --------
    >>> one, zero = np.ones(1), np.zeros(1)
    >>> p, gamma, _ = hinge_qp(one[None], one[None], zero, one, 3 * one, -one[None], -one / 2, 1e-9)
    >>> p.round(6), gamma.round(6)
    (array([0.5]), array([0.5]))
    """
    p = np.zeros(len(g))
    s, xi = np.maximum(-reaches, 0.0) + 1.0, np.maximum(reaches, 0.0) + 1.0
    alpha = weights * xi / (s + xi)
    beta = weights - alpha
    v = np.maximum(-b, 1e-3)
    gamma = np.mean(alpha * s) / v
    for _ in range(_MAX_STEPS):
        dual = B @ p + g - alpha @ rows - gamma @ A
        off = A @ p - b - v
        gap = alpha @ s + beta @ xi + gamma @ v
        feasible = np.abs(off).max() <= 1e-12 * (1.0 + np.abs(b).max())
        error = max(gap, abs(dual @ p))
        if feasible and error <= tol:
            return p, gamma, error
        pulls = 1.0 / (s / alpha + xi / beta)
        K = B + (rows.T * pulls) @ rows + (A.T * (gamma / v)) @ A
        K[np.diag_indices_from(K)] *= 1.0 + 1e-13
        aims = 0.0, 0.0, 0.0
        for phase in "predict", "correct":
            q = aims[0] / alpha - s - aims[1] / beta + xi
            lean = (aims[2] - gamma * (v + off)) / v
            dp = _solved(K, (pulls * q) @ rows + lean @ A - dual)
            if dp is None:
                return p, gamma, error
            dalpha = pulls * (q - rows @ dp)
            ds = (aims[0] - s * dalpha) / alpha - s
            dxi = (aims[1] + xi * dalpha) / beta - xi
            dv = A @ dp + off
            dgamma = (aims[2] - gamma * dv) / v - gamma
            primal = min(_room(s, ds), _room(xi, dxi), _room(v, dv))
            twin = min(_room(alpha, dalpha), _room(beta, -dalpha), _room(gamma, dgamma))
            if phase == "predict":
                left = (alpha + twin * dalpha) @ (s + primal * ds)
                left += (beta - twin * dalpha) @ (xi + primal * dxi)
                left += (gamma + twin * dgamma) @ (v + primal * dv)
                mu = (left / gap) ** 3 * gap / (2 * len(s) + len(v))
                aims = mu - dalpha * ds, mu + dalpha * dxi, mu - dgamma * dv
        primal, twin = _CAUTION * primal, _CAUTION * twin
        p += primal * dp
        s, xi, v = s + primal * ds, xi + primal * dxi, v + primal * dv
        alpha, beta = alpha + twin * dalpha, beta - twin * dalpha
        gamma = gamma + twin * dgamma
    return p, gamma, error


def _solved(K, right):
    """Solution of K x = right, or None where the digits have run out."""
    try:
        x = np.linalg.solve(K, right)
    except np.linalg.LinAlgError:
        return None
    return x if np.isfinite(x).all() else None


def _room(x, dx):
    """Longest step <= 1 that keeps x >= 0."""
    return 1.0 / max(1.0, np.max(-dx / x))
