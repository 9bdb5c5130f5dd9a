"""Sparse moment relaxation of order 2 of the hyperboloid SVM, problem (7) of Yang et al. (2024)."""

import math

import numpy as np

from noneuclid.errors import InputError
from noneuclid.solvers.conic import programs
from noneuclid.solvers.hyperboloid.descent import projected_gradient
from noneuclid.solvers.hyperboloid.problem import (
    HINGE_SLOPE,
    Solution,
    objective,
    signed_rows,
    stated_gap,
)
from noneuclid.solvers.hyperboloid.relaxations.hinge_bound import hinge_bound
from noneuclid.solvers.hyperboloid.relaxations.moment_programs import (
    bounded,
    published,
    short_of_clear,
)
from noneuclid.solvers.hyperboloid.relaxations.search_region import (
    hinge_minimiser,
    hinge_multipliers,
    search_region,
)

_ROUNDS = 4  # programs
_FALL = 0.99  # of the level, else no other region is tried,
_GAP = 1e-4  # nor below this gap
_TOLERANCE = 1e-8  # of the conic solver,
_FIRST = 40  # samples in the first program, those nearest to the kink of their slack
_MAX_ITER = 100  # and its steps


def solve(
    points,
    signs,
    C,
    conic_solver="clarabel",
    ball=True,
    upper_bound=None,
    weights=None,
):
    """Relax the products of w and of each slack to moments of degree 4, and read w off them.

    With `ball=False` this is eq. 14 of [1]_ for κ = 2. Its value is that of the linear program
    min C/√2 Σ q_i max(0, 1 - m_i), as for the semidefinite relaxation, and for every κ: in the
    dual, sums of squares times constraints add up to a polynomial of degree 2, so their highest
    parts cancel; each is >= 0 on an open cone, so all vanish, down to degree 2, where ½<w,w>_L must
    come from the constraint <w,w>_L >= 0 alone. (There is no duality gap: moments of a density
    on the feasible set are strictly feasible.) Moments have to grow without limit to get there,
    and what a conic solver states instead depends on its tolerance and on units. A ball around
    w does not help: the powers of the slacks drop out by the same argument, and the value is
    that of the w-moments alone with the hinge at their mean.

    With `ball=True` the relaxation is over a bounded region that holds all better solutions
    (`search_region`), each slack is either 0 or 1 - m_i and bounded, and of its moments only its
    own powers are kept: `moment_programs.bounded`. Samples that the solution keeps on one side of
    the kink of their slack are left out, with 0 or 1 - m_i in its place, which does not change
    the value (`moment_programs.short_of_clear`). It is repeated, at most three times, while its
    solution lowers the level that the region is for. Where no such region exists, the bound is the
    linear program's, and w the better of its solution and the descent's.

    The solution is the vector of first moments (appendix B.2), moved to the nearest spacelike
    vector and multiplied by its best positive factor.

    Parameters
    ----------
    points : ndarray, shape (n, d + 1)
        On the hyperboloid of curvature -1, time coordinate first.
    signs : ndarray, shape (n,)
        -1.0 or 1.0, both present.
    C : float > 0
    conic_solver : {"clarabel", "mosek"}
    ball : bool
    upper_bound : float, optional
        Objective of any solution; the first region is for the lower of it and a gradient
        descent's. The bound holds even if it is wrong.
    weights : ndarray, shape (n,), optional
        q > 0; None for ones.

    Returns
    -------
    Solution
        Of problem (7). status: "solved" (the relaxation is), else what the conic solver reports.
        lower_bound: proved from the multipliers, whatever the conic solver's tolerance
        (`verified_bound`); with `ball=False` by `hinge_bound`. extras: "relaxation", the value
        as the conic solver states it, in the round of the best bound; "eta", `stated_gap`
        with it; "radius" of the region, nan without.

    Raises
    ------
    InputError
        If the conic solver ends without finite numbers.

    Notes
    -----
    Values depend on where the origin is: a Lorentz boost of the data changes region and bound. A
    step of the conic solver costs O(n d⁸ + d¹²) multiplications, as published O(n d¹²).

    References
    ----------
    .. [1] S. Yang, P. Liu, C. Pehlevan, Convex relaxation for solving large-margin classifiers
       in hyperbolic space, 2024. Differs in: moments of w shared, not bound; the factor; the
       region.

    Examples
    --------
    >>> x = np.array([[2**0.5, 1.0], [2**0.5, -1.0]])
    >>> fit = solve(x, np.array([1.0, -1.0]), C=10.0)
    >>> round(fit.objective, 4), round(fit.lower_bound, 4)
    (0.5, 0.5)
    """
    rows, weight = signed_rows(points, signs), C * HINGE_SLOPE
    shares = np.ones(len(rows)) if weights is None else weights
    start = projected_gradient.solve(points, signs, C, loss="hinge", weights=weights)
    level = start.objective if upper_bound is None else min(start.objective, upper_bound)
    alpha = weight * hinge_multipliers(rows, conic_solver, weights=shares)
    floor = hinge_bound(points, signs, C, alpha, level, weights=weights)
    best, least, lower, tightest, n_iter = None, math.inf, -1.0, None, 0
    for _ in range(_ROUNDS):
        region = None
        if ball:
            region = search_region(points, signs, C, level, floor, conic_solver, weights)
        if ball and region is None:
            least_hinges = hinge_minimiser(rows, conic_solver, shares)
            found = [start.w, extract(rows, weight, least_hinges, shares)]
            w = min(found, key=lambda w: objective(w, points, signs, C, weights=weights))
            stated, proved, state = floor, floor, "optimal"
        else:
            near = start.w if best is None else best
            program, result = _relaxed(rows, weight, shares, region, near, level, conic_solver)
            n_iter += result.iterations
            w = extract(rows, weight, program.unit * result.x[: rows.shape[1]], shares)
            stated = program.scale * result.objective + program.offset
            state = result.status
            proved = floor if region is None else max(floor, verified_bound(program, result.z))
        value = objective(w, points, signs, C, weights=weights)
        if value < least:
            best, least = w, value
        bound = proved if region is None else min(proved, region.level)
        if bound > lower:
            lower, tightest = bound, (stated, proved, state, region)
        if region is None or value >= _FALL * level or value - lower <= _GAP * value:
            break
        level = value
    status, warning = _verdict(*tightest, ball, least)
    relaxation, _, _, region = tightest
    extras = {
        "relaxation": relaxation,
        "eta": stated_gap(best, points, signs, C, relaxation, weights),
        "radius": math.nan if region is None else region.radius,
    }
    return Solution(best, least, status, n_iter, lower, warning, extras)


