"""Relaxations (8), (14) and (31) of yang2024 and its robust form (30), in cvxpy as printed.

With its variants: the expansion (18), and the robust moment relaxation with boxes, balls and
ellipsoids (appendix F, remark 2). The paper's product w*x is minus <w,x>_L, so that its w is minus
ours; results have our sign. The fast versions are in `noneuclid.solvers.hyperboloid`:
`sdp_relaxation`, `moment_relaxation` and `robust_slices`. Every solver of cone programs that cvxpy
finds will do: Clarabel, SCS, MOSEK.
"""

import math
from dataclasses import dataclass
from itertools import product

import numpy as np

from noneuclid.errors import InputError, require, require_package
from noneuclid.solvers.hyperboloid.problem import jacobian

_SQRT2 = math.sqrt(2.0)


@dataclass(frozen=True)
class Relaxed:
    """Solution of a program.

    Attributes
    ----------
    value : float
        As the solver states it: not proved.
    w : ndarray, shape (d + 1,)
        Lorentz normal, time coordinate first; not always spacelike.
    status : str
        As cvxpy states it: "optimal", "optimal_inaccurate", ...
    W : ndarray, shape (d + 1, d + 1), or None
        Of (8) and (31).
    """

    value: float
    w: np.ndarray
    status: str
    W: np.ndarray | None = None


def semidefinite(points, signs, C, radius=0.0, solver="CLARABEL", shape="box", **options):
    """Relaxation (8), or with a radius its robust version (31).

    Parameters
    ----------
    points : ndarray, shape (n, d + 1)
        On the hyperboloid of curvature -1, time coordinate first.
    signs : ndarray, shape (n,)
        -1 or 1.
    C : float > 0
    radius : float >= 0
        ρ of the uncertainty set (27). The Jacobian is `problem.jacobian`, which corrects the
        printed one.
    solver : str
        Name of a solver of cone programs that cvxpy finds, in capitals or not.
    shape : "box", "ball" or ndarray, shape (d, d)
        Moves z of the tangent vectors at the origin: |z_j| <= ρ as in (26), |z| <= ρ, or with an
        array S the ellipsoid z = S u, |u| <= ρ.
    **options
        For the solver.

    Returns
    -------
    Relaxed

    Raises
    ------
    InputError
        If cvxpy or the solver is not installed, or the solver fails.

    Examples
    --------
    >>> x = np.array([[2**0.5, 1.0], [2**0.5, 1.0]])
    >>> round(semidefinite(x, np.array([1.0, -1.0]), C=2**0.5).value, 4)
    2.0
    """
    cp = _cvxpy(solver)
    n, D = points.shape
    G = _metric(D)
    bordered = cp.Variable((D + 1, D + 1), PSD=True)  # (8): [1 wᵀ; w W] positive semidefinite
    w, W, xi = bordered[1:, 0], bordered[1:, 1:], cp.Variable(n)
    constraints = [
        bordered[0, 0] == 1.0,
        xi >= 0.0,  # (8): ξ_i >= 0
        _left(cp, points, signs, w, radius, shape) <= _SQRT2 * xi - 1.0,  # (8), or (31)
        cp.trace(G @ W) >= 0.0,  # (8): Tr(G, W) >= 0
    ]
    cost = 0.5 * cp.trace(G @ W) + C * cp.sum(xi)
    problem = _solve(cp, cost, constraints, solver, options)
    return Relaxed(float(problem.value), -w.value, problem.status, W.value)


def sparse_moments(
    points,
    signs,
    C,
    order=2,
    solver="CLARABEL",
    radius=0.0,
    shape="box",
    expansion=1,
    **options,
):
    """Sparse moment relaxation (14) of order κ, one sequence z^(i) of moments of (w, ξ_i) a sample.

    For every κ its value is that of a linear program, which moments without bound approach; what a
    solver states depends on its tolerance (`moment_relaxation.solve`).

    With a radius it is the robust one, which the paper leaves to the reader: a box has one
    constraint for each of its 2^d corners, a ball or ellipsoid requires the arrow matrix [a, (Aw)ᵀ;
    Aw, a I] of a = -(y_i G x_i)ᵀw + √2 ξ_i - 1 and A = ρ Sᵀ(G J_i)ᵀ to be positive semidefinite.

    Parameters
    ----------
    points, signs, C, solver, radius, shape, **options
        As for `semidefinite`.
    order : int >= 1
        κ. A sample has C(d + 2 + 2κ, 2κ) moments.
    expansion : {1, 3}
        Of the loss: (7), or the cubic (18), which needs κ >= 2. Without bounds of ξ the value of
        the latter is 0 for every κ: little mass far out has a large cube and a small mean. Nor
        does (18) bound problem (6): beyond ξ = 4.15 its loss is the larger.

    Returns
    -------
    Relaxed
        `w` are the first moments (appendix B.2).

    Raises
    ------
    InputError
        As for `semidefinite`, or if `order` is below 1, below 2 for the cubic.

    Examples
    --------
    >>> x = np.array([[2**0.5, 1.0], [2**0.5, 1.0]])
    >>> round(sparse_moments(x, np.array([1.0, -1.0]), C=2**0.5, order=1).value, 4)
    2.0
    """
    require(expansion in (1, 3), f"sparse_moments: expansion = {expansion!r}; give 1 or 3")
    least = (expansion + 1) // 2
    require(order >= least, f"sparse_moments: order = {order!r}; give an integer >= {least}")
    cp = _cvxpy(solver)
    cost, constraints, z, monomials = _moment_program(
        cp, points, signs, C, order, radius, shape, expansion
    )
    problem = _solve(cp, cost, constraints, solver, options)
    axes = [monomials.index(_unit(points.shape[1] + 1, k)) for k in range(points.shape[1])]
    return Relaxed(float(problem.value), -z[0].value[axes], problem.status)


