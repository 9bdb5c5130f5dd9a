"""Isometries of hyperbolic space as transformers.

Points are moved on the hyperboloid, in light-cone coordinates: no digit cancels, however far out
they are.
"""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from noneuclid.errors import require, require_number
from noneuclid.estimator import REFERENCE, Estimator, without_gradient
from noneuclid.geometry import charts, lorentz, public_points
from noneuclid.geometry.public_points import Chart
from noneuclid.geometry.sampling import Seed, generator

_ORTHOGONAL = 1e-10  # largest difference of R^T R from the identity


class Isometry(OneToOneFeatureMixin, TransformerMixin, Estimator):
    """Move points by a translation, then by a rotation about the origin.

    Every isometry is such a product. A translation moves the origin along a geodesic, and turns
    nothing: Möbius addition in the Poincaré ball, a boost on the hyperboloid.

    Parameters
    ----------
    translation : array_like, shape (d,), default=None
        Tangent vector at the origin, in hyperbolic units: `log_map` of the image of the origin,
        which is its point in chart "tangent". None moves nothing.
    rotation : array_like, shape (d, d), default=None
        Orthogonal; a determinant of -1 is a reflection. None turns nothing.
    chart : {"poincare", "klein", "hyperboloid", "half_space", "tangent"}, default="poincare"
        Of the points.
    curvature : float > 0, default=1.0
        K, the space having curvature -K.

    Attributes
    ----------
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns of a data frame.

    Raises
    ------
    InputError
        If the shapes do not fit, the rotation is not orthogonal, or a point does not lie in the
        chart, or its image beyond what the chart holds.

    See Also
    --------
    random_isometry : A random one.
    ChartTransformer : Writes the same points in another chart.

    Notes
    -----
    O(n d^2). In light-cone coordinates x_0 + a and x_0 - a, a along the translation, a boost by t
    is a product with exp(t) and exp(-t) (Ratcliffe, Foundations of Hyperbolic Manifolds, 2006,
    section 3.1). In units of 1/sqrt(K) an image is off by at most 4 eps cosh(R), R the larger
    distance of the point and of its image from the origin, eps = 2.2e-16; in the Klein ball by the
    square.

    Examples
    --------
    >>> shift = Isometry(translation=[2 * np.arctanh(0.5), 0.0])
    >>> shift.fit_transform([[0.0, 0.0], [0.5, 0.0]]).round(12)
    array([[0.5, 0. ],
           [0.8, 0. ]])
    >>> shift.inverse_transform([[0.8, 0.0]]).round(12)
    array([[0.5, 0. ]])
    """

    _doc_link_template = REFERENCE + ".geometry.{estimator_name}.html"

    def __init__(
        self,
        translation: ArrayLike | None = None,
        rotation: ArrayLike | None = None,
        *,
        chart: Chart = "poincare",
        curvature: float = 1.0,
    ) -> None:
        self.translation = translation
        self.rotation = rotation
        self.chart = chart
        self.curvature = curvature

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Check the parameters and the points; nothing is learned.

        Parameters
        ----------
        X : array_like, shape (n, d), or (n, d + 1) on the hyperboloid
        y : None
            Ignored.

        Returns
        -------
        self
        """
        X = self._read(X, reset=True)
        d = X.shape[1] - (self.chart == "hyperboloid")
        self._translation = np.zeros(d) if self.translation is None else self.translation
        self._translation = public_points.read_vectors(self._translation, d)
        require(self._translation.ndim == 1, "Isometry: translation must be one vector")
        self._rotation = np.eye(d) if self.rotation is None else np.asarray(self.rotation, float)
        require(
            self._rotation.shape == (d, d)
            and np.allclose(self._rotation.T @ self._rotation, np.eye(d), atol=_ORTHOGONAL),
            f"Isometry: rotation of shape {self._rotation.shape} is not an orthogonal ({d}, {d}) "
            "matrix",
        )
        return self

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Move points.

        Parameters
        ----------
        X : array_like, shape (n, d), or (n, d + 1) on the hyperboloid

        Returns
        -------
        ndarray of float64, of the shape of X
        """
        x = self._lifted(X)
        with np.errstate(over="ignore", invalid="ignore"):  # `_written` refuses the image
            moved = translate(x, *self._along(), self.curvature)[:, 1:] @ self._rotation.T
            return self._written(moved)

    def inverse_transform(self, X: ArrayLike) -> np.ndarray:
        """Move points back.

        Parameters
        ----------
        X : array_like, shape (n, d), or (n, d + 1) on the hyperboloid

        Returns
        -------
        ndarray of float64, of the shape of X
        """
        turned = lorentz.from_spatial(self._lifted(X)[:, 1:] @ self._rotation, self.curvature)
        direction, distance = self._along()
        with np.errstate(over="ignore", invalid="ignore"):
            return self._written(translate(turned, direction, -distance, self.curvature)[:, 1:])

    def _along(self):
        """Unit vector and length of the translation, in units of 1/sqrt(K)."""
        length = np.linalg.norm(self._translation)
        return self._translation / (length or 1.0), np.sqrt(self.curvature) * length

    def _lifted(self, X):
        """Points on the hyperboloid."""
        check_is_fitted(self)
        X = self._read(X, reset=False)
        return charts.convert(X, self.chart, "hyperboloid", self.curvature)

    def _read(self, X, reset):
        """Points of the chart, checked."""
        X = without_gradient(X)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite=False, reset=reset)
        return public_points.read(X, self.chart, self.curvature)

    def _written(self, spatial):
        """Spatial parts in the chart."""
        moved = lorentz.from_spatial(spatial, self.curvature)
        return public_points.from_hyperboloid(moved, self.chart, self.curvature)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_rotation")


