"""Linear SVM without intercept and with the squared hinge, by Newton's method."""

import numpy as np

from noneuclid.compiled import compile_cached, compile_inner
from noneuclid.solvers.linear.liblinear import LinearSolution, squared_hinge_bound

_BLOCK = 2**18  # numbers: 2 MB, which stay in the cache between the two products
_CG_STEPS = 250
_CG_TOLERANCE = 1e-3
_ARMIJO = 1e-4
_HALVINGS = 40
_LOOPS = 16  # up to this dimension plain loops are faster
_DIRECT = 2048  # systems of up to so many equations are solved directly
_STUCK = 1e-14  # relative falls below it are rounding, where X is not read by plain loops
_ROWS = 2**12  # in a part of the Gram matrix
_OPTIMAL, _MAX_ITER, _STUCK_STEP = range(3)
_ENDS = ("optimal", "max_iter", "inaccurate")


def newton_svm(X, signs, C=1.0, tol=1e-6, max_iter=100, weights=None, start=None):
    """Minimise ½|w|² + C Σ q_i max(0, 1 - y_i w·x_i)², from `start` or zero.

    The objective is convex, piecewise quadratic and once differentiable. Each step minimises the
    quadratic piece at hand (Keerthi and DeCoste 2005) and is shortened until the objective falls;
    the method ends when the dual bound proves the gap. A piece of k rows with slack is a system of
    min(k, p) equations, solved directly up to `_DIRECT` of them, else by conjugate gradients.

    Up to `_LOOPS` columns, plain loops come first.

    Status "inaccurate" where no step lowers the objective and `tol` is not yet proven.

    O(k p m + m³ + n p) a step, m = min(k, p); O(n p) for each of at most `_CG_STEPS` steps of
    conjugate gradients. Memory: one byte for each row (with weights 16), some m² numbers, and the
    larger one of m and `_ROWS` rows of X.
    """
    signs = np.asarray(signs, dtype=np.int8)
    weights = np.empty(0) if weights is None else weights
    w = np.zeros(X.shape[1]) if start is None else np.array(start, dtype=float)
    asked, ended, found = (X, signs, weights, C), _STUCK_STEP, (0.0, 0)
    if X.shape[1] <= _LOOPS:
        value, *found, ended = minimise_in_loops(*asked, w, tol, max_iter)
    if ended == _STUCK_STEP:  # plain loops lose digits where rows are long; numpy pivots
        value, lower, more, ended = _solve_wide(*asked, w, tol, max_iter)
        found = max(found[0], lower), found[1] + more
    lower, n_iter = min(found[0], value), found[1]
    status = _ENDS[ended]
    warning = ""
    if status != "optimal":
        gap = (value - lower) / value
        cure = "raise max_iter" if status == "max_iter" else "lower C, or move far points closer"
        warning = f"newton stopped after {n_iter} steps, relative gap {gap:.1e}; {cure}"
    return LinearSolution(w, float(value), float(lower), max(1, n_iter), status, warning)


@compile_cached
def minimise_in_loops(X, signs, weights, C, w, tol, max_iter):
    """The method of `newton_svm` for few columns, w (p,) in place; rows of sign 0 do not count.

    Returns the objective, its lower bound, steps and a place in `_ENDS`.
    """
    p = len(w)
    pull, gram, step, trial = np.zeros(p), np.zeros((p, p)), np.zeros(p), w.copy()
    value, lower, downhill, n_iter = np.inf, 0.0, 0.0, 0
    while True:
        length = 1.0
        for halving in range(_HALVINGS + 1):
            if halving == _HALVINGS:
                return value, lower, n_iter - 1, _STUCK_STEP
            for j in range(p):
                trial[j] = w[j] + length * step[j]
            total, square = _sum_rows(X, signs, weights, trial, pull, gram)
            fallen = value - C * square
            for j in range(p):
                fallen -= 0.5 * trial[j] ** 2
            if n_iter == 0 or (fallen > 0.0 and fallen >= _ARMIJO * length * downhill):
                break
            length *= 0.5
        value, dual = C * square, square / (2.0 * C)
        for j in range(p):
            w[j] = trial[j]
            value += 0.5 * w[j] ** 2
            dual += pull[j] ** 2
        # `squared_hinge_bound`
        bound = 0.5 * total**2 / dual if total > 0.0 else 0.0
        lower = max(lower, min(bound, value))
        if value - lower <= tol * value:
            return value, lower, n_iter, _OPTIMAL
        if n_iter == max_iter:
            return value, lower, n_iter, _MAX_ITER
        for j in range(p):
            step[j] = 2.0 * C * pull[j] - w[j]
            pull[j] = step[j]
        _solve_step(gram, 2.0 * C, step)
        downhill = 0.0
        for j in range(p):
            downhill += pull[j] * step[j]
        n_iter += 1


@compile_inner
def _solve_step(gram, scale, step):
    """Solve (I + scale gram) x = step in place, by L D Lᵀ; gram (p, p) is used up.

    The entries of D are at least 1, whatever rounding makes of them beside large entries.
    """
    p = len(step)
    for j in range(p):
        for k in range(j):
            gram[j, k] *= scale
        gram[j, j] = scale * gram[j, j] + 1.0
    for j in range(p):
        for k in range(j):
            factor = gram[j, k] / gram[k, k]
            for m in range(k + 1, j):
                gram[j, m] -= factor * gram[m, k]
            gram[j, j] -= factor * gram[j, k]
        gram[j, j] = max(gram[j, j], 1.0)
    for j in range(p):
        for k in range(j):
            step[j] -= gram[j, k] / gram[k, k] * step[k]
    for j in range(p):
        step[j] /= gram[j, j]
    for j in range(p - 1, -1, -1):
        for k in range(j):
            step[k] -= gram[j, k] / gram[k, k] * step[j]


