"""What classifiers share that answer with a class or with one of its ancestors in a class tree."""

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, cross_val_predict
from sklearn.utils import check_consistent_length, check_random_state, column_or_1d, get_tags
from sklearn.utils.validation import check_is_fitted

from noneuclid.errors import InputError
from noneuclid.geometry.class_trees import class_tree


class TreeAnswers(MetaEstimatorMixin, BaseEstimator):
    """Base of classifiers around a classifier.

    Subclasses have the parameters `estimator`, `class_tree`, `cv` and `random_state`, ``fit`` and
    ``predict``; without `class_tree` the root is called `_ROOT`.
    """

    def _fit_estimator(self, X, y, groups=None):
        """Fit the classifier; probabilities of the validation rows and codes of their classes.

        With `groups`, folds hold whole groups. Shapes: (n, n_classes) and (n,).
        """
        y = np.asarray(y)
        if self.cv == "prefit":
            self.estimator_ = self.estimator
            probabilities = self.estimator_.predict_proba(X)
        else:
            seed = check_random_state(self.random_state).randint(2**31)
            folds = StratifiedKFold if groups is None else StratifiedGroupKFold
            probabilities = cross_val_predict(
                self.estimator,
                X,
                y,
                groups=groups,
                cv=folds(self.cv, shuffle=True, random_state=seed),
                method="predict_proba",
            )
            self.estimator_ = clone(self.estimator).fit(X, y)
        self.classes_ = self.estimator_.classes_
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        codes = self._codes(y, "validation rows")
        names = [str(label) for label in self.classes_]
        parents = self.class_tree
        self.tree_ = class_tree(
            dict.fromkeys(names, self._ROOT) if parents is None else parents, names
        )
        return probabilities, codes

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Probabilities of the classes, as the estimator gives them, shape (n, n_classes)."""
        check_is_fitted(self)
        return self.estimator_.predict_proba(X)

    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """Share of rows whose predicted node is the true class or one of its ancestors.

        Raises
        ------
        InputError
            If `y` has a class that the fitted estimator does not know.
        """
        check_is_fitted(self)
        codes = self._codes(y, "rows to score")
        nodes = np.array([self.tree_.nodes.index(name) for name in self.predict(X)])
        check_consistent_length(nodes, codes)
        return float(self.tree_.ancestors[codes, nodes].mean())

    def __sklearn_tags__(self):
        """Those of the estimator: a classifier, so that scikit-learn stratifies its folds."""
        tags = super().__sklearn_tags__()
        if hasattr(self.estimator, "__sklearn_tags__"):
            inner = get_tags(self.estimator)
            tags.estimator_type = inner.estimator_type
            tags.classifier_tags = inner.classifier_tags
            tags.input_tags = inner.input_tags
        return tags

    def _codes(self, y, what):
        """Position of each label among the classes; an unknown label is refused."""
        codes = {label: code for code, label in enumerate(self.classes_.tolist())}
        labels = column_or_1d(y).tolist()
        unknown = [label for label in labels if label not in codes]
        if unknown:
            raise InputError(
                f"class {unknown[0]} of the {what} is unknown to the fitted estimator; leave out "
                "these rows or fit it with them"
            )
        return np.array([codes[label] for label in labels], dtype=np.intp)
