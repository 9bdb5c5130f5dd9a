"""Constants for rounding in docs/hyperboloid_svm.md against exact rational arithmetic."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from paper_mirror import ROOT

from noneuclid.geometry import lorentz
from noneuclid.solvers.hyperboloid.certified.intervals import Interval
from noneuclid.solvers.hyperboloid.certified.light_cone.cone_cells import _chord, _violated
from noneuclid.solvers.hyperboloid.certified.light_cone.cone_frame import Frame
from noneuclid.solvers.hyperboloid.certified.slices.time_slices import HingeSlices, TimeSlice
from noneuclid.solvers.hyperboloid.certified.verified_bound import (
    find_shifts,
    rounding_error_of_length,
)
from noneuclid.solvers.hyperboloid.lorentz_boost import boost, in_numbers_of
from noneuclid.solvers.hyperboloid.problem import signed_rows

EPS = np.finfo(float).eps


def exact(x):
    """A double or long double."""
    high = float(x)
    return Fraction(high) + Fraction(float(x - high))


def root(square):
    """√ of a fraction, to 120 bits of itself."""
    shift = 240 - 2 * (square.numerator.bit_length() - square.denominator.bit_length())
    scaled = math.isqrt(int(square * Fraction(2) ** shift)) if square else 0
    return Fraction(scaled) / Fraction(2) ** (shift // 2)


def boost_exactly(row, centre):
    time = root(1 + sum(x * x for x in centre))
    along = sum(a * b for a, b in zip(row[1:], centre, strict=True))
    push = row[0] + along / (1 + time)
    return [row[0] * time + along, *(a + push * b for a, b in zip(row[1:], centre, strict=True))]


@pytest.mark.parametrize(("d", "distance"), [(1, 3.0), (2, 6.0), (12, 5.0), (40, 4.0), (3, 14.0)])
def test_what_a_boost_does_to_a_row(d, distance):
    rng = np.random.default_rng(d)
    spatial = rng.normal(size=(20, d))
    size = np.sinh(distance * rng.uniform(0.3, 1.0, size=20)) / np.linalg.norm(spatial, axis=1)
    points = lorentz.from_spatial(spatial * size[:, None])
    centre = -points[0, 1:] * rng.uniform(0.5, 1.0)
    if distance > 8.0:
        centre = centre.astype(np.longdouble)
    signs = np.ones(20)
    rows = boost(signed_rows(in_numbers_of(centre, points), signs), centre)
    shifts = find_shifts(rows, signs, centre, points)
    far = np.linalg.norm(rows[:, 1:], axis=1)
    far = far * (1.0 + 1e-9) + rounding_error_of_length(points, centre, np.finfo(centre.dtype).eps)
    middle = [exact(x) for x in centre]
    for row, point, shift, longest in zip(rows, points, shifts, far, strict=True):
        space = [Fraction(x) for x in point[1:]]
        true = boost_exactly([-root(1 + sum(x * x for x in space)), *space], middle)
        off = sum((a - Fraction(b)) ** 2 for a, b in zip(true, row, strict=True))
        assert off <= Fraction(shift) ** 2
        assert sum(x * x for x in true[1:]) <= Fraction(longest) ** 2


def random_slice(rng, t, d):
    """A slice with numbers of all sizes, and its line as a function of t, exactly."""
    total, slope = 10 ** rng.uniform(-3, 6), rng.choice([-1, 1]) * 10 ** rng.uniform(-3, 6)
    g = rng.normal(size=d) * 10 ** rng.uniform(-3, 3)
    length = math.sqrt(g @ g)
    result = TimeSlice(t, total, slope, g, length, total, g, 0.0, np.empty(0))
    a, b, c = Fraction(total), Fraction(slope), Fraction(length)
    return result, lambda x: a + b * x - c * c / 2


def exact_bound(line, length, t):
    if abs(t) <= length:
        return line - t * t / 2
    return line + length * length / 2 - length * abs(t)


@pytest.mark.parametrize("seed", range(4))
def test_what_the_bounds_of_slices_lose(seed):
    rng = np.random.default_rng(seed)
    for _ in range(100):
        t = 10 ** rng.uniform(-3, 4) * np.array([1.0, 1.0 + 10 ** rng.uniform(-6, 2)])
        (a, line_a), (b, line_b) = (random_slice(rng, float(x), 3) for x in t)
        low, high = Fraction(a.t), Fraction(b.t)
        for end, line in ((a, line_a), (b, line_b)):
            true = exact_bound(line(high), Fraction(end.length), high)
            assert abs(Fraction(end.bound(b.t)) - true) <= Fraction(end.rounding(b.t)) / 4
        turn = (high - low) * (Fraction(b.slope) - Fraction(a.slope))
        moved = sum(
            (Fraction(x) - Fraction(y)) ** 2 for x, y in zip(a.resultant, b.resultant, strict=True)
        )
        first, last = line_a(low) - low * low / 2, line_b(high) - high * high / 2
        curve = turn - moved / 2 - (high - low) ** 2 / 2
        share = Fraction(0) if first <= last else Fraction(1)
        if curve > abs(last - first):
            share = (1 - (last - first) / curve) / 2
        least = first + (last - first) * share - curve * share * (1 - share)
        interval = Interval(a, b)
        assert abs(Fraction(interval._lowest_mixed()[0]) - least) <= Fraction(interval.rounding())


@pytest.mark.parametrize(("n", "d"), [(30, 1), (200, 5), (60, 40)])
def test_what_a_sum_of_hinges_loses(n, d):
    rng = np.random.default_rng(n)
    points = lorentz.from_spatial(rng.normal(size=(n, d)) * 10 ** rng.uniform(-1, 3, size=(n, 1)))
    weights = 10 ** rng.uniform(-2, 2, size=n)
    rows = signed_rows(points, rng.choice([-1.0, 1.0], size=n))
    slices = HingeSlices(rows, 0.7, weights)
    for size in (1e-4, 1e-2, 1.0):
        w = size * rng.normal(size=d + 1)
        value = 0.5 * (w[1:] @ w[1:]) + slices.evaluate_loss(w)
        true = sum(Fraction(x) ** 2 for x in w[1:]) / 2 + exact_hinges(rows, weights, w)
        assert abs(Fraction(value) - true) <= Fraction(slices.rounding_error(w, value)) / 2


def exact_hinges(rows, weights, w):
    """With slopes of 0.7."""
    total, w = Fraction(0), [Fraction(x) for x in w]
    for row, weight in zip(rows, weights, strict=True):
        margin = sum(Fraction(a) * b for a, b in zip(row, w, strict=True))
        total += Fraction(0.7) * Fraction(weight) * max(Fraction(0), 1 - margin)
    return total


def test_what_a_hinge_loses_near_its_kink():
    rng = np.random.default_rng(0)
    for _ in range(200):
        point = lorentz.from_spatial(rng.normal(size=(1, 6)) * 10 ** rng.uniform(0, 3))
        rows, w = signed_rows(point, np.ones(1)), rng.normal(size=7)
        w /= rows[0] @ w * (1.0 + 10 ** rng.uniform(-15, -9))
        slices = HingeSlices(rows, 0.7)
        value = slices.evaluate_loss(w)
        off = abs(Fraction(value) - exact_hinges(rows, np.ones(1), w))
        assert off <= Fraction(slices.rounding_error(w, value)) / 2


@pytest.mark.parametrize("d", [2, 5, 12])
def test_rows_of_a_cell_hold_on_the_cone(d):
    rng = np.random.default_rng(d)
    for _ in range(200):
        axis, sign = int(rng.integers(d)), float(rng.choice([-1.0, 1.0]))
        low = rng.uniform(-1.0, 1.0, size=d)
        high = np.minimum(1.0, low + 10 ** rng.uniform(-8, 0, size=d))
        low[axis] = high[axis] = 0.0
        # Ratios are x_j / (sign x_axis); the chord of |x|² is exact at the corners, and touches
        # the cone at one of length μ.
        ratios = np.where(rng.uniform(size=d) < 0.5, low, high)
        row = _chord(axis, sign, low, high, math.sqrt(1.0 + ratios @ ratios))
        corner = [Fraction(sign) if j == axis else Fraction(g) for j, g in enumerate(ratios)]
        right = sum(Fraction(a) * b for a, b in zip(row[1:], corner, strict=True))
        assert right >= 0
        assert right**2 >= Fraction(row[0]) ** 2 * sum(g * g for g in corner)
        tangent = _violated(axis, sign, low, high, np.append(0.1, rng.normal(size=d)))
        assert tangent[0] == 1.0
        assert sum(Fraction(a) ** 2 for a in tangent[1:]) <= 1


@pytest.mark.parametrize("d", [2, 6, 30])
def test_what_a_frame_does_to_rows(d):
    """The distance of its matrix from a Lorentz matrix, and the rounding of rows times it."""
    rng = np.random.default_rng(d)
    points = lorentz.from_spatial(rng.normal(size=(60, d)))
    signs = np.where(rng.uniform(size=60) < 0.3, 1.0, -1.0)
    slices = HingeSlices(signed_rows(points, signs), 1.0)
    metric = np.append(-1.0, np.ones(d))
    for sign in (1.0, -1.0):
        u = rng.normal(size=d)
        frame = Frame(slices, sign, np.append(sign * np.linalg.norm(u), u), 30.0)
        long = frame.matrix.astype(np.longdouble)
        skew = long.T @ (metric[:, None] * long) - np.diag(metric)
        off = 0.5 * (long * metric) @ skew  # to first order
        turned = slices.rows @ frame.matrix
        rounded = np.abs(turned - slices.rows.astype(np.longdouble) @ long)
        lost = math.sqrt(2.0) * np.linalg.norm(off.astype(float), axis=1).max()
        sizes = np.abs(slices.rows).sum(axis=1)
        lost = lost * sizes + math.sqrt(2.0) * np.linalg.norm(rounded.astype(float), axis=1)
        assert (lost <= frame.lost * sizes).all()


def test_paragraphs_that_the_code_names():
    text = (ROOT / "docs/hyperboloid_svm.md").read_text()
    stated = set(re.findall(r"\*\*§(\d+(?:\.\d+)?)", text))
    files = (ROOT / "src/noneuclid/solvers/hyperboloid").rglob("*.py")
    named = set(re.findall(r"§(\d+(?:\.\d+)?)", "".join(file.read_text() for file in files)))
    assert len(named) > 20
    assert named <= stated
