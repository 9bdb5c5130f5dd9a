"""What the displays of labelled points and of a classifier share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sklearn.utils.validation import check_is_fitted

from noneuclid.errors import require, require_package

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class ClassDisplay:
    """Base of the displays of labelled points: their colours, rings and axes."""

    ax_: Axes
    figure_: Figure

    def _keep(self, points, labels, class_names, wrong, width):
        """Set what belongs to the points, of `width` coordinates."""
        self.points = np.asarray(points, dtype=float).reshape(-1, width)
        self.labels = np.asarray(labels, dtype=int)
        self.class_names = list(class_names)
        self.wrong = wrong
        n = len(self.points)
        require(len(self.labels) == n, f"{n} points have {len(self.labels)} labels")

    def _open(self, ax, **settings):
        """Axes to draw on, those given or new ones, and the module that draws."""
        require_package("matplotlib", "report", "plots")
        from noneuclid.plots import drawing  # needs matplotlib

        self.ax_ = drawing.new_axes(**settings) if ax is None else ax
        self.figure_ = self.ax_.figure
        return self.ax_, drawing

    def _area(self, given, total, limits):
        """Area of a point in square points of print: `total` shared by all, within limits."""
        n = max(len(self.points), 1)
        return float(np.clip(total / n, *limits)) if given is None else given

    def _has_errors(self, shown):
        return shown and self.wrong is not None and self.wrong.any()


def read_classifier(model, picture):
    """A fitted classifier, of a search the best, and its classes."""
    require_package("matplotlib", "report", "plots")
    check_is_fitted(model)
    model = getattr(model, "best_estimator_", model)
    name = type(model).__name__
    require(
        hasattr(model, "classes_"), f"{name} predicts no classes; the {picture} shows a classifier"
    )
    return model, np.asarray(model.classes_).tolist()


def read_labelled(X, y):
    """Rows and labels as arrays, as many of one as of the other."""
    require(X is not None and y is not None, "give both X and y, or neither")
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    require(y.shape == X.shape[:1], f"y has shape {y.shape} for {len(X)} rows of X")
    return X, y
