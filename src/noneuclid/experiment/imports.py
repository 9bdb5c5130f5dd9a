"""From a name in the configuration to the code behind it. Imports no method."""

import inspect
from importlib import import_module

from noneuclid.errors import InputError

# What the points of a data set bring along.
CONTEXT = ("chart", "curvature")
NO_SETTING = (
    "{} says how the data are written and is no setting; set the method's `chart:`, the curvature "
    "comes with the data"
)
# Arguments of the functions that a configuration names by their module; parameters follow by name.
LOAD = ("files", "seed")
EMBED = ("dataset", "seed")
DRAW = ("points", "models", "scores")
SPLIT = ("labels", "class_names", "repeat", "seed", "fixed_fold")
ARGUMENTS = {"load": LOAD, "embed": EMBED, "draw": DRAW, "make_split": SPLIT}
NO_ESTIMATOR = "{}: give a scikit-learn classifier or regressor, a class with fit and predict"


def load(path):
    """Import ``package.module.Name`` and return the object.

    Raises
    ------
    InputError
        If there is no such module or name.

    Examples
    --------
    >>> load("noneuclid.contracts.Dataset").__name__
    'Dataset'
    """
    module, _, name = path.rpartition(".")
    try:
        return getattr(import_module(module), name)
    except Exception as error:  # a file of the user's may fail in any way
        raise InputError(f"{path} cannot be imported ({error}): check its spelling") from error


def function(path, *arguments):
    """Import a function that takes these arguments; anything else is refused, not called.

    Examples
    --------
    >>> function("noneuclid.datasets.shipped.karate.load", *LOAD).__name__
    'load'
    """
    found = load(path)
    if not inspect.isfunction(inspect.unwrap(found)):
        raise InputError(f"{path} is no function: give a module with {_form(path, arguments)}")
    known = inspect.signature(found)
    required = {
        p.name: None
        for p in known.parameters.values()
        if p.kind is p.KEYWORD_ONLY and p.default is p.empty
    }
    try:
        known.bind(*arguments, **required)
    except TypeError as error:
        raise InputError(
            f"{path}: {error}; define it as {_form(path, arguments)} (config/README.md)"
        ) from None
    return found


def _form(path, arguments):
    return f"{path.rpartition('.')[2]}({', '.join(arguments)}, *, ...)"


def parameters_of(function, count):
    """Parameters that follow the first `count` arguments, by name; None if it takes any name."""
    found = list(inspect.signature(function).parameters.values())
    if any(p.kind is p.VAR_KEYWORD for p in found):
        return None
    return {p.name: p for p in found[count:] if p.kind is not p.VAR_POSITIONAL}


def call(path, /, *arguments, **params):
    """Import a function and call it, after a check of the names of its parameters.

    Raises
    ------
    InputError
        If a parameter is unknown, or one without a default is missing.

    Examples
    --------
    >>> call("noneuclid.datasets.shipped.karate.load", {}, 0).name
    'karate'
    """
    form = ARGUMENTS.get(path.rpartition(".")[2], ())
    found = function(path, *(form or arguments))
    known = parameters_of(found, len(arguments))
    if known is not None:
        legal = f"legal parameters: {', '.join(known) or 'none'}"
        for name in params:
            if name not in known:
                raise InputError(f"{path}: unknown parameter {name!r}; {legal}")
        for name, parameter in known.items():
            if parameter.default is parameter.empty and name not in params:
                raise InputError(f"{path}: missing parameter {name!r}; {legal}")
    return found(*arguments, **params)


def estimator(path):
    """Import a class with `fit` and `predict`; anything else is refused, not called.

    Examples
    --------
    >>> estimator("sklearn.svm.LinearSVC").__name__
    'LinearSVC'
    """
    found = load(path)
    if not inspect.isclass(found):
        raise InputError(f"{path} is {NO_ESTIMATOR.format('no class')}")
    needed = ("fit", "predict", "get_params", "__sklearn_tags__")
    missing = [name for name in needed if not callable(getattr(found, name, None))]
    if missing:
        raise InputError(f"{path} is {NO_ESTIMATOR.format('a class without ' + missing[0])}")
    return found


def build(path, settings, **offered):
    """Make an estimator: `settings` as they are, and those of `offered` that it knows.

    Parameters
    ----------
    path : str
        Dotted path of a scikit-learn style class, with `fit` and `predict`.
    settings : dict
        Keyword arguments; an unknown one is an error.
    **offered
        Context such as ``chart`` or ``random_state``, used only where the class has it.

    Examples
    --------
    >>> build("sklearn.svm.LinearSVC", {"C": 2.0}, random_state=0, chart="klein")
    LinearSVC(C=2.0, random_state=0)
    """
    cls = estimator(path)
    known = inspect.signature(cls).parameters
    for name in settings:
        if name in CONTEXT:
            raise InputError(f"{path}: {NO_SETTING.format(name)}")
        if name not in known:
            raise InputError(f"{path} has no setting {name!r}: it takes {', '.join(sorted(known))}")
    context = {name: value for name, value in offered.items() if name in known}
    try:
        inspect.signature(cls).bind(**(context | settings))
    except TypeError as error:
        raise InputError(f"{path}: {error}; give it under `settings:`") from None
    return cls(**(context | settings))
