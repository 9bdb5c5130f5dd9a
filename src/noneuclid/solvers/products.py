"""Products of rows with one vector, and lengths, summed in the order of the columns."""

from math import sqrt

import numpy as np

from noneuclid.compiled import compile_cached, copy_into

AT_ONCE = 8
"""Rows of `multiply_ahead`."""
WIDE = 32
"""Columns from which it pays to multiply several rows at a time."""


@compile_cached
def dot(vectors, i, w):
    """Product of row i and w."""
    total = 0.0
    for j in range(len(w)):
        total += vectors[i, j] * w[j]
    return total


@compile_cached
def compute_length(v):
    """Euclidean length."""
    square = 0.0
    for j in range(len(v)):
        square += v[j] ** 2
    return sqrt(square)


@compile_cached
def multiply_ahead(vectors, rows, k, w, products):
    """Products of w with the rows `rows[k:]`, 8 or at the end 1; their number.

    An addition waits for the one before in the same sum, but not for those of other rows, so eight
    sums take little longer than one. Each has the digits of `dot`.
    """
    if k + AT_ONCE > len(rows):
        products[0] = dot(vectors, rows[k], w)
        return 1
    a = b = c = d = e = f = g = h = 0.0
    for j in range(len(w)):
        a += vectors[rows[k], j] * w[j]
        b += vectors[rows[k + 1], j] * w[j]
        c += vectors[rows[k + 2], j] * w[j]
        d += vectors[rows[k + 3], j] * w[j]
        e += vectors[rows[k + 4], j] * w[j]
        f += vectors[rows[k + 5], j] * w[j]
        g += vectors[rows[k + 6], j] * w[j]
        h += vectors[rows[k + 7], j] * w[j]
    products[0], products[1], products[2], products[3] = a, b, c, d
    products[4], products[5], products[6], products[7] = e, f, g, h
    return AT_ONCE


@compile_cached
def count_positive(vectors, signs, rows, k, w):
    """Rows from `rows[k]` on before the first whose product with w has not its sign.

    Ends before the last row at the latest.
    """
    products, count = np.empty(AT_ONCE), 0
    while k + count + AT_ONCE < len(rows):
        multiply_ahead(vectors, rows, k + count, w, products)
        for product in products:
            if not signs[rows[k + count]] * product > 0.0:
                return count
            count += 1
    return count


@compile_cached
def multiply(matrix, order, v, product):
    """`matrix @ v` into `product`, with the digits of `dot`; `order` is 0 to the last row."""
    k = 0
    if len(v) >= WIDE:
        ahead = np.empty(AT_ONCE)
        while k + AT_ONCE <= len(order):
            multiply_ahead(matrix, order, k, v, ahead)
            copy_into(ahead, product[k : k + AT_ONCE])
            k += AT_ONCE
    for i in range(k, len(order)):
        product[i] = dot(matrix, i, v)


@compile_cached
def count_up(n):
    """0 to n - 1, an order for `multiply` and `multiply_ahead`."""
    order = np.empty(n, dtype=np.int32)
    for k in range(n):
        order[k] = k
    return order
