"""The model of CellTypist on genes, a baseline for expression."""

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import validate_data

from noneuclid_compare.evaluation.baselines import WithProbabilities

# Scaled values above are cut, as by CellTypist.
LARGEST = 10.0


class CellTypistBaseline(ClassifierMixin, WithProbabilities):
    """Logistic regression with an L2 penalty on scaled genes, as CellTypist trains it [1]_.

    Its features are ``log(1 + x)`` of counts that are normalised to 10,000 a cell: ``target_sum:
    10000`` and ``pca: false`` of `anndata_file`. Means and standard deviations are those of the
    training rows. CellTypist can also choose genes and learn by stochastic gradients, which are
    left out here.

    Parameters
    ----------
    C, class_weight
        As in `LogisticBaseline`.

    References
    ----------
    .. [1] C. Domínguez Conde et al., Cross-tissue immune cell analysis reveals tissue-specific
       features in humans, Science 376:eabl5197, 2022.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> float(CellTypistBaseline().fit(X, y).score(X, y))
    1.0
    """

    def __init__(self, *, C=1.0, class_weight=None):
        self.C = C
        self.class_weight = class_weight

    def fit(self, X, y):
        """Scale the genes and fit the model, both on these rows alone."""
        X, y = validate_data(self, X, y)
        self.preparation_ = StandardScaler().fit(X)
        self.model_ = LogisticRegression(C=self.C, class_weight=self.class_weight, max_iter=1000)
        self.model_.fit(self._prepared(X), y)
        self.classes_ = self.model_.classes_
        return self

    def _prepared(self, X):
        return np.minimum(super()._prepared(X), LARGEST)
