"""The error for bad input, and the checks that raise it."""

import numbers

import numpy as np


class InputError(ValueError):
    """Bad input. The message is one line: what was found, where, and the remedy."""


def require(condition, message):
    """Raise `InputError` with `message` unless `condition` holds."""
    if not condition:
        raise InputError(message)


def settings_of(settings, defaults, name):
    """Return the defaults, overridden by `settings`; an unknown setting of `name` is an InputError.

    Examples
    --------
    >>> settings_of({"dimension": 3}, {"dimension": 2, "radius": 2.0}, "lifted_pca")
    {'dimension': 3, 'radius': 2.0}
    """
    for key in settings:
        legal = ", ".join(sorted(defaults)) or "none"
        require(key in defaults, f"{name}: unknown setting {key!r}; legal settings: {legal}")
    return {**defaults, **settings}


def require_number(settings, key, name, *, low, high=np.inf, integer=False):
    """Raise `InputError` unless ``settings[key]`` is a finite number in [low, high].

    `name` is the owner of the setting, for the message.

    Examples
    --------
    >>> require_number({"folds": 5}, "folds", "split", low=2, integer=True)
    """
    value = settings[key]
    kind = numbers.Integral if integer else numbers.Real
    legal = isinstance(value, kind) and not isinstance(value, bool) and np.isfinite(value)
    wanted = "an integer" if integer else "a number"
    bounds = f">= {low}" if high == np.inf else f"in [{low}, {high}]"
    require(legal and low <= value <= high, f"{name}: {key} = {value!r}; give {wanted} {bounds}")
