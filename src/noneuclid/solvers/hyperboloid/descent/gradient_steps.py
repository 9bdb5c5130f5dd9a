"""The inner loops of projected gradient descent for the hyperboloid SVM."""

import math

import numpy as np

from noneuclid.compiled import compile_cached, copy_into
from noneuclid.solvers.hyperboloid.problem import HINGE_SLOPE
from noneuclid.solvers.products import AT_ONCE, compute_length, count_up, dot, multiply_ahead

# Rim of the feasible cone: |t| <= (1 - _RIM)|u|, a hyperplane within 11 units of the origin.
_RIM = 1e-9
# Products of loss terms are kept below this before their logarithm is taken.
_LARGE = 1e150
_ASINH_1 = math.asinh(1.0)
# Steps of the present length for which the rows that may come near are listed.
_STEPS = 20
# Shorter moves of w are counted as this long: their squares underflow.
_SHORTEST = 1e-150
# Relative rounding error of a margin, far above that of a million columns.
_ROUNDING = 1e-9


@compile_cached
def project_in_place(w, inside):
    """Replace w by the nearest spacelike vector; see `projected_gradient.project`."""
    length = 0.0
    for j in range(1, len(w)):
        length += w[j] * w[j]
    length = math.sqrt(length)
    if inside > 0.0:
        spacelike = abs(w[0]) < length
    else:
        spacelike = length > 0.0 and abs(w[0]) <= (1.0 - _RIM) * length
    if spacelike:
        return
    size = 0.5 * (abs(w[0]) + length)
    if length == 0.0:
        w[1] = size = size if size > 0.0 else 1.0
    else:
        for j in range(1, len(w)):
            w[j] *= size / length
    if inside > 0.0:
        w[0] = math.copysign(math.sqrt(max(size * size - inside, 0.0)), w[0])
    elif w[0] != 0.0:
        w[0] = math.copysign(size * (1.0 - _RIM), w[0])


@compile_cached
def _losses(rows, some, w, limits, arcsinh, gradient, margins):
    """Σ C_i loss at w over the rows `some`, of which the margins are written; adds its gradient.

    `some` and `margins` are None for all rows.

    Since asinh m = log(m + √(1+m²)), the logarithm is taken of products of terms, not of each, if
    there is one C for all.
    """
    C, single = limits[0], len(limits) == 1
    total, count, product, quotient = 0.0, 0, 1.0, 1.0
    ahead, first, end = np.empty(AT_ONCE), 0, 0
    for k in range(len(rows) if some is None else len(some)):
        if some is None:
            r, margin = k, dot(rows, k, w)
        else:
            if k == end:
                first, end = k, k + multiply_ahead(rows, some, k, w, ahead)
            r, margin = some[k], ahead[k - first]
            margins[r] = margin
        if margin < 1.0:
            if not single:
                C = limits[r]
            pull = C * HINGE_SLOPE
            if arcsinh:
                root = math.sqrt(1.0 + margin * margin)
                pull = C / root
            if arcsinh and not single:
                total += C * (_ASINH_1 - math.asinh(margin))
            elif arcsinh:
                count += 1
                if margin < 0.0:
                    product *= root - margin
                else:
                    quotient *= root + margin
                if max(product, quotient) > _LARGE:
                    total += C * math.log(product / quotient)
                    product = quotient = 1.0
            else:
                total += pull * (1.0 - margin)
            for j in range(len(w)):
                gradient[j] -= pull * rows[r, j]
    return total + C * (count * math.log(1.0 + math.sqrt(2.0)) + math.log(product / quotient))


@compile_cached
def _within_reach(margins, lengths, reach, size, near):
    """Write the rows whose margin may be below 1 before w has moved by `reach` into `near`.

    A move of w by δ changes the margin of row r by |r| δ at most. `size` is |w|. Returns their
    number.
    """
    count = 0
    for r in range(len(margins)):
        if not margins[r] - 1.0 > lengths[r] * (reach + _ROUNDING * (size + reach)):
            near[count] = r
            count += 1
    return count


@compile_cached
def descend_in_place(rows, w, best, values, limits, arcsinh, step, inside, check_at, near):
    """Make steps of one length; the values end where they overflow, or at a bad check.

    `rows` come from `problem.signed_rows`; `w` is the start, `best` becomes the iterate of the
    least value, `values` (max_iter + 1,) the objectives, that of the start first. `limits` are the
    C of each row (n,), or of all (1,); `inside` as for `projected_gradient.project`. The descent
    ends before the iterate `check_at` if that is worse than the start. Returns the number of
    values.

    Rows beyond the margin add nothing. With the space `near` (n,), rows so far beyond it that the
    next `_STEPS` steps cannot bring them back are left out until w has moved as far, which changes
    no digit. None visits all rows, which is faster for short ones.
    """
    gradient, before = np.empty_like(w), np.empty_like(w)
    if near is None:
        some = margins = None
    else:
        every, margins, lengths = count_up(len(rows)), np.empty(len(rows)), np.empty(len(rows))
        some = every
        for r in range(len(rows)):
            lengths[r] = compute_length(rows[r])
        reach, moved = 0.0, 0.0
    lowest = np.inf
    for i in range(len(values)):
        copy_into(w, gradient)
        gradient[0] = -w[0]
        square = 0.0  # no BLAS, whose last digits depend on the processor
        for j in range(len(w)):
            square += gradient[j] * w[j]
        value = 0.5 * square + _losses(rows, some, w, limits, arcsinh, gradient, margins)
        if not math.isfinite(value) or (i == check_at and value > values[0]):
            return i
        values[i] = value
        if value < lowest:
            copy_into(w, best)
            lowest = value
        copy_into(w, before)
        w -= step * gradient
        project_in_place(w, inside)
        if near is not None:
            for j in range(len(w)):
                before[j] -= w[j]
            last = max(compute_length(before), _SHORTEST)
            moved += last
            if len(some) == len(rows):
                reach, moved = _STEPS * last, last
                some = near[
                    : _within_reach(margins, lengths, reach, compute_length(w) + last, near)
                ]
            if not moved <= reach:
                some = every
    return len(values)
