"""The problem as given, and normals in its coordinates."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from noneuclid.errors import InputError
from noneuclid.solvers.hyperboloid import exact_sums
from noneuclid.solvers.hyperboloid.certified.light_cone import horospherical
from noneuclid.solvers.hyperboloid.lorentz_boost import boost
from noneuclid.solvers.hyperboloid.problem import HINGE_SLOPE, objective

_FARTHEST = 1e100  # products of three coordinates are finite
_LARGEST = 1e150  # its square is finite
_SMALL = 1e-12  # of a w that the longest row can have
_TRIALS, _WORK = 3000, 10_000_000  # of other roundings
_DIGITS, _MOVED = (1.0, 4.0, 30.0), 0.5  # share of the coordinates


class Normal(NamedTuple):
    """Normal w in the given coordinates, its objective, and whether it lies on the light cone."""

    w: np.ndarray | None
    value: float
    on_cone: bool


@dataclass(frozen=True)
class Problem:
    """Arguments of `global_optimum.solve`."""

    points: np.ndarray
    signs: np.ndarray
    C: float
    radius: float = 0.0
    weights: np.ndarray | None = None
    conic_solver: str = "clarabel"

    @property
    def c(self):
        """Slope of the hinges."""
        return self.C * HINGE_SLOPE

    @property
    def total(self):
        """Sum of the weights."""
        return len(self.points) if self.weights is None else self.weights.sum()

    @property
    def largest(self):
        """The losses at the longest row's length."""
        return self.c * self.total * self.points[:, 0].max()

    @cached_property
    def line(self):
        """Bound on the light cone of one dimension and its w; None in more."""
        if self.points.shape[1] == 2 and not self.radius:
            return horospherical.search_line(self.points, self.signs, self.c, self.weights)
        return None

    def check(self):
        """Refuse points too far out, and losses too large for double precision."""
        check_reach(self.points)
        if not self.largest < _LARGEST:
            raise InputError(
                f"C = {self.C:g} on rows of total weight {self.total:g} is too large for double "
                "precision; give a smaller C, or divide the weights"
            )

    def objective(self, w):
        """½<w,w>_L + C Σ q_i loss."""
        settings = {"radius": self.radius, "weights": self.weights}
        return objective(w, self.points, self.signs, self.C, **settings)

    def return_normal(self, w, centre):
        """W, moved back from the centre to the feasible side, and its objective.

        Never worse than 0, nor in one dimension than the light cone.
        """
        normal = exact_sums.move_off_the_timelike(boost(w, centre))
        value = self.objective(normal)
        if not value < 0.999 * self.c * self.total:
            nearly_zero = np.eye(1, len(w), 1)[0] * (_SMALL / self.points[:, 0].max())
            least = self.objective(nearly_zero)
            normal, value = (normal, value) if value <= least else (nearly_zero, least)
        if self.line is not None and self.objective(self.line[1]) < value:
            normal = w = self.line[1]
            value = self.objective(normal)
        return Normal(normal, value, horospherical.is_on_cone(w))

    def round_better(self, w, value):
        """Move w by last digits where this lowers its objective `value`.

        Near the light cone, the doubles next to an optimum differ by much in their objectives.
        """
        rng, step = np.random.default_rng(0), np.spacing(w)
        for _ in range(min(_TRIALS, _WORK // self.points.size)):
            digits = rng.choice(_DIGITS) * rng.laplace(size=len(w)) * (rng.random(len(w)) < _MOVED)
            moved = exact_sums.move_off_the_timelike(w + np.round(digits) * step)
            reached = self.objective(moved)
            if reached < value:
                w, value = moved, reached
        return w, value


def check_reach(points):
    """Refuse points too far out for `solve`."""
    if not points[:, 0].max() < _FARTHEST:
        row = int(np.argmax(points[:, 0]))
        raise InputError(
            f"row {row} lies at distance {np.arccosh(points[row, 0]):.0f} from the origin, too far "
            "for double precision; rescale the points"
        )
