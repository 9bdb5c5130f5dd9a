"""What the displays and the report draw with: disks, regions, classes, polygons.

The only module of `noneuclid.plots` that, with `tree_diagrams`, imports matplotlib as it loads.
"""

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch, Polygon
from matplotlib.patheffects import withStroke

from noneuclid.plots import palette, rasters
from noneuclid.plots.planes import TRIANGLE

BAND = "#d9dee4"
MARK = "#D55E00"
_LONGEST = 40  # letters of a class in a legend
_ENTRIES = 20  # of a column of a legend


def new_axes(count=1, pad=0.04, rows=1, **settings):
    """Axes of a new figure of pyplot, which a notebook shows; several in an array.

    `pad`, in inches, is the room at the left and right of each.
    """
    figure, axes = plt.subplots(rows, count, layout="constrained", **settings)
    figure.get_layout_engine().set(w_pad=pad)
    return axes


def draw_legend(ax, handles):
    """A legend at the right of the axes, in columns if there are many entries."""
    ax.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False,
              handletextpad=0.4, fontsize=8.5, ncols=-(-len(handles) // _ENTRIES))  # fmt: skip


def draw_figure_legend(figure, handles):
    """A legend below all axes of a figure of constrained layout."""
    figure.legend(handles=handles, loc="outside lower center", frameon=False, handletextpad=0.4,
                  fontsize=8.5, ncols=legend_columns(figure.get_figwidth(), handles))  # fmt: skip


def legend_columns(width, handles):
    """How many columns of a legend fit in a width in inches."""
    longest = max([len(handle.get_label()) for handle in handles], default=1)
    return int(np.clip(width / (0.45 + 0.075 * longest), 1, max(len(handles), 1)))


def prepare_disk(ax, title="", reach=1.02):
    """The rim of the unit disk, without axes."""
    ax.set_axis_off()
    ax.add_patch(Circle((0, 0), 1, facecolor="none", edgecolor=palette.MUTED, lw=0.9, zorder=4))
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", title=title)


def draw_regions(ax, raster, colours, strengths=None):
    """Decision regions of a raster of codes over [-1, 1]², as tints of the colours.

    `strengths` in [0, 1], of the shape of the raster, is the share of the colour in each tint; by
    default tints are even and white lines divide the regions.
    """
    if strengths is None:
        image = rasters.paint(raster, [to_rgb(palette.tint(colour)) for colour in colours])
    else:
        image = rasters.shade(raster, [to_rgb(colour) for colour in colours], strengths)
    shown = ax.imshow(image, extent=(-1, 1, -1, 1), origin="lower", interpolation="antialiased")
    shown.set_clip_path(Circle((0, 0), 1, transform=ax.transData))


def draw_classes(ax, points, codes, n_classes, area, ordered=False, hollow=False):
    """Mark the points of each class in its colour and shape, all of about the same area."""
    colours = palette.class_colours(n_classes, ordered)
    looks = zip(colours, palette.class_markers(n_classes), strict=True)
    for code, (colour, marker) in enumerate(looks):
        # Edges of small points are thinner, not to hide their colour.
        look = {"color": colour, "edgecolors": palette.edge(colour), "zorder": 2}
        width = 0.3
        if hollow:
            look = {"color": "none", "edgecolors": colour, "zorder": 1.5, "alpha": 0.55}
            width = 0.7
        ax.scatter(
            *points[codes == code].T, s=area * np.abs(marker).max() ** 2,
            marker=[*marker, marker[0]], linewidths=width * min(area / 5, 1.0), **look,
        )  # fmt: skip


def draw_rings(ax, points, area):
    """Rings around points; hundreds of them are thinner, not to blacken what they mark."""
    crowd = float(np.clip(150 / max(len(points), 1), 0.25, 1.0))
    ax.scatter(
        *points.T, s=(2.2 * area + 4) * crowd**0.7, marker="o", facecolors="none",
        edgecolors=palette.INK, linewidths=0.5 * crowd**0.5, alpha=crowd**0.4, zorder=3,
    )  # fmt: skip


def draw_mark(ax, place, name="", marker="*", shift=(7, 5)):
    """A star, or another marker, with its name beside it."""
    ax.plot(*place, marker=marker, ms=12, color=MARK, mec="white", mew=0.8, zorder=6)
    if name:
        ax.annotate(f"${name}$", place, xytext=shift, textcoords="offset points", fontsize=13,
                    color=palette.INK, zorder=7,
                    path_effects=[withStroke(linewidth=2.5, foreground="white")])  # fmt: skip


def class_handles(names, ordered=False):
    """Entries of a legend of classes."""
    looks = zip(
        names, palette.class_colours(len(names), ordered), palette.class_markers(len(names)),
        strict=True,
    )  # fmt: skip
    return [
        Line2D([], [], ls="", marker=marker, color=colour, mec=palette.edge(colour), mew=0.4, ms=7,
               label=palette.plain(_short(str(name))))
        for name, colour, marker in looks
    ]  # fmt: skip


def ring_handle(label):
    """Entry of a legend of rings."""
    return Line2D([], [], ls="", marker="o", mfc="none", mec=palette.INK, ms=7, mew=0.8,
                  label=label)  # fmt: skip


def line_handle(label):
    """Entry of a legend of hyperplanes."""
    return Line2D([], [], color=palette.INK, lw=1.5, label=label)


def band_handle(label):
    """Entry of a legend of the places near a hyperplane."""
    return Patch(fc=BAND, ec=palette.MUTED, label=label)


def ball_handle(label):
    """Entry of a legend of balls."""
    return Line2D([], [], ls="", marker="h", ms=11, mfc="none", mec=palette.INK, label=label)


def star_handle(label):
    """Entry of a legend of the stars of `draw_star`."""
    return Line2D([], [], ls="", marker="*", color="none", mec=palette.INK, ms=11, label=label)


def mark_handle(label):
    """Entry of a legend of stars."""
    return Line2D([], [], ls="", marker="*", color=MARK, ms=10, label=label)


def _short(text):
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def draw_plane_regions(ax, plane, codes, colours):
    """Decision regions of a polygon: codes at the pixels of `Plane.pixels`, -1 outside."""
    tints = np.array([to_rgb(palette.tint(colour)) for colour in colours])
    image = np.ones((*codes.shape, 3))
    image[codes >= 0] = tints[codes[codes >= 0]]
    shown = ax.imshow(image, extent=plane.extent, origin="lower", zorder=0)
    shown.set_clip_path(Polygon(plane.corners, transform=ax.transData))


def draw_ball(ax, corners, centre, colour):
    """The outline of a ball, and a ring around its centre."""
    ax.add_patch(Polygon(corners, fill=False, ec=colour, lw=1.5, zorder=3))
    ax.plot(*centre, marker="o", ms=7, mfc="none", mec=palette.INK, zorder=5)


def draw_star(ax, place, colour):
    """A star in the colour of a class."""
    ax.plot(*place, marker="*", ms=13, color=colour, mec=palette.INK, mew=0.9, zorder=5)


def draw_band(ax, plane, segment, metric, radius):
    """Places closer to a line of `Plane.segment` than a radius, in grey."""
    mesh = plane.mesh()
    apart = plane.distances_to(segment, metric, plane.lift(mesh.reshape(-1, 2)))
    field = *mesh.transpose(2, 0, 1), apart.reshape(mesh.shape[:2])
    ax.contourf(*field, [0, radius], colors=[BAND], zorder=0)
    ax.contour(*field, [radius], colors=[palette.MUTED], linewidths=0.9, zorder=1)


def prepare_polygon(ax, plane, title="", part_names=("part 0", "part 1", "part 2")):
    """The rim of a polygon, without axes; the corners of a simplex with their names."""
    ax.add_patch(Polygon(plane.corners, fill=False, ec=palette.INK, lw=1.0, zorder=6))
    if plane.polytope.is_simplex:
        sides = zip(part_names, TRIANGLE, (True, True, False), strict=True)
        for name, place, below in sides:
            ax.annotate(palette.plain(name), place, xytext=(0, -4 if below else 4), ha="center",
                        va="top" if below else "bottom", textcoords="offset points", fontsize=9,
                        color=palette.MUTED)  # fmt: skip
    ax.set_axis_off()
    pad = 0.02 * np.ptp(plane.corners, axis=0)
    low, high = plane.corners.min(axis=0) - pad, plane.corners.max(axis=0) + pad
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    # The label of the upper corner is between.
    ax.set_title(title, pad=20 if plane.polytope.is_simplex else 6)
