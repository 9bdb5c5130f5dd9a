"""Independent parts of a fit, in parallel by joblib, and the progress of a fit."""

from functools import wraps
from typing import Any

from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from noneuclid.classifiers.sklearn_private import Method
from noneuclid.solvers import progress


def shows_progress(fit: Method) -> Method:
    """Decorate a fit: it shows its progress if `verbose` of the model, or of joblib's context, is.

    The context, `joblib.parallel_config(verbose=1)`, is for models without this parameter.
    """

    @wraps(fit)
    def fit_with_progress(self: Any, *args: Any, **kwargs: Any) -> Any:
        with progress.shown(getattr(self, "verbose", 0) or Parallel().verbose):
            return fit(self, *args, **kwargs)

    return fit_with_progress  # type: ignore[return-value]


def run_each(work, tasks, count, n_jobs, desc):
    """Results of `work(*task)` for each of `count` tasks, in their order.

    `n_jobs` as in scikit-learn: None is 1, or the number of `joblib.parallel_config`. Tasks are
    made one by one, as they are needed.

    Examples
    --------
    >>> run_each(pow, ((2, k) for k in range(4)), 4, None, "power")
    [1, 2, 4, 8]
    """
    if count == 1 or effective_n_jobs(n_jobs) == 1:
        results = (work(*task) for task in tasks)
    else:
        # Memory maps are read-only arrays, for which numba would compile everything again.
        run = Parallel(n_jobs=n_jobs, return_as="generator", verbose=0, max_nbytes=None)
        results = run(delayed(work)(*task) for task in tasks)
    return list(progress.bar(results, desc, count, outermost=True))
