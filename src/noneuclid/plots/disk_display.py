"""The Poincaré disk with points, decision regions and hyperplanes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.errors import InputError, require, require_package
from noneuclid.geometry import charts
from noneuclid.plots import curves, disk_models, disk_regions, normals, palette, rasters
from noneuclid.plots.class_display import ClassDisplay, read_classifier

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RESPONSES = ("predict", "predict_proba")
_WEAKEST, _STRONGEST = 0.04, 0.55  # share of the colour at equal probabilities, and at certainty


class PoincareDiskDisplay(ClassDisplay):
    """Points, decision regions and hyperplanes on the unit Poincaré disk.

    Make one by `from_estimator` or `from_predictions`; the constructor takes what they compute.
    Models and points of any chart and curvature are drawn in the unit disk.

    Parameters
    ----------
    points : array_like, shape (n, 2)
        In the unit disk.
    labels : array_like of int, shape (n,)
        Codes into `class_names`.
    class_names : sequence
    regions : ndarray of int, shape (size, size), or None
        Code of the class at the centres of cells that tile [-1, 1]², row 0 the lowest; -1 outside
        the disk.
    confidence : ndarray of float, shape (size, size), or None
        Probability of that class, from which its tint gets its strength.
    hyperplanes : array_like, shape (m, 3)
        Lorentz normals at curvature -1, time first.
    hyperplane_classes : sequence of int or None, shape (m,), optional
        The class that each hyperplane sets apart, whose colour it has.
    splits : sequence of ndarray, shape (k, 2)
        More curves, such as the splits of a tree.
    reference_points : array_like, shape (p, 2)
        In the unit disk.
    wrong : ndarray of bool, shape (n,), or None
        Points with a ring.
    margins : float or sequence of float
        Distances from the hyperplanes at which curves are drawn on both sides.
    curvature : float > 0, default=1.0
        K; distances (`margins`, the step of the grid) are those of the space of curvature -K.
    ordered : bool, default=False
        Whether the classes are intervals of a number: colours from dark to light.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    See Also
    --------
    SimplexDisplay : Compositions of three parts, and polygons.
    TreeDisplay : A hyperbolic tree as a diagram beside its cells.
    sklearn.inspection.DecisionBoundaryDisplay : The model of this class.

    Notes
    -----
    A hyperplane <w,x>_L = 0 is an arc of a circle that meets the rim at right angles; w on or
    inside the light cone has none, and nothing is drawn. The points at a distance ε from it are an
    arc through the same ends. Both are exact curves; regions are predictions at the centres of
    `grid_resolution` squared cells.

    Examples
    --------
    >>> from noneuclid import HyperboloidSVC, PoincareDiskDisplay
    >>> X = [[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]]
    >>> y = ["a", "a", "b", "b"]
    >>> model = HyperboloidSVC(C=10.0, chart="poincare").fit(X, y)
    >>> display = PoincareDiskDisplay.from_estimator(model, X, y, margins=0.5)
    >>> display.ax_.get_legend_handles_labels()[1]
    ['hyperplane', 'distance 0.5']
    """

    def __init__(
        self,
        *,
        points: ArrayLike,
        labels: ArrayLike,
        class_names: Sequence[Any],
        regions: np.ndarray | None = None,
        confidence: np.ndarray | None = None,
        hyperplanes: ArrayLike = (),
        hyperplane_classes: Sequence[int | None] | None = None,
        splits: Sequence[np.ndarray] = (),
        reference_points: ArrayLike = (),
        wrong: np.ndarray | None = None,
        margins: float | Sequence[float] = (),
        curvature: float = 1.0,
        ordered: bool = False,
    ):
        self._keep(points, labels, class_names, wrong, width=2)
        self.regions = regions
        self.confidence = confidence
        self.hyperplanes = np.asarray(hyperplanes, dtype=float).reshape(-1, 3)
        self.hyperplane_classes = hyperplane_classes or [None] * len(self.hyperplanes)
        self.splits = list(splits)
        self.reference_points = np.asarray(reference_points, dtype=float).reshape(-1, 2)
        self.margins = np.atleast_1d(np.asarray(margins, dtype=float))
        self.curvature = curvature
        self.ordered = ordered
        self._check()

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: ArrayLike | None = None,
        y: ArrayLike | None = None,
        *,
        chart: str | None = None,
        curvature: float | None = None,
        response_method: str = "predict",
        grid_resolution: int = 240,
        margins: float | Sequence[float] = (),
        ax: Axes | None = None,
        **options: Any,
    ) -> PoincareDiskDisplay:
        """Draw the predictions of a fitted classifier of the plane, and labelled points.

        Parameters
        ----------
        model : fitted classifier
            Of this package, or any that predicts from two columns (three on the hyperboloid). It is
            not fitted again. For a search, the best estimator is used.
        X : array_like, shape (n, 2), or (n, 3) for chart "hyperboloid"; optional
            Points; without them the regions alone are drawn.
        y : array_like, shape (n,), optional
            Their labels, among the classes of the model.
        chart : {"hyperboloid", "poincare", "klein", "tangent"}, optional
            How the rows of X are written; by default as the model reads them (its `chart`). For a
            model that has none, how it reads them, too.
        curvature : float > 0, optional
            K, for a model that has none (1 by default).
        response_method : {"predict", "predict_proba"}, default="predict"
            With "predict_proba" the tint of a region grows with the probability of its class.
        grid_resolution : int >= 2, default=240
            Cells along each side of the raster. Costs about 0.79 times its square predictions.
        margins : float or sequence of float
            Distances from each hyperplane, in the units of the space of curvature -K.
        ax : matplotlib Axes, optional
            By default those of a new figure.
        **options
            Passed to `plot`.

        Returns
        -------
        PoincareDiskDisplay

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If the model is not fitted.
        noneuclid.errors.InputError
            If the model or X has other than two dimensions, predicts numbers, has no chart and none
            is given, or a row or label is not legal.
        noneuclid.errors.MissingPackage
            If matplotlib is not installed.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from noneuclid import PoincareDiskDisplay
        >>> X = [[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]]
        >>> model = LogisticRegression().fit(X, [1, 1, 0, 0])
        >>> display = PoincareDiskDisplay.from_estimator(
        ...     model, X, [1, 1, 0, 0], chart="poincare", response_method="predict_proba"
        ... )
        >>> display.regions.shape, len(display.hyperplanes)
        ((240, 240), 0)
        """
        model, names = read_classifier(model, "disk")
        name = type(model).__name__
        require(
            response_method in RESPONSES,
            f"response_method={response_method!r}; give one of {', '.join(RESPONSES)}",
        )
        own = disk_models.find_chart(model, chart)
        K = float(getattr(model, "curvature", 1.0 if curvature is None else curvature))
        require(
            curvature in (None, K),
            f"curvature={curvature}, but {name} has curvature={K:g}; leave it out",
        )
        require(grid_resolution >= 2, f"grid_resolution={grid_resolution}; give 2 or more")
        disk_models.require_plane(getattr(model, "n_features_in_", None), own, name)
        points, labels = disk_models.read_points(X, y, chart or own, K, names)
        wrong = None
        if len(points):
            rows = charts.convert(points / np.sqrt(K), "poincare", own, K)
            wrong = disk_regions.evaluate(model, "predict", rows) != np.asarray(names)[labels]
        grid = disk_regions.grid_in_chart(grid_resolution, own, K)
        codes, confidence = disk_models.respond(model, response_method, grid, names)
        normal = normals.hyperplane_normals(model)
        references = getattr(model, "reference_points_", np.empty((0, 3)))
        display = cls(
            points=points,
            labels=labels,
            class_names=names,
            regions=disk_regions.on_grid(codes, grid_resolution, disk_regions.NOTHING),
            confidence=None
            if confidence is None
            else disk_regions.on_grid(confidence, grid_resolution, 0.0),
            hyperplanes=normal,
            hyperplane_classes=normals.problem_classes(model) if len(normal) else None,
            splits=disk_models.find_splits(model),
            reference_points=charts.convert(references, "hyperboloid", "poincare"),
            wrong=wrong,
            margins=margins,
            curvature=K,
        )
        return display.plot(ax, **options)

    @classmethod
    def from_predictions(
        cls,
        X: ArrayLike,
        y: ArrayLike,
        y_pred: ArrayLike | None = None,
        *,
        chart: str = "poincare",
        curvature: float = 1.0,
        ax: Axes | None = None,
        **options: Any,
    ) -> PoincareDiskDisplay:
        """Draw labelled points, with a ring around those whose prediction is wrong.

        Parameters
        ----------
        X : array_like, shape (n, 2), or (n, 3) for chart "hyperboloid"
        y : array_like, shape (n,)
            Labels of any type.
        y_pred : array_like, shape (n,), optional
            Predictions, for example of `sklearn.model_selection.cross_val_predict`.
        chart : {"hyperboloid", "poincare", "klein", "tangent"}, default="poincare"
        curvature : float > 0, default=1.0
        ax : matplotlib Axes, optional
        **options
            Passed to `plot`.

        Returns
        -------
        PoincareDiskDisplay

        Raises
        ------
        noneuclid.errors.InputError
            If X does not have two dimensions, a row is not a point of the chart, or lengths differ.

        Examples
        --------
        >>> from noneuclid import PoincareDiskDisplay
        >>> display = PoincareDiskDisplay.from_predictions(
        ...     [[0.5, 0.1], [-0.4, 0.3]], ["a", "b"], ["a", "a"], grid="geodesic"
        ... )
        >>> display.wrong
        array([False,  True])
        """
        require_package("matplotlib", "report", "plots")
        names = np.unique(np.asarray(y)).tolist()
        points, labels = disk_models.read_points(X, y, chart, curvature, names)
        wrong = disk_regions.find_wrong(y_pred, y)
        shown = cls(
            points=points, labels=labels, class_names=names, wrong=wrong, curvature=curvature
        )
        return shown.plot(ax, **options)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        grid: str | None = None,
        hyperplanes: bool = True,
        reference_points: bool = True,
        errors: bool = True,
        legend: bool = True,
        title: str = "",
        point_size: float | None = None,
    ) -> PoincareDiskDisplay:
        """Draw on axes.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        grid : {"geodesic", "polar"} or None, default=None
            Geodesics at right angles to both axes at every unit of distance, or circles of every
            unit of distance from the origin with diameters every 30°.
        hyperplanes : bool, default=True
            Whether to draw hyperplanes, margins and splits.
        reference_points : bool, default=True
            Whether to mark the points that a model's hyperplanes pass through by stars.
        errors : bool, default=True
            Whether to ring the points whose prediction is wrong.
        legend : bool, default=True
        title : str, default=""
        point_size : float, optional
            Area of a point in square points of print; by default from 5 to 18, less for more.

        Returns
        -------
        self
        """
        require(
            grid in (None, "geodesic", "polar"), f"grid={grid!r}; give 'geodesic', 'polar' or None"
        )
        ax, drawing = self._open(ax, figsize=(5.6, 4.4))
        n_classes = len(self.class_names)
        colours = palette.class_colours(n_classes, self.ordered)
        if self.regions is not None:
            drawing.draw_regions(ax, self.regions, colours, self._strengths())
        for line in self._grid(grid):
            ax.plot(*line.T, color=palette.MUTED, lw=0.5, alpha=0.45, zorder=1)
        area = self._area(point_size, 4500, (5, 18))
        drawing.draw_classes(ax, self.points, self.labels, n_classes, area, self.ordered)
        if hyperplanes:
            self._draw_curves(ax, colours)
        if errors and self.wrong is not None:
            drawing.draw_rings(ax, self.points[self.wrong], area)
        if reference_points:
            for place in np.unique(self.reference_points.round(12), axis=0):
                drawing.draw_mark(ax, place)
        drawing.prepare_disk(ax, title)
        if legend:
            more = ax.get_legend_handles_labels()[0]
            handles = [*drawing.class_handles(self.class_names, self.ordered), *more]
            if self._has_errors(errors):
                handles.append(drawing.ring_handle("wrong"))
            if reference_points and len(self.reference_points):
                handles.append(drawing.mark_handle("reference point"))
            drawing.draw_legend(ax, handles)
        return self

    def _draw_curves(self, ax, colours):
        """Hyperplanes with their margins, and splits; one of each kind has a label."""
        root = np.sqrt(self.curvature)
        named = set()
        apart = "distance " + ", ".join(f"{margin:g}" for margin in self.margins)

        def draw(line, label, **look):
            if line is not None:
                ax.plot(*line.T, label=None if label in named else label, **look)
                named.add(label)

        for w, code in zip(self.hyperplanes, self.hyperplane_classes, strict=True):
            if not np.isfinite(w).all():
                continue
            colour = palette.INK if code is None else colours[code]
            label = "hyperplane" if code is None else "class against the rest"
            draw(curves.trace(w), label, color=colour, lw=1.6, zorder=3)
            for margin in self.margins:
                for side in (root * margin, -root * margin):
                    look = {"color": colour, "lw": 1.0, "ls": (0, (4, 2)), "zorder": 3}
                    draw(curves.trace(w, side), apart, **look)
        for line in self.splits:
            draw(line, "split", color=palette.INK, lw=1.1, zorder=3)

    def _grid(self, kind):
        """Lines of the grid, in the unit disk."""
        step = np.sqrt(self.curvature)
        reach = max(5.0, step)
        if kind == "geodesic":
            return curves.axis_geodesics(step, reach)
        return curves.polar_grid(step, reach) if kind == "polar" else []

    def _strengths(self):
        """Share of the colour in each tint, or None if all have the same."""
        if self.confidence is None:
            return None
        even = 1 / len(self.class_names)
        share = np.clip((self.confidence - even) / (1 - even), 0, 1)
        return _WEAKEST + (_STRONGEST - _WEAKEST) * share

    def _check(self):
        """Refuse parts that do not fit together."""
        outside = np.flatnonzero(~(np.hypot(*self.points.T) < 1))
        if outside.size:
            value = self.points[outside[0]].tolist()
            raise InputError(f"row {outside[0]} is {value}: convert to the unit Poincaré disk")
        require(
            (self.margins > 0).all() and np.isfinite(self.margins).all(),
            f"margins={self.margins.tolist()}; give distances above zero",
        )
        if self.regions is not None:
            rasters.check(self.regions, len(self.class_names))
