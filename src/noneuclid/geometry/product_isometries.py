"""Isometries of product spaces."""

import numpy as np
from numpy.typing import ArrayLike


class ProductIsometry:
    """Isometry of a product space, factor by factor; see `ProductSpace.random_isometry`."""

    def __init__(self, space, isometries):
        self.space = space
        self.isometries = isometries

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Move points.

        Parameters
        ----------
        X : array_like, shape (n, n_features)

        Returns
        -------
        ndarray, shape (n, n_features)
        """
        return self._moved(X, "transform")

    def inverse_transform(self, X: ArrayLike) -> np.ndarray:
        """Move points back.

        Parameters
        ----------
        X : array_like, shape (n, n_features)

        Returns
        -------
        ndarray, shape (n, n_features)
        """
        return self._moved(X, "inverse_transform")

    def _moved(self, X, method):
        blocks = zip(self.isometries, self.space._read(X), strict=True)
        return np.hstack([getattr(isometry, method)(block) for isometry, (_, block) in blocks])
