"""Hyperbolic geometry of given floats in decimals: each formula in its plainest form, no tricks.

All inside `localcontext`; curvature -1. Points are lists of Decimal on the hyperboloid, time first.
"""

from decimal import Decimal

import numpy as np

from noneuclid.geometry import charts, lorentz, tangent


def decimals(values):
    return [Decimal(float(value)) for value in values]


def dot(x, y):
    return sum((a * b for a, b in zip(x, y, strict=True)), Decimal(0))


def product(x, y):
    return dot(x[1:], y[1:]) - x[0] * y[0]


def combine(a, x, b, y):
    return [a * p + b * q for p, q in zip(x, y, strict=True)]


def cosh(r):
    return (r.exp() + (-r).exp()) / 2


def sinh(r):
    return (r.exp() - (-r).exp()) / 2


def acosh(c):
    return (c + (c * c - 1).sqrt()).ln() if c > 1 else Decimal(0)


def from_space(space):
    return [(1 + dot(space, space)).sqrt(), *space]


def lifted(x, chart):
    """A point, floats or decimals, of a chart."""
    x = [c if isinstance(c, Decimal) else Decimal(float(c)) for c in x]
    square = dot(x, x)
    if chart == "hyperboloid":
        return from_space(x[1:])
    if chart == "poincare":
        return [(1 + square) / (1 - square), *(2 * c / (1 - square) for c in x)]
    if chart == "klein":
        return [c / (1 - square).sqrt() for c in (Decimal(1), *x)]
    if chart == "tangent":
        length = square.sqrt()
        return from_space([c * sinh(length) / length for c in x] if length else x)
    side, height = x[:-1], x[-1]
    return [(square + 1) / (2 * height), *(c / height for c in side), (square - 1) / (2 * height)]


def lowered(x, chart):
    """A point in a chart, as decimals."""
    time, space = x[0], x[1:]
    if chart == "hyperboloid":
        return x
    if chart == "poincare":
        return [c / (1 + time) for c in space]
    if chart == "klein":
        return [c / time for c in space]
    if chart == "tangent":
        length = dot(space, space).sqrt()
        return [c * acosh(time) / length for c in space] if length else space
    return [*(c / (time - space[-1]) for c in space[:-1]), 1 / (time - space[-1])]


def pushed(x, v, chart):
    """A tangent vector of floats, on the hyperboloid: a central difference of 1e-25."""
    x, v = decimals(x), decimals(v)
    step = Decimal("1e-25") * min(lowest_scale(x, chart), 1)
    ahead, behind = (lifted(combine(1, x, s, v), chart) for s in (step, -step))
    return combine(1 / (2 * step), ahead, -1 / (2 * step), behind)


def lowest_scale(x, chart):
    """Distance of coordinates from the boundary of the chart."""
    if chart in ("poincare", "klein"):
        return 1 - dot(x, x).sqrt()
    return x[-1] if chart == "half_space" else Decimal(1)


def pulled(x, v, chart):
    """A tangent vector at a point of the hyperboloid, in a chart: a central difference."""
    v, step = decimals(v), Decimal("1e-25") / (1 + x[0])
    ahead, behind = (lowered(from_space(combine(1, x[1:], s, v[1:])), chart) for s in (step, -step))
    return combine(1 / (2 * step), ahead, -1 / (2 * step), behind)


def distance(x, y):
    return acosh(-product(x, y))


def exp_map(x, v):
    length = product(v, v).sqrt()
    return combine(cosh(length), x, sinh(length) / length, v) if length else x


def log_map(x, y):
    r = distance(x, y)
    return combine(r / sinh(r), y, -r * cosh(r) / sinh(r), x) if r else combine(0, x, 0, y)


def transported(x, y, v):
    return combine(1, v, product(y, v) / (1 - product(x, y)), combine(1, x, 1, y))


def boosted(x, centre):
    """A point after the boost that carries the origin to the centre."""
    along = dot(x[1:], centre[1:])
    push = x[0] + along / (1 + centre[0])
    return [x[0] * centre[0] + along, *combine(1, x[1:], push, centre[1:])]


def signed_distance(x, normal):
    """From the hyperplane of a normal."""
    sine = product(normal, x) / product(normal, normal).sqrt()
    return (sine + (1 + sine * sine).sqrt()).ln()


def busemann(x, ideal):
    """Of an ideal point whose direction has any length."""
    ideal = decimals(ideal)
    length = dot(ideal, ideal).sqrt()
    return (x[0] - dot(ideal, x[1:]) / length).ln()


def length(v):
    """Of a tangent vector."""
    return abs(product(v, v)).sqrt()


def pairs(radius, gap, n=6, d=3, seed=0):
    """Points of the hyperboloid at a radius, others a gap away, tangent vectors at the first."""
    rng = np.random.default_rng([seed, round(radius * 1e6), round(-np.log10(gap) * 100)])
    x, step = rng.normal(size=(2, n, d))
    x *= radius / np.linalg.norm(x, axis=1, keepdims=True)
    step *= gap / np.linalg.norm(step, axis=1, keepdims=True)
    base = charts.convert(x, "tangent", "hyperboloid")
    other = tangent.lift(step, base)
    v = np.concatenate([np.zeros((n, 1)), rng.normal(size=(n, d))], axis=1)
    v = tangent.transport(lorentz.origin(d), base, v)
    return base, other, v
