"""The problem in the coordinates of a search: boosted to a centre, in one kind of numbers.

Each kind has its slices, its search of the light cone, and its proof for the points as given.
"""

import math

import numpy as np

from noneuclid.solvers.hyperboloid.certified.light_cone import cone_search, horospherical
from noneuclid.solvers.hyperboloid.certified.low_rank import find_span
from noneuclid.solvers.hyperboloid.certified.robust_bound import RobustVerifier
from noneuclid.solvers.hyperboloid.certified.slices.far_slices import FarSlices
from noneuclid.solvers.hyperboloid.certified.slices.robust_slices import RobustSlices
from noneuclid.solvers.hyperboloid.certified.slices.time_slices import HingeSlices
from noneuclid.solvers.hyperboloid.certified.slices.warm_slices import LEAST_DIMENSION, WarmSlices
from noneuclid.solvers.hyperboloid.certified.verified_bound import (
    FarVerifier,
    Verifier,
    find_shifts,
    rounding_error_of_length,
)
from noneuclid.solvers.hyperboloid.lorentz_boost import boost, find_foot, find_middle, in_numbers_of
from noneuclid.solvers.hyperboloid.problem import signed_rows, uncertainty

_FAR = 1e3  # points, which are boosted in extended precision
_LONG_LARGEST = 1e60  # in double-doubles; whose products overflow sooner

# A cell of the light cone takes the cube of the dimension; in 64 dimensions ten times as many cells
# left the same gaps.
_CELL_WORK = 4.3e6


class Coordinates:
    """Rows boosted to a centre: their `slices`, and how far they reach.

    `precision` is that of the boost; `outside` is what a row is longer than its row of the slices.
    """

    longer = False  # whether a search in longer numbers may follow
    cone_knows_shifts = True  # whether `search_cone` counts what rounding does to rows
    cells_a_slice = 250.0  # at most: a cell of the light cone takes less time than a slice

    def __init__(self, problem, centre, slices, precision, outside=0.0):
        self.problem, self.centre, self.slices = problem, centre, slices
        # Any w that gives all points one label, as on the light cone, costs at least this.
        sides = problem.signs > 0, problem.signs < 0
        self.one_sided = slices.c * min(slices.weights[side].sum() for side in sides)
        self.far = max(1.0, np.linalg.norm(slices.rows[:, 1:], axis=1).max())
        self.proved_far = (
            self.far + rounding_error_of_length(problem.points, centre, precision) + outside
        )
        self.line = problem.line and (problem.line[0], boost(problem.line[1], -centre))

    def return_normal(self, w):
        """The `Normal` of the w that a search found."""
        return self.problem.return_normal(w, self.centre)

    def search_cone(self, w, value, tol, most):
        """Bound of the objective on the light cone, the better w, its objective, cells bounded.

        `most` is the number of slices allowed.
        """
        if self.line is not None:
            bound, on_line = self.line
            return (bound, on_line, bound, 0) if bound < value else (bound, w, value, 0)
        share = min(self.cells_a_slice, _CELL_WORK / self.slices.rows.shape[1] ** 4)
        return cone_search.search_cone(self.slices.restart(), w, value, tol, int(share * most))

    def descend_on_cone(self, w, value, tol):
        """The better w of some descents on the light cone, and its objective."""
        return cone_search.search_cone(self.slices.restart(), w, value, tol, 0)[1:3]

    def lengthen(self, search, value, lower):
        """Coordinates in longer numbers for another search; None if it would not gain."""


class DoubleCoordinates(Coordinates):
    """In doubles; points far out are boosted in extended precision and rounded once."""

    span = None

    def __init__(self, problem, centre, rows, outside=0.0):
        kind = WarmSlices if rows.shape[1] > LEAST_DIMENSION else HingeSlices
        slices = kind(rows, problem.c, problem.weights, self.find_shifts)
        super().__init__(problem, centre, slices, np.finfo(centre.dtype).eps, outside)
        self.longer = len(centre) < LEAST_DIMENSION and problem.largest < _LONG_LARGEST

    def find_shifts(self):
        """q_i |δ_i|, δ_i what rounding did to a row, at most."""
        rows, weights = self.slices.rows, self.slices.weights
        return find_shifts(rows, weights, self.centre, self.problem.points)

    def prove(self, search, best):
        """Lower bound for the points as given, beside the best `Normal`."""
        points, signs = self.problem.points, self.problem.signs
        verifier = Verifier(self.slices, points, signs, self.centre, self.span)
        return search.prove(verifier, best.value)

    def lengthen(self, search, value, lower):
        """The same centre in twice the digits."""
        if not (self.longer and search.lacks_digits(value, lower)):
            return None
        return FarCoordinates(self.problem, self.centre.astype(np.longdouble))


