"""From a name in the configuration to the code behind it. Imports no method."""

import inspect
from importlib import import_module

from noneuclid.contracts import InputError

# What the points of a data set bring along.
CONTEXT = ("chart", "curvature")
NO_SETTING = (
    "{} says how the data are written and is no setting; set the method's `chart:`, the curvature "
    "comes with the data"
)


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
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(f"{path} cannot be imported ({error}): check its spelling") from error


def build(path, settings, **offered):
    """Make an estimator: `settings` as they are, and those of `offered` that it knows.

    Parameters
    ----------
    path : str
        Dotted path of a scikit-learn style class.
    settings : dict
        Keyword arguments; an unknown one is an error.
    **offered
        Context such as ``chart`` or ``random_state``, used only where the class has it.

    Examples
    --------
    >>> build("sklearn.svm.LinearSVC", {"C": 2.0}, random_state=0, chart="klein")
    LinearSVC(C=2.0, random_state=0)
    """
    cls = load(path)
    known = inspect.signature(cls).parameters
    for name in settings:
        if name in CONTEXT:
            raise InputError(f"{path}: {NO_SETTING.format(name)}")
        if name not in known:
            raise InputError(f"{path} has no setting {name!r}: it takes {', '.join(sorted(known))}")
    context = {name: value for name, value in offered.items() if name in known}
    return cls(**(context | settings))
