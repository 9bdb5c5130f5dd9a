"""Stage warmup: compile what default fits need, which the first fit of each would wait for.

Not part of the workflow: the command ``noneuclid warmup`` runs it, once per machine and version.
"""

import time
import warnings
from inspect import signature
from itertools import product

import numpy as np
from scipy.sparse import coo_array
from sklearn.base import ClassifierMixin, RegressorMixin, TransformerMixin

import noneuclid
from noneuclid import HilbertNearestClassifier, HilbertSVC, LogRatio, ZeroReplacement, compiled
from noneuclid.embeddings.base import FEATURES
from noneuclid.errors import InputError

_ROWS = 90
_DIMENSIONS = (2, 10)  # plain loops, and LAPACK
_EPOCHS = 5
_OF_COMPOSITIONS = HilbertSVC, HilbertNearestClassifier, LogRatio, ZeroReplacement
_WITHOUT = ("MarginClassifier", "UMAPEmbedding")  # no solver; the machine code of another package


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
    """Names of the public classifiers, regressors, embeddings and other transformers."""
    kinds = ClassifierMixin, RegressorMixin, TransformerMixin
    public = {name: getattr(noneuclid, name) for name in sorted(noneuclid.__all__)}
    return [
        name
        for name, value in public.items()
        if isinstance(value, type) and issubclass(value, kinds) and name not in _WITHOUT
    ]


def fit_by_default(model, n=_ROWS, seed=0):
    """Fit, and predict or transform, with `n` rows."""
    with warnings.catch_warnings(action="ignore"):  # of convergence
        if isinstance(model, ClassifierMixin | RegressorMixin):
            classify_by_default(model, n, seed)
        else:
            embed_by_default(model, n, seed)


def embed_by_default(model, n, seed):
    """Embed rows of few and many features, or a tree."""
    if "max_iter" in model.get_params():
        model.set_params(max_iter=_EPOCHS)
    if FEATURES not in getattr(model, "reads", (FEATURES,)):
        children = np.arange(1, n)
        edges = np.r_[children, children // 2], np.r_[children // 2, children]
        model.fit(coo_array((np.ones(2 * n - 2), edges), shape=(n, n)))
        return
    rng = np.random.default_rng(seed)
    for d in _DIMENSIONS:
        X = in_default_chart(model, rng.normal(size=(n, d)))
        model.fit(X)
        if hasattr(model, "transform"):
            model.transform(X)


def classify_by_default(model, n, seed):
    """Fit and predict few and many dimensions, two and three classes, with weights and without."""
    rng = np.random.default_rng(seed)
    for d, n_classes, weighted in product(_DIMENSIONS, (2, 3), (False, True)):
        y = np.arange(n) % n_classes
        X = in_default_chart(model, 0.5 * rng.normal(size=(n, d)) + 0.5 * y[:, None])
        weights = {"sample_weight": rng.uniform(0.5, 2.0, size=n)} if weighted else {}
        if weighted and not has_weights(model):
            continue
        model.fit(X, y, **weights)
        for method in ("predict", "predict_proba", "decision_function"):
            if hasattr(model, method):
                getattr(model, method)(X)


def has_weights(model):
    """Whether `fit` takes weights of the rows."""
    return "sample_weight" in signature(model.fit).parameters


def in_default_chart(model, tangent):
    """Rows as this model reads them by default: tangent vectors or features, or compositions."""
    if isinstance(model, _OF_COMPOSITIONS):
        parts = np.exp(np.column_stack([tangent, np.zeros(len(tangent))]))
        return parts / parts.sum(axis=1, keepdims=True)
    return tangent
