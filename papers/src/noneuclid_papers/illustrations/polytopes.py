"""Classifiers of Hilbert and Funk geometry in polygons and in the simplex of three parts."""

import numpy as np
from sklearn.base import clone

from noneuclid.classifiers.hilbert_svm import HilbertSVC
from noneuclid.classifiers.polytope_points import to_polytope
from noneuclid.errors import InputError, require
from noneuclid.geometry import charts
from noneuclid.plots import drawing, simplex_models
from noneuclid.plots.planes import Plane
from noneuclid.plots.simplex_display import SimplexDisplay
from noneuclid_compare.report.figures import theme

TITLE = "Hilbert and Funk geometry"
INTRO = (
    "Metric balls in a polygon are polygons whose shape depends on their position. The margin of a "
    "hyperplane is the radius of the largest balls around the points that do not cross it. It is "
    "measured from the point to the hyperplane, because the Funk metrics are not symmetric."
)
TEXTS = {
    "regions": "Decision regions of each classifier, fitted to all rows, and the hyperplanes of "
    "its binary problems (black; that of a class surrounded by others lies at the border). Other "
    "borders of regions are where the scores of two problems are equal. In the corners of the "
    "triangle, one part makes up the whole.",
    "margins": "Hyperplanes with the largest hard margin r between two classes. Grey: points "
    "closer to the hyperplane than r. Outlines: balls of radius r around the nearest points of "
    "each side (rings); the supporting points have balls that touch the hyperplane.",
}
BALLS = 3
PARTS = ("part 0", "part 1", "part 2")
BANDS = drawing.band_handle("closer than r"), drawing.ball_handle("ball of radius r")
NAMES = {"hilbert": "Hilbert", "funk": "Funk", "reverse_funk": "Reverse Funk"}


def draw(points, models, scores, *, classes):
    """Decision regions of fitted classifiers, and margins with balls between two classes.

    Parameters
    ----------
    points : dict of str to Embedded
        One data set.
    models : dict of str to dict
        Kept models, each a `HilbertSVC` in a polytope of dimension two: a panel for each.
    classes : list of str
        Names of two classes that a hyperplane separates.
    scores : None

    Returns
    -------
    dict of str to (Figure, str)
        Figures and captions.

    Raises
    ------
    InputError
        If something else is given.
    """
    require(
        len(points) == 1 and models and len(classes) == 2,
        f"{TITLE}: give one data set under points, methods under models, two names of classes",
    )
    ((name, embedded),) = points.items()
    for one in classes:
        known = ", ".join(embedded.class_names)
        require(
            one in embedded.class_names, f"{TITLE}: {name} has no class {one!r}; it has {known}"
        )
    panels = {path: _panel(path, kept, embedded) for path, kept in models.items()}
    drawn = {
        "regions": draw_regions(panels, embedded),
        "margins": draw_margins(panels, embedded, classes),
    }
    return {name: (figure, TEXTS[name]) for name, figure in drawn.items()}


def _panel(path, kept, embedded):
    """Classifier, its rows in the polytope, and the plane of the polytope."""
    model = kept["estimator"]
    if not isinstance(model, HilbertSVC) or model.polytope_.dimension != 2:
        raise InputError(f"{TITLE}: {path} is no HilbertSVC in a polytope of dimension 2")
    X = charts.convert(embedded.points, embedded.chart, kept["chart"], embedded.curvature)
    _, X = to_polytope(X, model.polytope, kept["chart"], embedded.curvature)
    return model, X, Plane(model.polytope_)


def draw_regions(panels, embedded):
    """Decision regions, rows and hyperplanes of every classifier."""
    figure, axes = _axes(panels, embedded.class_names, embedded.class_names)
    known = [str(name) for name in embedded.class_names]
    for ax, (path, (model, X, plane)) in zip(axes, panels.items(), strict=True):
        codes = simplex_models.predict_regions(model, plane, model.classes_.tolist())
        # A model may have seen some of the classes only.
        codes_of_all = np.array([known.index(str(name)) for name in model.classes_] + [-1])
        SimplexDisplay(
            plane.polytope,
            points=X,
            labels=embedded.labels,
            class_names=embedded.class_names,
            regions=codes_of_all[codes],
            hyperplanes=model.coef_,
            part_names=PARTS,
        ).plot(ax, legend=False, title=f"{path.split('/')[-1]}\n{_metric(model)}")
    return figure


def draw_margins(panels, embedded, classes):
    """The hard margin between two classes, in the metric of every classifier."""
    figure, axes = _axes(panels, embedded.class_names, classes, BANDS)
    codes = [embedded.class_names.index(one) for one in classes]
    rows = np.isin(embedded.labels, codes)
    labels = embedded.labels[rows]
    for ax, (model, X, plane) in zip(axes, panels.values(), strict=True):
        fitted = _hard(model, X[rows], labels == codes[1], classes)
        display = SimplexDisplay(
            plane.polytope,
            points=X[rows],
            labels=labels,
            class_names=embedded.class_names,
            hyperplanes=fitted.coef_,
            metric=model.metric,
            margin=fitted.margin_,
            part_names=PARTS,
        )
        display.balls = display.nearest_balls(fitted.margin_, BALLS)
        display.plot(ax, legend=False, title=f"{_metric(model)}\nr = {fitted.margin_:.3f}")
    return figure


def _hard(model, X, positive, classes):
    fresh = clone(model).set_params(margin="hard", chart="polytope", calibration=None, tol=None)
    try:
        return fresh.fit(X, positive)
    except InputError as error:
        if "separates" not in str(error):
            raise
        raise InputError(
            f"{TITLE}: no hyperplane separates {classes[0]!r} and {classes[1]!r}; name others"
        ) from error


def _metric(model):
    """Metric and polytope, in words."""
    named = model.polytope if isinstance(model.polytope, str) else f"{model.polytope_.m} sides"
    return f"{NAMES[model.metric]} metric, {named}"


def _axes(panels, names, shown, more=()):
    """A figure with at most three panels in a row, and its legend below."""
    columns = 2 if len(panels) == 4 else min(len(panels), 3)
    rows = -(-len(panels) // columns)
    size = np.max([np.ptp(plane.corners, axis=0) for _, _, plane in panels.values()], axis=0)
    height = (3.6 * size[1] / size[0] + 0.5) * rows + 0.5
    figure = theme.new_figure(3.6 * columns + 0.2, height)
    handles = zip(names, drawing.class_handles(names), strict=True)
    handles = [handle for name, handle in handles if name in shown]
    handles += [drawing.line_handle("hyperplane"), *more]
    figure.legend(handles=handles, loc="outside lower center", ncols=6)
    return figure, _first(figure.subplots(rows, columns, squeeze=False), len(panels))


def _first(axes, count):
    """The panels in use; the others are blank."""
    for ax in axes.ravel()[count:]:
        ax.set_axis_off()
    return axes.ravel()[:count]
