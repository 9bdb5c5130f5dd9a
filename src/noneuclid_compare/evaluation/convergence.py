"""Whether the solvers of a fitted estimator converged, also of those inside it."""

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning

from noneuclid_compare.records import SOLVED

LATE = "not converged"
# Parameters whose estimators are fitted in place.
WRITTEN = ("steps", "transformer_list")


def solved(status):
    """Whether a status, or each of a list of one per problem, is that of a converged fit."""
    return all(one in SOLVED for one in (status if isinstance(status, list) else [status]))


def status_of(estimator, caught=()):
    """The estimator's own status as JSON value; without one `LATE` or None.

    `LATE`: some estimator inside reports `LATE`, by its status or by as many iterations as
    `max_iter`. `caught` are warnings of the fit; they decide only if none inside reports anything,
    because those of a search are about settings that it did not choose.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> status_of(LogisticRegression().fit([[0.0], [1.0]], [0, 1])) is None
    True
    """
    own = getattr(estimator, "status_", None)
    if own is not None:
        return np.asarray(own).tolist()
    reports = [report for part in _parts(estimator, set()) if (report := _report(part)) is not None]
    warned = any(issubclass(one.category, ConvergenceWarning) for one in caught)
    return LATE if not all(reports) or (warned and not reports) else None


def _report(part):
    """Whether a fitted estimator says that its solver converged; None if it says nothing."""
    status = getattr(part, "status_", None)
    if status is not None:
        return solved(np.asarray(status).tolist())
    found = getattr(part, "n_iter_", None)
    params = part.get_params(deep=False)
    most = params.get("max_iter")
    # Rounds of boosting are no steps of a solver, and without `tol` all steps are wanted.
    if found is None or most is None or most < 1 or "max_leaf_nodes" in params:
        return None
    return None if params.get("tol", 0.0) is None else bool(np.max(found) < most)


def _parts(value, seen):
    """The estimators in a value: itself, the fitted ones inside, those of a list or mapping."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, BaseEstimator):
        yield value
        inside = [v for key, v in vars(value).items() if key.endswith("_") or key in WRITTEN]
    elif isinstance(value, dict):
        inside = value.values()
    elif isinstance(value, (list, tuple)):
        inside = value
    elif isinstance(value, np.ndarray):
        inside = value.ravel() if value.dtype.hasobject else []
    else:
        # What calibration keeps is no estimator.
        inside = [value.estimator] if hasattr(value, "estimator") else []
    for one in inside:
        yield from _parts(one, seen)
