"""The factors of a product space: one class a curvature, all with the same methods.

Points and tangent vectors are blocks of columns in the chart of the factor. `distance`,
`pairwise_distances`, `exp_map`, `log_map` and `frechet_mean` are as in `ProductSpace`; `convert`
writes points in another chart, `draw` those of a wrapped normal distribution,
`frame_coordinates(mean, X)` the (n, d) logarithms in the frame of its covariance; `random_isometry`
has `transform` and `inverse_transform`.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial.distance import cdist

from noneuclid.errors import InputError, require
from noneuclid.geometry import (
    charts,
    geodesics,
    isometries,
    lorentz,
    means,
    metric,
    sampling,
    sphere,
    sphere_means,
    tangent,
)


@dataclass(frozen=True)
class Factor:
    """Name, as of the block of columns, dimension, sectional curvature, chart and first column."""

    name: str
    dimension: int
    curvature: float
    chart: str
    first: int

    @property
    def kind(self):
        """H, S or E."""
        return type(self).__name__[1]

    @property
    def columns(self):
        """Columns of the block."""
        return slice(self.first, self.first + self.width)

    @property
    def width(self):
        """Number of columns."""
        return self.dimension + (self.chart in ("hyperboloid", "sphere"))

    def check(self, X):
        """Raise an error that names the factor unless the rows of its block are legal."""
        for row, column in np.argwhere(~np.isfinite(X))[:1]:
            raise InputError(
                f"factor {self.name}: row {row}, column {self.first + column} is "
                f"{X[row, column]}; drop the row or fill in the value"
            )
        try:
            self._check(X)
        except InputError as error:
            message = self._other_curvature(X) or error
            raise InputError(f"factor {self.name}: {message}") from None

    def _other_curvature(self, X):
        """The message if all rows, of two or more, are points of another curvature; else None."""
        if self.curvature == 0 or self.chart != self.default_chart or len(X) < 2:
            return None
        sign = np.sign(self.curvature)
        row = X[np.abs(X[:, 0]).argmin()]  # the nearest to the origin of H has all its digits
        square = row[1:] @ row[1:] + sign * row[0] ** 2
        if not (np.isfinite(square) and sign * square > 0):
            return None
        try:
            replace(self, curvature=float(1 / square))._check(X)
        except InputError:
            return None
        kind = f"{self.kind}{self.dimension}"
        return (
            f"all rows have curvature {1 / square:.6g}, not {self.curvature:.6g} "
            f"(radius {abs(square) ** 0.5:.6g}); give "
            f"'{kind}({1 / square:.6g})' in space, or learn_curvature=False in ProductEmbedding"
        )

    def to_ambient(self, X):
        """Points of the block on the hyperboloid, the sphere, or in flat space."""
        return self.convert(X, self.default_chart)


class _Hyperbolic(Factor):
    """Curvature below 0: the functions of `noneuclid.geometry` themselves."""

    charts = charts.HYPERBOLIC
    default_chart = "hyperboloid"

    @property
    def _space(self):
        return {"chart": self.chart, "curvature": -self.curvature}

    def _check(self, X):
        charts.check_points(X, **self._space)

    def convert(self, X, chart):
        return charts.convert(X, self.chart, chart, -self.curvature)

    def from_ambient(self, X):
        return charts.convert(X, "hyperboloid", self.chart, -self.curvature)

    def origin(self):
        return self.from_ambient(lorentz.origin(self.dimension, -self.curvature))

    def distance(self, x, y):
        return metric.distance(x, y, **self._space)

    def pairwise_distances(self, X, Y):
        return metric.pairwise_distances(X, Y, **self._space)

    def exp_map(self, x, v):
        return geodesics.exp_map(x, v, **self._space)

    def log_map(self, x, y):
        return geodesics.log_map(x, y, **self._space)

    def frame_coordinates(self, mean, X):
        """Coordinates of the logarithms at the mean, in the frame of `random_wrapped_normal`."""
        return tangent.flatten(self.to_ambient(X), self.to_ambient(mean), -self.curvature)

    def frechet_mean(self, X, weights):
        return means.frechet_mean(X, weights, **self._space)

    def draw(self, n, mean, covariance, rng):
        return sampling.random_wrapped_normal(n, mean, covariance, random_state=rng, **self._space)

    def random_isometry(self, distance, rng):
        found = isometries.random_isometry(
            self.dimension, distance, random_state=rng, **self._space
        )
        return found.fit(self.origin()[None])


class _Spherical(Factor):
    """Curvature above 0."""

    charts = sphere.CHARTS
    default_chart = "sphere"

    def _check(self, X):
        sphere.check_points(X, self.chart, self.curvature, self.first)

    def convert(self, X, chart):
        points = sphere.to_sphere(X, self.chart, self.curvature)
        return sphere.from_sphere(points, chart, self.curvature)

    def from_ambient(self, X):
        return sphere.from_sphere(X, self.chart, self.curvature)

    def origin(self):
        return self.from_ambient(sphere.origin(self.dimension, self.curvature))

    def distance(self, x, y):
        return sphere.distance(self.to_ambient(x), self.to_ambient(y), self.curvature)

    def pairwise_distances(self, X, Y):
        X, Y = self.to_ambient(X), None if Y is None else self.to_ambient(Y)
        return lorentz.all_pairs(sphere.distance, X, Y, self.curvature)

    def exp_map(self, x, v):
        base = self.to_ambient(x)
        moved = sphere.exp(base, sphere.push(x, v, self.chart, self.curvature), self.curvature)
        return self.from_ambient(moved)

    def log_map(self, x, y):
        x, y = self.to_ambient(x), self.to_ambient(y)
        lost = np.flatnonzero(sphere.opposite(x, y, self.curvature))
        require(
            not lost.size,
            f"factor {self.name}: row {lost[0] if lost.size else ''} is opposite to x, where the "
            "direction is not unique; give another x",
        )
        found = sphere.log(x, y, self.curvature)
        return sphere.pull(x, found, self.chart, self.curvature)

    def frame_coordinates(self, mean, X):
        mean = self.to_ambient(mean)
        logs = sphere.log(mean, self.to_ambient(X), self.curvature)
        return sphere.coordinates(logs, mean, self.curvature)

    def frechet_mean(self, X, weights):
        root = np.sqrt(self.curvature)
        weights = np.ones(len(X)) if weights is None else weights
        mean = sphere_means.frechet_mean(
            root * self.to_ambient(X), weights, f" of factor {self.name}"
        )
        return self.from_ambient(mean / root)

    def draw(self, n, mean, covariance, rng):
        vectors = rng.standard_normal((n, self.dimension))
        vectors = vectors @ sampling.covariance_factor(covariance, self.dimension).T
        mean = self.to_ambient(mean)
        vectors = sphere.vector(vectors, mean, self.curvature)
        return self.from_ambient(sphere.exp(mean, vectors, self.curvature))

    def random_isometry(self, distance, rng):
        angle, pole = distance * np.sqrt(self.curvature), sphere.origin(self.dimension)
        axis = np.append(0.0, isometries.random_direction(self.dimension, rng))
        turn = np.eye(self.dimension + 1) + np.sin(angle) * np.subtract(
            np.outer(pole, axis), np.outer(axis, pole)
        )
        turn -= (1.0 - np.cos(angle)) * (np.outer(pole, pole) + np.outer(axis, axis))
        about = np.eye(self.dimension + 1)
        about[1:, 1:] = isometries.random_rotation(self.dimension, rng)
        return _Rotation(self, about.T @ turn)


class _Euclidean(Factor):
    """Curvature 0."""

    charts = ("euclidean",)
    default_chart = "euclidean"

    def _check(self, X):
        pass  # all finite numbers are legal

    def convert(self, X, chart):
        return np.asarray(X, dtype=float)

    def origin(self):
        return np.zeros(self.dimension)

    def distance(self, x, y):
        return np.linalg.norm(np.subtract(x, y), axis=-1)

    def pairwise_distances(self, X, Y):
        return cdist(X, X if Y is None else Y)

    def exp_map(self, x, v):
        return np.add(x, v)

    def log_map(self, x, y):
        return np.subtract(y, x)

    def frame_coordinates(self, mean, X):
        return self.log_map(mean, X)

    def frechet_mean(self, X, weights):
        return np.average(X, axis=0, weights=weights)

    def draw(self, n, mean, covariance, rng):
        vectors = rng.standard_normal((n, self.dimension))
        return mean + vectors @ sampling.covariance_factor(covariance, self.dimension).T

    def random_isometry(self, distance, rng):
        shift = distance * isometries.random_direction(self.dimension, rng)
        return _Motion(isometries.random_rotation(self.dimension, rng), shift)


@dataclass(frozen=True)
class _Rotation:
    """Isometry x -> x R of a sphere."""

    factor: _Spherical
    matrix: np.ndarray

    def transform(self, X):
        return self.factor.from_ambient(self.factor.to_ambient(X) @ self.matrix)

    def inverse_transform(self, X):
        return self.factor.from_ambient(self.factor.to_ambient(X) @ self.matrix.T)


@dataclass(frozen=True)
class _Motion:
    """Isometry x -> (x + shift) R of flat space."""

    matrix: np.ndarray
    shift: np.ndarray

    def transform(self, X):
        return (X + self.shift) @ self.matrix

    def inverse_transform(self, X):
        return X @ self.matrix.T - self.shift


KINDS = {"H": _Hyperbolic, "S": _Spherical, "E": _Euclidean}
