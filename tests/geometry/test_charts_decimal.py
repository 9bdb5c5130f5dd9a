"""Fast geometry against hundred-digit decimals: each formula in its plainest form, no tricks."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from cases import each_of

from noneuclid.geometry import charts, klein, lorentz, poincare, tangent

EPS = np.finfo(float).eps
PLACES = (0.0, 0.5, 3.0, 8.0, 12.0)
GAPS = (1e-12, 1e-6, 1e-2, 1.0, 5.0)


@pytest.fixture(autouse=True)
def _hundred_digits():
    with localcontext() as context:
        context.prec = 100
        yield


def exact(vector):
    return [Decimal(float(c)) for c in vector]


def square(v):
    return sum(c * c for c in v)


def sheet(v, chart):
    """Spatial part on the hyperboloid of curvature -1."""
    n = square(v).sqrt()
    if chart == "poincare":
        return [2 * c / (1 - n * n) for c in v]
    if chart == "klein":
        return [c / (1 - n * n).sqrt() for c in v]
    if chart == "tangent":
        return [c * (n.exp() - (-n).exp()) / (2 * n) for c in v] if n else v
    return v


def apart(x, y):
    """acosh of minus the Lorentz product."""
    cosh = ((1 + square(x)) * (1 + square(y))).sqrt() - sum(
        a * b for a, b in zip(x, y, strict=True)
    )
    return (cosh + (cosh * cosh - 1).sqrt()).ln() if cosh > 1 else Decimal(0)


def pairs(seed):
    """Pairs of tangent vectors at every place and gap, sideways, outwards and aslant."""
    rng = np.random.default_rng(seed)
    for place in PLACES:
        for gap in GAPS:
            for _ in range(4):
                d = rng.integers(1, 6)
                x = rng.normal(size=d)
                x *= place / np.linalg.norm(x)
                step = rng.normal(size=d)
                step *= gap / np.linalg.norm(step)
                base = charts.convert(x, "tangent", "hyperboloid")
                yield base, lorentz.exp(base, lorentz.boost(base)[:, 1:] @ step)


@pytest.mark.parametrize("seed", range(3))
def test_lorentz_distance_of_the_given_floats_is_nearly_exact(seed):
    """Relative error below a few eps cosh(R), and never worse than the coordinates' own error."""
    for x, y in pairs(seed):
        truth = float(apart(exact(x[1:]), exact(y[1:])))
        error = abs(float(lorentz.distance(x, y)) - truth)
        assert error <= 1e-40 + 8 * EPS * max(truth, min(x[0], y[0]) * min(1.0, truth))


@each_of(("chart", "module"), [("poincare", poincare), ("klein", klein)])
@each_of("seed", range(3))
def test_ball_distance_of_the_given_floats_loses_only_the_gap_to_the_boundary(chart, module, seed):
    """Relative error below a few eps/(1-r)."""
    for x, y in pairs(seed):
        a, b = (charts.convert(p, "hyperboloid", chart) for p in (x, y))
        truth = float(apart(sheet(exact(a), chart), sheet(exact(b), chart)))
        gap = 1 - max(np.linalg.norm(a), np.linalg.norm(b))
        error = abs(float(module.distance(a, b)) - truth)
        assert error <= 1e-40 + 4 * EPS * (truth + min(truth, 1) / gap)


PAIRS_OF_CHARTS = [(a, b) for a in charts.CHARTS for b in charts.CHARTS if a != b]


@each_of(("source", "target"), PAIRS_OF_CHARTS)
def test_a_conversion_loses_only_what_the_coarser_chart_cannot_hold(source, target):
    rng = np.random.default_rng(0)
    for radius in (1e-9, 0.1, 1.0, 5.0, 10.0, 15.0):
        for _ in range(5):
            v = rng.normal(size=3)
            x = charts.convert(v * radius / np.linalg.norm(v), "tangent", source)
            got = charts.convert(x, source, target)
            spatial = [
                exact(p[1:] if c == "hyperboloid" else p) for p, c in ((x, source), (got, target))
            ]
            lost = float(apart(sheet(spatial[0], source), sheet(spatial[1], target)))
            gap = 1 - np.tanh(radius if "klein" in (source, target) else radius / 2)
            assert lost <= 3 * EPS * min(1 / gap, 1 / gap * 2 * radius + EPS)


@pytest.mark.parametrize("curvature", [0.25, 1.0, 2.5])
def test_curvature_is_a_change_of_unit(curvature):
    rng = np.random.default_rng(1)
    root = np.sqrt(curvature)
    x, y = lorentz.from_spatial(rng.normal(size=(2, 20, 3)))
    v, base = lorentz.log(x, y), x[0]
    X, Y, V, t = x / root, y / root, v / root, 0.3

    def same(got, expected):
        np.testing.assert_allclose(got * root, expected, rtol=1e-12, atol=1e-12)

    same(lorentz.distance(X, Y, curvature), lorentz.distance(x, y))
    same(lorentz.exp(X, V, curvature), y)
    same(lorentz.log(X, Y, curvature), v)
    same(tangent.transport(X, Y, V, curvature), tangent.transport(x, y, v))
    same(lorentz.geodesic(X, Y, t, curvature), lorentz.geodesic(x, y, t))
    same(lorentz.midpoint(X, None, curvature), lorentz.midpoint(x))
    same(lorentz.hyperplane_distance(X, V[0] * 7, curvature), lorentz.hyperplane_distance(x, v[0]))
    same(lorentz.boost(base / root, curvature) / root, lorentz.boost(base))
    for chart, module in (("poincare", poincare), ("klein", klein)):
        b, c = (charts.convert(p, "hyperboloid", chart) for p in (x, y))
        B, C = b / root, c / root
        same(charts.convert(X, "hyperboloid", chart, curvature), b)
        same(module.distance(B, C, curvature), module.distance(b, c))
    b, c = (charts.convert(p, "hyperboloid", "poincare") for p in (x, y))
    B, C = b / root, c / root
    same(poincare.mobius_add(B, C, curvature), poincare.mobius_add(b, c))
    same(poincare.log(B, C, curvature), poincare.log(b, c))
    same(poincare.exp(B, C, curvature), poincare.exp(b, c))
    same(poincare.transport(B, C, C, curvature), poincare.transport(b, c, c))
    same(poincare.hyperplane_distance(B, C, c, curvature), poincare.hyperplane_distance(b, c, c))
