"""Stage warmup: compile what default fits need, which the first fit of each would wait for.

Not part of the workflow: the command ``noneuclid warmup`` runs it, once per machine and version.
"""

import time
import warnings
from inspect import signature
from itertools import product

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin

import noneuclid
from noneuclid import compiled
from noneuclid.errors import InputError
from noneuclid.geometry.charts import convert

_ROWS = 90
_DIMENSIONS = (2, 10)  # plain loops, and LAPACK


def add_arguments(parser):
    """Add what the command line takes to a parser: nothing."""
    parser.set_defaults(run=run)


def run(args):
    """Fit each public estimator by default; one line each."""
    if compiled.get_cache_index(compiled.solve) is None:
        raise InputError("machine code cannot be kept: set NUMBA_CACHE_DIR to a writable folder")
    for name in list_estimators():
        start = time.perf_counter()
        fit_by_default(getattr(noneuclid, name)())
        print(f"{name}\t{time.perf_counter() - start:.1f} s", flush=True)


def list_estimators():
    """Names of the public classifiers and regressors."""
    kinds = ClassifierMixin, RegressorMixin
    public = {name: getattr(noneuclid, name) for name in sorted(noneuclid.__all__)}
    # The base class has no solver, and no chart.
    return [
        name
        for name, value in public.items()
        if isinstance(value, type) and issubclass(value, kinds) and name != "MarginClassifier"
    ]


def fit_by_default(model, n=_ROWS, seed=0):
    """Fit and predict few and many dimensions, two and three classes, with weights and without."""
    rng = np.random.default_rng(seed)
    for d, n_classes, weighted in product(_DIMENSIONS, (2, 3), (False, True)):
        y = np.arange(n) % n_classes
        X = in_default_chart(model, 0.5 * rng.normal(size=(n, d)) + 0.5 * y[:, None])
        weights = {"sample_weight": rng.uniform(0.5, 2.0, size=n)} if weighted else {}
        if weighted and not has_weights(model):
            continue
        with warnings.catch_warnings(action="ignore"):  # of convergence
            model.fit(X, y, **weights)
        for method in ("predict", "predict_proba", "decision_function"):
            if hasattr(model, method):
                getattr(model, method)(X)


def has_weights(model):
    """Whether `fit` takes weights of the rows."""
    return "sample_weight" in signature(model.fit).parameters


def in_default_chart(model, tangent):
    """Rows of this model's chart: compositions, or points of hyperbolic space."""
    if model.chart == "polytope":
        parts = np.exp(np.column_stack([tangent, np.zeros(len(tangent))]))
        return parts / parts.sum(axis=1, keepdims=True)
    return convert(tangent, "tangent", model.chart)
