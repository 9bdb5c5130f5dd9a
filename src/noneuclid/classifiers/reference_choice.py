"""Default reference points: those of the best of several classifiers, by training accuracy."""

import math
import warnings

import numpy as np

from noneuclid.classifiers import multiclass, reference_rules
from noneuclid.classifiers.default_chart import chart_of
from noneuclid.classifiers.reference_trials import FEET, try_points

NAMES = ("midpoint of means", "tangent plane", "tangent plane", "balanced plane", "hull vertices")
"""Rules of the points that `choose` tries, in the order of `try_points`."""
# Qhull's cost grows like n^(d/2), that of Newton's steps like n d².
_MOST_OF_HULLS, _MOST = 4, 15
_ROWS = 5000
_CELLS = 2**24  # decision values of all trials
_PROBLEMS = 500  # one-vs-one, 32 classes: more would take gigabytes
_LEAST = 20  # rows kept of each class, if it has as many
# Least gain in training accuracy over the largest class.
_GAIN = 0.01
# A trial that is right in so many rows more than another one is better than by chance.
_ROWS_MORE = 2


def find_reference(model, index, X, signs, weights, C=1.0):
    """Reference point of a binary problem at curvature -1, by the setting, and its rule."""
    rule = model.reference_point
    if not isinstance(rule, str):
        count = multiclass.count_problems(len(model._left), model.multi_class)
        dimension, where = _dimension(model), (chart_of(model), model.curvature)
        return reference_rules.read_coordinates(rule, dimension, *where, (index, count)), "given"
    if rule == "auto":
        return model._chosen[0][index], model._chosen[1][index]
    return reference_rules.learn(rule, X, signs, *model._where(X), C, weights)


