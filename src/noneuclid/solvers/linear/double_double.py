"""Numbers of twice the digits of a double, 106 bits: a rounded value and its error.

Arrays hold them as complex numbers, the value in the real part and the error in the imaginary part.
"""

from noneuclid.compiled import compile_inner

_SPLITTER = 134217729.0  # 2**27 + 1


@compile_inner
def add_exactly(a, b):
    """A + b as a rounded sum and its error (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@compile_inner
def multiply_exactly(a, b):
    """A b as a rounded product and its error (Dekker)."""
    product = a * b
    big = _SPLITTER * a
    a_high = big - (big - a)
    a_low = a - a_high
    big = _SPLITTER * b
    b_high = big - (big - b)
    b_low = b - b_high
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


@compile_inner
def plus(a, b):
    """A + b."""
    high, low = add_exactly(a.real, b.real)
    high, low = add_exactly(high, low + (a.imag + b.imag))
    return complex(high, low)


@compile_inner
def times(a, b):
    """A b."""
    high, low = multiply_exactly(a.real, b.real)
    high, low = add_exactly(high, low + (a.real * b.imag + a.imag * b.real))
    return complex(high, low)


@compile_inner
def over(a, b):
    """A / b."""
    first = a.real / b.real
    rest = plus(a, times(complex(-first, 0.0), b))
    second = rest.real / b.real
    rest = plus(rest, times(complex(-second, 0.0), b))
    high, low = add_exactly(first, second)
    high, low = add_exactly(high, low + rest.real / b.real)
    return complex(high, low)


@compile_inner
def dot(a, b):
    """Sum of the products of two vectors."""
    total = complex(0.0, 0.0)
    for j in range(len(a)):
        total = plus(total, times(a[j], b[j]))
    return total