def random_isometry(
    n_features: int,
    distance: float,
    *,
    chart: Chart = "poincare",
    curvature: float = 1.0,
    random_state: Seed = None,
) -> Isometry:
    """Translation by a distance in a uniformly random direction, then a uniformly random rotation.

    Parameters
    ----------
    n_features : int
        Dimension d of the space.
    distance : float >= 0
        Hyperbolic distance of the origin from its image.
    chart, curvature : as for `Isometry`
    random_state : int, RandomState, Generator or None, default=None

    Returns
    -------
    Isometry

    Raises
    ------
    InputError
        If a number is out of range.

    See Also
    --------
    Isometry : A given one.

    Notes
    -----
    The rotation preserves orientation, of Haar measure: the orthogonal factor of a Gaussian matrix
    with the signs of Mezzadri, Notices of the AMS 54, 2007, section 5. O(d^3).

    Examples
    --------
    >>> isometry = random_isometry(2, 1.5, chart="tangent", random_state=0)
    >>> np.linalg.norm(isometry.fit_transform([[0.0, 0.0]])).round(12)
    np.float64(1.5)
    """
    require_number(distance, "distance", "random_isometry", low=0)
    require_number(n_features, "n_features", "random_isometry", low=1, integer=True)
    rng = generator(random_state)
    direction = distance * random_direction(n_features, rng)
    rotation = random_rotation(n_features, rng)
    return Isometry(direction, rotation, chart=chart, curvature=curvature)


def random_direction(d, rng):
    """Unit vector, uniformly random, shape (d,)."""
    direction = rng.standard_normal(d)
    return direction / np.linalg.norm(direction)


def random_rotation(d, rng):
    """Rotation matrix of Haar measure, shape (d, d)."""
    factor, triangle = np.linalg.qr(rng.standard_normal((d, d)))
    rotation = factor * np.where(np.diag(triangle) < 0, -1.0, 1.0)
    if np.linalg.det(rotation) < 0:
        rotation[:, 0] *= -1
    return rotation


def translate(x, direction, distance, curvature=1.0):
    """Points of the hyperboloid after the boost that moves the origin along a unit vector.

    With light-cone coordinates p, m = x0 + a, x0 - a of the component a along the direction, the
    boost is (p, m) -> (e^t p, e^-t m). The larger one is a sum; the smaller one follows from
    p m = 1/K + |across|^2. The distance is in units of 1/sqrt(K).

    Examples
    --------
    >>> translate(lorentz.origin(1), np.array([1.0]), np.log(2))
    array([1.25, 0.75])
    """
    x, direction = np.asarray(x, dtype=float), np.asarray(direction, dtype=float)
    along = x[..., 1:] @ direction
    across = x[..., 1:] - along[..., None] * direction
    large = x[..., 0] + np.abs(along)
    small = (1 / curvature + np.einsum("...i,...i", across, across)) / large
    plus, minus = np.where(along >= 0, (large, small), (small, large))
    moved = (np.exp(distance) * plus - np.exp(-distance) * minus) / 2
    return lorentz.from_spatial(across + moved[..., None] * direction, curvature)
