"""Kernel perceptron of product spaces: sums of inner products and of their arcsines, compiled."""

from dataclasses import dataclass

import numpy as np

from noneuclid.compiled import compile_cached, compile_inner

_KEPT = 2**25  # numbers, 256 MB: kernels of rows with mistakes that are not computed again


@dataclass(frozen=True)
class KernelRun:
    """Result of a run on n rows for m problems."""

    coef: np.ndarray  # (m, n), of the kernels with the rows
    scores: np.ndarray  # (m, n), of the rows themselves
    n_epochs: int
    n_updates: np.ndarray  # (m,)
    clean: np.ndarray  # (m,), whether the last pass made no mistake


def run(vectors, signs, ends, curved, max_iter, n_iter_no_change, tol, average, orders):
    """Pass over the rows in the order next(orders) until a pass makes no mistake.

    `signs` (n, m) are the labels ±1 of the problems times the weights of the rows. It ends earlier
    if the sum of mistakes of no pass among the last `n_iter_no_change` was below the best before
    by more than `tol` of all. A problem without a mistake in the last pass has its last
    coefficients, another one their mean over all steps if `average`.

    O(n (p + m)) a row with a mistake in any problem; memory O(n (p + m)), and
    256 MB at most.
    """
    signs, columns = np.ascontiguousarray(signs.T), np.ascontiguousarray(vectors.T)
    (m, n), made = signs.shape, np.zeros(len(signs))
    coef, late, scores, late_scores = np.zeros((4, m, n))
    rows, places = np.empty((min(n, _KEPT // n), n)), np.full(n, -1)
    n_updates = np.zeros(m, dtype=np.int64)
    seen, fewest, idle = 0.0, np.inf, 0
    for n_epochs in range(1, max_iter + 1):  # noqa: B007
        state = coef, late, scores, late_scores, rows, places
        made, seen = pass_rows(columns, signs, next(orders), ends, curved, *state, seen)
        n_updates += made
        total = made.sum()
        idle = 0 if total < fewest - tol * signs.size else idle + 1
        fewest = min(fewest, total)
        if total == 0 or (n_iter_no_change is not None and idle >= n_iter_no_change):
            break
    clean = made == 0
    if average:
        coef -= np.where(clean[:, None], 0.0, late / seen)
        scores -= np.where(clean[:, None], 0.0, late_scores / seen)
    return KernelRun(coef, scores, n_epochs, n_updates, clean)


@compile_cached
def pass_rows(
    columns, signs, order, ends, curved, coef, late, scores, late_scores, kept, places, seen
):
    """One pass over the rows, columns of (p, n); all of a problem is a row of (m, n).

    `seen` is the weight of the rows before, by which late changes leave the mean; `kept` has the
    kernels of the first rows with mistakes at `places`.
    """
    m, n = signs.shape
    made, wrong, row = np.zeros(m, np.int64), np.zeros(m, np.int64), np.empty(n)
    n_kept = places.max() + 1
    for i in order:
        count = 0
        for k in range(m):
            if signs[k, i] * scores[k, i] <= 0.0:
                wrong[count] = k
                count += 1
        if count and places[i] >= 0:
            row = kept[places[i]]
        elif count:
            row = _kernel_row(columns, columns[:, i], ends, curved)
            if n_kept < len(kept):
                kept[n_kept] = row
                places[i] = n_kept
                n_kept += 1
        for k in wrong[:count]:
            step = signs[k, i]
            made[k] += 1
            coef[k, i] += step
            late[k, i] += seen * step
            for j in range(n):
                scores[k, j] += step * row[j]
                late_scores[k, j] += seen * step * row[j]
        seen += abs(signs[0, i])
    return made, seen


@compile_cached
def sum_kernels(vectors, support, coef, ends, curved):
    """Scores (n, m) of rows (n, p) by coefficients (m, k) of the kernels with rows (k, p)."""
    scores = np.zeros((len(vectors), len(coef)))
    columns = support.T.copy()
    for i in range(len(vectors)):
        row = _kernel_row(columns, vectors[i], ends, curved)
        for k in range(len(coef)):
            for j in range(len(row)):
                scores[i, k] += coef[k, j] * row[j]
    return scores


@compile_inner
def _kernel_row(columns, x, ends, curved):
    """1 + Σ x·y of flat blocks + Σ asin(x·y) of curved ones, of x and all columns y of (p, n).

    Block f ends at coordinate ends[f].
    """
    n, first = columns.shape[1], 0
    row = np.ones(n)
    for f in range(len(ends)):
        products = np.zeros(n)
        for c in range(first, ends[f]):
            for j in range(n):
                products[j] += x[c] * columns[c, j]
        first = ends[f]
        for j in range(n):
            if curved[f]:  # products of vectors of length 1 exceed 1 by rounding
                row[j] += np.arcsin(min(1.0, max(-1.0, products[j])))
            else:
                row[j] += products[j]
    return row
