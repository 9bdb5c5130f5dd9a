"""Linear SVM without intercept and with the squared hinge, by Newton's method."""

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.solvers.linear.liblinear import LinearSolution, squared_hinge_bound

_BLOCK = 2**18  # numbers: 2 MB, which stay in the cache between the two products
_CG_STEPS = 250
_CG_TOLERANCE = 1e-3
_ARMIJO = 1e-4
_LENGTHS = 0.5 ** np.arange(40)
_LOOPS = 16  # up to this dimension plain loops are faster
_DIRECT = 2048  # systems of up to so many equations are solved directly
_STUCK = 1e-14  # relative falls below it are rounding, where X is not read by plain loops
_ROWS = 2**12  # in a part of the Gram matrix


def newton_svm(X, signs, C=1.0, tol=1e-6, max_iter=100, weights=None):
    """Minimise ½|w|² + C Σ q_i max(0, 1 - y_i w·x_i)².

    The objective is convex, piecewise quadratic and once differentiable. Each step minimises the
    quadratic piece at hand (Keerthi and DeCoste 2005) and is shortened until the objective falls;
    the method ends when the dual bound proves the gap. A piece of k rows with slack is a system of
    min(k, p) equations, solved directly up to `_DIRECT` of them, else by conjugate gradients.

    Status "inaccurate" where no step lowers the objective and `tol` is not yet proven.

    O(k p m + m³ + n p) a step, m = min(k, p); O(n p) for each of at most `_CG_STEPS` steps of
    conjugate gradients. Memory: one byte for each row (with weights 16), some m² numbers, and the
    larger one of m and `_ROWS` rows of X.
    """
    plain = X.shape[1] <= _LOOPS
    sum_up = _sum_rows if plain else _sum_blocks
    signs = np.asarray(signs, dtype=np.int8)
    weights = np.empty(0) if weights is None else weights
    w = np.zeros(X.shape[1])
    total, square, pull, active = sum_up(X, signs, weights, w)
    lower, status = 0.0, "max_iter"
    for n_iter in range(max_iter + 1):
        value = 0.5 * (w @ w) + C * square
        lower = max(lower, min(squared_hinge_bound(total, square, pull, C), value))
        if value - lower <= tol * value:
            status = "optimal"
            break
        if n_iter == max_iter:
            break
        downhill = 2.0 * C * pull - w
        if plain:
            step = _newton_step(2.0 * C * active, downhill)
        elif min(np.count_nonzero(active), X.shape[1]) <= _DIRECT:
            step = _wide_step(X, signs, active, 2.0 * C, w, downhill)
        else:
            step = _conjugate_gradients(X, active, 2.0 * C, downhill)
        least = 0.0 if plain else _STUCK * value
        for length in _LENGTHS:
            trial = w + length * step
            total, square, pull, active = sum_up(X, signs, weights, trial)
            fallen = value - 0.5 * (trial @ trial) - C * square
            if fallen > least and fallen >= _ARMIJO * length * (downhill @ step):
                break
        else:
            status = "inaccurate"
            break
        w = trial
    warning = ""
    if status != "optimal":
        gap = (value - lower) / value
        cure = "raise max_iter" if status == "max_iter" else "lower C, or move far points closer"
        warning = f"newton stopped after {n_iter} steps, relative gap {gap:.1e}; {cure}"
    return LinearSolution(w, float(value), float(lower), n_iter, status, warning)


def _newton_step(hessian, downhill):
    """Solve (I + hessian) step = downhill, with shapes (p, p) and (p,)."""
    try:
        return np.linalg.solve(np.eye(len(downhill)) + hessian, downhill)
    except np.linalg.LinAlgError:
        # The identity is lost to rounding beside large entries.
        values, vectors = np.linalg.eigh(hessian)
        return vectors @ ((vectors.T @ downhill) / (1.0 + np.maximum(values, 0.0)))


@compile_cached
def _sum_rows(X, signs, weights, w):
    """Σ q slack, Σ q slack², Σ q slack y x, and Σ q x xᵀ over the rows with slack, in one pass."""
    p = len(w)
    total, square = 0.0, 0.0
    pull, gram = np.zeros(p), np.zeros((p, p))
    for i in range(len(X)):
        margin = 0.0
        for j in range(p):
            margin += X[i, j] * w[j]
        slack = 1.0 - signs[i] * margin
        if slack > 0.0:
            weight = weights[i] if len(weights) else 1.0
            total += weight * slack
            square += weight * slack * slack
            for j in range(p):
                pull[j] += weight * slack * signs[i] * X[i, j]
                for k in range(j + 1):
                    gram[j, k] += weight * X[i, j] * X[i, k]
    for j in range(p):
        for k in range(j):
            gram[k, j] = gram[j, k]
    return total, square, pull, gram


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
