"""The hyperplanes that several solvers find for one problem, on the Poincaré disk."""

import textwrap

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle

from noneuclid.experiment import wording
from noneuclid.geometry import charts, lorentz
from noneuclid.reporting import style
from noneuclid.reporting.figures import bounds

_DASHES = ("-", "--", "-.", ":", (0, (7, 2, 1, 2, 1, 2)), (0, (1, 4)))
# As far as the projection of pgd and sdp stays inside the light cone, with room for rounding.
_ON_THE_CONE = 1e-8


def arc(w, size=400):
    """Points of the geodesic <w,x>_L = 0 on the Poincaré disk, from rim to rim.

    In the Klein disk it is the chord between the unit vectors e with u·e = t, w = (t, u).

    Parameters
    ----------
    w : array_like, shape (3,)
        Lorentz normal, time coordinate first.
    size : int

    Returns
    -------
    ndarray, shape (size, 2), or None
        None if w is on the light cone, up to a relative 1e-8, or inside it: no hyperplane.

    Examples
    --------
    >>> arc([0.0, 0.0, 2.0], 3).round(3) + 0.0
    array([[ 1.,  0.],
           [ 0.,  0.],
           [-1.,  0.]])
    >>> arc([1.0, 1.0, 0.0])
    """
    t, u = w[0], np.asarray(w[1:], dtype=float)
    length = np.hypot(*u)
    if not abs(t) < (1.0 - _ON_THE_CONE) * length:
        return None
    middle, half = np.arctan2(u[1], u[0]), np.arccos(t / length)
    ends = np.array([[np.cos(a), np.sin(a)] for a in (middle - half, middle + half)])
    share = 0.5 - 0.5 * np.cos(np.linspace(0.0, np.pi, size))[:, None]
    chord = (1.0 - share) * ends[0] + share * ends[1]
    # √(1 - |chord|²), without the loss of digits near the rim.
    depth = 2.0 * np.sqrt(share * (1.0 - share)) * np.sin(half)
    return chord / (1.0 + depth)


def centred(rows, points, positive):
    """Isometry that carries the place where the classes meet to the origin.

    That is the point of the optimum's hyperplane nearest to the midpoint of the smaller class, or
    that midpoint if there is no hyperplane.

    Parameters
    ----------
    rows, points, positive
        As for `draw`.

    Returns
    -------
    ndarray, shape (3, 3)
        Lorentz matrix, for points and for normals.
    """
    side = positive if 2 * positive.sum() <= len(positive) else ~positive
    centre = lorentz.midpoint(points[side])
    best = rows.loc[rows["kind"] == "optimal", "w"].iloc[0]
    if arc(best) is not None:
        w = np.asarray(best)
        centre = centre - lorentz.product(centre, w) / lorentz.product(w, w) * w
        centre = centre / np.sqrt(-lorentz.product(centre, centre))
    return lorentz.boost(lorentz.from_spatial(-centre[1:]))


def draw(rows, points, positive):
    """The points of one problem, and the hyperplane of each solver as an arc.

    Twice: as the points stand, and carried by an isometry to where the classes meet.

    Parameters
    ----------
    rows : DataFrame
        Of one problem, as `noneuclid.evaluation.optimality_gaps.most_spread` gives them.
    points : ndarray, shape (n, 3)
        On the hyperboloid of curvature -1.
    positive : ndarray of bool, shape (n,)

    Returns
    -------
    Figure
        With a sentence in place of the disks if `rows` is empty.
    """
    figure = Figure(figsize=(9.2, 5.6), layout="constrained")
    if rows.empty:
        figure.text(0.5, 0.5, "no problem in two dimensions", ha="center", color=style.MUTED)
        return figure
    moves = np.eye(3), centred(rows, points, positive)
    titles = "as the points stand", "moved to where the classes meet"
    for ax, move, title in zip(figure.subplots(1, 2), moves, titles, strict=True):
        handles = _draw_disk(ax, rows, points @ move.T, positive, move)
        ax.set_title(title, fontsize=9.5, color=style.INK)
    first = rows.iloc[0]
    problem = wording.plain(first["problem"])
    name = f"{first['dataset']}, {first['embedding']}: {problem}, C = {first['C']:g}"
    figure.suptitle(textwrap.fill(name, 90), fontsize=10.5, color=style.INK)
    figure.legend(handles=handles, loc="outside lower center", ncols=2, frameon=False, fontsize=8.5)
    return figure


def _draw_disk(ax, rows, points, positive, move):
    """One disk with points and arcs; returns the entries of the legend."""
    ax.set_axis_off()
    ax.add_patch(Circle((0, 0), 1, facecolor="none", edgecolor=style.MUTED, lw=0.9, zorder=4))
    disk = charts.convert(points, "hyperboloid", "poincare")
    handles = [_draw_side(ax, disk[positive == side], side) for side in (True, False)]
    others = bounds.looks(rows)
    # Below the others, and first in the legend.
    ordered = rows.sort_values("kind", key=lambda kind: kind != "optimal", kind="stable")
    for k, row in enumerate(ordered.to_dict("records")):
        colour = others.get(row["solver"], (style.INK,))[0]
        line = _draw_arc(
            ax, row["w"], move, colour, _DASHES[k % len(_DASHES)], row["kind"] == "optimal"
        )
        handles.append(line)
        line.set_label(_told(row))
    ax.set(xlim=(-1.02, 1.02), ylim=(-1.02, 1.02), aspect="equal")
    return handles


def _draw_side(ax, disk, positive):
    """Points of one sign, and their entry in the legend."""
    look = {"marker": "o" if positive else "s", "ls": "", "ms": 4, "alpha": 0.75, "mew": 0.3}
    colour = "#56B4E9" if positive else "#E69F00"
    side = "positive" if positive else "negative"
    label = wording.count(len(disk), f"{side} point")
    ax.plot(*disk.T, color=colour, mec=style.edge(colour), rasterized=len(disk) > 2000, **look)
    return Line2D([], [], color=colour, label=label, **look | {"ms": 6})


def _draw_arc(ax, w, move, colour, dashes, wide):
    """Arc of one solver if it has one, and its entry in the legend."""
    if w is None or arc(w) is None:
        return Line2D([], [], ls="")
    line = arc(move @ w)
    look = {"color": colour, "ls": dashes, "lw": 2.6 if wide else 1.7, "zorder": 6 - wide}
    # Carried to the rim by the isometry, it is too far off to be seen.
    ax.plot(*(np.empty((0, 2)) if line is None else line).T, **look)
    return Line2D([], [], **look)


def _told(row):
    """Entry of the legend: solver, objective, and why no arc is drawn if none is."""
    if row["w"] is None:
        return f"{row['solver']}: {row['status']}"
    text = f"{row['solver']}: {row['objective']:.4g}"
    text += " (certified)" if row["kind"] == "optimal" and row["certified"] else ""
    if row["kind"] != "optimal":
        text += f", {bounds.percent(row['above'])} %"
    if arc(row["w"]) is None:
        text += " (horospherical: one label for all points, no line)"
    return text
