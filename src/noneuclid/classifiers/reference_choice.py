"""Default reference points: the rule that gives the best classifier on training rows."""

import warnings
from contextlib import suppress

import numpy as np
from scipy.special import log_expit
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from noneuclid.classifiers import multiclass, reference_rules
from noneuclid.classifiers.default_chart import chart_of
from noneuclid.errors import InputError
from noneuclid.solvers import progress

# Qhull's cost grows like n^(d/2), that of the best plane like n d².
_DIMENSIONS = {"hulls": 4, "midpoint of means": np.inf, "best plane": 16}
_ROWS = 5000
_LEAST = 20  # rows kept of each class, if it has as many
_FITTED = ("coef_", "reference_points_", "reference_rules_", "calibration_")

# Least gain in training accuracy over the largest class.
_GAIN = 0.01


def find_reference(model, index, X, signs, weights, C=1.0):
    """Reference point of a binary problem at curvature -1, by the setting, and its rule."""
    rule, where = model.reference_point, (chart_of(model), model.curvature)
    if not isinstance(rule, str):
        count = multiclass.count_problems(len(model._left), model.multi_class)
        dimension = X.shape[1] - (model.chart == "hyperboloid")
        return reference_rules.read_coordinates(rule, dimension, *where, (index, count)), "given"
    if rule == "auto":
        return tuple(chosen[index] for chosen in model._chosen)
    return reference_rules.learn(rule, X, signs, *where, C, weights)


def choose(model, X, codes, weights=None):
    """Reference point and rule of every binary problem of a `PoincareSVC`, by trial.

    Three classifiers are fitted, with "hulls" (up to 4 dimensions), "midpoint of means" and
    "best plane" (up to 16 dimensions) for all binary problems; a fourth takes for each problem the
    rule with the least training log loss of Platt's sigmoid. The one with the highest training
    accuracy is chosen (several classes: that of the whole classifier, whose problems must fit
    together). Ties are broken by the lowest log loss. A rule without a point (an infinite C for
    "best plane") or without a solution is skipped. Trials use the squared hinge and no calibration
    folds.

    Beyond 5000 rows, the trials use a sample of that size, drawn from each class in proportion
    (from a small class at least 20), always the same. Its points are the result, so the cost is
    O(n) plus that of fits to 5000 rows.

    Examples
    --------
    >>> from noneuclid import PoincareSVC
    >>> X = np.array([[1.0, 0.0], [2.0, 0.0], [-1.0, 0.5], [-1.0, -0.5]])
    >>> choose(PoincareSVC(), X, np.array([1, 1, 0, 0]))[1]
    array(['midpoint of means'], dtype='<U17')
    """
    dimension = X.shape[1] - (model.chart == "hyperboloid")
    rules = [rule for rule, most in _DIMENSIONS.items() if dimension <= most]
    n_classes = int(codes.max()) + 1
    if len(rules) == 1:
        return _apply(model, rules[0], X, codes, n_classes, weights)
    everything = X, codes, n_classes, weights
    if len(codes) > _ROWS:
        rows, shares = _sample(codes)
        weights = shares if weights is None else shares * weights[rows]
        X, codes = X[rows], codes[rows]
    X, codes, weights = _merged(X, codes, weights)
    trials, losses = [], []
    for rule in progress.bar(rules, "reference point"):
        trial = clone(model).set_params(
            loss="squared_hinge",
            solver="auto",
            max_iter=None,
            tol=None,
            calibration=(model.calibration or "platt").removesuffix("_cv"),
            reference_point=rule,
            class_weight=None,  # is in `weights`
            verbose=0,
            chart=chart_of(model),
        )
        with suppress(InputError), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            losses.append(_losses(trial.fit(X, codes, weights), X, codes, weights))
            trials.append(trial)
    if not trials:
        return _apply(model, "midpoint of means", *everything)  # an error names the row of X
    losses = np.array(losses)
    trials.append(_mixed(trials, losses.argmin(axis=0)))
    losses = np.vstack([losses, losses.min(axis=0)])
    for trial in trials:
        trial.set_params(calibration=model.calibration)
    right = [round(trial.score(X, codes, weights), 12) for trial in trials]
    shares = np.bincount(codes, weights)
    if max(right) < shares.max() / shares.sum() + _GAIN:
        warnings.warn(
            "PoincareSVC: no reference point gives a higher training accuracy than predicting the "
            "largest class; if rows lie far from the origin, centre and standardise the columns",
            UserWarning,
            stacklevel=2,
        )
    best = trials[np.lexsort([losses.sum(axis=1), -np.array(right)])[0]]
    return best.reference_points_, best.reference_rules_


def _sample(codes):
    """About `_ROWS` rows, of each class in proportion, and how many rows each represents."""
    rng = np.random.default_rng(0)
    parts, shares = [], np.empty(len(codes))
    for k in range(codes.max() + 1):
        members = np.flatnonzero(codes == k)
        size = max(round(len(members) * _ROWS / len(codes)), min(len(members), _LEAST))
        parts.append(rng.choice(members, size, replace=False))
        shares[parts[-1]] = len(members) / size
    rows = np.sort(np.concatenate(parts))
    return rows, shares[rows]


def _merged(X, codes, weights):
    """Distinct rows with summed weights: a repeated row equals a weighted one exactly."""
    rows, place = np.unique(np.column_stack([codes, X]), axis=0, return_inverse=True)
    totals = np.bincount(place.ravel(), weights).astype(float)  # numpy 2.0.0 gives a column
    return rows[:, 1:], rows[:, 0].astype(int), None if (totals == 1).all() else totals


def _apply(model, rule, X, codes, n_classes, weights):
    """The rule's point for every binary problem."""
    problems = multiclass.binary_problems(codes, n_classes, model.multi_class)
    where = chart_of(model), model.curvature, model.C
    found = [
        reference_rules.learn(rule, X[rows], signs, *where, _part(weights, rows))
        for rows, signs in problems
    ]
    return np.array([point for point, _ in found]), np.array([used for _, used in found])


def _losses(trial, X, codes, weights):
    """Mean log loss of each binary problem's sigmoid."""
    log_odds = trial._to_log_odds(trial._scores(X))
    problems = multiclass.binary_problems(codes, len(trial._left), trial.multi_class)
    return [
        np.average(-log_expit(signs * log_odds[rows, k]), weights=_part(weights, rows))
        for k, (rows, signs) in enumerate(problems)
    ]


def _mixed(trials, picks):
    """A classifier with each binary problem from the trial picked for it."""
    mixed = clone(trials[0])
    mixed.__dict__.update(trials[0].__dict__)
    for name in _FITTED:
        setattr(mixed, name, np.array([getattr(trials[t], name)[k] for k, t in enumerate(picks)]))
    return mixed


def _part(weights, rows):
    return None if weights is None else weights[rows]
