"""The reference point of the Poincaré SVM, seen in two classes of one data set."""

import numpy as np
from matplotlib.lines import Line2D

from noneuclid.classifiers.poincare_svm import PoincareSVC
from noneuclid.errors import InputError, require
from noneuclid.geometry import lorentz, tangent
from noneuclid.plots import curves, drawing, palette
from noneuclid_compare import wording
from noneuclid_compare.report.figures import theme
from noneuclid_papers.statistics.reference_points import line, scene

TITLE = "Reference points"
INTRO = (
    "The Poincaré SVM maps the points to the tangent space at a reference point p. The figures "
    "show the effect of p on two classes of a two-dimensional data set."
)
TEXTS = {
    "log_maps": "As in pan2023, figure 5: the same points in the tangent spaces at the origin and "
    "at the reference point p, in units of hyperbolic distance. The boundary of the Poincaré SVM "
    "through p is straight in the tangent space at p only.",
    "closest_pair": "As in pan2023, figure 6: convex hulls of two classes with geodesic edges; "
    "{pair}, and the midpoint p of their geodesic.",
    "boundaries": "As in pan2023, figure 7. Left: boundary of the Poincaré SVM for each choice of "
    "the reference point (rings). Right: points within hyperbolic distance ε of the boundary "
    "through p. The bands have constant hyperbolic width; their edges are not geodesics.",
    "hyperboloid": "As in pan2023, figure 9a: the same points on the hyperboloid; the boundary is "
    "its intersection with a plane through the origin. At distances above {reach:.1f} from the "
    "lowest point, {hidden} omitted.",
}
LINES = ("#000000", "#D55E00", "#009E73", "#8000E0")
DASHES = ("-", "--", "-.", ":")
MARGINS = (0.2, 0.5, 1.0)