def _relaxed(rows, weight, shares, region, near, level, conic_solver):
    """Program and solution; over a region, of the samples that are not clear of their kinks."""
    margins = rows @ near
    kept = np.argsort(np.argsort(abs(1.0 - margins), kind="stable")) < _FIRST
    while True:
        if region is None:
            program = published(rows, weight * shares, np.linalg.norm(near), level)
        else:
            out = ~kept & (margins < 1.0)
            beyond = shares[out].sum(), (shares[out, None] * rows[out]).sum(axis=0)
            program = bounded(rows[kept], weight, region, beyond, shares[kept])
        form = program.q, program.A, program.b, program.cones
        result = programs.solve(None, *form, conic_solver, _TOLERANCE, _MAX_ITER)
        if not (np.isfinite(result.x).all() and np.isfinite(result.z).all()):
            raise InputError(f"the conic solver ended {result.status!r} without numbers")
        if region is None:
            return program, result
        below, above = short_of_clear(rows, weight * shares, region, result.x[: program.shared])
        missing = np.where(kept, 0.0, np.where(margins < 1.0, above, below))
        if missing.max() <= 0.0:
            return program, result
        # The worst first, about as many as there are: most others then become clear.
        least = np.sort(missing)[-min(kept.sum(), len(rows))]
        kept |= (missing > 0.0) & (missing >= least)


def _verdict(relaxation, proved, status, region, ball, value):
    """Status and warning, by what the multipliers prove of the relaxation's value."""
    short = relaxation - proved > _GAP * abs(relaxation)
    if not short:
        status = "solved"
    elif status == "optimal":
        status = "inaccurate"
    missing = ""
    if ball and region is None:
        missing = f"no ball holds all solutions; the bound {proved:.6g} is the linear program's"
    elif region is None and short:
        missing = (
            f"the value {relaxation:.6g} results from the conic solver's tolerance; without a ball "
            f"the relaxation proves no more than {proved:.6g}"
        )
    elif short:
        missing = f"only {proved:.6g} of the conic solver's value {relaxation:.6g} is proved"
    elif region is not None and region.level < value:
        missing = f"a ball is proved only below {region.level:.6g}, which the bound cannot pass"
    return status, missing and f"solver 'moment': {missing}"


def verified_bound(program, z):
    """Lower bound of problem (7) in the region of `moment_programs.bounded`, for any z.

    With z projected onto the cones, q @ x >= r @ x - b @ z for all feasible x, r = q + Aᵀz.
    At a w of the region, x is the w-moments, of norm at most 2 as |w| <= 1, and for each sample
    five numbers which are all 0 or, in [0, 1], the powers of l_i.
    """
    z = _onto_cones(z, program.cones)
    r = program.q + program.A.T @ z
    own = np.minimum(r[program.shared :].reshape(program.n, -1), 0.0).sum()
    least = own - 2.0 * np.linalg.norm(r[: program.shared]) - program.b @ z
    return float(program.scale * least + program.offset)


def _onto_cones(z, cones):
    """Nearest point of semidefinite cones, blocks of one size at a time."""
    z = z.copy()
    sizes = np.array([size for _, size in cones])
    heights = sizes * (sizes + 1) // 2
    starts = np.cumsum(heights) - heights
    for size in np.unique(sizes):
        b, a = np.tril_indices(size)
        at = starts[sizes == size][:, None] + np.arange(len(a))
        weight = np.where(a == b, 1.0, math.sqrt(2.0))
        blocks = np.zeros((len(at), size, size))
        blocks[:, a, b] = blocks[:, b, a] = z[at] / weight
        values, vectors = np.linalg.eigh(blocks)
        blocks = (vectors * np.maximum(values, 0.0)[:, None, :]) @ vectors.transpose(0, 2, 1)
        z[at] = blocks[:, a, b] * weight
    return z


def extract(rows, weight, w, shares=1.0):
    """Spacelike vector nearest to w times the positive factor of the least objective.

    `weight` and `shares` (n,) are the factors of the hinges.
    """
    w = projected_gradient.project(w)
    return w * _best_factor(rows @ w, weight, shares, w[1:] @ w[1:] - w[0] ** 2)


def _best_factor(margins, weight, shares, norm):
    """Minimiser over s > 0 of ½ norm s² + weight Σ share max(0, 1 - s m); 1 if it is 0."""
    pulls = shares * margins
    gain = pulls.sum()
    if gain <= 0.0:
        return 1.0
    order = np.argsort(-margins)[: np.count_nonzero(margins > 0.0)]
    breaks = 1.0 / margins[order]
    gains = np.maximum(gain - np.concatenate([[0.0], np.cumsum(pulls[order])]), 0.0) * weight
    piece = np.argmax(norm * breaks >= gains[1:])
    return min(breaks[piece], gains[piece] / norm) if norm > 0.0 else breaks[piece]
