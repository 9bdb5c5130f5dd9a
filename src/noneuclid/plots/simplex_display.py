"""Compositions of three parts, or points of a polygon, with what a classifier says there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.errors import require, require_package
from noneuclid.geometry.polytope import Polytope
from noneuclid.geometry.polytope_balls import ball_polygon
from noneuclid.geometry.polytope_metrics import polytope_distance
from noneuclid.plots import disk_regions, palette, simplex_models
from noneuclid.plots.class_display import ClassDisplay, read_classifier, read_labelled
from noneuclid.plots.normals import problem_classes
from noneuclid.plots.planes import Plane
from noneuclid.plots.simplex_models import PARTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class SimplexDisplay(ClassDisplay):
    """Points, decision regions, hyperplanes and balls in a triangle of compositions, or a polygon.

    Make one by `from_estimator` or `from_predictions`; the constructor takes what they compute. A
    composition of three parts is a point of an equilateral triangle, all of part 1 at its left
    corner, of part 2 at its right, of part 3 at its top. Other polytopes of dimension two are drawn
    unchanged.

    Parameters
    ----------
    polytope : Polytope
        Of dimension two.
    points : array_like, shape (n, d)
        In the polytope.
    labels : array_like of int, shape (n,)
        Codes into `class_names`.
    class_names : sequence
    regions : ndarray of int, shape (size, size), or None
        Codes of the classes at the pixels of `noneuclid.plots.planes.Plane.pixels`; -1 outside.
    hyperplanes : array_like, shape (m, d + 1)
        (c, w) of c + w·x = 0, as `HilbertSVC.coef_`.
    hyperplane_classes : sequence of int or None, shape (m,), optional
        The class that each hyperplane sets apart, whose colour it has.
    representatives : array_like, shape (k, d)
        Points of the polytope, one for each class.
    metric : {"hilbert", "funk", "reverse_funk"}, default="hilbert"
    margin : float or None
        Places closer to the first hyperplane than this are grey.
    balls : sequence of (array_like, float, int)
        Centre, radius in the metric, and class of each ball.
    wrong : ndarray of bool, shape (n,), or None
        Points with a ring.
    part_names : sequence of str, shape (3,), optional

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    See Also
    --------
    PoincareDiskDisplay : The hyperbolic plane.
    HilbertSVC, HilbertNearestClassifier : Classifiers of polytopes.

    Notes
    -----
    A ball of the Hilbert or a Funk metric is a polygon; its corners are exact (lemmas 2.2 and 2.3
    of [1]_).

    References
    ----------
    .. [1] A. Acharya, A. Gezalyan, D. Mount, Classifiers in high dimensional Hilbert metrics, 2026.

    Examples
    --------
    >>> from noneuclid import HilbertSVC, SimplexDisplay
    >>> X = [[0.7, 0.2, 0.1], [0.6, 0.3, 0.1], [0.1, 0.2, 0.7], [0.1, 0.3, 0.6]]
    >>> y = ["a", "a", "b", "b"]
    >>> model = HilbertSVC(margin="hard").fit(X, y)
    >>> display = SimplexDisplay.from_estimator(model, X, y, margin=True, balls=1)
    >>> len(display.balls), round(display.margin, 3)
    (2, 0.896)
    """

    def __init__(
        self,
        polytope: Polytope,
        *,
        points: ArrayLike,
        labels: ArrayLike,
        class_names: Sequence[Any],
        regions: np.ndarray | None = None,
        hyperplanes: ArrayLike = (),
        hyperplane_classes: Sequence[int | None] | None = None,
        representatives: ArrayLike = (),
        metric: str = "hilbert",
        margin: float | None = None,
        balls: Sequence[tuple[ArrayLike, float, int]] = (),
        wrong: np.ndarray | None = None,
        part_names: Sequence[str] = PARTS,
    ):
        simplex_models.require_flat(polytope)
        width = polytope.A.shape[1]
        self.plane = Plane(polytope)
        self._keep(points, labels, class_names, wrong, width)
        self.regions = regions
        self.hyperplanes = np.asarray(hyperplanes, dtype=float).reshape(-1, width + 1)
        self.hyperplane_classes = hyperplane_classes or [None] * len(self.hyperplanes)
        self.representatives = np.asarray(representatives, dtype=float).reshape(-1, width)
        self.metric = metric
        self.margin = margin
        self.balls = list(balls)
        self.part_names = tuple(part_names)
        parts = len(self.part_names)
        require(parts == 3, f"{parts} names are given for three parts")
        if len(self.points):
            polytope.check_inside(self.points)

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: ArrayLike | None = None,
        y: ArrayLike | None = None,
        *,
        margin: bool = False,
        balls: int = 0,
        part_names: Sequence[str] | None = None,
        grid_resolution: int = 500,
        ax: Axes | None = None,
        **options: Any,
    ) -> SimplexDisplay:
        """Draw the predictions of a fitted classifier in a polygon, and labelled points.

        Parameters
        ----------
        model : fitted classifier
            A `HilbertSVC` or `HilbertNearestClassifier` in a polytope of dimension two, whatever
            its chart; or any that predicts from rows of three parts that sum to one. It is not
            fitted again. For a search, the best estimator is used.
        X : array_like, shape (n, n_features), optional
            Points as the model reads them; without them the regions alone are drawn.
        y : array_like, shape (n,), optional
            Their labels, among the classes of the model.
        margin : bool, default=False
            For a `HilbertSVC` of two classes: grey where a place is closer to the hyperplane than
            `margin_`.
        balls : int, default=0
            For a `HilbertSVC` of two classes: the number of rows of each class, the nearest to
            the hyperplane, about which balls of radius `margin_` are drawn. For a
            `HilbertNearestClassifier` on the simplex any number above 0 draws the ball about each
            representative that just holds the rows of its class.
        part_names : sequence of str, shape (3,), optional
            By default the columns of the data frame of `fit`, or "part 1" and so on.
        grid_resolution : int >= 2, default=500
            Pixels along each side. Costs about half of its square predictions.
        ax : matplotlib Axes, optional
            By default those of a new figure.
        **options
            Passed to `plot`.

        Returns
        -------
        SimplexDisplay

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If the model is not fitted.
        noneuclid.errors.InputError
            If the polytope has not dimension two, a row is not inside, a label is no class of the
            model, or a margin is asked of other models.
        noneuclid.errors.MissingPackage
            If matplotlib is not installed.

        Examples
        --------
        >>> from noneuclid import HilbertNearestClassifier, SimplexDisplay
        >>> X = [[0.7, 0.2, 0.1], [0.6, 0.3, 0.1], [0.1, 0.2, 0.7], [0.1, 0.3, 0.6]]
        >>> model = HilbertNearestClassifier(representative="mean").fit(X, [0, 0, 1, 1])
        >>> display = SimplexDisplay.from_estimator(model, X, [0, 0, 1, 1])
        >>> display.representatives.round(2)
        array([[0.65, 0.25, 0.1 ],
               [0.1 , 0.25, 0.65]])
        """
        model, names = read_classifier(model, "triangle")
        divided = simplex_models.has_hyperplanes(model)
        two_sided = divided and len(names) == 2
        simplex_models.check_extras(model, names, margin, balls)
        polytope = simplex_models.polytope_of(model)
        simplex_models.require_flat(polytope)
        points, labels = np.empty((0, polytope.A.shape[1])), np.empty(0, dtype=int)
        if X is not None or y is not None:
            points, labels = simplex_models.read_points(model, polytope, X, y, names)
        wrong = None
        if len(points):
            wrong = simplex_models.predict_inside(model, points) != np.asarray(names)[labels]
        display = cls(
            polytope,
            points=points,
            labels=labels,
            class_names=names,
            regions=simplex_models.predict_regions(model, Plane(polytope), names, grid_resolution),
            hyperplanes=model.coef_ if divided else (),
            hyperplane_classes=problem_classes(model) if divided else None,
            representatives=simplex_models.find_centres(model, polytope),
            metric=getattr(model, "metric", "hilbert") if two_sided else "hilbert",
            margin=model.margin_ if margin else None,
            wrong=wrong,
            part_names=simplex_models.find_part_names(model) if part_names is None else part_names,
        )
        if balls and two_sided:
            display.balls = display.nearest_balls(model.margin_, balls)
        elif balls:
            display.balls = display.class_balls()
        return display.plot(ax, **options)

    @classmethod
    def from_predictions(
        cls,
        X: ArrayLike,
        y: ArrayLike,
        y_pred: ArrayLike | None = None,
        *,
        polytope: Polytope | None = None,
        part_names: Sequence[str] = PARTS,
        ax: Axes | None = None,
        **options: Any,
    ) -> SimplexDisplay:
        """Draw labelled points, with a ring around those whose prediction is wrong.

        Parameters
        ----------
        X : array_like, shape (n, 3), or (n, d) in another polytope
        y : array_like, shape (n,)
            Labels of any type.
        y_pred : array_like, shape (n,), optional
        polytope : Polytope, optional
            Of dimension two; by default the simplex of three parts.
        part_names : sequence of str, shape (3,), optional
        ax : matplotlib Axes, optional
        **options
            Passed to `plot`.

        Returns
        -------
        SimplexDisplay

        Raises
        ------
        noneuclid.errors.InputError
            If a row is not inside the polytope, or lengths differ.

        Examples
        --------
        >>> from noneuclid import SimplexDisplay
        >>> X = [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]]
        >>> SimplexDisplay.from_predictions(X, ["a", "b"], ["a", "a"]).wrong
        array([False,  True])
        """
        require_package("matplotlib", "report", "plots")
        X, y = read_labelled(X, y)
        if polytope is None:
            polytope = Polytope.simplex(3)
        polytope.check_inside(X)
        names = np.unique(y).tolist()
        wrong = disk_regions.find_wrong(y_pred, y)
        display = cls(
            polytope,
            points=X,
            labels=disk_regions.encode(y.tolist(), names),
            class_names=names,
            wrong=wrong,
            part_names=part_names,
        )
        return display.plot(ax, **options)

    def nearest_balls(self, radius: float, count: int) -> list[tuple[np.ndarray, float, int]]:
        """Balls about the rows of each class that are nearest to the first hyperplane.

        Parameters
        ----------
        radius : float > 0
        count : int
            Rows of each class.

        Returns
        -------
        list of (centre, radius, class)
        """
        segment = self.plane.segment(self.hyperplanes[0])
        apart = self.plane.distances_to(segment, self.metric, self.points)
        found = []
        for code in np.unique(self.labels):
            own = np.flatnonzero(self.labels == code)
            for row in own[np.argsort(apart[own])[:count]]:
                found.append((self.points[row], radius, int(code)))
        return found

    def class_balls(self) -> list[tuple[np.ndarray, float, int]]:
        """Balls about the representatives that just hold the rows of their classes.

        Returns
        -------
        list of (centre, radius, class)
        """
        found = []
        for code, centre in enumerate(self.representatives):
            own = self.points[self.labels == code]
            if len(own):
                far = polytope_distance(centre, own, self.plane.polytope, self.metric).max()
                found.append((centre, float(far), code))
        return found

    def plot(
        self,
        ax: Axes | None = None,
        *,
        hyperplanes: bool = True,
        representatives: bool = True,
        errors: bool = True,
        legend: bool = True,
        title: str = "",
        point_size: float | None = None,
    ) -> SimplexDisplay:
        """Draw on axes.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        hyperplanes, representatives : bool, default=True
            Whether to draw them.
        errors : bool, default=True
            Whether to ring the points whose prediction is wrong.
        legend : bool, default=True
        title : str, default=""
        point_size : float, optional
            Area of a point in square points of print; by default from 7 to 24, less for more.

        Returns
        -------
        self
        """
        ax, drawing = self._open(ax, figsize=(6.0, 4.4), pad=0.25)
        plane = self.plane
        colours = palette.class_colours(len(self.class_names))
        if self.regions is not None:
            drawing.draw_plane_regions(ax, plane, self.regions, colours)
        if self.margin is not None:
            segment = plane.segment(self.hyperplanes[0])
            drawing.draw_band(ax, plane, segment, self.metric, self.margin)
        if hyperplanes:
            for g, code in zip(self.hyperplanes, self.hyperplane_classes, strict=True):
                colour = palette.INK if code is None else colours[code]
                ax.plot(*plane.segment(g).T, color=colour, lw=1.5, zorder=4)
        area = self._area(point_size, 4000, (7, 24))
        places = plane.flat(self.points)
        drawing.draw_classes(ax, places, self.labels, len(colours), area)
        for centre, radius, code in self.balls:
            ball = plane.flat(ball_polygon(centre, radius, plane.polytope, self.metric))
            drawing.draw_ball(ax, ball, plane.flat(centre), colours[code])
        if errors and self.wrong is not None:
            drawing.draw_rings(ax, places[self.wrong], area)
        if representatives:
            for code, place in enumerate(plane.flat(self.representatives)):
                drawing.draw_star(ax, place, colours[code])
        drawing.prepare_polygon(ax, plane, title, self.part_names)
        if legend:
            drawing.draw_legend(ax, self._handles(drawing, hyperplanes, representatives, errors))
        return self

    def _handles(self, drawing, hyperplanes, representatives, errors):
        """Entries of the legend."""
        handles = drawing.class_handles(self.class_names)
        if hyperplanes and len(self.hyperplanes):
            several = self.hyperplane_classes[0] is not None
            handles.append(
                drawing.line_handle("class against the rest" if several else "hyperplane")
            )
        if self.margin is not None:
            handles.append(drawing.band_handle(f"closer than {self.margin:.3g}"))
        if self.balls:
            handles.append(drawing.ball_handle("ball"))
        if representatives and len(self.representatives):
            handles.append(drawing.star_handle("representative"))
        if self._has_errors(errors):
            handles.append(drawing.ring_handle("wrong"))
        return handles
