"""The error for bad input, and the checks that raise it."""

import numbers

import numpy as np


class InputError(ValueError):
    """Bad input. The message is one line: what was found, where, and the cure."""


def require(condition, message):
    """Raise `InputError` with `message` unless `condition` holds.

    Raises
    ------
    InputError

    Examples
    --------
    >>> require(2 > 1, "never shown")
    """
    if not condition:
        raise InputError(message)


def require_number(value, key, name, *, low, high=np.inf, integer=False):
    """Raise `InputError` unless a value is a number in [low, high].

    Parameters
    ----------
    value : object
    key, name : str
        Which parameter, and whose: both appear in the message.
    low, high : float
        Inclusive bounds; `high` may be infinite, the value may not.
    integer : bool, default=False

    Raises
    ------
    InputError

    Examples
    --------
    >>> require_number(5, "folds", "split", low=2, integer=True)
    """
    kind = numbers.Integral if integer else numbers.Real
    legal = isinstance(value, kind) and not isinstance(value, bool) and np.isfinite(value)
    wanted = "an integer" if integer else "a number"
    bounds = f">= {low}" if high == np.inf else f"in [{low}, {high}]"
    require(legal and low <= value <= high, f"{name}: {key} = {value!r}; give {wanted} {bounds}")
