"""Rows of the hyperboloid SVM in decimals, for points as given; inside `localcontext`."""

from decimal import Decimal


def decimals(values):
    return [Decimal(float(value)) for value in values]


def exact_rows(points, signs):
    """y_i (-√(1 + |x'|²), x')."""
    rows = []
    for point, sign in zip(points, signs, strict=True):
        space = decimals(point[1:])
        time = (1 + sum(x * x for x in space)).sqrt()
        rows.append([int(sign) * x for x in [-time, *space]])
    return rows


def exact_boost(vector, centre):
    """A vector, boosted to the centre."""
    middle = [Decimal(str(x)) for x in centre]
    time = (1 + sum(x * x for x in middle)).sqrt()
    along = sum(a * b for a, b in zip(vector[1:], middle, strict=True))
    push = vector[0] + along / (1 + time)
    space = [a + push * b for a, b in zip(vector[1:], middle, strict=True)]
    return [vector[0] * time + along, *space]


def exact_moves(points, radius):
    """The rows of M_i, of each point."""
    found = []
    for point in points:
        space = decimals(point[1:])
        square = sum(x * x for x in space)
        length, time = square.sqrt(), (1 + square).sqrt()
        stretch = length / (length + time).ln() if length else Decimal(1)
        bend = (time - stretch) / square if length else Decimal(0)
        found.append([])
        for j, x in enumerate(space):
            row = [-x, *(bend * x * y for y in space)]
            row[1 + j] += stretch
            found[-1].append([Decimal(radius) * value for value in row])
    return found
