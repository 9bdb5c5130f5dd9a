"""The hyperplanes that several solvers find for one problem, on the Poincaré disk."""

import textwrap

import numpy as np
from matplotlib.lines import Line2D

from noneuclid.geometry import charts, lorentz
from noneuclid.plots import curves, drawing, palette
from noneuclid_compare import wording
from noneuclid_compare.report.figures import theme
from noneuclid_compare.report.figures.page_figures import PageFigure
from noneuclid_compare.report.names import Names, capital
from noneuclid_papers.figures import bounds

CAPTION = (
    "Hyperplane and objective of each solver for one problem, on the Poincaré disk. Among the "
    "two-dimensional problems whose optimum is a hyperplane, the objectives differ most in this "
    "one. Objectives also depend on the norm of w, which the lines do not show."
)

_DASHES = ("-", "--", "-.", ":", (0, (7, 2, 1, 2, 1, 2)), (0, (1, 4)))


def centre_boundary(rows, points, positive):
    """Isometry, shape (3, 3), that carries the place where the classes meet to the origin.

    That is the point of the optimum's hyperplane nearest to the midpoint of the smaller class, or
    that midpoint if there is no hyperplane.
    """
    side = positive if 2 * positive.sum() <= len(positive) else ~positive
    centre = lorentz.midpoint(points[side])
    best = rows.loc[rows["kind"] == "optimal", "w"].iloc[0]
    if curves.trace(best) is not None:
        w = np.asarray(best)
        centre = centre - lorentz.product(centre, w) / lorentz.product(w, w) * w
        centre = centre / np.sqrt(-lorentz.product(centre, centre))
    return lorentz.boost(lorentz.from_spatial(-centre[1:]))


def draw_hyperplanes(rows, points, positive, names=None, held_out=None):
    """The points of one problem, and the hyperplane of each solver as an arc, twice.

    On the left the points are where they are; on the right an isometry carries the place where
    the classes meet to the origin. `rows` is of one problem, as
    `evaluation.optimality_gaps.most_spread` gives it; if it is empty, a sentence replaces the
    disks. `points`, shape (n, 3), are on the hyperboloid of curvature -1; those in the mask
    `held_out` are triangles.
    """
    held_out = np.zeros(len(points), dtype=bool) if held_out is None else held_out
    figure = theme.new_figure(9.2, 5.6)
    if rows.empty:
        figure.text(0.5, 0.5, "no problem in two dimensions", ha="center", color=palette.MUTED)
        return figure
    moves = np.eye(3), centre_boundary(rows, points, positive)
    titles = "original position", "centred where the classes meet"
    names = names or Names()
    for ax, move, title in zip(figure.subplots(1, 2), moves, titles, strict=True):
        handles = _draw_disk(ax, rows, points @ move.T, positive, held_out, move, names)
        drawing.prepare_disk(ax, title)
    first = rows.iloc[0]
    problem = palette.plain(first["problem"])
    pair = ", ".join(names.pair(first["dataset"], first["embedding"]))
    name = f"{pair}: {problem}, C = {first['C']:g}"
    figure.suptitle(textwrap.fill(name, 90), fontsize=10.5, color=palette.INK)
    figure.legend(handles=handles, loc="outside lower center", ncols=2)
    return figure


def _draw_disk(ax, rows, points, positive, held_out, move, names):
    """One disk with points and arcs; returns the entries of the legend."""
    disk = charts.convert(points, "hyperboloid", "poincare")
    handles = [_draw_side(ax, disk[(positive == side) & ~held_out], side) for side in (True, False)]
    handles += [
        _draw_side(ax, disk[(positive == side) & held_out], side, True)
        for side in (True, False)
        if held_out.any()
    ]
    others = bounds.assign_looks(rows)
    # Below the others, and first in the legend.
    ordered = rows.sort_values("kind", key=lambda kind: kind != "optimal", kind="stable")
    for k, row in enumerate(ordered.to_dict("records")):
        colour = others.get(row["solver"], (palette.INK,))[0]
        line = _draw_arc(
            ax, row["w"], move, colour, _DASHES[k % len(_DASHES)], row["kind"] == "optimal"
        )
        handles.append(line)
        line.set_label(_describe(row, names))
    return handles


def _draw_side(ax, disk, positive, held_out=False):
    """Points of one sign, and their entry in the legend."""
    marker = "^" if held_out else "o" if positive else "s"
    look = {"marker": marker, "ls": "", "ms": 4, "alpha": 0.75, "mew": 0.3}
    colour = "#56B4E9" if positive else "#E69F00"
    side = ("held-out " if held_out else "") + ("positive" if positive else "negative")
    label = wording.count(len(disk), f"{side} point")
    ax.plot(*disk.T, color=colour, mec=palette.edge(colour), rasterized=len(disk) > 2000, **look)
    return Line2D([], [], color=colour, label=label, **look | {"ms": 6})


def _draw_arc(ax, w, move, colour, dashes, wide):
    """Arc of one solver if it has one, and its entry in the legend."""
    if w is None or curves.trace(w) is None:
        return Line2D([], [], ls="")
    line = curves.trace(move @ w)
    look = {"color": colour, "ls": dashes, "lw": 2.6 if wide else 1.7, "zorder": 6 - wide}
    # Carried to the rim by the isometry, it is too far off to be seen.
    ax.plot(*(np.empty((0, 2)) if line is None else line).T, **look)
    return Line2D([], [], **look)


def _describe(row, names):
    """Entry of the legend: solver, objective, and why no arc is drawn if none is."""
    if row["w"] is None:
        return f"{capital(names.solver(row['solver']))}: {row['status']}"
    text = f"{capital(names.solver(row['solver']))}: {row['objective']:.4g}"
    text += " (certified)" if row["kind"] == "optimal" and row["certified"] else ""
    if row["kind"] != "optimal":
        text += f", {bounds.percent(row['above'])} %"
    if curves.trace(row["w"]) is None:
        text += " (horospherical: one label for all points, no line)"
    return text


FIGURE = PageFigure(draw_hyperplanes, CAPTION, "hyperplanes.tsv")
