"""From a path to the function or class behind it; `registry.path_of` gives the path."""

import inspect
import sys
from contextlib import contextmanager
from importlib import import_module, util
from pathlib import Path

from noneuclid.errors import InputError
from noneuclid_compare.config import parameter_checks, registry

# What the points of a data set bring along.
CONTEXT = ("chart", "curvature", "space")
NO_PARAMETER = "{} is a property of the data, not a parameter; {}"
NAMELESS = (
    "{} has no parameter {!r} that can be given by name: its constructor takes it by position alone"
)
# How the modules of the user's own files begin, so that none hides an installed one.
OWN = "own_"
# Arguments of the functions that a configuration names; parameters follow by name.
LOAD = ("files", "seed")
EMBED = ("dataset", "seed")
DRAW = ("points", "models", "scores")
BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
ARGUMENTS = {"load": LOAD, "embed": EMBED, "draw": DRAW}


def no_parameter(name):
    """Why a method has no such parameter in a configuration, and the remedy."""
    cure = (
        "set the method's `chart:`" if name == "chart" else "leave it out: the comparison gives it"
    )
    return NO_PARAMETER.format(name, cure)


def load(path):
    """Import ``package.module.NAME`` or ``FILE.py:NAME`` and return the object."""
    origin = registry.origin_of(path)
    with _importing(path):
        module = import_file(origin) if origin.endswith(".py") else import_module(origin)
        return getattr(module, path[len(origin) + 1 :])


@contextmanager
def _importing(path):
    """Report in one line whatever the import of code raises."""
    try:
        yield
    except (Exception, SystemExit) as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())
        misspelt = isinstance(error, (ImportError, AttributeError, FileNotFoundError))
        remedy = "check its spelling" if misspelt else "correct the code"
        raise InputError(f"{path} cannot be imported ({why}): {remedy}") from error


def import_file(path):
    """Import a file of the user's own as the module ``own_STEM``, once for each file."""
    file = Path(path).resolve()
    name = module_of(file)
    known = sys.modules.get(name)
    if known is not None and known.__file__ == str(file):
        return known
    spec = util.spec_from_file_location(name, file)
    module = util.module_from_spec(spec)
    sys.modules[name] = module
    # For what it imports from files beside it.
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def module_of(file):
    """Name of the module of a file of the user's own."""
    return OWN + Path(file).stem


def function(path, *arguments):
    """Import a function that takes these arguments; anything else is refused, not called."""
    found = load(path)
    if not inspect.isfunction(inspect.unwrap(found)):
        raise InputError(f"{path} is not a function: give {_form(path, arguments)}")
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
    name = path[len(registry.origin_of(path)) + 1 :]
    return f"{name}({', '.join(arguments)}, *, ...)"


def parameters_of(function, count):
    """Parameters that follow the first `count` arguments, by name; None if it takes any name."""
    found = list(inspect.signature(function).parameters.values())
    if any(p.kind is p.VAR_KEYWORD for p in found):
        return None
    return {p.name: p for p in found[count:] if p.kind in BY_NAME}


def call(path, /, *arguments, **params):
    """Import a function and call it, after a check of the names of its parameters."""
    numbered = [f"argument_{k}" for k, _ in enumerate(arguments)]
    found = function(path, *ARGUMENTS.get(path.rpartition(".")[2], numbered))
    check_names(found, path, len(arguments), params)
    return found(*arguments, **params)


def check_names(function, path, count, params):
    """Refuse unknown and missing parameters after the first `count` arguments of a function."""
    known = parameters_of(function, count)
    if known is None:
        return
    legal = f"legal parameters: {', '.join(known) or 'none'}"
    for name in params:
        if name not in known:
            raise InputError(f"{path}: unknown parameter {name!r}; {legal}")
    for name, parameter in known.items():
        if parameter.default is parameter.empty and name not in params:
            raise InputError(f"{path}: missing parameter {name!r}; {legal}")


def trusted_types(use):
    """Beginning of the names of types in a kept model of the class or module `use`.

    A file of the user's own is imported, as its types are found nowhere else.

    Examples
    --------
    >>> trusted_types("sklearn.svm.SVC")
    'sklearn.'
    """
    own = registry.FILE.fullmatch(use)
    file = own["file"] if own else use
    if not file.endswith(".py"):
        return f"{file.partition('.')[0]}."
    with _importing(file):
        import_file(file)
    return f"{module_of(file)}."


def estimator(use):
    """Import a class with `fit` and `predict`; anything else is refused, not called."""
    found = load(registry.path_of(use, registry.METHOD))
    parameter_checks.check_class(found, use)
    return found


def build(use, params, **offered):
    """Construct an estimator from `params` and those of `offered` that it takes."""
    cls = estimator(use)
    known = parameter_checks.known_parameters(cls)
    for name in params:
        if name in CONTEXT:
            raise InputError(f"{use}: {no_parameter(name)}")
        if known is not None and name not in known:
            raise InputError(
                f"{use} has no parameter {name!r}: it takes {', '.join(sorted(known))}"
            )
        if name in parameter_checks.nameless_parameters(cls):
            raise InputError(NAMELESS.format(use, name))
    takes = inspect.signature(cls).parameters
    given = {name: value for name, value in offered.items() if name in takes} | params
    try:
        inspect.signature(cls).bind(**given)
    except TypeError as error:
        raise InputError(f"{use}: {error}; give it under `params:`") from None
    try:
        return cls(**given)
    except InputError as error:
        raise InputError(f"{use}: {error}") from error
    except Exception as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputError(f"{use} cannot be constructed ({why}): change its `params:`") from error