def robust_form(points, signs, C, radius, time, solver="CLARABEL", shape="box", **options):
    """Robust form (30) at a fixed time coordinate of w.

    (30) is not convex. With w_0 fixed all but its last constraint, wᵀGw >= 0, is; that one is left
    out, so that the value is a lower bound of this slice, and exact where <w,w>_L >= 0 holds for
    the solution. The optimum of (30) is the least of these slices, or a w with <w,w>_L = 0.

    Parameters
    ----------
    points, signs, C, radius, solver, shape, **options
        As for `semidefinite`.
    time : float
        w_0, in our sign.

    Returns
    -------
    Relaxed

    Raises
    ------
    InputError
        As for `semidefinite`.

    Examples
    --------
    >>> x = np.array([[2**0.5, 1.0], [2**0.5, -1.0]])
    >>> found = robust_form(x, np.array([1.0, -1.0]), 10.0, 0.0, time=0.0)
    >>> round(found.value, 4), found.w.round(3) + 0.0
    (0.5, array([0., 1.]))
    """
    cp = _cvxpy(solver)
    n, D = points.shape
    u, xi = cp.Variable(D - 1), cp.Variable(n)
    w = cp.hstack([-time, u])
    constraints = [
        xi >= 0.0,  # (30): ξ_i >= 0
        _left(cp, points, signs, w, radius, shape) <= _SQRT2 * xi - 1.0,  # (30)
    ]
    cost = 0.5 * (cp.sum_squares(u) - time**2) + C * cp.sum(xi)  # ½ wᵀGw + C Σ ξ_i
    problem = _solve(cp, cost, constraints, solver, options)
    return Relaxed(float(problem.value), -w.value, problem.status)


def _moment_program(cp, points, signs, C, order, radius=0.0, shape="box", expansion=1):
    """Cost and constraints of (14), the moments z^(i) and their monomials."""
    n, D = points.shape
    monomials = _monomials(D + 1, 2 * order)
    index = {m: k for k, m in enumerate(monomials)}
    one, slack = (0,) * (D + 1), _unit(D + 1, D)
    axes = [_unit(D + 1, k) for k in range(D)]
    norm = {_times(m, m): g for m, g in zip(axes, np.diag(_metric(D)), strict=True)}  # wᵀGw
    z = [cp.Variable(len(monomials)) for _ in range(n)]

    def localising(polynomial, degree, moments):
        """Eq. (11): moments of g(q) [q]_s [q]_sᵀ; eq. (10) for g = 1."""
        basis = _monomials(D + 1, degree)
        matrix = np.zeros((len(basis), len(basis)))
        for monomial, factor in polynomial.items():
            places = [index[_times(a, b, monomial)] for a in basis for b in basis]
            matrix = matrix + factor * cp.reshape(moments[places], matrix.shape, order="C")
        return matrix

    constraints, cost = [localising(norm, order - 1, z[0]) >> 0], 0.0  # (14): L_{κ,wᵀGw}[z^(1)]
    of_w = [k for k, m in enumerate(monomials) if m[D] == 0]
    # s = κ - 1 for every constraint, see below eq. (13); κ - 2 for the cubic.
    s = order - (expansion + 1) // 2
    for i, moments in enumerate(z):
        fits = _fits(signs[i] * (_metric(D) @ points[i]), points[i], radius, shape, expansion)
        constraints += [
            moments[0] == 1.0,
            localising({one: 1.0}, order, moments) >> 0,  # (14): M_κ[z^(i)]
            localising({slack: 1.0}, order - 1, moments) >> 0,  # (14): L_{κ,ξ_i}[z^(i)]
        ]
        # (14): L_{κ,-(y_i G x_i)ᵀw + √2 ξ_i - 1}, or that of a matrix of polynomials.
        for matrix in fits:
            blocks = [[localising(entry, s, moments) for entry in row] for row in matrix]
            constraints.append(cp.bmat(blocks) >> 0)
        if i:
            constraints.append(moments[of_w] == z[0][of_w])  # (14): sparse binding
        # Appendix C.2: p_i = wᵀGw / 2n + C ξ_i
        cost += sum(g / (2.0 * n) * moments[index[m]] for m, g in norm.items())
        cost += C * moments[index[slack]]
    return cost, constraints, z, monomials


