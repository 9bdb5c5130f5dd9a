"""What the search for the optimum takes from the points as given, and gives back."""

import numpy as np

from noneuclid.errors import InputError
from noneuclid.solvers.hyperboloid import exact_sums
from noneuclid.solvers.hyperboloid.boost import boost
from noneuclid.solvers.hyperboloid.problem import HINGE_SLOPE, objective

_FARTHEST = 1e100
_SMALL = 1e-12  # of a w that the longest row can have


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
