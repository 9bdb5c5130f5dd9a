"""Distances, balls and separators of balls in a polygon: drawings, without data."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from noneuclid.classifiers.hilbert_svm import HilbertSVC
from noneuclid.errors import InputError, require
from noneuclid.geometry.polytope import Polytope
from noneuclid.geometry.polytope_balls import ball_polygon
from noneuclid.geometry.polytope_metrics import METRICS, polytope_distance
from noneuclid.plots import palette
from noneuclid.plots.planes import Plane

TITLE = "Distances and balls of a polygon"
INTRO = "Hilbert and Funk metrics of a convex polygon, drawn from their definitions."
TEXTS = {
    "chord": "The line through p and q leaves the polygon at p' and q'. The Funk distance from p "
    "to q, {funk:.3f}, is log |p q'| / |q q'|; the reverse one, {reverse_funk:.3f}, is log |q p'| "
    "/ |p p'|; the Hilbert distance, {hilbert:.3f}, is their mean.",
    "balls": "Balls of radius {radius:g} around the same point p. Thin lines bound the balls. A "
    "Funk ball is a scaled copy of the polygon; a Hilbert ball of a polygon with m sides has up "
    "to m (m - 1) sides, here {sides}.",
    "separator": "The line K separates Hilbert balls of radius {radius:g}. Dashed: tangent lines "
    "of the balls, parallel to K, each between K and its ball; the upper two nearly coincide. One "
    "of them, K_B, touches its ball where the sides S1 and S2 meet. Its normal is {factors[0]:.2f} "
    "times that of S1 plus {factors[1]:.2f} times that of S2, all of length 1, those of the sides "
    "into the ball. Factors are never negative.",
    "side": "How a line that bounds a Hilbert ball is found: a line through p meets the sides L_j "
    "and L_k of the polygon; S = {alpha:.3f} L_j - {rest:.3f} L_k (eq. 11) crosses it at distance "
    "{radius:g} from p, on the side of L_j (eq. 12), and supports the ball.",
}
NAMES = {"funk": "Funk", "reverse_funk": "reverse Funk", "hilbert": "Hilbert"}
CORNERS = ((0.0, 0.3), (0.45, 0.0), (1.0, 0.2), (0.9, 0.8), (0.3, 0.9))
POSITIVE, NEGATIVE = ((0.3, 0.65), (0.55, 0.7)), ((0.45, 0.2), (0.75, 0.35))
COLOUR, OTHER = "#0072B2", "#D55E00"


def draw(points, models, scores, *, corners=CORNERS, p=(0.4, 0.45), q=(0.66, 0.4), radius=0.3):
    """Draw a chord, a ball of each metric, and a line between Hilbert balls of two classes.

    Parameters
    ----------
    points, models : dict
        None.
    corners : sequence of points
        Of a convex polygon, against the clock.
    p, q : pairs of float
        Points inside.
    radius : float, default=0.3
    scores : None

    Returns
    -------
    dict of str to (Figure, str)
        `chord`, `balls`, `side`, and `separator`, which depends on no parameter.

    Raises
    ------
    InputError
        If corners are no convex polygon against the clock, or a point is not inside.
    """
    polytope = polygon(corners)
    p, q = (np.array(place, dtype=float) for place in (p, q))
    polytope.check_inside(np.array([p, q]))
    distances = {metric: polytope_distance(p, q, polytope, metric) for metric in METRICS}
    balls = {metric: ball_polygon(p, radius, polytope, metric) for metric in NAMES}
    chord, shown = draw_chord(polytope, p, q), draw_balls(polytope, p, balls)
    text = TEXTS["balls"].format(radius=radius, sides=len(balls["hilbert"]))
    return {
        "chord": (chord, TEXTS["chord"].format(**distances)),
        "balls": (shown, text),
        "separator": draw_separator(polygon(CORNERS)),
        "side": draw_side(polytope, p, radius, balls["hilbert"]),
    }


def polygon(corners):
    """The polygon with the given corners.

    Examples
    --------
    >>> polygon([[0, 0], [1, 0], [0, 1]]).facet_values(np.array([[0.25, 0.25]])).round(2)
    array([[0.25, 0.35, 0.25]])
    """
    corners = np.array(corners, dtype=float)
    require(corners.ndim == 2 and corners.shape[1:] == (2,), f"{TITLE}: corners are not points")
    sides = np.roll(corners, -1, axis=0) - corners
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    if len(corners) < 3 or not (turns > 0).all():
        raise InputError(f"{TITLE}: give corners of a convex polygon, against the clock")
    normals = np.column_stack([-sides[:, 1], sides[:, 0]])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return Polytope(normals, -(normals * corners).sum(axis=1))


def line_through(p, q):
    """Coefficients g = (c, w) of the line c + w.x = 0 through two points.

    Examples
    --------
    >>> line_through(np.array([0.0, 1.0]), np.array([1.0, 1.0])).tolist()
    [1.0, 0.0, -1.0]
    """
    normal = np.array([q[1] - p[1], p[0] - q[0]])
    return np.array([-normal @ p, *normal])


def draw_chord(polytope, p, q):
    """The chord through two points, and its ends."""
    figure = Figure(figsize=(4.6, 4.4))
    ax, plane = figure.subplots(), Plane(polytope)
    ends = plane.segment(line_through(p, q))
    before, behind = ends[np.argsort((ends - p) @ (q - p))]
    ax.plot(*ends.T, color=palette.MUTED, lw=1.2, zorder=2)
    ax.plot(*np.array([p, q]).T, color=COLOUR, lw=2.4, zorder=3)
    for name, place in {"p'": before, "p": p, "q": q, "q'": behind}.items():
        _mark(ax, place, name)
    _finish(ax, plane)
    return figure


def draw_balls(polytope, p, balls):
    """A ball of each metric, with the lines that bound it."""
    figure = Figure(figsize=(3.6 * len(balls), 3.8))
    plane = Plane(polytope)
    for ax, (metric, ball) in zip(figure.subplots(1, len(balls)), balls.items(), strict=True):
        for start, end in zip(ball, np.roll(ball, -1, axis=0), strict=True):
            ax.plot(
                *plane.segment(line_through(start, end)).T, color=palette.MUTED, lw=0.7, zorder=1
            )
        ax.add_patch(Polygon(ball, fc=palette.tint(COLOUR), ec=COLOUR, lw=1.6, zorder=2))
        _mark(ax, p, "p")
        _finish(ax, plane)
        ax.set_title(f"{NAMES[metric]}: {len(ball)} sides")
    return figure


def tangent(ball, w):
    """Corner of a ball where w.x is least, the lines of its two sides, and w by their normals.

    The ball has corners (k, 2) against the clock. Normals of the lines, (2, 3), have length 1 and
    point into the ball, so that no coefficient, (2,), is negative.

    Examples
    --------
    >>> corner, sides, y = tangent(np.array([[0.0, 0], [1, 0], [0, 1]]), np.array([2.0, 3.0]))
    >>> corner.tolist(), y.round(2).tolist()
    ([0.0, 0.0], [2.0, 3.0])
    """
    k = np.argmin(ball @ w)
    before, corner, behind = ball[k - 1], ball[k], ball[(k + 1) % len(ball)]
    sides = -np.array([line_through(before, corner), line_through(corner, behind)])
    sides /= np.linalg.norm(sides[:, 1:], axis=1, keepdims=True)
    return corner, sides, np.linalg.solve(sides[:, 1:].T, w)


def draw_separator(polytope, radius=0.3):
    """Hilbert balls of two classes, the separator K, each K_B, and the sides behind one of them.

    Returns the figure and its caption.
    """
    figure = Figure(figsize=(4.6, 4.4))
    ax, plane = figure.subplots(), Plane(polytope)
    X, y = np.array([*POSITIVE, *NEGATIVE]), [1, 1, -1, -1]
    line = HilbertSVC(polytope=polytope, margin="hard", chart="polytope").fit(X, y).coef_[0]
    line /= np.linalg.norm(line[1:])
    _name(ax, plane.segment(line), "K", X[0], color=palette.INK, lw=2.0, zorder=3)
    for p, side in zip(X, y, strict=True):
        ball = ball_polygon(p, radius, polytope, "hilbert")
        corner, sides, factors = tangent(ball, side * line[1:])
        parallel = plane.segment(np.r_[-line[1:] @ corner, line[1:]])
        look = {"color": COLOUR if side > 0 else OTHER, "ls": "--", "lw": 1.2, "zorder": 2}
        ax.add_patch(
            Polygon(ball, fc=palette.tint(look["color"]), ec=look["color"], lw=1.4, zorder=2)
        )
        if np.array_equal(p, X[0]):
            shown = factors
            _name(ax, parallel, "$K_B$", corner, **look)
            for name, one in zip(("$S_1$", "$S_2$"), sides, strict=True):
                _name(ax, plane.segment(one), name, corner, color=palette.MUTED, lw=1.0, zorder=1)
        else:
            ax.plot(*parallel.T, **look)
    _finish(ax, plane)
    return figure, TEXTS["separator"].format(radius=radius, factors=shown)


def supporting_line(polytope, p, radius, j, k):
    """Coefficients (c, w) of S = α L_j - (1 - α) L_k, below zero beyond it, and α (eqs. 11, 12).

    Examples
    --------
    >>> triangle = polygon([[0, 0], [1, 0], [0, 1]])
    >>> g, alpha = supporting_line(triangle, np.array([0.25, 0.25]), np.log(3) / 2, 0, 2)
    >>> g.round(2).tolist(), round(float(alpha), 2)
    ([0.0, -0.25, 0.75], 0.75)
    """
    A, b = polytope.facets[:2]
    values = polytope.facet_values(p[None])[0]
    odds = np.exp(2.0 * radius) * values[k] / values[j]  # α / (1 - α)
    alpha = odds / (1.0 + odds)
    sides = np.column_stack([b, A])
    return alpha * sides[j] - (1.0 - alpha) * sides[k], alpha


def draw_side(polytope, p, radius, ball):
    """Construction of one line that bounds a Hilbert ball, between two sides of the polygon.

    Returns the figure and its caption.
    """
    figure = Figure(figsize=(4.6, 4.4))
    ax, plane = figure.subplots(), Plane(polytope)
    on_sides = np.abs(polytope.facet_values(plane.corners)) < 1e-9  # the two corners of each side
    start = plane.corners[on_sides[:, 0]].mean(axis=0)
    ends = plane.segment(line_through(start, p))
    end = ends[np.argmax((ends - start) @ (p - start))]
    k = int(np.argmin(polytope.facet_values(end[None])[0]))
    line, alpha = supporting_line(polytope, p, radius, 0, k)
    values = line[0] + np.array([start, p]) @ line[1:]
    crossing = start + values[0] / (values[0] - values[1]) * (p - start)
    ax.add_patch(Polygon(ball, fc=palette.tint(COLOUR), ec=COLOUR, lw=1.4, zorder=2))
    ax.plot(*np.array([start, end]).T, color=palette.MUTED, lw=1.2, zorder=2)
    _name(ax, plane.segment(line), "S", crossing, color=COLOUR, lw=2.0, zorder=3)
    for name, side in (("$L_j$", 0), ("$L_k$", k)):
        _name(ax, plane.corners[on_sides[:, side]], name, crossing, color=OTHER, lw=2.4, zorder=4)
    _mark(ax, p, "p")
    _mark(ax, crossing, "")
    _finish(ax, plane)
    return figure, TEXTS["side"].format(alpha=alpha, rest=1.0 - alpha, radius=radius)


def _name(ax, ends, name, place, **look):
    """A line within the polygon, its name at the end farther from `place`."""
    ax.plot(*ends.T, **look)
    end = ends[np.argmax(np.linalg.norm(ends - place, axis=1))]
    ax.annotate(name, end, xytext=(5, 2), textcoords="offset points")


def _mark(ax, place, name):
    ax.plot(*place, marker="o", ms=5, color=palette.INK, zorder=4)
    ax.annotate(name, place, xytext=(5, 5), textcoords="offset points", fontsize=10, zorder=5)


def _finish(ax, plane):
    ax.add_patch(Polygon(plane.corners, fill=False, ec=palette.INK, lw=1.2, zorder=3))
    pad = 0.08 * np.ptp(plane.corners, axis=0)
    low, high = plane.corners.min(axis=0) - pad, plane.corners.max(axis=0) + pad
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    ax.set_axis_off()
