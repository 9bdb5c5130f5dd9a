"""The private names of scikit-learn that this package uses, imported here and nowhere else.

The decorators keep the types of what they decorate.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from sklearn.base import _fit_context
from sklearn.svm import _libsvm
from sklearn.tree._tree import ccp_pruning_path
from sklearn.utils._available_if import _AvailableIfDescriptor
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
    "solve_svc",
]

Method = TypeVar("Method", bound=Callable[..., Any])


def check_parameters(fit: Method) -> Method:
    """Decorate a `fit`: it checks the parameters against `_parameter_constraints`."""
    return _fit_context(prefer_skip_nested_validation=True)(fit)


class _Available(_AvailableIfDescriptor):
    """scikit-learn's, with the message of the check instead of "has no attribute"."""

    def _check(self, obj, owner):
        try:
            super()._check(obj, owner)
        except AttributeError as error:
            raise AttributeError(f"{owner.__name__}: {error.__cause__}") from None


def available_if(check: Callable[[Any], bool]) -> Callable[[Method], Method]:
    """`sklearn.utils.metaestimators.available_if` for a `check` that raises its message."""
    return lambda method: _Available(method, check, attribute_name=method.__name__)  # type: ignore[return-value]


def solve_svc(
    gram: np.ndarray, positive: np.ndarray, costs: np.ndarray, tol: float, max_iter: int
) -> tuple[np.ndarray, np.ndarray, float, bool, int]:
    """LIBSVM's solution of the two-class problem with a kernel matrix and a cost of each row.

    Rows of the support, their dual coefficients, the intercept, whether the tolerance was reached,
    and the number of steps. It is that of ``SVC(kernel="precomputed")``, without checks that take
    longer than a small problem.
    """
    _libsvm.set_verbosity_wrap(0)
    support, _, _, dual, intercept, _, _, status, n_iter = _libsvm.fit(
        gram,
        positive.astype(float),
        kernel="precomputed",
        sample_weight=costs,
        tol=tol,
        max_iter=max_iter,
        cache_size=200,
    )
    return support, -dual[0], -intercept[0], status == 0, int(n_iter[0])
