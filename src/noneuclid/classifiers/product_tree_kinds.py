"""What a single tree and a forest on a product space have of their own."""

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from noneuclid.errors import require


class OneTree:
    """Mixin: a single tree."""

    def apply(self, X: ArrayLike) -> np.ndarray:
        """Leaf of each row.

        Parameters
        ----------
        X : array-like, shape (n, n_columns)

        Returns
        -------
        ndarray of int, shape (n,)
        """
        return self._leaves(X)[:, 0]

    def get_depth(self) -> int:
        """Number of splits on the longest way from the root to a leaf.

        Returns
        -------
        int
        """
        check_is_fitted(self)
        return int(self.trees_[0].depths.max())

    def get_n_leaves(self) -> int:
        """Number of leaves.

        Returns
        -------
        int
        """
        check_is_fitted(self)
        return int(np.count_nonzero(self.trees_[0].features < 0))


class Forest:
    """Mixin: many trees of the class `_tree`, each on a sample if `bootstrap`."""

    @property
    def estimators_(self) -> list:
        """The trees as fitted trees; a list."""
        check_is_fitted(self)
        return [self._wrap(tree) for tree in self.trees_]

    def _wrap(self, tree):
        settings = self.get_params(deep=False)
        known = self._tree().get_params(deep=False)
        wrapped = self._tree(**{name: settings[name] for name in known if name in settings})
        wrapped.trees_ = [tree]
        names = ("classes_", "space_", "feature_names_", "_features")
        for name in (*names, "n_features_in_", "feature_names_in_"):
            if hasattr(self, name):
                setattr(wrapped, name, getattr(self, name))
        return wrapped

    def apply(self, X: ArrayLike) -> np.ndarray:
        """Leaf of each row in each tree.

        Parameters
        ----------
        X : array-like, shape (n, n_columns)

        Returns
        -------
        ndarray of int, shape (n, n_estimators)
        """
        return self._leaves(X)

    def _n_trees(self):
        require(
            self.bootstrap or not self.oob_score,
            "oob_score=True needs rows that a tree has not seen; set bootstrap=True",
        )
        return self.n_estimators

    def _counts(self, n, seed):
        if not self.bootstrap:
            return 1.0
        return np.bincount(np.random.default_rng(seed).integers(n, size=n), minlength=n)

    def _out_of_bag(self, values, turned, seeds):
        """Rows that some tree has not seen, and the mean of the values of these trees."""
        n = values.shape[1]
        total, votes = np.zeros((n, self.trees_[0].values.shape[1])), np.zeros(n)
        for tree, seed in zip(self.trees_, seeds, strict=True):
            unseen = self._counts(n, seed) == 0
            total[unseen] += tree.values[tree.apply(values, turned)[unseen]]
            votes += unseen
        known = np.flatnonzero(votes)
        require(
            known.size > 0, "oob_score=True, but every tree has seen all rows; raise n_estimators"
        )
        return known, total[known] / votes[known, None]
