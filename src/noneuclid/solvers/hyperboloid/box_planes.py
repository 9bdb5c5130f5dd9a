"""Planes c + g·w on a box of w = (t, u), and what they leave of the box; compiled.

A plane is the array (c, g). If `curved`, the function is c + g·w + ½|u|² less the chord of ½t² on
the box. Both kinds are separable, so that their least value on a box has a closed form.
"""

import math

import numpy as np

from noneuclid.compiled import compile_cached

# Steps of the golden section for the best mix of two planes.
_MIX_STEPS = 14


@compile_cached
def term(j, x, g, curved, low, high):
    """Coordinate j's share of the value at x, from the slope g."""
    if not curved:
        return g * x
    if j == 0:
        return g * x - 0.5 * ((low + high) * x - low * high)
    return g * x + 0.5 * x * x


@compile_cached
def lowest_at(j, g, curved, low, high):
    """Coordinate j of the lowest place on the box, from the slope g."""
    if curved and j > 0:
        return min(high, max(low, -g))
    slope = g - 0.5 * (low + high) if curved else g
    return low if slope > 0.0 else high


@compile_cached
def least(plane, curved, low, high):
    """Least value on the box."""
    total = plane[0]
    for j in range(len(low)):
        x = lowest_at(j, plane[1 + j], curved, low[j], high[j])
        total += term(j, x, plane[1 + j], curved, low[j], high[j])
    return total


@compile_cached
def mix(plane, new, curved, low, high):
    """Replace `plane` by its convex combination with `new` whose least value is largest."""
    best = least(plane, curved, low, high)
    value = least(new, curved, low, high)
    share = 0.0
    if not best >= value:  # also where there is no plane yet
        best, share = value, 1.0
    if plane[0] > -np.inf:
        ratio = 0.5 * (math.sqrt(5.0) - 1.0)
        start, end = 0.0, 1.0
        for _ in range(_MIX_STEPS):
            left, right = end - ratio * (end - start), start + ratio * (end - start)
            at_left = least(plane + left * (new - plane), curved, low, high)
            at_right = least(plane + right * (new - plane), curved, low, high)
            if at_left > best:
                best, share = at_left, left
            if at_right > best:
                best, share = at_right, right
            if at_left < at_right:
                start = left
            else:
                end = right
    if share == 1.0:
        plane[:] = new
    elif share > 0.0:
        plane += share * (new - plane)


@compile_cached
def cut_off(plane, curved, low, high, cutoff):
    """Shrink the box in place to where the plane is below the cutoff; returns its least value."""
    value = least(plane, curved, low, high)
    if value >= cutoff:
        return value
    spare = (cutoff - value) * (1.0 + 1e-12)
    for j in range(len(low)):
        g = plane[1 + j]
        x = lowest_at(j, g, curved, low[j], high[j])
        if curved and j > 0:
            room = math.sqrt(max(g * g + 2.0 * (term(j, x, g, True, 0.0, 0.0) + spare), 0.0))
            if max(low[j], -g - room) <= min(high[j], -g + room):
                low[j], high[j] = max(low[j], -g - room), min(high[j], -g + room)
            continue
        slope = g - 0.5 * (low[j] + high[j]) if curved else g
        if slope > 0.0:
            high[j] = min(high[j], low[j] + spare / slope)
        elif slope < 0.0:
            low[j] = max(low[j], high[j] + spare / slope)
    return value
