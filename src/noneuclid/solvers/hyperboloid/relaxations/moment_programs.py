"""The moment relaxations of the hyperboloid SVM as conic programs.

Unknowns are moments: numbers in place of the values of monomials at a solution. Monomials are
tuples of exponents; the w-moments are shared by all samples, and each sample has some of its own.
"""

import math
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy import sparse

_DEGREE = 4  # of the moments
_SQRT2 = math.sqrt(2.0)
_ROUNDING = 1e-7  # of eigenvalues of a solution; no bound depends on it


@dataclass(frozen=True)
class MomentProgram:
    """Minimise q @ x subject to b - A x in the cones; the first D columns are the moments of w."""

    q: np.ndarray  # value = `scale` * (q @ x) + `offset`
    A: sparse.csc_matrix
    b: np.ndarray
    cones: list
    unit: float  # w = unit * first moments
    scale: float
    shared: int  # number of w-moments, the first columns
    n: int  # samples; each has as many columns of its own, a sample's side by side
    offset: float = 0.0


def published(rows, weight, unit, scale):
    """Eq. 14 of Yang et al. (2024) for κ = 2, over w and slacks h_i >= 0, h_i >= 1 - w @ r_i.

    A sample has a moment matrix over the monomials of (w, h_i) up to degree 2 and two localising
    matrices over those up to degree 1. The w-moments are one set of columns instead of n sets
    bound by equalities. O(n d⁴) columns, O(n d⁵) numbers in A.

    `weight` is that of the slacks in the objective; `unit` and `scale` are units of w and of the
    objective.
    """
    n, D = rows.shape
    rows = rows * unit
    assembly, moment_of_w = _Assembly(), _w_moments(D)
    own = {m: j for j, m in enumerate(m for m in _monomials(D + 1, _DEGREE) if m[-1])}
    assembly.n_columns = len(_monomials(D, _DEGREE)) - 1
    shared = assembly.n_columns
    first = assembly.new_columns(n * len(own))[:: len(own)]

    def moment(monomial):
        return [(first + own[monomial], 1.0)] if monomial[-1] else moment_of_w(monomial[:-1])

    one, slack = _unit(D + 1), _unit(D + 1, D)
    margin = [(_unit(D + 1, j), rows[:, j]) for j in range(D)]
    basis, small = _monomials(D + 1, 2), _monomials(D + 1, 1)
    cone = [((*m, 0), v) for m, v in _quadratic(-1.0, 1.0, D)]
    assembly.add_psd(small, cone, _first_copy(moment))
    assembly.add_psd(basis, [(one, 1.0)], moment, n)
    assembly.add_psd(small, [(slack, 1.0)], moment, n)
    assembly.add_psd(small, [(slack, 1.0), (one, -1.0), *margin], moment, n)
    q = _norm_term(moment_of_w, D, unit, assembly.n_columns)
    q[first + own[slack]] = weight
    return assembly.program(q / scale, unit, scale, shared, n)