def _fits(row, point, radius, shape, expansion):
    """Matrices of polynomials in (w, ξ) that must be positive semidefinite for a sample to fit."""
    D = len(row)
    axes, slack = [_unit(D + 1, k) for k in range(D)], np.array(_unit(D + 1, D))
    loss = {tuple(slack): _SQRT2}  # (7): 1 - √2 ξ
    if expansion == 3:  # (18): 1 - √2 ξ + ξ²/2 - √2 ξ³/6
        loss |= {tuple(2 * slack): -0.5, tuple(3 * slack): _SQRT2 / 6.0}

    def fit(row):
        return {(0,) * (D + 1): -1.0} | loss | dict(zip(axes, -row, strict=True))

    if not radius:
        return [[[fit(row)]]]
    moves = _moves(point[None], radius, shape)[0]
    if isinstance(shape, str) and shape == "box":
        return [[[fit(row + corner @ moves)]] for corner in product((-1.0, 1.0), repeat=D - 1)]
    arrow = [[fit(row) if j == k else {} for k in range(D)] for j in range(D)]
    for k, move in enumerate(moves, start=1):
        arrow[0][k] = arrow[k][0] = dict(zip(axes, move, strict=True))
    return [arrow]


def _left(cp, points, signs, w, radius, shape="box"):
    """Left sides (y_i G x_i)ᵀ w of (8), plus the largest effect of a move with a radius.

    That is ρ |(G J_i)ᵀ w|_1 of (30) and (31) for a box, ρ |Sᵀ (G J_i)ᵀ w|_2 for the others.
    """
    G = _metric(points.shape[1])
    left = (signs[:, None] * points @ G) @ w
    if not radius:
        return left
    norm = 1 if isinstance(shape, str) and shape == "box" else 2
    return left + cp.hstack([cp.norm(A @ w, norm) for A in _moves(points, radius, shape)])


def _moves(points, radius, shape):
    """ρ Sᵀ (G J_i)ᵀ for each point, (n, d, d + 1); S = I for a box and a ball."""
    d = points.shape[1] - 1
    S = np.eye(d) if isinstance(shape, str) and shape in ("box", "ball") else np.asarray(shape)
    require(
        S.shape == (d, d), f"shape = {shape!r}; give 'box', 'ball' or an array of shape ({d}, {d})"
    )
    return radius * (S.T @ jacobian(points).transpose(0, 2, 1) @ _metric(d + 1))


def _metric(D):
    return np.diag(np.r_[-1.0, np.ones(D - 1)])


def _monomials(variables, degree):
    """Exponents of all monomials up to a degree, as in eq. (12), in another order."""
    every = (m for m in product(range(degree + 1), repeat=variables) if sum(m) <= degree)
    return sorted(every, key=lambda m: (sum(m), [-e for e in m]))


def _unit(size, k):
    return tuple(int(j == k) for j in range(size))


def _times(*monomials):
    return tuple(map(sum, zip(*monomials, strict=True)))


def _cvxpy(solver):
    """The module cvxpy, if it is installed and finds this solver."""
    cvxpy = require_package("cvxpy", "cvxpy", "a published relaxation")
    found = cvxpy.installed_solvers()
    require(
        solver.upper() in found,
        f"cvxpy finds no solver {solver!r}: install it, or use one of {', '.join(found)}",
    )
    return cvxpy


def _solve(cp, cost, constraints, solver, options):
    """The solved problem; `InputError` where the solver ends without numbers."""
    problem = cp.Problem(cp.Minimize(cost), constraints)
    try:
        problem.solve(solver=solver.upper(), **options)
    except cp.error.SolverError as error:
        reason = " ".join(str(error).split())
        raise InputError(f"solver {solver!r} fails ({reason}); use another solver") from None
    require(
        problem.value is not None and np.isfinite(problem.value),
        f"solver {solver!r} ends {problem.status!r} without numbers; use another solver",
    )
    return problem
