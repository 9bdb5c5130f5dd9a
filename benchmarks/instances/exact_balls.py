"""Feasibility and objective of Hilbert and Funk SVMs, in fractions and in 60 decimal digits.

The least value of an affine function over a metric ball comes from multipliers of the facets. They
are proposed by a linear program in doubles, corrected to satisfy their equations in fractions, and
then prove a lower bound of that value, whatever the program did.
"""

from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import numpy as np
from scipy.linalg import qr
from scipy.optimize import linprog

_DIGITS = 80
LEAST_RADIUS = Decimal("1e-6")  # of the cap
_HIGHS = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


@dataclass(frozen=True)
class Facets:
    """Facet values of all rows, and the facets as functions; all in fractions."""

    points: list  # n lists, (x, 1), on the simplex x
    a: list  # n lists of m positive numbers
    M: list  # m lists: the coefficients of each facet value; functions are lists of this length
    one: list  # the function 1
    phi: list  # m positive numbers with Σ phi_j M_j = one
    square: int | Fraction  # squared length of a facet's normal, within the affine hull

    def function(self, w, c):
        """Coefficients of w·x + c."""
        return [x + c for x in w] if len(self.M) == len(w) else [*w, c]


def facets(instance):
    """The polytope and the rows of an instance."""
    rows = [[Fraction(float(x)) for x in row] for row in instance.points]
    d = len(rows[0])
    if instance.polytope == "simplex":
        unit = [[Fraction(int(i == j)) for j in range(d)] for i in range(d)]
        return Facets(rows, rows, unit, [Fraction(1)] * d, [Fraction(1)] * d, 1 - Fraction(1, d))
    one = [Fraction(0)] * d + [Fraction(1)]
    if instance.polytope == "box":
        low = [Fraction(x) for x in instance.low]
        high = [Fraction(x) for x in instance.high]
        M = [[Fraction(int(i == j)) for j in range(d)] + [-low[i]] for i in range(d)]
        M += [[-Fraction(int(i == j)) for j in range(d)] + [high[i]] for i in range(d)]
        phi = 2 * [1 / (d * (high[i] - low[i])) for i in range(d)]
    else:
        M = [[*map(Fraction, s), Fraction(1)] for s in product([1, -1], repeat=d)]
        phi = [Fraction(1, 2**d)] * 2**d
    points = [[*row, Fraction(1)] for row in rows]
    a = [[_dot(point, facet) for facet in M] for point in points]
    return Facets(points, a, M, one, phi, d if instance.polytope == "cross" else 1)


def evaluate(instance, solution):
    """Fault or "", and the objective: r, for the soft margin r - C Ξ/n."""
    w, r = [Fraction(x) for x in solution["w"]], solution["r"]
    if len(w) != instance.points.shape[1]:
        return f"w has {len(w)} numbers, not {instance.points.shape[1]}", None
    if not r >= 0:
        return f"the radius {r} is negative", None
    c, polytope = Fraction(solution["c"]), facets(instance)
    with localcontext() as context:
        context.prec = _DIGITS
        g = polytope.function(w, c)
        least = [
            least_over_ball(instance, polytope, [int(sign) * x for x in g], row, r)
            for row, sign in enumerate(instance.signs)
        ]
        if instance.problem == "hard":
            row = min(range(len(least)), key=least.__getitem__)
            if least[row] < 0 or not any(g):
                return f"the ball about row {row} crosses the hyperplane", None
            return "", r
        return _evaluate_soft(instance, polytope, w, r, least)


def _evaluate_soft(instance, polytope, w, r, least):
    cap = largest_radius(instance, polytope)
    if not LEAST_RADIUS * cap <= r <= cap:
        return f"the radius {float(r):.6g} is not in [1e-6, 1] times {float(cap):.6g}", None
    rows = [point[: len(w)] for point in polytope.points]
    u = [
        _mean([row[j] for row, s in zip(rows, instance.signs, strict=True) if s > 0])
        - _mean([row[j] for row, s in zip(rows, instance.signs, strict=True) if s < 0])
        for j in range(len(w))
    ]
    along = _decimal(_dot(w, u)) / _decimal(_dot(u, u)).sqrt()
    if not along > 0:
        return "w does not point from the negative to the positive class", None
    slacks = sum(max(Fraction(0), -x) / min(a) for x, a in zip(least, polytope.a, strict=True))
    xi = _decimal(slacks) * _decimal(Fraction(polytope.square)).sqrt() / along
    return "", r - Decimal(instance.C) * xi / len(rows)


def largest_radius(instance, polytope):
    """The cap: half the longest distance of two classes, or the largest Funk margin of two."""
    with localcontext() as context:
        context.prec = _DIGITS
        logs = [[_decimal(x).ln() for x in row] for row in polytope.a]
        one, other = (
            [row for row, s in zip(logs, instance.signs, strict=True) if s == side]
            for side in (1, -1)
        )
        ahead, behind = _longest(one, other), _longest(other, one)
        if instance.metric == "hilbert":
            spans = (
                max(p - q for p, q in zip(x, y, strict=True))
                + max(q - p for p, q in zip(x, y, strict=True))
                for x in one
                for y in other
            )
            return max(spans) / 4
        u = (-ahead).exp() * (1 - (-behind).exp()) / (1 - (-ahead - behind).exp())
        v = (-behind).exp() * (1 - (-ahead).exp()) / (1 - (-ahead - behind).exp())
        return (2 - u - v).ln() if instance.metric == "funk" else -(u + v).ln()


