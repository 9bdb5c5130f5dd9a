"""Named polytopes, as constructors of `noneuclid.geometry.polytope.Polytope`."""

import itertools
from numbers import Integral
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.errors import InputError
from noneuclid.geometry.polytope_rows import read_table
from noneuclid.geometry.polytope_vertices import facets_around


class Shapes:
    """Constructors of polytopes; the subclass builds one from its facets by `_of(A, b, E, f)`."""

    @classmethod
    def simplex(cls, parts: int) -> Self:
        """Probability simplex {x : x >= 0, sum x = 1} with this number of parts (two or more).

        Examples
        --------
        >>> from noneuclid.geometry.polytope import Polytope
        >>> Polytope.simplex(3)
        Polytope of dimension 2 with 3 facets
        """
        _require_count(parts, 2, "parts")
        return cls._of(np.eye(parts), np.zeros(parts), np.ones((1, parts)), -np.ones(1))

    @classmethod
    def box(cls, low: ArrayLike, high: ArrayLike) -> Self:
        """Box {x : low <= x <= high}, shapes (d,); facets: the low sides, then the high ones.

        Examples
        --------
        >>> from noneuclid.geometry.polytope import Polytope
        >>> Polytope.box([0, 0], [1, 2]).facet_values([0.25, 1.5])
        array([0.25, 1.5 , 0.75, 0.5 ])
        """
        low, high = (np.atleast_1d(np.asarray(side, dtype=float)) for side in (low, high))
        if low.ndim != 1 or low.shape != high.shape:
            raise InputError(f"box: low has shape {low.shape}, high {high.shape}; give two vectors")
        bad = np.flatnonzero(~(np.isfinite(low) & np.isfinite(high) & (low < high)))
        if bad.size:
            raise InputError(
                f"box: coordinate {bad[0]} runs from {low[bad[0]]} to {high[bad[0]]}; "
                "give low < high"
            )
        return cls._of(np.vstack([np.eye(len(low)), -np.eye(len(low))]), np.append(-low, high))

    @classmethod
    def cross_polytope(cls, d: int, radius: float = 1.0) -> Self:
        """{x : sum |x_j| <= radius}, which has 2^d facets (d up to 14)."""
        _require_count(d, 1, "d", 14)
        _require_radius(radius)
        signs = np.array(list(itertools.product([1.0, -1.0], repeat=d)))
        return cls._of(signs, np.full(len(signs), float(radius)))

    @classmethod
    def regular_polygon(cls, m: int, circumscribed: bool = True, radius: float = 1.0) -> Self:
        """Regular m-gon around the disk of this radius (which lies inside), or inscribed in it.

        Examples
        --------
        >>> from noneuclid.geometry.polytope import Polytope
        >>> Polytope.regular_polygon(6).facet_values([0.0, 0.0])
        array([1., 1., 1., 1., 1., 1.])
        """
        _require_count(m, 3, "m")
        _require_radius(radius)
        angles = 2 * np.pi * np.arange(m) / m
        inner = radius if circumscribed else radius * np.cos(np.pi / m)
        return cls._of(-np.column_stack([np.cos(angles), np.sin(angles)]), np.full(m, inner))

    @classmethod
    def random(cls, m: int, d: int, random_state: int) -> Self:
        """Polytope around the unit ball whose m > d facets touch it at random points.

        The first d + 1 normals have a positive combination that vanishes, so that it is bounded.
        """
        _require_count(m, d + 1, "m")
        rng = np.random.default_rng(random_state)
        A = rng.standard_normal((m, d))
        A[d] = -rng.uniform(0.5, 1.5, d) @ A[:d]
        return cls._of(A / np.linalg.norm(A, axis=1, keepdims=True), np.ones(m))

    @classmethod
    def from_vertices(cls, V: ArrayLike) -> Self:
        """Convex hull of points, shape (n, d), by Qhull, for few coordinates.

        Raises
        ------
        InputError
            If the points span less than d dimensions.

        Examples
        --------
        >>> from noneuclid.geometry.polytope import Polytope
        >>> Polytope.from_vertices([[0, 0], [1, 0], [0, 1], [1, 1]])
        Polytope of dimension 2 with 4 facets
        """
        V = read_table(V, "from_vertices")
        return cls._of(*facets_around(V))

    @classmethod
    def around(
        cls, X: ArrayLike, margin: float = 0.1, shape: Literal["box", "hull"] = "box"
    ) -> Self:
        """Bounding polytope of data: its ranges or its hull, widened on each side.

        Parameters
        ----------
        X : array_like, shape (n, d)
        margin : float > 0
            Added on each side, as a fraction of the range of the coordinate; a constant coordinate
            counts as one of range 1. A hull grows from the middle of these ranges by the factor
            1 + 2 margin.
        shape : {"box", "hull"}
            The hull is for few coordinates.

        Examples
        --------
        >>> from noneuclid.geometry.polytope import Polytope
        >>> Polytope.around([[0.0], [1.0]]) == Polytope.box([-0.1], [1.1])
        True
        """
        X = read_table(X, "around")
        if not (np.isfinite(margin) and margin > 0):
            raise InputError(f"around: margin is {margin}; give a number above zero")
        if shape not in ("box", "hull"):
            raise InputError(f"around: shape is {shape!r}; give 'box' or 'hull'")
        low, high = X.min(axis=0), X.max(axis=0)
        if shape == "hull":
            middle = (low + high) / 2
            return cls.from_vertices(middle + (1 + 2 * margin) * (X - middle))
        wider = margin * np.where(high > low, high - low, 1.0)
        return cls.box(low - wider, high + wider)


def _require_count(value, low, name, high=np.inf):
    """Refuse a number of facets, parts or dimensions that makes no polytope."""
    if not (isinstance(value, Integral) and low <= value <= high):
        raise InputError(f"{name} is {value}; give an integer from {low} to {high}")


def _require_radius(radius):
    """Refuse a radius that makes the polytope empty or flat."""
    if not (np.isfinite(radius) and radius > 0):
        raise InputError(f"the radius is {radius}; give a number above zero")
