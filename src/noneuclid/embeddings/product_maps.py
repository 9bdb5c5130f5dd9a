"""New rows among those of a product: where the relative stress, or UMAP's loss, is least."""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits

from noneuclid.compiled import compile_cached
from noneuclid.embeddings import product_layout, product_loss
from noneuclid.embeddings.given_distances import PRECOMPUTED, between
from noneuclid.embeddings.neighbour_map import NeighbourMap
from noneuclid.embeddings.product_loss import Layout, layout_of, scales_of
from noneuclid.embeddings.reduced_map import ReducedMap
from noneuclid.errors import FarRow, require
from noneuclid.geometry import spaces

# Hyperbolic units: beside the cosh of it, 1 has no digits.
_FARTHEST = 36.0
# Relative fall in a round at which a descent stops, and fall in a step at which a round does.
_FALL, _ROUNDING = 1e-6, 1e-12
_STEPS, _RATE = 20, 0.1  # of UMAP's loss; the rate as a part of that of the fit
_TWIN = 1e-9  # of the farthest neighbour: two rows are equal


class UnitFactors(NamedTuple):
    """Factors as compiled functions read them, and points on them.

    `points` (n, width) have curvatures -1, 1 and 0; `scales` (k,) multiply the distances.
    """

    layout: Layout
    scales: np.ndarray
    points: np.ndarray

    @classmethod
    def of(cls, chart, points) -> Self:
        """Of points of the product `chart` in its default charts."""
        space = spaces.product_of(chart)
        layout, scales = layout_of(space), scales_of(space)
        return cls(layout, scales, points / layout.of_columns(scales))

    def in_space(self, points):
        """Points of the product in its default charts."""
        return points * self.layout.of_columns(self.scales)


@dataclass(frozen=True, kw_only=True)
class ProductEmbeddingMap(ReducedMap):
    """The least relative stress of one new point, those of the fit and the curvatures fixed.

    Minimises the terms of `ProductEmbedding` that have the new point. Rows of the fit land on
    their own points, as a new point at distance 0 from an old one does.

    Attributes
    ----------
    metric : str
        Of the distances to `rows`; if it is "precomputed", there are no rows, shape (0, n), and
        features are the distances.
    points : ndarray of float, shape (n, columns of `chart`)
    """

    kind: str = "product_embedding"
    metric: str
    points: np.ndarray

    def place(self, features):
        """Points of the product, from the nearest point or the middle of the nearest three."""
        new, fixed = self.reduce(features), UnitFactors.of(self.chart, self.points)
        placed = np.empty((len(new), self.points.shape[1]))
        with threadpool_limits(1, user_api="blas"):  # one row is too little work for more
            for k, row in enumerate(new):
                wanted = self._distances(row, k)
                _check_reach(wanted, fixed, k)
                placed[k] = place_row(wanted, fixed)
        return fixed.in_space(placed)

    def _distances(self, row, number):
        """Distances of a new row to those of the fit, shape (n,)."""
        if self.metric != PRECOMPUTED:
            return between(row[None], self.metric, self.kind, self.rows, number)[0]
        negative = np.flatnonzero(row < 0)
        column = negative[0] if negative.size else None
        require(
            column is None,
            f"row {number}, column {column} is {row[column]}; give distances to the rows of the "
            "fit, 0 or more",
        )
        return row


def _check_reach(wanted, fixed, number):
    """Refuse a row that only a hyperbolic factor could take so far that points lose all digits."""
    signs = fixed.layout.signs
    if (signs == 0).any() or not (signs < 0).any():
        return
    units = wanted.min() / fixed.scales[signs < 0].max()
    if units > _FARTHEST:
        raise FarRow(
            f"row {number} lies {units:.4g} hyperbolic units from every row of the embedding; "
            f"beyond {_FARTHEST:g} it cannot be placed: check its values"
        )


def place_row(wanted, fixed):
    """The place of least relative stress of a point wanted at these distances; (n,) to (width,).

    Distances of 0 are left out, and put the point on one of those points.
    """
    same, known = np.flatnonzero(wanted == 0), wanted > 0
    loss = _row_loss(wanted[known], fixed._replace(points=fixed.points[known]))
    if same.size:
        return min(fixed.points[same], key=lambda point: loss(point)[0])
    nearest = fixed.points[np.argsort(wanted, kind="stable")[:3]]
    least = wanted.min()
    unit = least / np.sqrt(np.mean((least / wanted) ** 2))
    starts = (nearest[0], _middle(nearest, fixed.layout))
    ends = [_descend(loss, start, unit / fixed.scales, fixed.layout) for start in starts]
    return min(ends, key=lambda end: end[0])[1]