def choose(model, X, codes, weights=None):
    """Reference point, rule and a first w of every binary problem of a `PoincareSVC`, by trial.

    A classifier is fitted through each of five points of all binary problems: the midpoint of the
    means; the foot of that point on the hyperplane of an SVM with an intercept in its tangent
    space, and the foot of the second point likewise; the foot with balanced classes; the midpoint
    of the nearest hull vertices (up to 4 dimensions). A sixth classifier takes for each
    problem the point of the least log loss. The most accurate one is chosen, of equals the one with
    the least log loss; the sixth must be better by half a standard error. With one-vs-rest, each
    problem in turn then takes another point if more than two rows more are right. Trials use the
    squared hinge and a sigmoid. Beyond 15 dimensions, or 500 pairs of classes, there is one point,
    the midpoint of the means; for an infinite C it is that of "hulls".

    Beyond 5000 rows, the trials use a sample of that size, drawn from each class in proportion
    (from a small class at least 20), always the same.

    Examples
    --------
    >>> from noneuclid import PoincareSVC
    >>> X = np.array([[1.0, 0.0], [2.0, 0.0], [-1.0, 0.5], [-1.0, -0.5]])
    >>> model = PoincareSVC().fit(X, [1, 1, 0, 0])
    >>> choose(model, X, np.array([1, 1, 0, 0]))[1]
    ['balanced plane']
    """
    dimension, n_classes = _dimension(model), int(codes.max()) + 1
    count = multiclass.count_problems(n_classes, model.multi_class)
    too_many = count > _PROBLEMS and model.multi_class == "ovo"
    if np.isinf(model.C) or dimension > _MOST or too_many:
        rule = "hulls" if np.isinf(model.C) else "midpoint of means"
        return _apply(model, rule, X, codes, n_classes, weights)
    trials = FEET + 1 + (dimension <= _MOST_OF_HULLS)
    most = min(_ROWS, max(_LEAST * n_classes, _CELLS // (count * trials)))
    rows_each = max(1.0, len(codes) / most)  # that a row of the sample stands in for
    if len(codes) > most:
        rows, shares = _sample(codes, most)
        weights = shares if weights is None else shares * weights[rows]
        X, codes = X[rows], codes[rows]
    points = np.concatenate([block for _, block in model._blocks(X)])
    weights = np.ones(len(codes)) if weights is None else weights
    with np.errstate(over="ignore", invalid="ignore"):
        tried, normals, log_odds, losses = _try(model, points, codes, weights, trials)
    pick = _pick(log_odds, losses, codes, weights, model.multi_class, rows_each)
    problems = np.arange(count)
    rules = [NAMES[c] for c in pick]
    return tried[pick, problems], rules, normals[pick, problems]


def _dimension(model):
    return model.n_features_in_ - (model.chart == "hyperboloid")


def _try(model, points, codes, weights, trials):
    """Points, w, log-odds of all rows and losses, for each trial and problem."""
    n_classes, (n, size) = int(codes.max()) + 1, points.shape
    count = multiclass.count_problems(n_classes, model.multi_class)
    tried, normals = np.empty((count, trials, size)), np.empty((count, trials, size - 1))
    log_odds, losses = np.empty((count, trials, n)), np.empty((count, trials))
    squeezed = str(model.calibration).startswith("distance")
    settings = model.margin == "exact", n_classes == 2, squeezed
    tried[:, 0] = reference_rules.midpoints_of_means(points, codes, weights, model.multi_class)
    if trials > FEET + 1:
        tried[:, FEET + 1] = reference_rules.between_hull_vertices(points, codes, model.multi_class)
    for k, (rows, signs) in enumerate(
        multiclass.binary_problems(codes, n_classes, model.multi_class)
    ):
        all_signs, used = np.zeros(n, dtype=np.int8), np.zeros(n)
        all_signs[rows], used[rows] = signs, weights[rows]
        try_points(
            points, all_signs, used, model.C, settings, tried[k], normals[k], log_odds[k], losses[k]
        )
    return tuple(found.swapaxes(0, 1) for found in (tried, normals, log_odds, losses))


def _sample(codes, most):
    """About `most` rows, of each class in proportion, and how many rows each represents."""
    rng = np.random.default_rng(0)
    parts, shares = [], np.empty(len(codes))
    for k in range(codes.max() + 1):
        members = np.flatnonzero(codes == k)
        size = max(round(len(members) * most / len(codes)), min(len(members), _LEAST))
        parts.append(rng.choice(members, size, replace=False))
        shares[parts[-1]] = len(members) / size
    rows = np.sort(np.concatenate(parts))
    return rows, shares[rows]


def _pick(log_odds, losses, codes, weights, multi_class, rows_each=1.0):
    """For each problem the trial to take, (n_problems,)."""
    trials, count, _ = log_odds.shape
    losses[~np.isfinite(losses)] = np.inf
    mixed = losses.argmin(axis=0)
    picks = [*np.broadcast_to(np.arange(trials)[:, None], (trials, count)), mixed]
    n_classes, right = int(codes.max()) + 1, []
    for pick in picks:
        values = multiclass.decide(log_odds[pick, np.arange(count)].T, n_classes, multi_class)
        found = values > 0 if values.ndim == 1 else values.argmax(axis=1)
        right.append(round(np.average(found == codes, weights=weights), 12))
    best = np.lexsort([losses.sum(axis=1), -np.array(right[:-1])])[0]
    _warn_of_chance(right, codes, weights)
    # Less than half a standard error is chance.
    error = math.sqrt(right[best] * (1.0 - right[best]) * rows_each / weights.sum())
    if right[-1] > right[best] + 0.5 * error:
        best = -1
    one_vs_rest = n_classes > 2 and multi_class == "ovr"
    if one_vs_rest:
        return _climb(log_odds, picks[best].copy(), codes, weights, _ROWS_MORE * rows_each)
    return picks[best]


def _climb(log_odds, pick, codes, weights, least):
    """Change the trial of one problem after the other where more rows are right by `least`.

    Class k is predicted where its log-odds are above those of all others.
    """
    classes = np.arange(len(pick))
    chosen = log_odds[pick, classes]
    for k in classes:
        others = np.where(classes[:, None] == k, -np.inf, chosen)
        rest, own = others.max(axis=0), codes == k
        ahead = log_odds[:, k] > rest
        kept = (others.argmax(axis=0) == codes) & ~own
        right = (ahead & own) @ weights + (~ahead & kept) @ weights
        if right.max() > right[pick[k]] + least:
            pick[k] = right.argmax()
            chosen[k] = log_odds[pick[k], k]
    return pick


def _warn_of_chance(right, codes, weights):
    shares = np.bincount(codes, weights)
    if max(right) < shares.max() / shares.sum() + _GAIN:
        warnings.warn(
            "PoincareSVC: no reference point gives a higher training accuracy than predicting the "
            "largest class; if rows lie far from the origin, centre and standardise the columns",
            UserWarning,
            stacklevel=4,
        )


def _apply(model, rule, X, codes, n_classes, weights):
    """The rule's point for every binary problem."""
    problems = multiclass.binary_problems(codes, n_classes, model.multi_class)
    where = *model._where(X), model.C
    found = [
        reference_rules.learn(rule, X[rows], signs, *where, _part(weights, rows))
        for rows, signs in problems
    ]
    return [point for point, _ in found], [used for _, used in found], [None] * len(found)


def _part(weights, rows):
    return None if weights is None else weights[rows]
