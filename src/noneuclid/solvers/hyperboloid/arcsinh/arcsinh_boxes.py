"""Lines below the arcsinh loss, planes below the objective on a box, and the box that they leave.

The loss l(m) = max(0, asinh 1 - asinh m) is concave below 0 and convex above. A plane on a box of
w = (t, u) is the array (c, g). If `curved`, the function is c + g·w + ½|u|² less the chord of ½t²
on the box. Both kinds are separable, so that their least value on a box has a closed form.
"""

import math

import numpy as np

from noneuclid.compiled import compile_cached, copy_into

_ASINH_1 = math.asinh(1.0)
# Steps of the golden section for the best mix of two planes.
_GOLDEN_STEPS = 14


@compile_cached
def _find_touching_point(a):
    """About where in [0, 1] the line from (a, l(a)), a < 0, touches the loss (Newton)."""
    start = math.asinh(a)
    if _ASINH_1 - start <= (1.0 - a) * math.sqrt(0.5):
        return 1.0
    x = min(1.0, -0.5 * a)
    for _ in range(4):
        slope = math.sqrt(1.0 + x * x)
        rise = math.asinh(x) - start
        if x * rise == 0.0:
            break
        x = min(1.0, max(0.0, x + ((x - a) - slope * rise) * slope / (x * rise)))
    return x


@compile_cached
def fit_line_below(a, b, m):
    """Slope and intercept of the line below the loss on [a, b] that is highest at m in it."""
    if a >= 1.0 or (m >= 1.0 and b > 0.0):
        return 0.0, 0.0
    if a >= 0.0:
        slope = -1.0 / math.sqrt(1.0 + m * m)
        return slope, _ASINH_1 - math.asinh(m) - slope * m
    start = _ASINH_1 - math.asinh(a)
    touch = _find_touching_point(a) if b > 0.0 else b
    if touch >= b:
        end = _ASINH_1 - math.asinh(min(b, 1.0))
        slope = (end - start) / (b - a) if b > a else 0.0
        return slope, min(start - slope * a, end - slope * b)
    if touch >= 1.0:
        slope = -start / (1.0 - a)
        return slope, -slope
    # Newton's end is not exact: the lower of both intercepts is safe wherever it is.
    touch = max(touch, m)
    slope = -1.0 / math.sqrt(1.0 + touch * touch)
    return slope, min(start - slope * a, _ASINH_1 - math.asinh(touch) - slope * touch)


@compile_cached
def evaluate_coordinate(j, x, g, curved, low, high):
    """Coordinate j's share of the value at x, from the slope g."""
    if not curved:
        return g * x
    if j == 0:
        return g * x - 0.5 * ((low + high) * x - low * high)
    return g * x + 0.5 * x * x


@compile_cached
def find_lowest(j, g, curved, low, high):
    """Coordinate j of the lowest place on the box, from the slope g."""
    if curved and j > 0:
        return min(high, max(low, -g))
    slope = g - 0.5 * (low + high) if curved else g
    return low if slope > 0.0 else high


@compile_cached
def find_minimum(plane, curved, low, high):
    """Least value on the box."""
    total = plane[0]
    for j in range(len(low)):
        x = find_lowest(j, plane[1 + j], curved, low[j], high[j])
        total += evaluate_coordinate(j, x, plane[1 + j], curved, low[j], high[j])
    return total


@compile_cached
def combine_planes(plane, new, curved, low, high):
    """Replace `plane` by its convex combination with `new` whose least value is largest."""
    best = find_minimum(plane, curved, low, high)
    value = find_minimum(new, curved, low, high)
    share = 0.0
    if not best >= value:  # also where there is no plane yet
        best, share = value, 1.0
    if plane[0] > -np.inf:
        ratio = 0.5 * (math.sqrt(5.0) - 1.0)
        start, end = 0.0, 1.0
        for _ in range(_GOLDEN_STEPS):
            left, right = end - ratio * (end - start), start + ratio * (end - start)
            at_left = find_minimum(plane + left * (new - plane), curved, low, high)
            at_right = find_minimum(plane + right * (new - plane), curved, low, high)
            if at_left > best:
                best, share = at_left, left
            if at_right > best:
                best, share = at_right, right
            if at_left < at_right:
                start = left
            else:
                end = right
    if share == 1.0:
        copy_into(new, plane)
    elif share > 0.0:
        plane += share * (new - plane)


@compile_cached
def cut_box(plane, curved, low, high, cutoff):
    """Shrink the box in place to where the plane is below the cutoff; returns its least value."""
    value = find_minimum(plane, curved, low, high)
    if value >= cutoff:
        return value
    spare = (cutoff - value) * (1.0 + 1e-12)  # §21
    for j in range(len(low)):
        g = plane[1 + j]
        x = find_lowest(j, g, curved, low[j], high[j])
        if curved and j > 0:
            room = math.sqrt(
                max(g * g + 2.0 * (evaluate_coordinate(j, x, g, True, 0.0, 0.0) + spare), 0.0)
            )
            if max(low[j], -g - room) <= min(high[j], -g + room):
                low[j], high[j] = max(low[j], -g - room), min(high[j], -g + room)
            continue
        slope = g - 0.5 * (low[j] + high[j]) if curved else g
        if slope > 0.0:
            high[j] = min(high[j], low[j] + spare / slope)
        elif slope < 0.0:
            low[j] = max(low[j], high[j] + spare / slope)
    return value
