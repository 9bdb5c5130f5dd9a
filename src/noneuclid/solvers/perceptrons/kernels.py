"""Small compiled steps that the perceptrons share."""

from math import sqrt

from noneuclid.compiled import compile_cached


@compile_cached
def dot(vectors, i, w):
    """Product of row i and w."""
    total = 0.0
    for j in range(len(w)):
        total += vectors[i, j] * w[j]
    return total


@compile_cached
def size_of(v):
    """Euclidean length."""
    square = 0.0
    for j in range(len(v)):
        square += v[j] ** 2
    return sqrt(square)


@compile_cached
def hold(total, w, steps):
    """Add w, which stood for so many steps, to the running sum."""
    for j in range(len(w)):
        total[j] += steps * w[j]
