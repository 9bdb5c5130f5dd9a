"""Feasibility and objective of the hyperboloid SVM in at least 60 decimal digits."""

from decimal import Decimal, localcontext
from fractions import Fraction

_DIGITS = 60


def lorentz_square(w):
    """<w,w>_L of decimal numbers, exactly."""
    time, *space = (Fraction(x) for x in w)
    return sum(x * x for x in space) - time * time


def evaluate(instance, solution):
    """Fault or "", and the objective ½<w,w>_L + C/√2 Σ max(0, 1 - y_i <w,x_i>_L).

    `solution["w"]` is (w_0, w'); rows have x_0 = √(1 + |x'|²), not rounded to a double.
    """
    w, d = solution["w"], instance.points.shape[1]
    if len(w) != d + 1:
        return f"w has {len(w)} numbers, not {d + 1}", None
    if not any(w):
        return "w is zero", None
    square = lorentz_square(w)
    if square < 0:
        return f"<w,w>_L = {float(square):.3g} is negative", None
    with localcontext() as context:
        largest = max(abs(x) for x in w) * Decimal(1 + abs(instance.points).max())
        context.prec = _DIGITS + 2 * max(0, largest.adjusted())
        total = Decimal(0)
        for sign, row in zip(instance.signs, instance.points, strict=True):
            space = [Decimal(float(x)) for x in row]
            time = (1 + sum(x * x for x in space)).sqrt()
            product = sum(a * b for a, b in zip(w[1:], space, strict=True)) - w[0] * time
            total += max(Decimal(0), 1 - int(sign) * product)
        half = Decimal(square.numerator) / Decimal(2 * square.denominator)
        return "", half + Decimal(instance.C) * total / Decimal(2).sqrt()
