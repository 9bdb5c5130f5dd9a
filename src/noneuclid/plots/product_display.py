"""Points of a product space: a picture of each factor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.multiclass import type_of_target

from noneuclid.errors import require, require_package
from noneuclid.geometry.product_space import ProductSpace, space_of
from noneuclid.plots import disk_regions
from noneuclid.plots.class_display import ClassDisplay, read_classifier, read_labelled
from noneuclid.plots.product_panels import panel_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Inches of a panel, panels of a row at most, and of the narrowest figure.
_SIDE, _MOST, _NARROWEST = 2.7, 4, 1.5


class ProductSpaceDisplay(ClassDisplay):
    """Points of a product space, one picture for each factor.

    Make one by `from_points` or `from_estimator`; the constructor takes what they compute.

    Parameters
    ----------
    space : ProductSpace or str
        A signature such as "H2 S2 E1", or a space with its curvatures and charts.
    points : array_like, shape (n, n_features)
        In the space.
    labels : array_like of int, shape (n,)
        Codes into `class_names`.
    class_names : sequence
        None at all for points without classes.
    wrong : ndarray of bool, shape (n,), or None
        Points with a ring.
    ordered : bool, default=False
        Whether the classes are intervals of a number: colours from dark to light.

    Attributes
    ----------
    panels : list
        Of each factor the `frame`, the `title`, the `places` (n, 2) of the points in the picture,
        and those on the `far` side of a sphere.
    axes_ : ndarray of matplotlib Axes, shape (n_factors,)
    figure_ : matplotlib Figure

    See Also
    --------
    PoincareDiskDisplay : A single hyperbolic plane, with the regions of a classifier.
    noneuclid.geometry.ProductSpace : The spaces.

    Notes
    -----
    H is the unit Poincaré disk; of points all close to its centre, distances from it are drawn
    longer, as the title says. Two dimensions are exact; of more, the first two principal components
    of the tangent coordinates at the origin are drawn. S1 is the unit circle with the origin at the
    right. S2 is seen from far away, from the direction of the mean; the last axis points upwards,
    points of the far side are hollow, and the lines are 30° apart. Of more dimensions, the points
    are projected to the three orthogonal directions with the largest sum of squares. E of more than
    two dimensions is projected to its first two principal components.

    On H1, S1 and E1 the points of a class have a row of their own, and are spread across it so
    that they do not hide each other; the position along the line or circle is exact.

    Examples
    --------
    >>> from noneuclid import ProductSpaceDisplay
    >>> from noneuclid.geometry import ProductSpace
    >>> space = ProductSpace("H2 S1 E1")
    >>> X = space.random_wrapped_normal(30, random_state=0)
    >>> display = ProductSpaceDisplay.from_points(space, X, X[:, -1] > 0)
    >>> [ax.get_title() for ax in display.axes_]
    ['H2, K = -1', 'S1, K = 1', 'E1, K = 0']
    """

    axes_: np.ndarray

    def __init__(
        self,
        space: ProductSpace | str,
        *,
        points: ArrayLike,
        labels: ArrayLike,
        class_names: Sequence[Any],
        wrong: np.ndarray | None = None,
        ordered: bool = False,
    ):
        self.space = space_of(space, np.shape(points)[-1])
        self.space.check_points(points)
        self._keep(points, labels, class_names, wrong, self.space.n_features)
        self.ordered = ordered
        blocks = zip(self.space.factors, self.space.split(self.points), strict=True)
        self.panels = [panel_of(f, b, self.labels, self._n_classes) for f, b in blocks]

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        ax: Sequence[Axes] | None = None,
        **options: Any,
    ) -> ProductSpaceDisplay:
        """Draw labelled points, with a ring around those that a fitted classifier gets wrong.

        Parameters
        ----------
        model : fitted classifier
            With a `space_`, such as `ProductRandomForestClassifier`. It is not fitted again. For a
            search, the best estimator is used.
        X : array_like, shape (n, n_features)
            Points as the model reads them.
        y : array_like, shape (n,)
            Their labels, among the classes of the model.
        ax : sequence of matplotlib Axes, optional
            One for each factor; by default those of a new figure.
        **options
            Passed to `plot`.

        Returns
        -------
        ProductSpaceDisplay

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If the model is not fitted.
        noneuclid.errors.InputError
            If the model predicts numbers or has no `space_`, or a row or label is not legal.
        noneuclid.errors.MissingPackage
            If matplotlib is not installed.

        Examples
        --------
        >>> from noneuclid import ProductRandomForestClassifier, ProductSpaceDisplay
        >>> from noneuclid.geometry import ProductSpace
        >>> X = ProductSpace("S2 E1").random_wrapped_normal(30, random_state=0)
        >>> y = X[:, 1] > 0
        >>> model = ProductRandomForestClassifier(space="S2 E1", random_state=0).fit(X, y)
        >>> ProductSpaceDisplay.from_estimator(model, X, y).wrong.any()
        np.False_
        """
        model, names = read_classifier(model, "display")
        require(
            hasattr(model, "space_"),
            f"{type(model).__name__} has no space_; give the space to from_points",
        )
        X, y = read_labelled(X, y)
        predicted = disk_regions.evaluate(model, "predict", X)
        return cls.from_points(model.space_, X, y, predicted, class_names=names, ax=ax, **options)

    @classmethod
    def from_points(
        cls,
        space: ProductSpace | str,
        X: ArrayLike,
        y: ArrayLike | None = None,
        y_pred: ArrayLike | None = None,
        *,
        class_names: Sequence[Any] | None = None,
        ordered: bool = False,
        ax: Sequence[Axes] | None = None,
        **options: Any,
    ) -> ProductSpaceDisplay:
        """Draw points, with a ring around those whose prediction is wrong.

        Parameters
        ----------
        space : ProductSpace or str
            A signature such as "H2 S2 E1", or a space with its curvatures and charts.
        X : array_like, shape (n, n_features)
        y : array_like, shape (n,), optional
            Labels of any type.
        y_pred : array_like, shape (n,), optional
            Predictions, for example of `sklearn.model_selection.cross_val_predict`.
        class_names : sequence, optional
            The labels in the order of the legend; by default sorted.
        ordered : bool, default=False
            Whether the classes are intervals of a number: colours from dark to light.
        ax : sequence of matplotlib Axes, optional
            One for each factor; by default those of a new figure.
        **options
            Passed to `plot`.

        Returns
        -------
        ProductSpaceDisplay

        Raises
        ------
        noneuclid.errors.InputError
            If a row is not a point of the space, y is continuous or has a label that
            `class_names` lacks, or lengths differ.
        noneuclid.errors.MissingPackage
            If matplotlib is not installed.

        Examples
        --------
        >>> from noneuclid import ProductSpaceDisplay
        >>> X = [[1.0, 0.0, 0.5], [0.0, 1.0, 0.2], [-1.0, 0.0, 0.1]]
        >>> display = ProductSpaceDisplay.from_points("S1 E1", X, ["a", "b", "b"], ["a", "b", "a"])
        >>> display.wrong
        array([False, False,  True])
        """
        require_package("matplotlib", "report", "plots")
        if y is None:
            require(y_pred is None and class_names is None, "give y with y_pred and class_names")
            X, labels, names = np.asarray(X, dtype=float), np.zeros(len(X), dtype=int), []
        else:
            X, y = read_labelled(X, y)
            require(
                type_of_target(y) != "continuous",
                "y is continuous; divide it into intervals, as pandas.qcut does, and give "
                "ordered=True",
            )
            names = np.unique(y).tolist() if class_names is None else list(class_names)
            labels = disk_regions.encode_known(y, names)
        wrong = disk_regions.find_wrong(y_pred, y)
        shown = cls(space, points=X, labels=labels, class_names=names, wrong=wrong, ordered=ordered)
        return shown.plot(ax, **options)

    def plot(
        self,
        ax: Sequence[Axes] | None = None,
        *,
        errors: bool = True,
        legend: bool = True,
        point_size: float | None = None,
    ) -> ProductSpaceDisplay:
        """Draw on axes.

        Parameters
        ----------
        ax : sequence of matplotlib Axes, optional
            One for each factor; by default those of a new figure, four in a row.
        errors : bool, default=True
            Whether to ring the points whose prediction is wrong.
        legend : bool, default=True
            Whether to list the classes: below all pictures of a figure of constrained layout, else
            at the right of the last axes.
        point_size : float, optional
            Area of a point in square points of print; by default from 1.5 to 36 in a figure of the
            display, less for more points and for smaller axes.

        Returns
        -------
        self
        """
        require_package("matplotlib", "report", "plots")
        from noneuclid.plots import drawing, product_drawing  # need matplotlib

        handles = product_drawing.legend_handles(self, errors) if legend else []
        self.axes_ = self._new_axes(drawing, handles) if ax is None else np.atleast_1d(ax).ravel()
        require(
            len(self.axes_) == len(self.panels),
            f"{len(self.axes_)} axes are given for the {len(self.panels)} factors of {self.space}",
        )
        self.figure_ = self.axes_[0].figure
        area = self._area(point_size, 5000, (1.5, 36))
        for ax, panel in zip(self.axes_, self.panels, strict=True):
            size = area * (product_drawing.side(ax) if point_size is None else 1.0)
            product_drawing.draw_panel(ax, panel, self.labels, self._n_classes, size, self.ordered)
            if errors and self.wrong is not None:
                drawing.draw_rings(ax, panel.places[self.wrong], size)
        product_drawing.draw_legend(self.axes_, handles)
        return self

    @property
    def _n_classes(self):
        return max(len(self.class_names), 1)

    def _new_axes(self, drawing, handles):
        """Axes of a new figure, at most `_MOST` in a row, with room for the legend."""
        n = len(self.panels)
        columns = min(n, _MOST)
        rows, width = -(-n // columns), _SIDE * max(columns, _NARROWEST)
        lines = -(-len(handles) // drawing.legend_columns(width, handles))
        heads = max(panel.title.count("\n") for panel in self.panels)
        size = width, (_SIDE + 0.3 + 0.15 * heads) * rows + 0.19 * lines
        axes = drawing.new_axes(columns, rows=rows, squeeze=False, figsize=size).ravel()
        for ax in axes[n:]:
            ax.remove()
        return axes[:n]
