"""The base of all estimators: scikit-learn's, whose HTML display links to our page of the class."""

from sklearn.base import BaseEstimator

# That of pyproject.toml; a test compares both.
DOCUMENTATION = "https://example.org/noneuclid/docs"
REFERENCE = f"{DOCUMENTATION}/api/noneuclid"


class Estimator(BaseEstimator):
    """scikit-learn's base class with a link to the reference."""

    _doc_link_module = "noneuclid"
    _doc_link_template = REFERENCE + ".{estimator_name}.html"
