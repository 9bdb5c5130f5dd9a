"""Fit one method on the folds of one repeat: the inner search, the fit, the predictions."""

import time
import warnings
from collections import Counter
from contextlib import nullcontext, suppress
from dataclasses import dataclass

import numpy as np
from sklearn import config_context
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, StratifiedKFold

from noneuclid.classifiers.group_folds import (
    GroupFolds,
    fit_in_groups,
    held_out,
    takes_groups,
)
from noneuclid.errors import InputError
from noneuclid_compare.evaluation import convergence, metrics, scorers
from noneuclid_compare.records import Predictions

FACTS = (
    *("n_iter_", "n_updates_", "objective_", "lower_bound_", "upper_bound_in_range_"),
    *("gap_", "eta_", "conic_solver_"),
)

# More decision values or probabilities than this are kept in single precision.
MANY = 2**22
# scikit-learn's default number of inner folds.
FOLDS = 5


@dataclass(frozen=True)
class Search:
    """Inner cross-validation over a grid (none: no search), on training rows only.

    `scoring` is the name of a scikit-learn scorer that compares what the estimator predicts.
    """

    grid: dict
    folds: int = 3
    scoring: str = "balanced_accuracy"
    seed: int = 0

    def best(self, estimator, X, y, groups=None):
        """Return the grid values with the best inner score (the first, if several tie), and it.

        A class with fewer rows than inner folds lowers their number; with one row there is
        no search, the first values are taken, and a warning says so. A regressor has no classes:
        its inner folds are drawn from all rows. Groups (n,) are kept whole; there are fewer folds
        where fewer can be held out, and no search if none can. Without a search the score is None.
        """
        if not self.grid:
            return {}, None
        numeric = is_regressor(estimator)
        most, what = _most_folds(y, groups, numeric)
        if most < 2:
            first = {name: values[0] for name, values in self.grid.items()}
            warnings.warn(f"{what}: no search, {first} is used", UserWarning, stacklevel=2)
            return first, None
        scorers.check(self.scoring)
        kind = "numbers" if numeric else "classes"
        if scorers.compares(self.scoring) != kind:
            raise InputError(
                f"search/scoring: {self.scoring!r} does not compare {kind}, which "
                f"{type(estimator).__name__} predicts; give {scorers.USUAL[kind]}"
            )
        classes = 0 if numeric else len(np.unique(y))
        if classes > 2 and self.scoring in scorers.BINARY:
            raise InputError(
                f"search/scoring: {self.scoring!r} is for two classes, and there are {classes}; "
                f"give {'roc_auc_ovr' if self.scoring == 'roc_auc' else 'balanced_accuracy'}"
            )
        inner = _splitter(min(self.folds, most), self.seed, numeric, groups)
        found = GridSearchCV(
            estimator, self.grid, scoring=self.scoring, cv=inner, refit=False, error_score="raise"
        )
        with _routing(estimator, groups):
            found.fit(X, y, groups=groups)
        return found.best_params_, float(found.best_score_)


def _most_folds(y, groups, numeric):
    """Largest number of inner folds, and why there are not two."""
    if groups is None:
        smallest = len(y) if numeric else np.unique(y, return_counts=True)[1].min()
        return int(smallest), "a class has one row"
    codes = np.unique(groups, return_inverse=True)[1]
    labels = 0 * codes if numeric else np.unique(y, return_inverse=True)[1]
    return int(held_out(labels, codes).sum()), "fewer than two groups can be held out"


def _splitter(folds, seed, numeric, groups):
    """Inner folds: of rows, or of groups."""
    if groups is None:
        kind = KFold if numeric else StratifiedKFold
        return kind(folds, shuffle=True, random_state=seed)
    if numeric:
        return GroupKFold(folds, shuffle=True, random_state=seed)
    return GroupFolds(folds, seed)