def draw(points, models, scores, *, classes):
    """Figures 5, 6, 7 and 9a of pan2023 for two classes.

    Parameters
    ----------
    points : dict of str to Embedded
        One data set, in two dimensions.
    models : dict of str to dict
        One kept model, a `PoincareSVC`: its settings are used.
    classes : list of str
        Names of two classes.
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
        len(points) == len(models) == 1 and len(classes) == 2,
        f"{TITLE}: give one data set under points, one method under models, two names of classes",
    )
    ((name, kept),) = models.items()
    if not isinstance(kept["estimator"], PoincareSVC):
        raise InputError(f"{TITLE}: {name} is no PoincareSVC; name one that is")
    shown = scene(*points.values(), classes, kept["estimator"])
    texts = captions(shown)
    drawn = {
        "log_maps": draw_log_maps(shown),
        "closest_pair": draw_closest_pair(shown),
        "boundaries": draw_boundaries(shown),
        "hyperboloid": draw_hyperboloid(shown),
    }
    return {name: (figure, texts[name]) for name, figure in drawn.items()}


def captions(scene):
    """Caption of each figure, by its name."""
    pair = "their closest pair"
    if scene.overlap:
        pair = "they overlap, so there is no closest pair: the nearest of their vertices"
    reach = _reach(scene)
    far = int((scene.points[:, 0] > np.cosh(reach)).sum())
    hidden = f"{wording.count(far, 'point')} {'is' if far == 1 else 'are'}"
    values = {"pair": pair, "reach": reach, "hidden": hidden}
    return {name: text.format(**values) for name, text in TEXTS.items()}


def draw_log_maps(scene):
    """The points in the tangent spaces at the origin and at p."""
    figure, axes = _two_panels(scene)
    point, normal = _main_plane(scene)
    origin = lorentz.origin(2)
    boundary = line(point, normal)
    titles = "$T_0$: seen from the origin", "$T_p$: seen from the reference point"
    for ax, base, title in zip(axes, (origin, point), titles, strict=True):
        seen = tangent.flatten(scene.points, base)
        _draw_classes(ax, seen, scene)
        ax.plot(*tangent.flatten(boundary, base).T, color=palette.INK, lw=1.4, zorder=3)
        drawing.draw_mark(ax, tangent.flatten(point, base), "p")
        drawing.draw_mark(ax, tangent.flatten(origin, base), "0", "P", (-14, -14))
        size = 1.08 * np.abs(seen).max()
        ax.set(xlim=(-size, size), ylim=(-size, size), aspect="equal")
        ax.axhline(0, color=palette.RULE, lw=0.8, zorder=0)
        ax.axvline(0, color=palette.RULE, lw=0.8, zorder=0)
        ax.grid(visible=False)
        ax.set_title(title)
    return figure


def draw_closest_pair(scene):
    """Hulls of the classes; then the closest pair and its midpoint."""
    figure, axes = _two_panels(scene)
    titles = "convex hulls", "closest pair and its midpoint p"
    if scene.overlap:
        titles = titles[0], "nearest vertices and their midpoint p"
    for ax, title in zip(axes, titles, strict=True):
        drawing.prepare_disk(ax, title)
        for side, corners in enumerate(scene.corners):
            _draw_hull(ax, corners, _look(scene, side)["color"])
    _draw_classes(axes[0], _disk(scene.points), scene)
    between = _disk(lorentz.geodesic(*scene.pair, np.linspace(0, 1, 60)))
    axes[1].plot(*between.T, color=palette.INK, lw=1.6, ls="--")
    for side, end in enumerate(_disk(scene.pair)):
        axes[1].plot(*end, ms=6, zorder=5, **_look(scene, side) | {"mec": palette.INK, "mew": 0.8})
    drawing.draw_mark(axes[1], _disk(scene.reference), "p")
    return figure


def draw_boundaries(scene):
    """Boundaries for several reference points; bands of several margins around one of them."""
    figure, (left, right) = _two_panels(scene)
    drawing.prepare_disk(left, "boundaries for several reference points")
    _draw_classes(left, _disk(scene.points), scene, faint=True)
    looks = zip(scene.planes.items(), LINES, DASHES, strict=False)
    for k, ((rule, (point, normal)), colour, dashes) in enumerate(looks):
        left.plot(*curves.trace(normal).T, color=colour, ls=dashes, lw=1.6, label=rule)
        # Rings, each smaller than the one before: points that coincide all show.
        left.plot(*_disk(point), marker="o", mfc="none", mec=colour, mew=1.8, ms=14 - 3 * k,
                  zorder=5)  # fmt: skip
    left.legend(loc="upper center", bbox_to_anchor=(0.5, -0.02), ncols=2,
                )  # fmt: skip
    drawing.prepare_disk(right, "points within ε of the boundary through p")
    point, normal = _main_plane(scene)
    apart = np.abs(np.arcsinh(lorentz.product(scene.points, normal)))
    for margin, strength in zip(MARGINS[::-1], (0.15, 0.3, 0.5), strict=True):
        upper, lower = (curves.trace(normal, side * margin) for side in (1, -1))
        label = f"ε = {margin:g}: {wording.count((apart < margin).sum(), 'point')}"
        colour = palette.tint("#0072B2", strength)
        right.fill(*np.vstack([upper, lower[::-1]]).T, color=colour, lw=0, label=label)
    _draw_classes(right, _disk(scene.points), scene, faint=True)
    right.plot(*curves.trace(normal).T, color=palette.INK, lw=1.6)
    drawing.draw_mark(right, _disk(point), "p")
    right.legend(*(part[::-1] for part in right.get_legend_handles_labels()), loc="upper center",
                 bbox_to_anchor=(0.5, -0.02), ncols=3)  # fmt: skip
    return figure


def draw_hyperboloid(scene):
    """The sheet of the hyperboloid, the points and the plane that cuts it."""
    figure = theme.new_figure(5.6, 5.0)
    ax = figure.add_subplot(projection="3d", computed_zorder=False)
    reach = _reach(scene)
    distance, angle = np.meshgrid(np.linspace(0, reach, 40), np.linspace(0, 2 * np.pi, 73))
    sheet = np.sinh(distance) * np.cos(angle), np.sinh(distance) * np.sin(angle), np.cosh(distance)
    ax.plot_surface(*sheet, color="#c9d3dd", alpha=0.35, lw=0, rstride=1, cstride=1)
    boundary = _upright(line(*_main_plane(scene)), reach)
    # The plane, as the triangle of 0 and the ends of the boundary.
    ax.plot_trisurf(*np.vstack([boundary[[0, -1]], np.zeros(3)]).T, color=palette.MUTED, alpha=0.35)
    for side in (0, 1):
        points = _upright(scene.points[scene.positive == side], reach)
        ax.plot(*points.T, ls="", ms=3, rasterized=True, zorder=3, **_look(scene, side))
    ax.plot(*boundary.T, color=palette.INK, lw=1.8, zorder=4)
    ax.locator_params(nbins=4)
    ax.set(xlabel="$x_1$", ylabel="$x_2$", zlabel="$x_0$")
    ax.zaxis.set_rotate_label(False)
    ax.tick_params(labelsize=7.5)
    # Not along the plane, nor across it.
    normal = _main_plane(scene)[1]
    ax.view_init(elev=18, azim=float(np.degrees(np.arctan2(normal[2], normal[1]))) + 60.0)
    _name_classes(figure, scene)
    return figure


def _reach(scene):
    """How far the sheet is shown: to nine tenths of the points, and beyond p."""
    near = np.quantile(np.arccosh(scene.points[:, 0]), 0.9)
    return float(max(near, np.arccosh(_main_plane(scene)[0][0]) + 0.5))


def _upright(points, reach):
    """Points up to `reach` from the lowest, time coordinate last."""
    return np.roll(points[points[:, 0] <= np.cosh(reach)], -1, axis=1)


def _main_plane(scene):
    """Reference point and normal by the hulls, the first rule."""
    return next(iter(scene.planes.values()))


def _two_panels(scene):
    figure = theme.new_figure(9.2, 5.2)
    _name_classes(figure, scene)
    return figure, figure.subplots(1, 2)


def _name_classes(figure, scene):
    """Legend of the two classes."""
    handles = []
    for side, name in enumerate(scene.class_names):
        label = f"{palette.plain(name)}: {wording.count((scene.positive == side).sum(), 'point')}"
        handles.append(Line2D([], [], ls="", ms=6, label=label, **_look(scene, side)))
    figure.legend(handles=handles, loc="outside lower center", ncols=2)


def _look(scene, side):
    """Marker of the first or second class: that of all figures of the data set."""
    code = scene.codes[side]
    colour, marker = palette.class_colours(code + 1)[code], palette.class_markers(code + 1)[code]
    return {"marker": marker, "color": colour, "mec": palette.edge(colour), "mew": 0.3}


def _disk(points):
    return points[..., 1:] / (1.0 + points[..., :1])


def _draw_classes(ax, places, scene, faint=False):
    size = float(np.clip(90 / np.sqrt(len(places)), 2.5, 5))
    for side in (0, 1):
        ax.plot(
            *places[scene.positive == side].T, ls="", ms=size, alpha=0.55 if faint else 0.9,
            rasterized=len(places) > 2000, **_look(scene, side),
        )  # fmt: skip


def _draw_hull(ax, corners, colour):
    """Hull filled, its edges geodesics."""
    share = np.linspace(0, 1, 40)
    ends = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    edge = np.vstack([_disk(lorentz.geodesic(a, b, share)) for a, b in ends])
    ax.fill(*edge.T, facecolor=palette.tint(colour, 0.25), edgecolor=palette.INK, lw=1.1, zorder=1)
