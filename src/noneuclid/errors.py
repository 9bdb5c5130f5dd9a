"""The error for bad input, and the checks that raise it."""

import numbers
from importlib import import_module

import numpy as np


class InputError(ValueError):
    """Bad input. The message is one line: what was found, where, and the remedy."""


class MissingPackage(ImportError):
    """An optional package is not installed. The message is one line with the command to run."""


def require_package(module, extra, purpose):
    """Import an optional package or raise one line with its cure.

    Examples
    --------
    >>> require_package("math", "report", "plots").pi > 3
    True
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise
        raise MissingPackage(
            f"{purpose} needs the package {module}: pip install 'noneuclid[{extra}]'"
        ) from None


def require(condition, message):
    """Raise `InputError` with `message` unless `condition` holds."""
    if not condition:
        raise InputError(message)


def require_number(value, key, name, *, low, high=np.inf, integer=False):
    """Raise `InputError` unless `value` is a finite number in [low, high].

    `key` is the parameter and `name` its owner, for the message.

    Examples
    --------
    >>> require_number(5, "folds", "split", low=2, integer=True)
    """
    kind = numbers.Integral if integer else numbers.Real
    legal = isinstance(value, kind) and not isinstance(value, bool) and np.isfinite(value)
    wanted = "an integer" if integer else "a number"
    bounds = f">= {low}" if high == np.inf else f"in [{low}, {high}]"
    require(legal and low <= value <= high, f"{name}: {key} = {value!r}; give {wanted} {bounds}")
