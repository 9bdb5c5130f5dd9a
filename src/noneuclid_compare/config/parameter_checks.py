"""Parameters of estimators and what they predict, by scikit-learn's own rules.

The only module of the experiment that uses private names of scikit-learn.
"""

import inspect
from contextlib import suppress
from numbers import Integral

from sklearn.base import (
    ClassifierMixin,
    ClusterMixin,
    OutlierMixin,
    RegressorMixin,
    TransformerMixin,
    clone,
    is_classifier,
    is_regressor,
)
from sklearn.utils._param_validation import (
    Interval,
    InvalidParameterError,
    Options,
    make_constraint,
)

from noneuclid.errors import InputError

CLASSES, NUMBERS = "classes", "numbers"
NO_ESTIMATOR = "{} is {}: give a scikit-learn classifier or regressor, a class with fit and predict"
NO_TRANSFORMER = (
    "{} is a class without {}: give a scikit-learn transformer, a class with fit_transform, or a "
    "function embed(dataset, seed, *, ...)"
)
CALLS = ("fit", "predict", "get_params", "__sklearn_tags__")
OTHERS = {
    ClusterMixin: "a clustering",
    OutlierMixin: "a detector of outliers",
    TransformerMixin: "a transformer",
}
# Rules for values that YAML can hold, in words.
WORDS = {None: "null", "boolean": "true or false", "array-like": "a list", dict: "a mapping"}


def check_class(cls, path):
    """Refuse what is not a class with `fit` and `predict`; nothing is called."""
    if not inspect.isclass(cls):
        raise InputError(NO_ESTIMATOR.format(path, "no class"))
    if not issubclass(cls, ClassifierMixin | RegressorMixin):
        for mixin, words in OTHERS.items():
            if issubclass(cls, mixin):
                raise InputError(NO_ESTIMATOR.format(path, words))
    for name in CALLS:
        if not callable(getattr(cls, name, None)):
            raise InputError(NO_ESTIMATOR.format(path, f"a class without {name}"))


def check_transformer(cls, path):
    """Refuse a class without `fit_transform`; nothing is called."""
    for name in ("fit_transform", "get_params"):
        if not callable(getattr(cls, name, None)):
            raise InputError(NO_TRANSFORMER.format(path, name))


def known_parameters(cls):
    """Names of the constructor's parameters; None if it takes any keyword."""
    parameters = inspect.signature(cls).parameters.values()
    if any(parameter.kind == parameter.VAR_KEYWORD for parameter in parameters):
        return None
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return tuple(parameter.name for parameter in parameters if parameter.kind in by_name)


def nameless_parameters(cls):
    """Names of the constructor's parameters that are given by position alone."""
    parameters = inspect.signature(cls).parameters.values()
    return tuple(p.name for p in parameters if p.kind == p.POSITIONAL_ONLY)


def legal_values(cls, name, value):
    """Words for the legal values of a parameter, empty if `value` is one of them."""
    rules = getattr(cls, "_parameter_constraints", {}).get(name, "no_validation")
    if rules == "no_validation":
        return ""
    constraints = [make_constraint(rule) for rule in rules]
    if any(constraint.is_satisfied_by(value) for constraint in constraints):
        return ""
    found = [_words(*pair) for pair in zip(rules, constraints, strict=True)]
    return " or ".join(filter(None, found)) or " or ".join(map(str, constraints))


def _words(rule, constraint):
    """What a rule allows of the values that YAML can hold; empty for other objects."""
    if isinstance(constraint, Interval):
        kind = "an integer" if issubclass(constraint.type, Integral) else "a number"
        low = ">=" if constraint.closed in ("left", "both") else ">"
        high = "<=" if constraint.closed in ("right", "both") else "<"
        ends = ((low, constraint.left), (high, constraint.right))
        limits = [f"{sign} {end}" for sign, end in ends if end is not None]
        return " ".join([kind, " and ".join(limits)]).strip()
    if isinstance(constraint, Options):
        return f"one of {', '.join(sorted(map(repr, constraint.options)))}"
    return WORDS.get(rule, "") if isinstance(rule, str | type | None) else ""


def class_weight_of(estimator):
    """Class weights of an estimator in words.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.svm import SVC
    >>> class_weight_of(SVC()), class_weight_of(SVC(class_weight="balanced"))
    ('none', 'balanced')
    >>> class_weight_of(SVC(class_weight={0: 2})), class_weight_of(KNeighborsClassifier())
    ('given', 'not available')
    """
    params = estimator.get_params(deep=False)
    if "class_weight" not in params:
        return "not available"
    value = params["class_weight"]
    return "none" if value is None else "balanced" if value == "balanced" else "given"


def check_values(estimator, grid):
    """Refuse values of an estimator, and of the grid over its parameters, that it does not take."""
    if not hasattr(estimator, "_parameter_constraints"):
        return  # rules are optional in scikit-learn
    points = [{name: value} for name, values in grid.items() for value in values]
    for params in [{}, *points]:
        try:
            clone(estimator).set_params(**params)._validate_params()
        except InvalidParameterError as error:
            raise InputError(" ".join(str(error).split())) from None


def predicted_kind(estimator, path):
    """What an estimator predicts: "classes" or "numbers"."""
    # Tags of a class of the user's own, or of one that wraps another, may raise anything.
    with suppress(Exception):
        for test, found in ((is_classifier, CLASSES), (is_regressor, NUMBERS)):
            if test(estimator):
                return found
    raise InputError(
        f"{path} is neither a classifier nor a regressor by its tags: derive it from "
        "ClassifierMixin or RegressorMixin of sklearn.base, and BaseEstimator after it"
    )
