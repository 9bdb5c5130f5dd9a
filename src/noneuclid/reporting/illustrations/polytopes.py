"""Classifiers of Hilbert and Funk geometry in polygons and in the simplex of three parts."""

from copy import copy

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Polygon
from sklearn.base import clone

from noneuclid.classifiers.hilbert_svm import HilbertSVC
from noneuclid.classifiers.polytope_points import to_polytope
from noneuclid.errors import InputError, require
from noneuclid.geometry import charts
from noneuclid.geometry.polytope_balls import ball_polygon
from noneuclid.reporting import style
from noneuclid.reporting.figures import theme
from noneuclid.reporting.illustrations.polygon_drawing import TRIANGLE, Plane

TITLE = "Hilbert and Funk geometry"
INTRO = (
    "A metric ball of a polygon is a polygon itself, and its shape depends on where it lies. The "
    "margin of a hyperplane is the radius of the largest balls about the points that do not cross "
    "it; it is measured from the point to the hyperplane, which matters for the Funk metrics."
)
TEXTS = {
    "regions": "What each classifier of the run says, fitted on all rows: its regions and, black, "
    "the hyperplane of each of its binary problems (that of a class amid the others lies at the "
    "rim). Where regions end elsewhere, scores of several problems meet. A corner of a triangle "
    "is all of one part.",
    "margins": "Hyperplanes of largest margin r between two classes alone, hard margins whatever "
    "margin the classifiers above have. Grey: places closer to the "
    "hyperplane than r. Outlines: balls of radius r about the nearest points of either side, "
    "ringed; those that decide touch the hyperplane.",
}
BALLS = 3
BAND = "#d9dee4"
BANDS = (
    Patch(fc=BAND, ec=style.MUTED, label="closer than r"),
    Line2D([], [], ls="", marker="h", ms=11, mfc="none", mec=style.INK, label="ball of radius r"),
)
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
    colours = style.class_colours(len(embedded.class_names))
    for ax, (path, (model, X, plane)) in zip(axes, panels.items(), strict=True):
        inside, extent = plane.pixels()
        # The classifier reads another chart, which need not reach the corners of the polytope.
        seen = copy(model).set_params(chart="polytope")
        seen.n_features_in_ = X.shape[1]
        image = np.ones((*inside.shape[:2], 3))
        there = ~np.isnan(inside[..., 0])
        codes = [embedded.class_names.index(str(one)) for one in seen.predict(inside[there])]
        image[there] = np.array([to_rgb(style.tint(colour)) for colour in colours])[codes]
        shown = ax.imshow(image, extent=extent, origin="lower", zorder=0)
        shown.set_clip_path(Polygon(plane.corners, transform=ax.transData))
        for g in model.coef_:
            ax.plot(*plane.segment(g).T, color=style.INK, lw=1.3, zorder=3)
        _draw_rows(ax, plane.flat(X), embedded.labels, colours)
        _finish(ax, plane, f"{path.split('/')[-1]}\n{_metric(model)}")
    return figure


def draw_margins(panels, embedded, classes):
    """The hard margin between two classes, in the metric of every classifier."""
    figure, axes = _axes(panels, embedded.class_names, classes, BANDS)
    codes = [embedded.class_names.index(one) for one in classes]
    rows = np.isin(embedded.labels, codes)
    labels, colours = embedded.labels[rows], style.class_colours(len(embedded.class_names))
    for ax, (model, X, plane) in zip(axes, panels.values(), strict=True):
        X = X[rows]
        fitted = _hard(model, X, labels == codes[1], classes)
        segment, radius = plane.segment(fitted.coef_[0]), fitted.margin_
        mesh = plane.mesh()
        apart = plane.distances_to(segment, model.metric, plane.lift(mesh.reshape(-1, 2)))
        field = *mesh.transpose(2, 0, 1), apart.reshape(mesh.shape[:2])
        ax.contourf(*field, [0, radius], colors=[BAND], zorder=0)
        ax.contour(*field, [radius], colors=[style.MUTED], linewidths=0.9, zorder=1)
        ax.plot(*segment.T, color=style.INK, lw=1.6, zorder=4)
        _draw_rows(ax, plane.flat(X), labels, colours)
        nearest = plane.distances_to(segment, model.metric, X)
        for code in codes:
            own = np.flatnonzero(labels == code)
            for row in own[np.argsort(nearest[own])[:BALLS]]:
                ball = ball_polygon(X[row], radius, model.polytope_, model.metric)
                ax.add_patch(
                    Polygon(plane.flat(ball), fill=False, ec=colours[code], lw=1.5, zorder=3)
                )
                ax.plot(*plane.flat(X[row]), marker="o", ms=7, mfc="none", mec=style.INK, zorder=5)
        _finish(ax, plane, f"{_metric(model)}\nr = {radius:.3f}")
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
    figure = Figure(figsize=(3.6 * columns + 0.2, height))
    handles = zip(names, theme.class_handles(names), strict=True)
    handles = [handle for name, handle in handles if name in shown]
    handles += [Line2D([], [], color=style.INK, lw=1.5, label="hyperplane"), *more]
    figure.legend(handles=handles, loc="outside lower center", ncols=6)
    return figure, _first(figure.subplots(rows, columns, squeeze=False), len(panels))


def _first(axes, count):
    """The panels in use; the others are blank."""
    for ax in axes.ravel()[count:]:
        ax.set_axis_off()
    return axes.ravel()[:count]


def _draw_rows(ax, places, labels, colours):
    area = float(np.clip(4000 / len(places), 7, 24))
    theme.draw_classes(ax, places, labels, len(colours), area)


def _finish(ax, plane, title):
    ax.add_patch(Polygon(plane.corners, fill=False, ec=style.INK, lw=1.0, zorder=6))
    if plane.polytope.is_simplex:
        for part, (place, below) in enumerate(zip(TRIANGLE, (True, True, False), strict=True)):
            ax.annotate(f"part {part}", place, xytext=(0, -4 if below else 4), ha="center",
                        va="top" if below else "bottom", textcoords="offset points", fontsize=9,
                        color=style.MUTED)  # fmt: skip
    ax.set_axis_off()
    pad = 0.02 * np.ptp(plane.corners, axis=0)
    low, high = plane.corners.min(axis=0) - pad, plane.corners.max(axis=0) + pad
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    # The label of the upper corner is between.
    ax.set_title(title, pad=20 if plane.polytope.is_simplex else 6)
