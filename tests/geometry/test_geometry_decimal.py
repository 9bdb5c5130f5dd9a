"""The public geometry against decimals of 60 digits, in every chart, near the origin and the rim.

The law is that of the coordinates: a point is known to eps cosh(R) in units of the space, in the
Klein ball to eps cosh(R)^2, so that is the relative error of what is near it.
"""

from decimal import localcontext

import exact_geometry as exact
import numpy as np
import pytest
from cases import each_of

from noneuclid import geometry
from noneuclid.geometry import charts, public_points, tangent

EPS = np.finfo(float).eps
DIGITS = 110  # the differences of `pushed` take 50
# The last two lie at norms of 1 - 2e-4 and 1 - 1e-12 of the Poincaré ball.
PLACES = (0.0, 1e-9, 0.5, 3.0, 9.2, 28.3)
GAPS = (1e-9, 1e-3, 1.0)


@pytest.fixture(autouse=True)
def _digits():
    with localcontext() as context:
        context.prec = DIGITS
        yield


def cases(chart):
    """Points x, y, tangent vectors v at x, all floats of the chart, and the law."""
    for place in PLACES:
        if chart == "klein" and place > 10:
            continue
        for gap in GAPS:
            base, other, v = exact.pairs(place, gap, n=2)
            x, y = (public_points.from_hyperboloid(p, chart, 1.0) for p in (base, other))
            growth = np.cosh(place + gap)
            law = EPS * (growth**2 if chart == "klein" else growth)
            if law < 0.01 * min(gap, 1.0):
                exact_base = [exact.from_space(exact.decimals(p[1:])) for p in base]
                moved = [exact.pulled(*pair, chart) for pair in zip(exact_base, v, strict=True)]
                vectors = np.array(moved, dtype=float)
                yield x, y, vectors, law


@each_of("chart", charts.HYPERBOLIC)
def test_distance(chart):
    for x, y, _, law in cases(chart):
        pairs = [[exact.lifted(p, chart) for p in pair] for pair in zip(x, y, strict=True)]
        truth = np.array([float(exact.distance(*pair)) for pair in pairs])
        off = np.abs(geometry.distance(x, y, chart=chart) - truth)
        # Tangent vectors are converted first, so near points have an absolute error.
        scale = 1.0 if chart == "tangent" else truth
        assert (off / scale).max() < 4 * (EPS if chart == "half_space" else law)


@each_of("chart", charts.HYPERBOLIC)
def test_exp_map(chart):
    for x, _, v, law in cases(chart):
        v = 0.5 * v
        found = geometry.exp_map(x, v, chart=chart)
        for p, w, image in zip(x, v, found, strict=True):
            truth = exact.exp_map(exact.lifted(p, chart), exact.pushed(p, w, chart))
            growth = float(truth[0]) ** (2 if chart == "klein" else 1)
            lost = exact.distance(exact.lifted(image, chart), truth)
            assert float(lost) < 4 * max(law, EPS * growth)


@each_of("chart", charts.HYPERBOLIC)
def test_log_map(chart):
    for x, y, _, law in cases(chart):
        found = geometry.log_map(x, y, chart=chart)
        for p, q, w in zip(x, y, found, strict=True):
            base = exact.lifted(p, chart)
            truth = exact.log_map(base, exact.lifted(q, chart))
            off = exact.length(exact.combine(1, exact.pushed(p, w, chart), -1, truth))
            scale = 1 if chart in ("klein", "tangent") else exact.length(truth)
            assert float(off / scale) < 4 * (EPS if chart == "half_space" else law)


@each_of("chart", charts.HYPERBOLIC)
def test_parallel_transport(chart):
    for x, y, v, law in cases(chart):
        found = geometry.parallel_transport(x, y, v, chart=chart)
        for p, q, w, carried in zip(x, y, v, found, strict=True):
            base, end = exact.lifted(p, chart), exact.lifted(q, chart)
            truth = exact.transported(base, end, exact.pushed(p, w, chart))
            off = exact.length(exact.combine(1, exact.pushed(q, carried, chart), -1, truth))
            limit = 4 * (EPS if chart == "half_space" else law)
            assert float(off / exact.length(truth)) < limit


