"""What estimators share: a base whose HTML display links to our page, tensors read, warnings."""

import sys
import warnings
from contextlib import contextmanager

from sklearn.base import BaseEstimator

# That of pyproject.toml; a test compares both.
DOCUMENTATION = "https://example.org/noneuclid/docs"
REFERENCE = f"{DOCUMENTATION}/api/noneuclid"


class Estimator(BaseEstimator):
    """scikit-learn's base class with a link to the reference."""

    _doc_link_module = "noneuclid"
    _doc_link_template = REFERENCE + ".{estimator_name}.html"


@contextmanager
def distinct_warnings(name):
    """Give the warnings of a block after it, each once, such as those of every class.

    `name` is the estimator, for the message.
    """
    caught = []
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
    finally:
        modules = {getattr(m, "__file__", None): key for key, m in [*sys.modules.items()]}
        for w in {(w.category, str(w.message)): w for w in caught}.values():
            # Filters may name the module, which a record does not have.
            place = w.filename, w.lineno, modules.get(w.filename)
            warnings.warn_explicit(f"{name}: {w.message}", w.category, *place)


def without_gradient(values):
    """A tensor of PyTorch as one that numpy reads: detached, bfloat16 as float32; others as given.

    A tensor on a GPU stays there: PyTorch's own error names `Tensor.cpu()`.
    """
    if not hasattr(values, "detach"):
        return values
    values = values.detach()
    return values.float() if str(values.dtype) == "torch.bfloat16" else values
