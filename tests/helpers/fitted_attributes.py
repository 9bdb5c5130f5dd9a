"""Names of fitted attributes, in a model and in the docstring of its class."""

import inspect
import re

# Of scikit-learn, in every estimator that has read a matrix.
_SHARED = {"n_features_in_", "feature_names_in_"}


def undocumented(model):
    """Fitted attributes that the section Attributes of the class does not name."""
    text = inspect.getdoc(type(model))
    section = re.search(r"\nAttributes\n-+\n(.*?)(?=\n\w[^\n]*\n---|\Z)", text, re.DOTALL)
    named = re.findall(r"\w+", " ".join(re.findall(r"^\w.*", section[1], re.MULTILINE)))
    found = {name for name in dir(model) if name.endswith("_") and not name.startswith("_")}
    return found - {*named} - _SHARED
