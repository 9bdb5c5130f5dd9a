"""The error for bad input, and the checks that raise it."""

import math
import numbers
from importlib import import_module


class InputError(ValueError):
    """Bad input. The message is one line: what was found, where, and the remedy."""


class MissingPackage(InputError, ImportError):
    """An optional package is not installed. The message is one line with its cure."""


class FarRow(InputError):
    """A row that lies too far from all others to be placed."""


def require(condition, message):
    """Raise `InputError` with `message` unless `condition` holds."""
    if not condition:
        raise InputError(message)


def require_number(value, key, name, *, low, high=math.inf, integer=False):
    """Raise `InputError` unless `value` is a finite number in [low, high].

    `key` is the parameter and `name` its owner, for the message.

    Examples
    --------
    >>> require_number(5, "folds", "split", low=2, integer=True)
    """
    kind = numbers.Integral if integer else numbers.Real
    legal = isinstance(value, kind) and not isinstance(value, bool)
    legal = legal and (isinstance(value, numbers.Integral) or math.isfinite(value))
    wanted = "an integer" if integer else "a number"
    bounds = f">= {low}" if high == math.inf else f"in [{low}, {high}]"
    require(legal and low <= value <= high, f"{name}: {key} = {value!r}; give {wanted} {bounds}")


def require_package(module, extra, purpose):
    """Import an optional package or raise one line with its cure.

    Parameters
    ----------
    module : str
        Dotted name of the module to import.
    extra : str
        The extra of noneuclid that installs it.
    purpose : str
        What needs it, for the message.

    Returns
    -------
    module

    Raises
    ------
    MissingPackage
        If the package is not installed. Other errors of its import are raised unchanged.

    Examples
    --------
    >>> require_package("math", "data", "a table").pi > 3
    True
    """
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        # An installed package may itself miss a package.
        if (error.name or "").partition(".")[0] != package:
            raise
        name = _DISTRIBUTIONS.get(package, package)
        raise MissingPackage(
            f"{purpose} needs the package {name}: pip install {name} (extra {extra} of "
            "docs/install.md)"
        ) from None


# Names under which packages are installed, where their modules have others.
_DISTRIBUTIONS = {"PIL": "pillow", "umap": "umap-learn", "yaml": "pyyaml"}
