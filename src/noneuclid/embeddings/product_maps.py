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
from noneuclid.geometry import lorentz, spaces

# Hyperbolic units: beside the cosh of it, 1 has no digits.
_FARTHEST = 36.0
# Relative fall in a round at which a descent stops, and fall in a step at which a round does.
_FALL, _ROUNDING = 1e-6, 1e-12
_STEPS, _RATE = 20, 0.1  # of UMAP's loss; the rate as a part of that of the fit
_NEAR = 64  # old points among which a descent looks for its starts
_TWIN = 1e-9  # two rows are equal, as a part of the farthest neighbour; two points, of the goal


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
        """Points of the product, the best of the ends of four descents."""
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
    least = wanted.min()
    unit = least / np.sqrt(np.mean((least / wanted) ** 2))
    near = fixed.points[np.argsort(wanted, kind="stable")[:_NEAR]]
    best = near[np.argsort([loss(point)[0] for point in near], kind="stable")[:3]]
    starts = [start for few in (near[:3], best) for start in (few[0], _middle(few, fixed.layout))]
    ends = [_descend(wanted, fixed, start, unit / fixed.scales) for start in starts]
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
        # Two points in one place, to rounding, have no direction to part in.
        apart = length > _TWIN * wanted[k]
        slopes[k] = error / (wanted[k] * length * m) if apart else 0.0
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


def _descend(wanted, fixed, start, units):
    """Value and place of the end of a descent in frames that follow the point.

    Rounds of L-BFGS, as a frame of a sphere holds half of it. `units` (k,) are those of the
    variables, in each factor.
    """
    layout = fixed.layout
    units = np.repeat(units, layout.dimensions)
    base, value, fall = start[None], np.inf, np.inf
    moved, pulled = np.empty_like(base), np.empty((1, len(units)))
    options = {"ftol": _ROUNDING, "gtol": 0.0}
    while fall > _FALL:
        origin, others = _seen_from(base, fixed)
        loss = _row_loss(wanted, others)
        value = min(value, loss(origin[0])[0])
        if not value > 0.0:
            break

        def objective(flat, origin=origin, loss=loss, unit=value):
            local = (flat * units)[None]
            product_loss.place(origin, local, *layout, moved)
            height, gradient = loss(moved[0])
            product_loss.pull_back(origin, local, moved, gradient[None], *layout, pulled)
            return height / unit, pulled[0] * units / unit

        zero = np.zeros(len(units))
        found = minimize(objective, zero, jac=True, method="L-BFGS-B", options=options)
        if not found.fun < 1.0:
            break
        fall, value = 1.0 - found.fun, value * found.fun
        end = np.empty_like(base)
        product_loss.place(base, (found.x * units)[None], *layout, end)
        base = end
    return value, base[0]


def _seen_from(base, fixed):
    """The point and the others after boosts that carry its hyperbolic blocks to their origins.

    Far out, differences of coordinates lose the digits that these products keep, with a relative
    error of about eps e^(2r) for an old point at r from its origin.
    Shapes: `base` (1, width).
    """
    origin, points = base.copy(), fixed.points.copy()
    for sign, first, d in zip(*fixed.layout, strict=True):
        if sign >= 0:
            continue
        block = slice(first, first + d + 1)
        boost = lorentz.boost(base[0, block])
        boost[0, 1:] *= -1.0
        boost[1:, 0] *= -1.0
        points[:, block] = lorentz.from_spatial((points[:, block] @ boost.T)[:, 1:])
        origin[0, block] = np.eye(1, d + 1)[0]
    return origin, fixed._replace(points=points)


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