def bounded(rows, weight, region, beyond=None, shares=1.0):
    """Relaxation over a bounded region, with the powers of each slack on both sides of its kink.

    Let l_i = 1 - w @ r_i. At w the slack is h_i = max(0, l_i), and its powers are l_i^k or 0:
    beside the w-moments (order 2, localised by the region's cone and ball) a sample has numbers
    p_k, k = 0...4, for 1[l_i > 0] l_i^k, such that p is a moment sequence on [0, β_i] and
    l_i^k - p_k, l_i^k expanded in w-moments, one on [-a_i, 0]: blocks of size 3 and 2. The region
    gives β_i and a_i. 5 n columns, O(n d⁴) numbers in A.

    `weight` times its share q_i is that of a slack in the objective. `beyond` are Σ q_i and Σ q_i
    r_i of further samples, whose slack is replaced by l_i, which is no more. In the program's units
    |w| <= 1 and 0 <= l_i <= 1, and all columns are at most 1 in absolute value in the region.
    """
    n, D = rows.shape
    unit = _unit_of(region)
    above, below = _limits(rows, weight * shares, region)
    assembly, moment_of_w = _Assembly(), _w_moments(D)
    monomials = _monomials(D, _DEGREE)
    shared = assembly.n_columns = len(monomials) - 1
    first = assembly.new_columns(5 * n)[::5]
    powers = _powers(rows * unit / below[:, None], 1.0 / below, monomials)
    one, square, basis, small = (0,), (2,), [(0,), (1,), (2,)], [(0,), (1,)]

    def up(power):
        return [(first + power[0], 1.0)]

    def down(power):
        (k,) = power
        moved = [(j - 1, factors) for j, factors in enumerate(powers[k]) if factors is not None]
        return [*moved, (first + k, -((above / below) ** k))]

    for polynomial in _region_quadratics(region, unit, D):
        assembly.add_psd(_monomials(D, 1), polynomial, moment_of_w)
    assembly.add_psd(_monomials(D, 2), [(_unit(D), 1.0)], moment_of_w)
    assembly.add_psd(basis, [(one, 1.0)], up, n)
    assembly.add_psd(small, [((1,), 1.0), (square, -1.0)], up, n)
    assembly.add_psd(basis, [(one, 1.0)], down, n)
    assembly.add_psd(small, [((1,), -1.0), (square, -1.0)], down, n)
    q = _norm_term(moment_of_w, D, unit, assembly.n_columns)
    q[first + 1] = weight * shares * above
    offset = 0.0
    if beyond is not None:
        total, pull = beyond
        q[:D] -= weight * unit * pull
        offset = weight * total
    return assembly.program(q / region.level, unit, region.level, shared, n, offset)


def short_of_clear(rows, weight, region, moments):
    """By how much `bounded` asks something of a sample's slack at these moments of w.

    A slack is at least 0 and at least l_i, so with one of these in its place the program bounds
    that of all samples from below; if what replaces it satisfies all constraints of the
    slack, both have the same value.

    Returns two arrays (n,): at most 0 where the moments of l_i are those of a measure on [-a_i, 0],
    so that the slack can be 0, or of one on [0, β_i], so that it can be l_i; else the least
    eigenvalue that is missing, in units of a_i or β_i. The last 1e-7 do not count.
    """
    above, below = _limits(rows, weight, region)
    scaled = rows * _unit_of(region) / below[:, None]
    values = np.concatenate([moments, [1.0]])
    m = np.array(
        [
            sum(factors * values[j - 1] for j, factors in enumerate(power) if factors is not None)
            for power in _powers(scaled, 1.0 / below, _monomials(rows.shape[1], _DEGREE))
        ]
    )
    up = m * (below / above) ** np.arange(_DEGREE + 1)[:, None]
    return _missing(m, -1.0), _missing(up, 1.0)


def _missing(moments, end):
    """What columns of moments 0...4 lack to be some on the interval from 0 to `end`, -1 or 1."""
    hankel = moments[np.add.outer(range(3), range(3))]
    inner = np.add.outer(range(2), range(2))
    local = end * moments[1 + inner] - moments[2 + inner]
    least = [np.linalg.eigvalsh(np.moveaxis(part, -1, 0))[:, 0] for part in (hankel, local)]
    return -np.minimum(*least) - _ROUNDING


def _unit_of(region):
    """Longest w of the region."""
    return region.radius * math.sqrt(1.0 + region.tau**2)


def _limits(rows, weight, region):
    """β and a of each sample, a at least β: 1 - w @ r is in [-a, β] at better w of the region."""
    reach = region.radius * (np.linalg.norm(rows[:, 1:], axis=1) + region.tau * abs(rows[:, 0]))
    above = np.minimum(1.0 + reach, region.level / weight)
    return above, np.maximum(reach - 1.0, above)