class LowRankCoordinates(DoubleCoordinates):
    """In doubles, in the span of the rows and one axis across it."""

    cone_knows_shifts = False

    def __init__(self, problem, centre, span):
        self.span = span
        super().__init__(problem, centre, span.rows, span.longest)

    def find_shifts(self):
        """q_i |δ_i|, δ_i what boost and span did to a row."""
        return self.span.lost

    def return_normal(self, w):
        """The `Normal` of the w that a search found."""
        return super().return_normal(self.span.lift(w))

    def search_cone(self, w, value, tol, most):
        """The same by two convex programs."""
        solver = self.problem.conic_solver
        return horospherical.search_flat(self.slices.restart(), w, value, tol, solver)


class FarCoordinates(Coordinates):
    """In twice the digits of a double, for rows so long that doubles are not enough."""

    cells_a_slice = 1.0  # the bounds of cells are in doubles, and more would not gain

    def __init__(self, problem, centre, moved=False):
        slices = FarSlices(problem.points, problem.signs, centre, problem.c, problem.weights)
        super().__init__(problem, centre, slices, 2.0**-98)  # §10.1
        self._moved = moved

    def prove(self, search, best):
        """Lower bound for the points as given, beside the best `Normal`."""
        verifier = FarVerifier(self.slices, self.problem.points, self.centre)
        return math.nextafter(float(search.prove(verifier, best.value)), -math.inf)

    def lengthen(self, search, value, lower):
        """As many digits around the hyperplane's nearest point, once."""
        if self._moved or not search.lacks_digits(value, math.inf):
            return None
        return FarCoordinates(self.problem, find_foot(search.w, self.centre), moved=True)


class RobustCoordinates(Coordinates):
    """In doubles, with moves of the points."""

    cone_knows_shifts = False

    def __init__(self, problem, centre):
        points = in_numbers_of(centre, problem.points)
        rows = boost(signed_rows(points, problem.signs), centre)
        moves = boost(uncertainty(points, problem.radius), centre)
        slices = RobustSlices(rows, problem.c, moves, problem.conic_solver, problem.weights)
        super().__init__(problem, centre, slices, np.finfo(centre.dtype).eps)

    def search_cone(self, w, value, tol, most):
        """The same by boxes of directions, as many as slices."""
        problem = self.slices.restart(), w, value, tol
        return horospherical.search_cone(*problem, most, self.problem.conic_solver)

    def descend_on_cone(self, w, value, tol):
        """The better w of the first boxes' directions on the light cone, and its objective."""
        return self.search_cone(w, value, tol, 0)[1:3]

    def prove(self, search, best):
        """Lower bound for the points as given, beside the best `Normal`."""
        points, signs, radius = self.problem.points, self.problem.signs, self.problem.radius
        verifier = RobustVerifier(self.slices, points, signs, self.centre, radius)
        lower = search.prove(verifier, best.value)
        return lower - verifier.rounding_error_of_objective(best.w, best.value)


def enter(problem):
    """The coordinates of the first search: around the middle between the classes."""
    points = problem.points
    centre = find_middle(points, problem.signs, problem.weights)
    if points[:, 0].max() > _FAR:
        # A boost loses digits with the square of the coordinates.
        centre = centre.astype(np.longdouble)
    if problem.radius:
        return RobustCoordinates(problem, centre)
    rows = boost(signed_rows(in_numbers_of(centre, points), problem.signs), centre)
    span = None if len(centre) == 1 else find_span(rows, points, centre, problem.weights)
    if span is None:
        return DoubleCoordinates(problem, centre, rows)
    return LowRankCoordinates(problem, centre, span)
