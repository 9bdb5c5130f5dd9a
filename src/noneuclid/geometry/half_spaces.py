"""Linear programs on half-spaces: an inner point, unbounded rays, redundant facets.

All take the facets (A, b, E, f) of {x : A x + b >= 0, E x + f = 0}, shapes (m, d), (m,), (k, d),
(k,), and scale them before the solver, because its tolerances are absolute.
"""

import numpy as np
from scipy.linalg import null_space
from scipy.optimize import linprog

from noneuclid.errors import InputError

TOLERANCE = 1e-9
"""Of the solver, in units in which the polytope and its facets have size one."""

_THIN = 1e-6

_OPTIONS = {"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE}


def solve(cost, upper=None, equal=None, bounds=(None, None)):
    """Minimise cost.x with U x <= u, V x = v and bounds as in `linprog`; None if infeasible.

    `upper` and `equal` are (U, u) and (V, v), of numbers near one, or None.
    """
    result = linprog(
        cost,
        *(upper or (None, None)),
        *(equal if equal and equal[0].shape[0] else (None, None)),
        bounds=bounds,
        options=_OPTIONS,
    )
    if result.status == 2:
        return None
    if result.status != 0:
        raise InputError(f"a linear program on the polytope failed ({result.message}); rescale it")
    return result


def inner_point(A, b, E, f):
    """Centre and radius of the largest ball in the polytope; an error if that is empty or flat.

    Examples
    --------
    >>> none = np.empty((0, 1)), np.empty(0)
    >>> inner_point(np.array([[1.0], [-1.0]]), np.array([0.0, 2.0]), *none)
    (array([1.]), 1.0)
    """
    d = A.shape[1]
    along = null_space(E) if len(E) else np.eye(d)
    if not along.size:
        raise InputError("the polytope is a point: E x + f = 0 leaves no direction; drop rows of E")
    lengths = np.linalg.norm(A @ along, axis=1)
    centre, size = np.zeros(d), max(np.abs(b).max(), np.abs(f).max(initial=0)) or 1.0
    # the second look is for polytopes much thinner than long
    for step in (size, 1e-8 * size):
        result = solve(
            -np.eye(d + 1)[d],
            upper=(np.column_stack([-A, lengths]), (A @ centre + b) / step),
            equal=(np.column_stack([E, np.zeros(len(E))]), -(E @ centre + f) / step),
            # a bounded polytope has a radius of at most max b / min |A_i|: the cap never binds
            bounds=[(None, None)] * d + [(None, 2 * size / step)],
        )
        if result is None or result.x[d] < -_THIN:
            raise InputError("the polytope is empty: no x has A x + b >= 0; check the signs of A")
        centre = centre + step * result.x[:d]
        if result.x[d] > _THIN:
            break
    values = A @ centre + b
    if result.x[d] <= _THIN or values.min() <= 0:
        facet = int(np.argmin(result.ineqlin.marginals))
        raise InputError(
            f"the polytope is flat: facet {facet} is zero all over it; give the affine hull as E, f"
        )
    solid = lengths > 0
    return centre, float(np.min(values[solid] / lengths[solid]))


def require_bounded(A, E):
    """Refuse half-spaces that contain a ray; the error names its direction."""
    flat = null_space(np.vstack([A, E]))
    if flat.size:
        ray = flat[:, 0]
    else:
        # any ray can be scaled until its largest facet value is one: the optimum is 0 or >= 1
        zeros, ones = np.zeros(len(A)), np.ones(len(A))
        result = solve(
            -A.sum(axis=0),
            upper=(np.vstack([-A, A]), np.concatenate([zeros, ones])),
            equal=(E, np.zeros(len(E))),
        )
        if -result.fun < 0.5:
            return
        ray = result.x / np.linalg.norm(result.x)
    raise InputError(
        f"the polytope is unbounded in direction {np.round(ray, 6).tolist()}; add a facet there"
    )


def redundant_facets(A, b, E, f, centre):
    """Indices of the facets that can be removed; of equal ones the first stays.

    A facet that the perpendicular from the centre, a point inside, meets first is needed; for each
    of the others one linear program finds how low its value gets when the rest holds.

    Examples
    --------
    >>> A, b = np.array([[1.0], [-1.0], [-1.0]]), np.array([0.0, 1.0, 2.0])
    >>> redundant_facets(A, b, np.empty((0, 1)), np.empty(0), np.array([0.5]))
    array([2])
    """
    along = null_space(E) if len(E) else np.eye(A.shape[1])
    # coordinates along the hull, about the centre; every facet has value one there
    slopes = (A @ along) / (A @ centre + b)[:, None]
    meets = slopes @ slopes.T
    first = meets.argmax(axis=0)
    runner_up = np.partition(meets, -2, axis=0)[-2]
    needed = np.zeros(len(A), dtype=bool)
    needed[first[meets.max(axis=0) > (1 + TOLERANCE) * runner_up]] = True
    kept = np.ones(len(A), dtype=bool)
    for facet in np.flatnonzero(~needed)[::-1]:
        others = kept.copy()
        others[facet] = False
        # the facet's own value is held above -1, so that the program is bounded
        limits = np.where(np.arange(len(A)) == facet, 2.0, 1.0)
        used = others | (np.arange(len(A)) == facet)
        result = solve(slopes[facet], upper=(-slopes[used], limits[used]))
        kept[facet] = 1 + result.fun < -10 * TOLERANCE
    return np.flatnonzero(~kept)