@each_of("chart", charts.HYPERBOLIC)
def test_hyperplane_distance(chart):
    for p, x, w, law in cases(chart):
        found = geometry.hyperplane_distance(x, p, w, chart=chart)
        for a, b, normal, value in zip(p, x, w, found, strict=True):
            truth = exact.signed_distance(exact.lifted(b, chart), exact.pushed(a, normal, chart))
            assert abs(value - float(truth)) < 4 * law


@each_of("chart", charts.HYPERBOLIC)
def test_busemann(chart):
    ideal = np.array([1.0, 2.0, -2.0])
    for _, x, _, law in cases(chart):
        found = geometry.busemann(x, ideal, chart=chart)
        for p, value in zip(x, found, strict=True):
            truth = float(exact.busemann(exact.lifted(p, chart), ideal))
            assert abs(value - truth) < 4 * max(law, EPS * max(1, abs(truth)))


@each_of("chart", charts.HYPERBOLIC)
def test_isometry(chart):
    """Out and back: the image may be far out, or near the origin from far out."""
    shifts = np.array([[0.3, -0.2, 0.9], [-4.0, 1.0, 2.0], [0.0, 0.0, 9.0]])
    for x, _, _, law in cases(chart):
        for shift in (*shifts, *-shifts, 1e-9 * shifts[0]):
            settings = {"chart": chart}
            centre = exact.lifted(shift, "tangent")
            isometry = geometry.Isometry(shift, **settings).fit(x)
            images = [exact.boosted(exact.lifted(p, chart), centre) for p in x]
            growth = max(float(image[0]) for image in images)
            if (growth > 1e4 and chart == "klein") or growth > 1e13:
                continue
            limit = 4 * max(law, EPS * growth ** (2 if chart == "klein" else 1))
            for image, truth in zip(isometry.transform(x), images, strict=True):
                assert float(exact.distance(exact.lifted(image, chart), truth)) < limit


@each_of("chart", charts.HYPERBOLIC)
def test_means(chart):
    for place in PLACES[:-1]:
        base, _, _ = exact.pairs(place, 1.0, n=1)
        vectors = np.random.default_rng(0).normal(size=(9, 3)) / 3
        points = tangent.lift(vectors, base[0])
        x = public_points.from_hyperboloid(points, chart, 1.0)
        truth = [exact.lifted(p, chart) for p in x]
        law = EPS * points[:, 0].max() ** (2 if chart == "klein" else 1)
        centroid = exact.lifted(geometry.centroid(x, chart=chart), chart)
        total = [sum(column) for column in zip(*truth, strict=True)]
        size = (-exact.product(total, total)).sqrt()
        assert float(exact.distance(centroid, [c / size for c in total])) < 4 * law
        # The sum of squared distances is strongly convex: its gradient bounds the error.
        mean = exact.lifted(geometry.frechet_mean(x, chart=chart), chart)
        logs = [exact.log_map(mean, p) for p in truth]
        gradient = [sum(column) / len(x) for column in zip(*logs, strict=True)]
        assert float(exact.length(gradient)) < 4 * law


ROUND_TRIPS = [
    (a, b) for a in charts.HYPERBOLIC for b in charts.HYPERBOLIC if "half_space" in (a, b)
]


@each_of(("chart_in", "chart_out"), ROUND_TRIPS)
def test_the_half_space_is_exact_up_to_the_coordinates(chart_in, chart_out):
    """The twelve other conversions are in test_charts_decimal."""
    for x, _, _, law in cases(chart_in):
        law = max(law, law / EPS * law) if chart_out == "klein" else law
        if law > 1e-3:
            continue
        there = geometry.convert(x, chart_in, chart_out)
        back = geometry.convert(there, chart_out, chart_in)
        for p, q, r in zip(x, there, back, strict=True):
            truth = exact.lifted(p, chart_in)
            assert float(exact.distance(truth, exact.lifted(q, chart_out))) < 4 * law
            assert float(exact.distance(truth, exact.lifted(r, chart_in))) < 4 * law


def test_half_space_heights_have_no_end():
    X = np.array([[0.0, 1e-140], [0.0, 1e140], [0.3, 1e-8]])
    sheet = geometry.convert(X, "half_space", "hyperboloid")
    np.testing.assert_allclose(geometry.convert(sheet, "hyperboloid", "half_space"), X, rtol=1e-7)
    apart = geometry.distance(X[0], X[1], chart="half_space")
    assert apart == pytest.approx(280 * np.log(10), rel=1e-15)
