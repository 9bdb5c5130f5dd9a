"""Hyperplane classifiers that read many rows block by block, and few rows at once."""

import numpy as np

from noneuclid.classifiers.base import MarginClassifier
from noneuclid.classifiers.default_chart import chart_of
from noneuclid.classifiers.validation import check_rows, hyperboloid_blocks, to_hyperboloid

_FEW = 2**17  # numbers, 1 MB, which are lifted to the hyperboloid once


class BlockwiseClassifier(MarginClassifier):
    """Base of the classifiers that keep no copy of many rows on the hyperboloid.

    A subclass whose score is not <coef, x>_L overrides `_block_scores`.
    """

    def _to_points(self, X):
        if X.size <= _FEW and chart_of(self) != "hyperboloid":
            return to_hyperboloid(X, chart_of(self), self.curvature)
        check_rows(X, chart_of(self), self.curvature)
        return X

    def _where(self, points):
        """Chart and curvature of what `_to_points` returned."""
        lifted = points.shape[1] > self.n_features_in_
        return ("hyperboloid", 1.0) if lifted else (chart_of(self), self.curvature)

    def _blocks(self, points):
        """Rows and their points on the hyperboloid of curvature -1, part by part."""
        if points.shape[1] > self.n_features_in_:
            return [(slice(None), points)]
        return hyperboloid_blocks(points, *self._where(points))

    def _scores(self, points):
        extras = [getattr(self, f"{name}_") for name in self._extra_names]
        return self._all_scores(points, self.coef_, *extras)

    def _binary_scores(self, points, coef, **extras):
        return self._all_scores(points, coef[None], *(extra[None] for extra in extras.values()))[
            :, 0
        ]

    def _all_scores(self, points, coefs, *extras):
        """Scores of all rows for normals (m, d + 1), (n, m)."""
        scores = np.empty((len(points), len(coefs)))
        for rows, block in self._blocks(points):
            scores[rows] = self._block_scores(block, coefs, *extras)
        return scores

    def _block_scores(self, points, coefs):
        return points[:, 1:] @ coefs[:, 1:].T - np.multiply.outer(points[:, 0], coefs[:, 0])