def _longest(one, other):
    """Largest difference of a logarithm of one class and one of the other, at one facet."""
    return max(max(x[j] for x in one) - min(y[j] for y in other) for j in range(len(one[0])))


def least_over_ball(instance, polytope, g, row, r):
    """Lower bound of the function g over the ball of radius r about a row."""
    a = polytope.a[row]
    factor = Fraction((2 * r if instance.metric == "hilbert" else r).exp())
    factor *= 1 + Fraction(1, 10 ** (_DIGITS - 10))
    if instance.metric == "funk":
        here = _dot(g, polytope.points[row])
        return here / factor + (1 - 1 / factor) * _least_in_polytope(instance, g)
    nu = g  # on the simplex these are the values at the corners
    if instance.polytope != "simplex":
        nu = _multipliers(instance.metric, polytope, g, a, factor)
    # nu - τ phi, with τ added to the constant, are multipliers of the same function.
    breaks = sorted({Fraction(0), *(x / p for x, p in zip(nu, polytope.phi, strict=True))})
    values = [_proved(instance.metric, nu, polytope.phi, a, factor, tau) for tau in breaks]
    if instance.metric == "reverse_funk":
        return max(values)
    # Falls with τ and is piecewise linear: the bound of g is the largest τ with a value >= 0.
    k = max((i for i, value in enumerate(values) if value >= 0), default=-1)
    if k < 0:
        slope = sum(p * x for p, x in zip(polytope.phi, a, strict=True))
        return breaks[0] + values[0] / slope
    if k == len(breaks) - 1:
        slope = factor * sum(p * x for p, x in zip(polytope.phi, a, strict=True))
        return breaks[-1] + values[-1] / slope
    share = values[k] / (values[k] - values[k + 1])
    return breaks[k] + share * (breaks[k + 1] - breaks[k])


def _proved(metric, nu, phi, a, factor, tau):
    """What nu - τ phi proves: a·ν⁺ - T a·ν⁻ of g - τ (Hilbert), or τ - T a·ν⁻ <= g."""
    terms = [(x - tau * p) * v for x, p, v in zip(nu, phi, a, strict=True)]
    behind = factor * sum(-x for x in terms if x < 0)
    return tau - behind if metric == "reverse_funk" else sum(x for x in terms if x > 0) - behind


def _least_in_polytope(instance, g):
    """Least value of g over the polytope, at a vertex."""
    if instance.polytope == "simplex":
        return min(g)
    if instance.polytope == "cross":
        return g[-1] - max(abs(x) for x in g[:-1])
    corners = zip(g[:-1], instance.low, instance.high, strict=True)
    return g[-1] + sum(min(x * Fraction(low), x * Fraction(high)) for x, low, high in corners)


def _multipliers(metric, polytope, g, a, factor):
    """Multipliers ν with Σ ν_j M_j = g exactly, nearly the best: from an LP in y_j = a_j ν_j."""
    m, k = len(a), len(g)
    scaled = np.array([[float(x / v) for x in row] for row, v in zip(polytope.M, a, strict=True)])
    sizes = np.abs(scaled).max(axis=0)
    columns = scaled / sizes
    right = np.array([float(x) for x in g]) / sizes
    unit = np.abs(right).max() or 1.0
    one = np.array([float(x) for x in polytope.one]) / sizes
    equal = np.c_[columns.T, -columns.T, one]
    T = float(factor)
    cost = np.r_[np.zeros(m), np.full(m, T if metric == "reverse_funk" else 0.0), -1.0]
    upper = np.r_[-np.ones(m), np.full(m, T), 0.0][None] if metric == "hilbert" else None
    bounds = [(0, None)] * (2 * m) + [(None, None)]
    limit = None if upper is None else [0.0]
    # Presolve may end without a solution where facet values differ by many decades.
    for presolve in (True, False):
        options = {**_HIGHS, "presolve": presolve}
        fit = linprog(cost, upper, limit, equal, right / unit, bounds, "highs", options=options)
        if fit.x is not None:
            break
    y = np.zeros(2 * m + 1) if fit.x is None else fit.x * unit
    nu = [Fraction(float(p - q)) / v for p, q, v in zip(y[:m], y[m : 2 * m], a, strict=True)]
    tau = Fraction(float(y[-1]))
    # Both the multipliers of g - τ and the share of the function 1 become multipliers of g.
    nu = [x + tau * p for x, p in zip(nu, polytope.phi, strict=True)]
    rest = [g[j] - sum(x * row[j] for x, row in zip(nu, polytope.M, strict=True)) for j in range(k)]
    basis = qr(columns.T, mode="r", pivoting=True)[1][:k]
    steps = _solve([[polytope.M[i][j] for i in basis] for j in range(k)], rest)
    for i, step in zip(basis, steps, strict=True):
        nu[i] += step
    return nu


def _solve(matrix, right):
    """Solution of a regular system in fractions, by elimination."""
    rows = [[*row, x] for row, x in zip(matrix, right, strict=True)]
    size = len(rows)
    for j in range(size):
        pivot = next(i for i in range(j, size) if rows[i][j])
        rows[j], rows[pivot] = rows[pivot], rows[j]
        rows[j] = [x / rows[j][j] for x in rows[j]]
        for i in range(size):
            if i != j and rows[i][j]:
                factor = rows[i][j]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[j], strict=True)]
    return [row[-1] for row in rows]


def _dot(one, other):
    return sum(a * b for a, b in zip(one, other, strict=True))


def _mean(values):
    return sum(values) / len(values)


def _decimal(x):
    return Decimal(x.numerator) / Decimal(x.denominator)
