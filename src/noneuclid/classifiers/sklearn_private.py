"""The private names of scikit-learn that this package uses, imported here and nowhere else."""

from sklearn.base import _fit_context
from sklearn.tree._tree import ccp_pruning_path
from sklearn.utils._param_validation import Interval, InvalidParameterError, StrOptions
from sklearn.utils.validation import _check_sample_weight as check_sample_weight

__all__ = [
    "Interval",
    "InvalidParameterError",
    "StrOptions",
    "ccp_pruning_path",
    "check_parameters",
    "check_sample_weight",
]

check_parameters = _fit_context(prefer_skip_nested_validation=True)
"""Decorator of `fit`: checks the parameters against `_parameter_constraints`."""
