"""What the interfaces to AnnData and networkx share: methods by name, labels for all rows."""

from importlib import import_module
from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.model_selection import StratifiedGroupKFold, check_cv, cross_val_predict

from noneuclid import _MODULE_OF
from noneuclid.embeddings.base import Embedding
from noneuclid.embeddings.short_names import TRANSFORMERS
from noneuclid.errors import InputError, require

# Around a classifier, which a name alone does not give.
_WRAPPERS = ("ConformalClassifier", "HedgedClassifier")
_CLASSIFIERS = ("Classifier", "LogisticRegression", "Perceptron", "SVC")
_NAMES = TRANSFORMERS | {"poincare_map": "PoincareMap"}


def build_embedding(method, where, chart=None, random_state=None, **params):
    """An embedding by its short name, public name, class or as an object, with parameters set.

    Without `chart` and `random_state` an object keeps its own, and a class gets the seed 0.

    Examples
    --------
    >>> build_embedding("poincare_map", "embed", n_neighbors=5)
    PoincareMap(n_neighbors=5, random_state=0)
    """
    if isinstance(method, str):
        name = _NAMES.get(method, method)
        require(
            name in _NAMES.values(),
            f"{where}: unknown method {method!r}; known: {', '.join(sorted(_NAMES))}",
        )
        method = _class_of(name)
    if isinstance(method, type) and issubclass(method, Embedding):
        method = method(random_state=0)
    require(
        isinstance(method, Embedding),
        f"{where}: method = {method!r}; give a name, or an object of an embedding of noneuclid",
    )
    require(
        "chart" in method.get_params(),
        f"{where}: points of {type(method).__name__} have no chart; call its fit_transform, and "
        "fit a classifier with a parameter `space` to the points",
    )
    kept = {"chart": chart, "random_state": random_state}
    kept = {name: value for name, value in kept.items() if value is not None}
    return _configured(method, where, kept | params)


def build_classifier(method, where, **params):
    """A classifier by its public name or as an object, with parameters set.

    Examples
    --------
    >>> build_classifier("PoincareSVC", "classify", C=10)
    PoincareSVC(C=10)
    """
    if isinstance(method, str):
        known = sorted(name for name, module in _MODULE_OF.items() if "classifiers." in module)
        known = [name for name in known if name.endswith(_CLASSIFIERS) and name not in _WRAPPERS]
        require(method in known, f"{where}: unknown method {method!r}; known: {', '.join(known)}")
        method = _class_of(method)
    method = method() if isinstance(method, type) else method
    require(
        isinstance(method, BaseEstimator) and is_classifier(method),
        f"{where}: method = {method!r}; give a name, or an object of a classifier",
    )
    return _configured(method, where, params)


def _class_of(name):
    return getattr(import_module(f"noneuclid.{_MODULE_OF[name]}"), name)


def _configured(estimator, where, params):
    """A copy of an estimator with these parameters."""
    known = estimator.get_params()
    for name in params:
        if name not in known:
            raise InputError(
                f"{where}: {type(estimator).__name__} has no parameter {name!r}; it has "
                f"{', '.join(known)}"
            )
    return clone(estimator).set_params(**params)


def fit_predict(model, X, y, labelled, cv, groups=None):
    """Fit on the labelled rows; labels and, where the model has them, probabilities of all rows.

    With `cv`, labelled rows are predicted when they are left out, with all rows of their group.
    Shapes: `X` (n, d), `y`, `groups` (m,), `labelled` (n,), m of it true; returns (n,) and
    (n, n_classes).
    """
    model.fit(X[labelled], y)
    predicted = model.predict(X)
    has = hasattr(model, "predict_proba")
    probabilities = model.predict_proba(X) if has else None
    if cv is None:
        return predicted, probabilities
    if groups is not None and isinstance(cv, Integral):
        cv = StratifiedGroupKFold(cv)
    folds = {"cv": list(check_cv(cv, y, classifier=True).split(X[labelled], y, groups))}
    if has:
        left_out = cross_val_predict(model, X[labelled], y, **folds, method="predict_proba")
        probabilities[labelled] = left_out
    predicted[labelled] = cross_val_predict(model, X[labelled], y, **folds)
    return predicted, probabilities


def label_rows(X, y, labelled, method, params, cv, chart, where, named, groups=None):
    """Fit on the labelled rows; model, labels and probabilities of all rows, and a record.

    A classifier whose `chart` is None gets the one given, unless `params` has another.
    `named` describes the labels and the rows in messages.
    Shapes: `X` (n, d), `y` (m,), `labelled` (n,), m of it true.
    """
    label, rows = named
    count = len(np.unique(y))
    require(
        count > 1,
        f"{where}: {label} has {count} classes on {len(y)} labelled {rows}; label {rows} of two "
        "or more",
    )
    model = build_classifier(method, where, **params)
    if model.get_params().get("chart", chart) is None:
        model.set_params(chart=chart)
    predicted, probabilities = fit_predict(model, X, y, labelled, cv, groups)
    record = {"n_labelled": len(y)}
    if cv is not None:
        record["accuracy"] = float(np.mean(predicted[labelled] == y))
    return model, predicted, probabilities, record