def _row_loss(wanted, fixed):
    """The relative stress of one further point, (width,), and its ambient gradient."""
    columns, factors = np.ascontiguousarray(fixed.points.T), (*fixed.layout, fixed.scales)
    gradient = np.empty(len(columns))
    return lambda point: (row_stress(point, columns, wanted, factors, gradient), gradient)


@compile_cached
def row_stress(point, columns, wanted, factors, gradient):
    """Mean over points that stay of (d / wanted - 1)^2; fills the ambient gradient, (width,).

    `factors` are those of `product_layout`. O(m d) time.
    Shapes: `point` (width,), `columns` (width, m), `wanted` (m,).
    """
    signs, first, dimensions, scales = factors
    m = len(wanted)
    halves, rates = np.empty((len(signs), m)), np.empty((len(signs), m))
    square, slopes = np.empty(m), np.empty(m)
    product_layout.squares(point, columns, 0, m, factors, halves, rates, square)
    value = 0.0
    for k in range(m):
        length = np.sqrt(square[k])
        error = length / wanted[k] - 1.0
        value += error * error
        # Two points in one place have no direction to part in.
        slopes[k] = error / (wanted[k] * length * m) if length > 0.0 else 0.0
    gradient[:] = 0.0
    product_layout.add(point, columns, 0, m, factors, halves, rates, slopes, gradient)
    for f in range(len(signs)):
        for t in range(first[f], first[f] + dimensions[f] + (signs[f] != 0)):
            time = signs[f] < 0 and t == first[f]
            gradient[t] *= (-1.0 if time else 1.0) * scales[f] ** 2
    return value / m


def _middle(points, layout):
    """The mean in the coordinates, projected on the factors; the first point, if a sphere has none.

    Shapes: `points` (n, width); returns (width,).
    """
    mean = points.mean(axis=0)
    for sign, first, d in zip(*layout, strict=True):
        block = mean[first : first + d + (sign != 0)]
        if sign:
            square = block[1:] @ block[1:] + sign * block[0] ** 2
            if not sign * square > 1e-12:
                return points[0]
            block /= np.sqrt(sign * square)
    return mean


def _descend(loss, start, units, layout):
    """Value and place of the end of a descent in frames that follow the point.

    Rounds of L-BFGS, as a frame of a sphere holds half of it. `units` (k,) are those of the
    variables, in each factor.
    """
    units = np.repeat(units, layout.dimensions)
    base, value = start[None], loss(start)[0]
    moved, pulled = np.empty_like(base), np.empty((1, len(units)))

    def objective(flat):
        local = (flat * units)[None]
        product_loss.place(base, local, *layout, moved)
        height, gradient = loss(moved[0])
        product_loss.pull_back(base, local, moved, gradient[None], *layout, pulled)
        return height, pulled[0] * units

    options = {"ftol": _ROUNDING, "gtol": 0.0}
    fall = np.inf
    while fall > _FALL:
        zero = np.zeros(len(units))
        found = minimize(objective, zero, jac=True, method="L-BFGS-B", options=options)
        if not found.fun < value:
            break
        fall, value = (value - found.fun) / value, found.fun
        product_loss.place(base, (found.x * units)[None], *layout, moved)
        base, moved = moved, np.empty_like(base)
    return value, base[0]


@dataclass(frozen=True, kw_only=True)
class ProductUMAPMap(NeighbourMap):
    """New rows go to the neighbour of least loss, then some steps, each alone; equal ones to it."""

    kind: str = "product_umap"

    def place(self, features):
        """Points of the product; rows of the fit land on their own."""
        nearest, lengths, weights = self.edges(features)
        points, forces = self.layout()
        fixed = UnitFactors.of(self.chart, points)
        factors = (*fixed.layout, fixed.scales)
        out, rate = np.empty((len(nearest), points.shape[1])), _RATE * self.learning_rate
        product_layout.settle(nearest, weights, fixed.points, factors, forces, rate, _STEPS, out)
        same = lengths[:, 0] <= _TWIN * lengths[:, -1]
        out[same] = fixed.points[nearest[same, 0]]
        return fixed.in_space(out)
