"""Lines below the arcsinh loss l(m) = max(0, asinh 1 - asinh m), concave below 0, convex above."""

import math

from noneuclid.compiled import compile_cached

_ASINH_1 = math.asinh(1.0)


@compile_cached
def _touching(a):
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
def line_below(a, b, m):
    """Slope and intercept of the line below the loss on [a, b] that is highest at m in it."""
    if a >= 1.0 or (m >= 1.0 and b > 0.0):
        return 0.0, 0.0
    if a >= 0.0:
        slope = -1.0 / math.sqrt(1.0 + m * m)
        return slope, _ASINH_1 - math.asinh(m) - slope * m
    start = _ASINH_1 - math.asinh(a)
    touch = _touching(a) if b > 0.0 else b
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