def in_groups(estimator, seed):
    """A copy in which the folds of predictors, numbers in `cv`, keep groups whole.

    A predictor that takes no groups for its folds then refuses to fit. The folds of
    `SequentialFeatureSelector`, and early stopping in scikit-learn's estimators, still mix groups.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegressionCV
    >>> in_groups(LogisticRegressionCV(cv=4), 0).cv
    GroupFolds(n_splits=4, random_state=0)
    """
    params = {"": estimator} | estimator.get_params()
    for name, value in estimator.get_params().items():
        owner, _, last = name.rpartition("__")
        if last != "cv" or not (value is None or isinstance(value, int)):
            continue
        numeric = is_regressor(params[owner])
        if (numeric or is_classifier(params[owner])) and not takes_groups(params[owner]):
            folds = _splitter(value or FOLDS, seed, numeric, True)
            estimator = clone(estimator).set_params(**{name: folds})
    return estimator


def _routing(estimator, groups):
    """Context in which scikit-learn hands groups to an estimator that takes them."""
    wanted = groups is not None and takes_groups(estimator)
    return config_context(enable_metadata_routing=True) if wanted else nullcontext()


def fit(estimator, X, y, search, names=None, groups=None):
    """Search, then fit a clone with the values found; return it and its facts.

    X (n, p); y (n,) class codes, or floats for a regressor. The search sees the codes, since a
    scorer of two classes takes 1 for the positive one; the clone is fitted to `names[y]`, if given.
    All inner folds keep groups (n,) whole.
    Facts: `best` and its `inner_score` in the search (None without one); `search_seconds` and
    `fit_seconds`, CPU time, unaffected by other load; `warnings` and what the solver reports, with
    its `status` by `convergence.status_of`.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        start = time.process_time()
        if groups is not None:
            estimator = in_groups(estimator, search.seed)
        best, score = search.best(estimator, X, y, groups)
        searched, before = time.process_time(), len(caught)
        fitted = clone(estimator).set_params(**best)
        _fit_to_names(fitted, X, y, names, groups)
        done = time.process_time()
    times = {"search_seconds": searched - start, "fit_seconds": done - searched}
    facts = {"best": best, "inner_score": score, **times}
    facts |= {"warnings": _lines(caught)} | solver_facts(fitted)
    return fitted, facts | {"status": convergence.status_of(fitted, caught[before:])}


def _fit_to_names(estimator, X, y, names, groups):
    """Fit to `names[y]`, or to the codes y without names.

    scikit-learn's forests with class weights read the names "0" and "1" as integers and refuse
    them; they are fitted to the codes.
    """
    if names is None:
        fit_in_groups(estimator, X, y, groups)
    elif isinstance(estimator, (RandomForestClassifier, ExtraTreesClassifier)):
        estimator.fit(X, y)
        estimator.classes_ = names[estimator.classes_]
    else:
        fit_in_groups(estimator, X, names[y], groups)


def cross_validate(
    estimator,
    X,
    y,
    split,
    n_classes,
    search,
    progress=iter,
    keep_scores=True,
    training_scores=False,
):
    """Fit on the training rows of every fold and predict the held-out rows.

    `progress` wraps the iterable of folds. Returns Predictions, without decision values and
    probabilities unless `keep_scores`, and, for each fold, the facts of `fit` with `fold`,
    `train_rows`, `test_rows`, `predict_seconds` and, if `training_scores`, those of that function.
    """
    dtype = np.float64 if len(y) * n_classes <= MANY else np.float32
    parts, records = [], []
    if not search.grid:  # a search does it
        train, _ = split.rows(0)
        _warm_up(estimator, X[train], y[train])
    for k in progress(range(split.n_folds)):
        train, left_out = split.rows(k)
        fitted, facts = fit(estimator, X[train], y[train], search, None, split.groups_of(train))
        part, seconds = _predict(fitted, X, y, left_out, k, n_classes if keep_scores else 0, dtype)
        sizes = {"train_rows": len(train), "test_rows": len(left_out)}
        records.append({"fold": k, **sizes, "predict_seconds": seconds, **facts})
        if training_scores:
            records[-1] |= scores_of_training(fitted, X, y, train, left_out)
        parts.append(part)
        del fitted  # a forest of many classes takes gigabytes
    return Predictions(*map(_stack, zip(*parts, strict=True))), records


def refit(estimator, X, y, split, k, n_classes, best):
    """Fit on the training rows of fold `k` with settings that are known; predict its other rows.

    Returns Predictions of the fold, and facts as those of `cross_validate`.
    """
    train, left_out = split.rows(k)
    known, search = clone(estimator).set_params(**best), Search({}, seed=split.about.get("seed", 0))
    fitted, facts = fit(known, X[train], y[train], search, None, split.groups_of(train))
    part, _ = _predict(fitted, X, y, left_out, k, n_classes)
    return Predictions(*part), facts


def scores_of_training(fitted, X, y, train, left_out):
    """Metrics on the training rows, and the objective on other rows where the estimator has one.

    No objective if a class is missing in training.

    `training_scores`: metrics of predicted classes or numbers by name. `objective_elsewhere`: by
    "test" and "all", the objective of each binary problem on the held-out and on all rows.
    """
    found = Predictions(train, 0 * train, y[train], fitted.predict(X[train]), None, None)
    facts = {"training_scores": metrics.evaluate(found, 0)}
    places = {"test": left_out, "all": np.concatenate([train, left_out])}
    # Of the class: a parameter of this name is a loss.
    has_objective = callable(getattr(type(fitted), "objective", None))
    if has_objective and np.isin(y[places["all"]], fitted.classes_).all():
        facts["objective_elsewhere"] = {
            name: fitted.objective(X[rows], y[rows]).tolist() for name, rows in places.items()
        }
    return facts


def _predict(fitted, X, y, rows, k, n_classes, dtype=np.float64):
    """Values of `Predictions` for the held-out rows of fold `k`, and the seconds of `predict`.

    Without classes, decision values and probabilities are not computed.
    """
    start = time.process_time()
    predicted = fitted.predict(X[rows])
    seconds = time.process_time() - start
    confidence = _confidence(fitted, X[rows], n_classes) if n_classes else (None, None)
    scores, probabilities = (None if v is None else v.astype(dtype, copy=False) for v in confidence)
    return (rows, np.full(len(rows), k), y[rows], predicted, scores, probabilities), seconds


def _warm_up(estimator, X, y):
    """Load modules and compiled code before anything is timed; errors are left to the true fit."""
    numeric = np.issubdtype(y.dtype, np.floating)
    groups = [slice(50)] if numeric else [np.flatnonzero(y == code)[:10] for code in np.unique(y)]
    X, y = (np.concatenate([values[rows] for rows in groups]) for values in (X, y))
    with warnings.catch_warnings(), suppress(Exception):
        warnings.simplefilter("ignore")
        clone(estimator).fit(X, y).predict(X)


def solver_facts(estimator):
    """What an estimator reports of its solver besides the status; lists for several problems."""
    facts = {}
    for name in FACTS:
        value = getattr(estimator, name, None)
        if isinstance(value, (np.ndarray, np.generic)):
            value = value.tolist()
        facts[name.rstrip("_")] = value
    return facts


def _confidence(fitted, X, n_classes):
    """Decision values and probabilities, one column for each class code, or None.

    Probabilities rank the rows where a method has no decision values; they are not repeated.
    """
    if is_regressor(fitted):
        return None, None
    if len(fitted.classes_) > 2 and getattr(fitted, "decision_function_shape", "ovr") != "ovr":
        raise InputError(
            f"{type(fitted).__name__} gives decision values of pairs of classes; set "
            "decision_function_shape: ovr"
        )
    scores = probabilities = None
    if hasattr(fitted, "predict_proba"):
        found = fitted.predict_proba(X)
        probabilities = np.zeros((len(X), n_classes))
        probabilities[:, fitted.classes_] = found
    if hasattr(fitted, "decision_function"):
        found = fitted.decision_function(X)
        found = np.column_stack([-found, found]) if found.ndim == 1 else found
        scores = np.full((len(X), n_classes), -np.inf)
        scores[:, fitted.classes_] = found
    return scores, probabilities


def _stack(parts):
    """Concatenate the parts of all folds; None if the method has no such output."""
    return None if parts[0] is None else np.concatenate(parts)


def _lines(caught):
    """Each different warning once, as one line, with its count."""
    counts = Counter(f"{w.category.__name__}: {' '.join(str(w.message).split())}" for w in caught)
    return [f"{line} ({n} times)" if n > 1 else line for line, n in counts.items()]
