"""Newton's method on rounded hinges, on a slice in time, off the light cone, or on it.

The hinge max(0, s) is rounded to s²/(2h) for 0 < s < h and s - h/2 beyond (Huber 1964; for SVMs
Chapelle 2007, eq. 3.1), with a width h that falls. The slope min(1, s/h) of the rounded hinge is a
feasible multiplier, and leaves s (1 - s/h) between the hinge and what the multiplier proves.
"""

import math

import numpy as np

from noneuclid.compiled import compile_cached, compile_inner, copy_into

SLICE, FREE, CONE = 0, 1, 2  # w = (t, u) with t fixed, any w, w = (±|u|, u)
_FALL = 0.1  # of the width
_LEAST_WIDTH = 1e-13
_MAX_STEPS = 80  # and as many times a tenth of the coordinates
_WORK = 200_000_000  # of all steps, each the cube of the coordinates
_PATIENCE, _GROWTH = 8, 50.0  # steps with one width, and two a coordinate; the width after them
_MAX_LENGTHS = 20  # of a step
_FLAT = 0.3  # of the slope at its start
_MAX_DAMPINGS = 12
_CLOSE = 0.1  # of what the width leaves open: no more steps with it


@compile_cached
def descend(rows, weights, c, w, kind, anchor, width, tol):
    """Move w to a minimum of the objective, in place; shares (n,) in [0, 1] of its multipliers.

    The objective is ½|u|² and the loss c Σ q_i max(0, 1 - r_i·w). Where t is FREE it has
    ½(t - 2 anchor)² too: up to a constant -½t² and (t - anchor)², so that a w better than one with
    t = anchor lowers ½(|u|² - t²) + loss (majorisation: Lange, Hunter and Yang 2000). Unless steps
    or digits run out, the multipliers c q_i share_i prove the minimum to `tol`; on the cone it is
    local. Hinges begin `width` wide.
    """
    size, damping, tried = len(w), 0.0, 0
    gradient, H, step = np.empty(size), np.empty((size, size)), np.empty(size)
    line = np.empty((2, len(rows)))
    for _ in range(min(_MAX_STEPS + 8 * size, 10 + _WORK // size**3)):
        value, spare = _sum_up(rows, weights, c, w, kind, anchor, width, width, gradient, H)
        damping, promise = _choose_step(H, gradient, kind, damping, step)
        missed = 0.5 * _square(gradient, 0)
        if kind == CONE:
            missed = math.sqrt(_square(gradient, 0) * _square(w, 1))
            promise *= _limit(step, w)
        length = 0.0
        if missed > max(_CLOSE * spare, 0.5 * tol):
            length = _find_length(rows, weights, c, w, step, kind, anchor, width, promise, line)
            if kind == CONE:  # not convex
                length = _shorten(rows, weights, c, w, step, width, length, value)
        if length > 0.0:
            _move(w, step, kind, length)
            damping *= 0.1
            tried += 1
            if tried == _PATIENCE + 2 * size:  # from kink to kink
                width *= _GROWTH
                tried = 0
        elif spare > 0.5 * tol and width > _LEAST_WIDTH:
            _narrow(rows, weights, c, w, kind, anchor, width, (gradient, H, step))
            width *= _FALL
            tried = 0
        else:
            break
    return _find_shares(rows, w, width)


@compile_cached
def _move(w, step, kind, length):
    for j in range(len(w)):
        w[j] += length * step[j]
    if kind == CONE:
        w[0] = math.copysign(math.sqrt(_square(w, 1)), w[0])


@compile_cached
def _limit(step, w):
    """Scale the step to |u| at most; by which factor."""
    share = min(1.0, math.sqrt(_square(w, 1) / max(_square(step, 1), 1e-300)))
    for j in range(len(step)):
        step[j] *= share
    return share


@compile_cached
def _shorten(rows, weights, c, w, step, width, length, value):
    """Length on the light cone, this or shorter, that lowers the rounded objective; 0 for none."""
    for _ in range(_MAX_LENGTHS):
        moved, total = w.copy(), 0.0
        _move(moved, step, CONE, length)
        for i in range(len(rows)):
            short = 1.0
            for j in range(len(w)):
                short -= rows[i, j] * moved[j]
            near = min(max(0.0, short), width)
            total += c * weights[i] * (0.5 * near**2 / width + max(0.0, short - width))
        if total < value:
            return length
        length *= 0.25
    return 0.0


@compile_cached
def _find_length(rows, weights, c, w, step, kind, anchor, width, promise, line):
    """Length of the step where the slope of the rounded objective along it is small."""
    size = len(w)
    for i in range(len(rows)):
        line[0, i], line[1, i] = 1.0, 0.0
        for j in range(1, size):
            line[0, i] -= rows[i, j] * w[j]
            line[1, i] += rows[i, j] * step[j]
    low, high, length = 0.0, np.inf, 1.0
    falls, rises = -promise, 0.0
    for _ in range(_MAX_LENGTHS):
        slope = _find_slope(rows, weights, c, w, step, kind, anchor, width, line, length)
        if abs(slope) <= _FLAT * promise:
            return length
        if slope < 0.0:
            low, falls = length, slope
        else:
            high, rises = length, slope
        if high == np.inf:
            length *= 4.0
            continue
        share = falls / (falls - rises)
        length = low + min(0.9, max(0.1, share)) * (high - low)
    return low


@compile_cached
def _find_slope(rows, weights, c, w, step, kind, anchor, width, line, length):
    """Of the rounded objective along the step."""
    t, along, total, square = w[0], 0.0, 0.0, 0.0
    for j in range(1, len(w)):
        at = w[j] + length * step[j]
        total += at * step[j]
        square += at * at
    if kind == CONE:
        square = math.copysign(max(math.sqrt(square), 1e-300), w[0])
        t, along, total = square, total / square, 0.0
    elif kind == FREE:
        t, along = w[0] + length * step[0], step[0]
        total += (t - 2.0 * anchor) * along
    for i in range(len(rows)):
        short = line[0, i] - length * line[1, i] - rows[i, 0] * t
        if short > 0.0:
            pull = c * weights[i] * min(1.0, short / width)
            total -= pull * (line[1, i] + rows[i, 0] * along)
    return total


@compile_cached
def _find_shares(rows, w, width):
    shares = np.empty(len(rows))
    for i in range(len(rows)):
        short = 1.0
        for j in range(len(w)):
            short -= rows[i, j] * w[j]
        shares[i] = min(1.0, max(0.0, short / width))
    return shares


@compile_inner
def _square(vector, first):
    total = 0.0
    for j in range(first, len(vector)):
        total += vector[j] ** 2
    return total


@compile_cached
def _narrow(rows, weights, c, w, kind, anchor, width, space):
    """Move w to the minimum of the next width for the same hinges near their kinks, if better."""
    (gradient, H, step), narrow = space, _FALL * width
    _sum_up(rows, weights, c, w, kind, anchor, narrow, width, gradient, H)
    _choose_step(H, gradient, kind, 0.0, step)
    moved = w.copy()
    _move(moved, step, kind, 1.0)
    known, _ = _sum_up(rows, weights, c, w, kind, anchor, narrow, narrow, gradient, H)
    value, _ = _sum_up(rows, weights, c, moved, kind, anchor, narrow, narrow, gradient, H)
    if value < known:
        copy_into(moved, w)


@compile_cached
def _sum_up(rows, weights, c, w, kind, anchor, width, zone, gradient, H):
    """The rounded objective, and what rounding leaves open; fills its gradient and matrix.

    Hinges shorter than `zone` count as near their kinks: the width, or another.
    """
    size, total, spare = len(w), 0.0, 0.0
    for j in range(size):
        gradient[j] = 0.0
        for k in range(size):
            H[j, k] = 0.0
    for i in range(len(rows)):
        short = 1.0
        for j in range(size):
            short -= rows[i, j] * w[j]
        if short <= 0.0:
            continue
        pull = c * weights[i]
        if short >= zone:
            total += pull * (short - 0.5 * width)
        else:
            curve = pull / width
            pull = curve * short
            total += 0.5 * pull * short
            spare += pull * (width - short)
            for j in range(size):
                for k in range(j + 1):
                    H[j, k] += curve * rows[i, j] * rows[i, k]
        for j in range(size):
            gradient[j] -= pull * rows[i, j]
    for j in range(size):
        for k in range(j):
            H[k, j] = H[j, k]
    if kind == CONE:
        _turn(w, gradient, H)
        return total, spare
    for j in range(0 if kind == FREE else 1, size):
        pull = w[j] if j else w[j] - 2.0 * anchor
        total += 0.5 * pull**2
        gradient[j] += pull
        H[j, j] += 1.0
    if kind == SLICE:
        gradient[0] = 0.0
    return total, spare


@compile_cached
def _turn(w, gradient, H):
    """Gradient and matrix in u, where w_0 = ±|u|: T'g and T'HT with T = (±u/|u|, I)."""
    size, length = len(w), max(math.sqrt(_square(w, 1)), 1e-300)
    unit, along = np.empty(size), gradient[0]
    for j in range(size):
        unit[j] = math.copysign(1.0, w[0]) * w[j] / length
    bent = max(0.0, math.copysign(along, along * w[0])) / length  # of |u|, where it is convex
    for j in range(1, size):
        gradient[j] += along * unit[j]
        for k in range(1, size):
            H[j, k] += unit[j] * H[0, k] + H[j, 0] * unit[k] + H[0, 0] * unit[j] * unit[k]
            H[j, k] += bent * ((1.0 if j == k else 0.0) - unit[j] * unit[k])
    gradient[0] = 0.0


@compile_cached
def _choose_step(H, gradient, kind, damping, step):
    """Fill with -(H + damping)⁻¹ gradient; the damping that makes it a descent, and its promise."""
    size, first = len(gradient), 0 if kind == FREE else 1
    largest = 1e-300
    for j in range(first, size):
        largest = max(largest, abs(H[j, j]))
    least = 0.0 if kind == SLICE else 1e-12 * largest
    damping = max(damping, least)
    for _ in range(_MAX_DAMPINGS):
        A = H.copy()
        for j in range(first, size):
            A[j, j] += damping
            step[j] = -gradient[j]
        if _eliminate(A, step, first):
            break
        damping = max(10.0 * damping, 1e-3 * largest)
    step[0], promise = step[0] if kind == FREE else 0.0, 0.0
    for j in range(first, size):
        promise -= gradient[j] * step[j]
    return damping, promise


@compile_cached
def _eliminate(A, x, first):
    """Solve A x = x from coordinate `first` on; whether A is positive definite."""
    size = len(x)
    for j in range(first, size):
        if not A[j, j] > 0.0:
            return False
        for i in range(j + 1, size):
            factor = A[i, j] / A[j, j]
            for k in range(j + 1, size):
                A[i, k] -= factor * A[j, k]
            x[i] -= factor * x[j]
    for i in range(size - 1, first - 1, -1):
        for k in range(i + 1, size):
            x[i] -= A[i, k] * x[k]
        x[i] /= A[i, i]
    return True
