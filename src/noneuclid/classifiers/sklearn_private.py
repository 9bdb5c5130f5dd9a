"""The private names of scikit-learn that this package uses, imported here and nowhere else.

The decorators keep the types of what they decorate.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from sklearn.base import _fit_context
from sklearn.tree._tree import ccp_pruning_path
from sklearn.utils import metaestimators
from sklearn.utils._param_validation import (
    HasMethods,
    Interval,
    InvalidParameterError,
    StrOptions,
)

__all__ = [
    "HasMethods",
    "Interval",
    "InvalidParameterError",
    "Method",
    "StrOptions",
    "available_if",
    "ccp_pruning_path",
    "check_parameters",
]

Method = TypeVar("Method", bound=Callable[..., Any])


def check_parameters(fit: Method) -> Method:
    """Decorate a `fit`: it checks the parameters against `_parameter_constraints`."""
    return _fit_context(prefer_skip_nested_validation=True)(fit)


def available_if(check: Callable[[Any], bool]) -> Callable[[Method], Method]:
    """`sklearn.utils.metaestimators.available_if`."""
    return metaestimators.available_if(check)