def _region_quadratics(region, unit, D):
    """Polynomials >= 0 in the region: its cone, its ball, and the bound of ½<w,w>_L."""
    one = _unit(D)
    share = (unit / region.radius) ** 2
    return [
        _quadratic(-1.0, region.tau**2, D),
        [(one, 1.0), *_quadratic(0.0, -share, D)[1:]],
        [(one, 2.0 * region.energy / region.radius**2), *_quadratic(share, -share, D)],
    ]


def _powers(rows, constants, monomials):
    """Coefficients of (constants - w @ rows)^k, k = 0...4: for each monomial n numbers or None."""
    exponents = np.array(monomials)
    degrees = exponents.sum(axis=1)
    multinomial = [math.factorial(sum(m)) / math.prod(map(math.factorial, m)) for m in monomials]
    values = ((-rows[:, None, :]) ** exponents).prod(axis=2) * multinomial
    return [
        [
            math.comb(k, g) * values[:, j] * constants ** (k - g) if g <= k else None
            for j, g in enumerate(degrees)
        ]
        for k in range(_DEGREE + 1)
    ]


class _Assembly:
    """Rows "constant + coefficients @ x in a cone", in batches of equal blocks."""

    def __init__(self):
        self.triplets, self.cones, self.n_rows, self.n_columns = [], [], 0, 0

    def new_columns(self, count):
        self.n_columns += count
        return np.arange(self.n_columns - count, self.n_columns)

    def add_psd(self, basis, polynomial, moment, copies=1):
        """`copies` matrices of (basis_a basis_b Σ coefficient monomial), positive semidefinite.

        `moment` maps a monomial to pairs (column or columns, factor or factors); column -1 is 1.
        """
        size = len(basis)
        height = size * (size + 1) // 2
        first = self.n_rows + height * np.arange(copies)
        column_ends, row_ends = np.tril_indices(size)
        for row, (a, b) in enumerate(zip(row_ends, column_ends, strict=True)):
            weight = 1.0 if a == b else _SQRT2
            for monomial, coefficient in polynomial:
                for column, factor in moment(_times(basis[a], basis[b], monomial)):
                    value = weight * coefficient * factor
                    self.triplets.append(np.broadcast_arrays(first + row, column, value))
        self.n_rows += height * copies
        self.cones += [("psd", size)] * copies

    def program(self, q, *rest):
        row, column, value = (np.concatenate(part) for part in zip(*self.triplets, strict=True))
        fixed = column < 0
        b = np.bincount(row[fixed], value[fixed], self.n_rows)
        entries = (-value[~fixed], (row[~fixed], column[~fixed]))
        A = sparse.coo_matrix(entries, shape=(self.n_rows, self.n_columns)).tocsc()
        return MomentProgram(q, A, b, self.cones, *rest)


def _first_copy(moment):
    return lambda monomial: [(np.ravel(column)[:1], factor) for column, factor in moment(monomial)]


def _w_moments(D):
    index = {m: j - 1 for j, m in enumerate(_monomials(D, _DEGREE))}
    return lambda monomial: [(index[monomial], 1.0)]


def _norm_term(moment_of_w, D, unit, size):
    """½<w,w>_L as coefficients of the columns."""
    q = np.zeros(size)
    for monomial, sign in _quadratic(-1.0, 1.0, D):
        q[moment_of_w(monomial)[0][0]] = 0.5 * sign * unit**2
    return q


def _quadratic(time, space, D):
    return [(_unit(D, j, 2), space if j else time) for j in range(D)]


def _times(*monomials):
    return tuple(map(sum, zip(*monomials, strict=True)))


def _monomials(variables, degree):
    """Exponents of all monomials up to a degree: 1, the variables in order, products."""
    every = (m for m in product(range(degree + 1), repeat=variables) if sum(m) <= degree)
    return sorted(every, key=lambda m: (sum(m), [-e for e in m]))


def _unit(size, j=-1, power=1):
    return tuple(power * (i == j) for i in range(size))
