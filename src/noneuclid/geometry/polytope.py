"""Convex polytopes {x : A x + b >= 0} whose interior carries Hilbert and Funk metrics.

Everything metric depends on the facet values a(x) = A x + b alone, and only through ratios
a_i(x) / a_i(y), so a positive factor on a row of (A, b) changes nothing.

Precision
---------
A facet value is rounded by about eps (|A_i| |x| + |b_i|), eps = 2.2e-16, and a distance by that
over the value: a point at 1e-10 of the size of the polytope from a facet has six digits left. On
facets with one coordinate (simplex, box) nothing cancels or the difference is rounded once, and
points may be as close as float64 can write them. `Polytope.check_inside` refuses values that could
be rounding alone.
"""

import warnings
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.errors import InputError
from noneuclid.geometry.half_spaces import inner_point, redundant_facets, require_bounded
from noneuclid.geometry.polytope_rows import describe_row_outside, read_facets, read_table
from noneuclid.geometry.polytope_shapes import Shapes
from noneuclid.geometry.polytope_vertices import vertices_of


@dataclass(frozen=True, eq=False, repr=False)
class Polytope(Shapes):
    """The bounded set {x : A x + b >= 0, E x + f = 0}, with a point at which A x + b > 0.

    Rows of (A, b) are divided by a power of two, so that |A_i| is in [1, 2): no digit and no metric
    changes.

    Parameters
    ----------
    A, b : array_like, shapes (m, d), (m,)
        Facets.
    E, f : array_like, shapes (k, d), (k,), optional
        The affine hull of a flat polytope, such as the probability simplex.

    Attributes
    ----------
    A, b, E, f : ndarray
        Read-only; without redundant facets; k = 0 if the polytope has full dimension.
    redundant : tuple of int
        Rows as given that were removed, because the others imply them.

    Raises
    ------
    InputError
        If the shapes differ, a number is not finite, or the polytope is empty, flat (beyond its
        E, f) or unbounded.

    Warns
    -----
    UserWarning
        If facets are redundant.

    Examples
    --------
    >>> triangle = Polytope([[1, 0], [0, 1], [-1, -1]], [0, 0, 1])
    >>> triangle
    Polytope of dimension 2 with 3 facets
    >>> triangle.facet_values([[0.25, 0.25]])
    array([[0.25, 0.25, 0.5 ]])
    """

    A: np.ndarray
    b: np.ndarray
    E: np.ndarray | None = None
    f: np.ndarray | None = None
    redundant: tuple[int, ...] = field(default=(), init=False)

    def __post_init__(self):
        self._store(*read_facets(self.A, self.b, self.E, self.f))
        centre, _ = inner_point(*self.facets)
        require_bounded(self.A, self.E)
        gone = redundant_facets(*self.facets, centre).tolist()
        if gone:
            named = f"{gone[:5]}"[:-1] + (", ...]" if len(gone) > 5 else "]")
            warnings.warn(
                f"{len(gone)} facets {named} are redundant and were removed; no metric changes",
                stacklevel=3,
            )
            A, b = (np.delete(rows, gone, axis=0) for rows in (self.A, self.b))
            self._store(A, b, self.E, self.f, tuple(gone))

    def _store(self, A, b, E, f, redundant=()):
        """Set the read-only attributes."""
        lengths = np.linalg.norm(A, axis=1)
        scale = 2.0 ** -np.floor(np.log2(np.where(lengths > 0, lengths, 1.0)) + 1e-9)
        A, b = A * scale[:, None], b * scale
        for name, rows in zip("AbEf", (A, b, E, f), strict=True):
            rows.setflags(write=False)
            object.__setattr__(self, name, rows)
        object.__setattr__(self, "redundant", redundant)

    @classmethod
    def _of(cls, A, b, E=None, f=None):
        """Polytope from facets that are known to be valid."""
        self = object.__new__(cls)
        self._store(*read_facets(A, b, E, f))
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Polytope):
            return NotImplemented
        return all(map(np.array_equal, self.facets, other.facets))

    def __repr__(self) -> str:
        return f"Polytope of dimension {self.dimension} with {self.m} facets"

    @property
    def facets(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """(A, b, E, f), as the solvers take them."""
        return self.A, self.b, self.E, self.f

    @property
    def m(self) -> int:
        """Number of facets."""
        return len(self.A)

    @cached_property
    def dimension(self) -> int:
        """Dimension of the polytope: d less the rank of E."""
        return self.A.shape[1] - (np.linalg.matrix_rank(self.E) if len(self.E) else 0)

    @cached_property
    def is_simplex(self) -> bool:
        """Whether this is the probability simplex, where facet values are the parts themselves."""
        m, d = self.A.shape
        return bool(
            m == d
            and len(self.E) == 1
            and np.array_equal(self.A, np.eye(m))
            and not self.b.any()
            and np.all(self.E + self.f == 0)
        )

    def facet_values(self, X: ArrayLike) -> np.ndarray:
        """a(x) = A x + b, positive inside; shape (..., d) -> (..., m)."""
        X = np.asarray(X, dtype=float)
        return X.copy() if self.is_simplex else X @ self.A.T + self.b

    def check_inside(self, X: ArrayLike) -> None:
        """Raise an error with row, facet and value unless all rows lie strictly inside.

        Parameters
        ----------
        X : array_like, shape (n, d)

        Raises
        ------
        InputError
            For a wrong shape, a value that is not finite, a row off the affine hull
            (`polytope_rows.HULL_TOLERANCE`), on the boundary or outside. A value that may be
            rounding alone counts as the boundary.

        Examples
        --------
        >>> Polytope.box([0], [1]).check_inside([[0.5]])
        >>> try:
        ...     Polytope.box([0], [1]).check_inside([[0.5], [1.5]])
        ... except InputError as error:
        ...     print(str(error).partition(";")[0])
        row 1 lies outside facet 1 (A[1].x + b[1] = -0.5)
        """
        X = read_table(X, "check_inside")
        if X.shape[1] != self.A.shape[1]:
            raise InputError(
                f"rows have {X.shape[1]} coordinates, the polytope {self.A.shape[1]}; "
                "give points of the polytope"
            )
        fault = describe_row_outside(X, self.facets, self.facet_values(X), self.is_simplex)
        if fault:
            raise InputError(fault)

    @cached_property
    def _largest_ball(self):
        """Centre and radius of the largest ball."""
        return inner_point(*self.facets)

    def chebyshev_centre(self) -> np.ndarray:
        """Centre of a largest Euclidean ball in the polytope (in its affine hull if flat).

        Examples
        --------
        >>> Polytope.box([0, 0], [2, 2]).chebyshev_centre()
        array([1., 1.])
        """
        return self._largest_ball[0]

    @property
    def inradius(self) -> float:
        """Radius of the largest ball."""
        return self._largest_ball[1]

    @cached_property
    def vertices(self) -> np.ndarray:
        """Vertices by Qhull, for few coordinates; shape (v, d), in no order."""
        return np.eye(self.m) if self.is_simplex else vertices_of(*self.facets)