@compile_inner
def _sum_rows(X, signs, weights, w, pull, gram):
    """Σ q slack and Σ q slack²; `pull` is Σ q slack y x, `gram` the lower half of Σ q x xᵀ."""
    p = len(w)
    total, square = 0.0, 0.0
    for j in range(p):
        pull[j] = 0.0
        for k in range(j + 1):
            gram[j, k] = 0.0
    for i in range(len(X)):
        if signs[i] == 0:
            continue
        margin = 0.0
        for j in range(p):
            margin += X[i, j] * w[j]
        slack = 1.0 - signs[i] * margin
        if slack > 0.0:
            weight = weights[i] if len(weights) else 1.0
            push = weight * slack
            total += push
            square += push * slack
            push *= signs[i]
            for j in range(p):
                pull[j] += push * X[i, j]
                for k in range(j + 1):
                    gram[j, k] += weight * X[i, j] * X[i, k]
    return total, square


def _solve_wide(X, signs, weights, C, w, tol, max_iter):
    """The same for many columns, by numpy."""
    total, square, pull, active = _sum_blocks(X, signs, weights, w)
    lower = 0.0
    for n_iter in range(max_iter + 1):
        value = 0.5 * (w @ w) + C * square
        lower = max(lower, min(squared_hinge_bound(total, square, pull, C), value))
        if value - lower <= tol * value:
            return value, lower, n_iter, _OPTIMAL
        if n_iter == max_iter:
            return value, lower, n_iter, _MAX_ITER
        downhill = 2.0 * C * pull - w
        if min(np.count_nonzero(active), X.shape[1]) <= _DIRECT:
            step = _wide_step(X, signs, active, 2.0 * C, w, downhill)
        else:
            step = _conjugate_gradients(X, active, 2.0 * C, downhill)
        for length in 0.5 ** np.arange(_HALVINGS):
            trial = w + length * step
            total, square, pull, active = _sum_blocks(X, signs, weights, trial)
            fallen = value - 0.5 * (trial @ trial) - C * square
            if fallen > _STUCK * value and fallen >= _ARMIJO * length * (downhill @ step):
                break
        else:
            return value, lower, n_iter, _STUCK_STEP
        w[:] = trial


def _newton_step(hessian, downhill):
    """Solve (I + hessian) step = downhill, with shapes (p, p) and (p,)."""
    try:
        return np.linalg.solve(np.eye(len(downhill)) + hessian, downhill)
    except np.linalg.LinAlgError:
        # The identity is lost to rounding beside large entries.
        values, vectors = np.linalg.eigh(hessian)
        return vectors @ ((vectors.T @ downhill) / (1.0 + np.maximum(values, 0.0)))


def _sum_blocks(X, signs, weights, w):
    """The same sums, reading X once, and which rows have slack, by weight."""
    total, square, pull = 0.0, 0.0, np.zeros_like(w)
    active = np.empty(len(X), dtype=float if len(weights) else bool)
    for rows in _blocks(X):
        slack = np.maximum(0.0, 1.0 - signs[rows] * (X[rows] @ w))
        push = slack * weights[rows] if len(weights) else slack
        total, square = total + push.sum(), square + push @ slack
        pull += X[rows].T @ (push * signs[rows])
        active[rows] = slack > 0.0
        if len(weights):
            active[rows] *= weights[rows]
    return total, square, pull, active


def _wide_step(X, signs, active, weight, w, downhill):
    """Step to the least point of the quadratic piece of the rows with slack.

    With these rows and their labels times √q in A (k, p) and b (k,), that is Aᵀ a with
    (I + weight A Aᵀ) a = weight b. For k < p it needs fewer equations than in the normal, and
    loses fewer digits where the rows are long.
    """
    rows = np.flatnonzero(active)
    if len(rows) >= X.shape[1]:
        return _newton_step(weight * _gram(X, active), downhill)
    A, b = X[rows], signs[rows].astype(float)
    if active.dtype != bool:
        root = np.sqrt(active[rows])
        A, b = A * root[:, None], b * root
    return A.T @ _newton_step(weight * (A @ A.T), weight * b) - w


def _gram(X, active):
    """Σ q x xᵀ, (p, p), over the rows with slack."""
    gram = np.zeros((X.shape[1], X.shape[1]))
    chosen = np.flatnonzero(active)
    for start in range(0, len(chosen), _ROWS):
        rows = chosen[start : start + _ROWS]
        part = X[rows]
        if active.dtype != bool:
            part *= np.sqrt(active[rows])[:, None]
        gram += part.T @ part
    return gram


def _conjugate_gradients(X, active, weight, goal):
    """Approximate solution of (I + weight Σ_active x xᵀ) step = goal."""
    step, residual = np.zeros_like(goal), goal.copy()
    direction, square = residual.copy(), residual @ residual
    enough = _CG_TOLERANCE**2 * square
    for _ in range(_CG_STEPS):
        if square <= enough:
            break
        product = direction + weight * _gram_product(X, active, direction)
        ratio = square / (direction @ product)
        step += ratio * direction
        residual -= ratio * product
        previous, square = square, residual @ residual
        direction = residual + square / previous * direction
    return step


def _gram_product(X, active, v):
    total = np.zeros_like(v)
    for rows in _blocks(X):
        total += X[rows].T @ ((X[rows] @ v) * active[rows])
    return total


def _blocks(X):
    size = max(1, _BLOCK // X.shape[1])
    return (slice(start, start + size) for start in range(0, len(X), size))
