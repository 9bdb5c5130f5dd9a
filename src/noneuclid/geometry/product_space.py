"""Products of hyperbolic, spherical and flat factors, in one table of columns."""

from functools import reduce
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.errors import require
from noneuclid.geometry import signatures
from noneuclid.geometry.means import read_weights
from noneuclid.geometry.product_isometries import ProductIsometry
from noneuclid.geometry.sampling import Seed, generator


class ProductSpace:
    r"""Product of hyperbolic (H), spherical (S) and flat (E) factors.

    The columns of a point are the coordinates of its factors, block after block. Distances add as
    in the theorem of Pythagoras; geodesics, means and isometries are those of the factors.

    Parameters
    ----------
    signature : str
        Factors with their dimensions, such as "H2 S2 E1", "H2 x S2" or "S1^10", and curvatures
        other than -1 and 1, such as "H2(-0.5) S2". `str(space)` gives this text.
    curvatures : sequence of float, default=None
        Sectional curvature of each factor: below 0 for H, above 0 for S, 0 for E. None takes those
        of the signature.
    charts : sequence of str, default=None
        Chart of each factor: of H one of "hyperboloid", "poincare", "klein", "half_space",
        "tangent"; of S "sphere", "stereographic" or "tangent"; of E "euclidean". None is
        "hyperboloid" (time first), "sphere" and "euclidean".

    Attributes
    ----------
    factors : tuple
        Each with `name`, `kind`, `dimension`, `curvature`, `chart` and `columns` (a slice).
    blocks : dict
        Columns of each factor: a slice under its name, "H2", or "H2_1", "H2_2" if there are two.
    dimension : int
    n_features : int
        Number of columns.
    origin : ndarray, shape (n_features,)

    Raises
    ------
    InputError
        If the signature, a curvature or a chart is not one.

    See Also
    --------
    distance : That of a single hyperbolic factor.
    noneuclid.ProductRandomForestClassifier : Forests on such points.

    Notes
    -----
    Gu, Sala, Gunel and Ré, Learning Mixed-Curvature Representations in Product Spaces, ICLR 2019,
    section 2. A single hyperbolic factor gives the numbers of the functions of
    `noneuclid.geometry`, with their accuracy. A factor of curvature K has the sphere of radius
    1/sqrt(K) in one more dimension. A product is immutable; equal ones compare equal.

    Examples
    --------
    >>> space = ProductSpace("H2 S2 E1")
    >>> space.blocks
    {'H2': slice(0, 3, None), 'S2': slice(3, 6, None), 'E1': slice(6, 7, None)}
    >>> x, y = space.origin, space.exp_map(space.origin, [0, 3, 0, 0, 0, 1, 2])
    >>> space.distance(x, y).round(6) == np.sqrt(3**2 + 1**2 + 2**2).round(6)
    np.True_

    Latitude and longitude in degrees as points of S2, hours of the day as points of S1:

    >>> lat, lon, turn = np.radians([48.9]), np.radians([2.4]), 2 * np.pi * np.array([18.0]) / 24
    >>> S2 = np.column_stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
    >>> S1 = np.column_stack([np.cos(turn), np.sin(turn)])
    >>> ProductSpace("S2 S1").check_points(np.hstack([S2, S1]))
    """

    def __init__(
        self,
        signature: str,
        *,
        curvatures: ArrayLike | None = None,
        charts: tuple[str, ...] | list[str] | None = None,
    ) -> None:
        parts, given = signatures.parse(signature)
        self.factors = signatures.factors(
            parts, given if curvatures is None else curvatures, charts
        )
        self.signature = " ".join(f"{f.kind}{f.dimension}" for f in self.factors)
        self.dimension = sum(f.dimension for f in self.factors)
        self.n_features = self.factors[-1].columns.stop
        self.blocks = {f.name: f.columns for f in self.factors}
        self.origin = np.concatenate([f.origin() for f in self.factors])

    @property
    def curvatures(self) -> tuple[float, ...]:
        """Sectional curvature of each factor."""
        return tuple(f.curvature for f in self.factors)

    @property
    def charts(self) -> tuple[str, ...]:
        """Chart of each factor."""
        return tuple(f.chart for f in self.factors)

    def __eq__(self, other):
        return isinstance(other, ProductSpace) and self.factors == other.factors

    def __hash__(self):
        return hash(self.factors)

    def __str__(self):
        return " ".join(
            f"{f.kind}{f.dimension}"
            + (f"({f.curvature!r})" if f.curvature != signatures.SIGNS[f.kind] else "")
            for f in self.factors
        )

    def __repr__(self):
        usual = all(f.chart == f.default_chart for f in self.factors)
        return f"ProductSpace({str(self)!r}{'' if usual else f', charts={self.charts}'})"

    def split(self, X: ArrayLike) -> list[np.ndarray]:
        """Blocks of columns, one a factor.

        Parameters
        ----------
        X : array_like, shape (..., n_features)

        Returns
        -------
        list of ndarray
        """
        X = np.asarray(X, dtype=float)
        total = " + ".join(str(f.width) for f in self.factors)
        total += f" = {self.n_features}" if len(self.factors) > 1 else ""
        require(
            X.ndim > 0 and X.shape[-1] == self.n_features,
            f"{self._counted(X)}, but {self.signature} in charts {', '.join(self.charts)} has "
            f"{total}",
        )
        return [X[..., f.columns] for f in self.factors]

    @staticmethod
    def _counted(X):
        return f"a point has {X.shape[-1]} coordinates" if X.ndim else f"the number {X} is given"

    def check_points(self, X: ArrayLike) -> None:
        """Raise an error with factor, row, value and remedy unless the rows are points.

        Parameters
        ----------
        X : array_like, shape (n, n_features)

        Raises
        ------
        InputError
            As `noneuclid.geometry.check_points` does for a hyperbolic factor; for a sphere if K
            times the squared length of a row differs from 1 by more than 1e-5.

        Examples
        --------
        >>> from noneuclid.errors import InputError
        >>> try:
        ...     ProductSpace("E1 S1").check_points([[0.0, 0.0, 2.0]])
        ... except InputError as error:
        ...     print(str(error).partition(";")[0])
        factor S1: row 0 is not on the sphere: K*|x|^2 - 1 = 3, not 0
        """
        for factor, block in zip(self.factors, self.split(np.atleast_2d(X)), strict=True):
            factor.check(block)

    def convert(
        self, X: ArrayLike, charts: tuple[str, ...] | list[str] | None = None
    ) -> np.ndarray:
        """Write the same points in other charts.

        Parameters
        ----------
        X : array_like, shape (..., n_features)
        charts : sequence of str, default=None
            One a factor. None is "hyperboloid", "sphere" and "euclidean".

        Returns
        -------
        ndarray
            With as many columns as the new charts have.

        Examples
        --------
        >>> ProductSpace("H1 S1").convert([1.25, 0.75, 0.0, 1.0], ["klein", "tangent"])
        array([0.6       , 1.57079633])
        """
        target = self.in_charts(charts)
        pairs = zip(self._read(X), target.charts, strict=True)
        return np.concatenate([f.convert(block, chart) for (f, block), chart in pairs], axis=-1)

    def in_charts(self, charts: tuple[str, ...] | list[str] | None = None) -> Self:
        """The same space in other charts."""
        return type(self)(self.signature, curvatures=self.curvatures, charts=charts)

    def distance(self, x: ArrayLike, y: ArrayLike) -> np.ndarray:
        r"""Distance of points, pair by pair: the root of the sum of squares of the factors'.

        Parameters
        ----------
        x, y : array_like, shape (..., n_features)
            Leading axes broadcast.

        Returns
        -------
        ndarray, shape (...)
        """
        return reduce(np.hypot, self.distances(x, y))

    def distances(self, x: ArrayLike, y: ArrayLike) -> list[np.ndarray]:
        """Distances in each factor, pair by pair.

        Parameters
        ----------
        x, y : array_like, shape (..., n_features)

        Returns
        -------
        list of ndarray, each of shape (...)
        """
        pairs = zip(self._read(x), self._read(y), strict=True)
        return [factor.distance(a, b) for (factor, a), (_, b) in pairs]

    def pairwise_distances(self, X: ArrayLike, Y: ArrayLike | None = None) -> np.ndarray:
        """Distances of all rows of X and all rows of Y.

        Parameters
        ----------
        X : array_like, shape (n, n_features)
        Y : array_like, shape (m, n_features), default=None
            None means X itself.

        Returns
        -------
        ndarray, shape (n, m)
        """
        others = [None] * len(self.factors) if Y is None else [b for _, b in self._read(Y)]
        found = (
            factor.pairwise_distances(block, other)
            for (factor, block), other in zip(self._read(X), others, strict=True)
        )
        return reduce(np.hypot, found)

    def exp_map(self, x: ArrayLike, v: ArrayLike) -> np.ndarray:
        """Points that geodesics from x with velocity v reach in unit time.

        Parameters
        ----------
        x : array_like, shape (..., n_features)
        v : array_like, shape (..., n_features)
            Tangent vectors at x in the coordinates of the charts; the part that is not tangent to
            a sphere is dropped, and the time coordinate of a hyperboloid is computed.

        Returns
        -------
        ndarray, shape (..., n_features)
        """
        return self._blockwise("exp_map", x, v)

    def log_map(self, x: ArrayLike, y: ArrayLike) -> np.ndarray:
        """Tangent vectors at x that `exp_map` carries to y.

        Parameters
        ----------
        x, y : array_like, shape (..., n_features)

        Returns
        -------
        ndarray, shape (..., n_features)

        Raises
        ------
        InputError
            If y is opposite to x in a spherical factor.
        """
        pairs = zip(self._read(x), self._read(y), strict=True)
        return np.concatenate([f.log_map(a, b) for (f, a), (_, b) in pairs], axis=-1)

    def frechet_mean(self, X: ArrayLike, sample_weight: ArrayLike | None = None) -> np.ndarray:
        """Fréchet mean of the rows: the point of the least weighted sum of squared distances.

        Parameters
        ----------
        X : array_like, shape (n, n_features)
        sample_weight : array_like, shape (n,), default=None
            Finite numbers >= 0, not all 0; None means equal.

        Returns
        -------
        ndarray, shape (n_features,)

        Warns
        -----
        UserWarning
            If the rows of a spherical factor do not lie in an open half of it about their mean,
            so that the mean need not be unique.

        Notes
        -----
        The squared distance is a sum over factors, so the mean is that of each factor.
        """
        weights = None if sample_weight is None else read_weights(sample_weight, len(X))
        return np.concatenate([f.frechet_mean(block, weights) for f, block in self._read(X)])

    def random_wrapped_normal(
        self,
        n_samples: int,
        mean: ArrayLike | None = None,
        covariances: ArrayLike = 1.0,
        random_state: Seed = None,
    ) -> np.ndarray:
        """Points exp_map(mean, v) of normal tangent vectors v, independent between factors.

        Parameters
        ----------
        n_samples : int
        mean : array_like, shape (n_features,), default=None
            None is the origin.
        covariances : float, or sequence with one entry a factor, default=1.0
            Of v, in the frame carried from the origin along the geodesic. An entry is a variance in
            every direction, or a (d, d) matrix.
        random_state : int, RandomState, Generator or None, default=None

        Returns
        -------
        ndarray, shape (n_samples, n_features)

        Examples
        --------
        >>> ProductSpace("H2 S2 E1").random_wrapped_normal(10, random_state=0).shape
        (10, 7)
        """
        rng = generator(random_state)
        mean = self.origin if mean is None else mean
        one_each = isinstance(covariances, list | tuple) or np.ndim(covariances)
        covariances = covariances if one_each else [covariances] * len(self.factors)
        require(
            len(covariances) == len(self.factors),
            f"{len(covariances)} covariances are given for {len(self.factors)} factors",
        )
        blocks = zip(self._read(mean), covariances, strict=True)
        return np.hstack([f.draw(n_samples, a, c, rng) for (f, a), c in blocks])

    def random_isometry(
        self, distances: ArrayLike = 1.0, random_state: Seed = None
    ) -> ProductIsometry:
        """An isometry that moves the origin by a distance in each factor, and turns each factor.

        Parameters
        ----------
        distances : float, or sequence with one number a factor, default=1.0
        random_state : int, RandomState, Generator or None, default=None

        Returns
        -------
        ProductIsometry
            With `transform(X)` and `inverse_transform(X)`.

        Examples
        --------
        >>> space = ProductSpace("H2 S2")
        >>> moved = space.random_isometry(0.5, random_state=0).transform(space.origin[None])
        >>> space.distance(space.origin, moved).round(12) == np.sqrt(0.5).round(12)
        array([ True])
        """
        rng = generator(random_state)
        distances = np.broadcast_to(distances, len(self.factors))
        found = (f.random_isometry(d, rng) for f, d in zip(self.factors, distances, strict=True))
        return ProductIsometry(self, tuple(found))

    def _read(self, X):
        """Pairs of factor and checked block."""
        X = np.asarray(X, dtype=float)
        blocks = self.split(X)
        for factor, block in zip(self.factors, blocks, strict=True):
            factor.check(block.reshape(-1, block.shape[-1]))
        return list(zip(self.factors, blocks, strict=True))

    def _blockwise(self, method, x, v):
        """Method of each factor, of points and vectors."""
        pairs = zip(self._read(x), self.split(v), strict=True)
        return np.concatenate([getattr(f, method)(a, b) for (f, a), b in pairs], axis=-1)


def space_of(space, n_columns):
    """`ProductSpace` of a parameter `space`: one, a signature, or None for flat columns."""
    if space is None:
        return ProductSpace(f"E{n_columns}")
    require(
        isinstance(space, str | ProductSpace),
        f"space is {space!r}; give a signature such as 'H2 S2 E1', or a ProductSpace",
    )
    return ProductSpace(space) if isinstance(space, str) else space
