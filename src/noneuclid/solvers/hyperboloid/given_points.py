"""What the search for the optimum takes from the points as given, and gives back."""

import numpy as np

from noneuclid.errors import InputError
from noneuclid.solvers.hyperboloid import exact_sums
from noneuclid.solvers.hyperboloid.boost import boost
from noneuclid.solvers.hyperboloid.problem import HINGE_SLOPE, objective

_FARTHEST = 1e100
_SMALL = 1e-12  # of a w that the longest row can have
_TRIALS, _WORK = 3000, 10_000_000  # of other roundings
_DIGITS, _MOVED = (1.0, 4.0, 30.0), 0.5  # share of the coordinates


def check_reach(points):
    """Refuse points too far out for `solve`."""
    if not points[:, 0].max() < _FARTHEST:
        row = int(np.argmax(points[:, 0]))
        raise InputError(
            f"row {row} lies at distance {np.arccosh(points[row, 0]):.0f} from the origin, too far "
            "for double precision; rescale the points"
        )


def return_normal(w, centre, points, signs, C, radius, weights):
    """W in the given coordinates, of the feasible side, and its objective; never worse than 0."""
    w = exact_sums.move_off_the_timelike(boost(w, centre))
    value = objective(w, points, signs, C, radius=radius, weights=weights)
    total = len(points) if weights is None else weights.sum()
    if value < 0.999 * C * HINGE_SLOPE * total:
        return w, value
    nearly_zero = np.eye(1, len(w), 1)[0] * (_SMALL / points[:, 0].max())
    least = objective(nearly_zero, points, signs, C, radius=radius, weights=weights)
    return (w, value) if value <= least else (nearly_zero, least)


def round_better(w, value, points, signs, C, weights):
    """Move w by last digits where this lowers its objective `value`.

    Near the light cone, the doubles next to an optimum differ by much in their objectives.
    """
    rng, step = np.random.default_rng(0), np.spacing(w)
    for _ in range(min(_TRIALS, _WORK // points.size)):
        digits = rng.choice(_DIGITS) * rng.laplace(size=len(w)) * (rng.random(len(w)) < _MOVED)
        moved = exact_sums.move_off_the_timelike(w + np.round(digits) * step)
        reached = objective(moved, points, signs, C, weights=weights)
        if reached < value:
            w, value = moved, reached
    return w, value
