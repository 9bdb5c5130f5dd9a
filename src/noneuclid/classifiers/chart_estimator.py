"""Base of estimators that learn points: they read rows of a chart and write points in it."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.default_chart import CONSTRAINTS, chart_of, question_default
from noneuclid.classifiers.validation import read, to_hyperboloid
from noneuclid.estimator import Estimator
from noneuclid.geometry.public_points import from_hyperboloid


class ChartEstimator(Estimator):
    """Rows of the chart, as points of the hyperboloid of curvature -1, and back."""

    _parameter_constraints = CONSTRAINTS

    def _read_training(self, X, y="no_validation"):
        """Points of the rows of `fit`, with the labels if there are any."""
        X, *labels = found if isinstance(found := read(self, X, y), tuple) else (found,)
        question_default(self, X)
        points = self._to_points(X)
        return (points, *labels) if labels else points

    def _read_new(self, X):
        """Points of new rows."""
        check_is_fitted(self)
        return self._to_points(read(self, X, reset=False))

    def _to_points(self, X):
        return to_hyperboloid(X, chart_of(self), self.curvature)

    def _to_chart(self, points):
        """Points of the hyperboloid of curvature -1 in the chart of the user."""
        scaled = points / np.sqrt(self.curvature)
        return from_hyperboloid(scaled, chart_of(self), self.curvature)
