"""What classifiers share that answer with a class or with one of its ancestors in a class tree."""

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import (
    _safe_indexing,
    check_consistent_length,
    check_random_state,
    column_or_1d,
    get_tags,
    indexable,
)
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.group_folds import GroupFolds, fit_in_groups, groups_of_rows
from noneuclid.classifiers.sklearn_private import HasMethods, Interval, StrOptions
from noneuclid.errors import InputError, require
from noneuclid.estimator import Estimator
from noneuclid.geometry.class_trees import class_tree


class TreeAnswers(MetaEstimatorMixin, Estimator):
    """Base of classifiers around a classifier.

    Subclasses have the parameters `estimator`, `class_tree`, `cv` and `random_state`, ``fit`` and
    ``predict``; without `class_tree` the root is called `_ROOT`.
    """

    _ROOT: str
    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        "estimator": [HasMethods(["fit", "predict_proba"])],
        "class_tree": [dict, None],
        "cv": [Interval(Integral, 2, None, closed="left"), StrOptions({"prefit"})],
        "random_state": ["random_state"],
    }
    # Of scikit-learn's metadata routing: meta-estimators pass groups on.
    __metadata_request__fit = {"groups": True}  # noqa: RUF012

    def _fit_estimator(self, X, y, groups=None):
        """Fit the classifier; probabilities, class codes and groups of the validation rows.

        With `groups`, folds hold whole groups. Shapes: (m, n_classes), (m,), (m,) or None.
        """
        y = np.asarray(y)
        groups = None if groups is None else groups_of_rows(groups, y)
        if self.cv == "prefit":
            self.estimator_, rows = self.estimator, np.arange(len(y))
            probabilities = self.estimator_.predict_proba(X)
        else:
            self.estimator_ = fit_in_groups(clone(self.estimator), X, y, groups)
            probabilities, rows = self._validate(X, y, groups)
        self.classes_ = self.estimator_.classes_
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        codes = self._codes(y[rows], "validation rows")
        names = [str(label) for label in self.classes_]
        parents = self.class_tree
        require(
            parents is not None or self._ROOT not in names,
            f"class {self._ROOT!r} has the name of the answer where no class is sure; rename it, "
            "or give class_tree a root of another name",
        )
        self.tree_ = class_tree(
            dict.fromkeys(names, self._ROOT) if parents is None else parents, names
        )
        return probabilities, codes, None if groups is None else groups[rows]

    def _validate(self, X, y, groups):
        """Probabilities of the validation rows from fits to other rows, and these rows."""
        seed = check_random_state(self.random_state).randint(2**31)
        X, y = indexable(X, y)
        if groups is None:
            folds = StratifiedKFold(self.cv, shuffle=True, random_state=seed)
        else:
            folds = GroupFolds(self.cv, seed)
        classes = self.estimator_.classes_
        probabilities, rows = np.zeros((len(y), len(classes))), []
        for train, test in folds.split(y, y, groups):
            part = _safe_indexing(X, train), y[train], None if groups is None else groups[train]
            fitted = fit_in_groups(clone(self.estimator), *part)
            # A rare class may be absent from the training rows.
            columns = np.flatnonzero(np.isin(classes, fitted.classes_))
            found = fitted.predict_proba(_safe_indexing(X, test))
            probabilities[np.ix_(test, columns)] = found
            rows.append(test)
        rows = np.sort(np.concatenate(rows))
        return probabilities[rows], rows

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
