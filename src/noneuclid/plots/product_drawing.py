"""Draws the pictures of the factors of a product space; imports matplotlib as it loads."""

from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D

from noneuclid.plots import drawing, palette

_REACH = 1.3  # of the picture of a circle of radius 1, with the rows of its classes
_SIDE = 1.9  # inches


def draw_panel(ax, panel, labels, n_classes, area, ordered):
    """Points of a `Panel` in its frame."""
    for line in panel.lines:
        ax.plot(*line.T, color=palette.RULE, lw=0.6, zorder=1)
    near = ~panel.far
    for hollow, shown in ((True, panel.far), (False, near)):
        if shown.any():
            drawing.draw_classes(
                ax, panel.places[shown], labels[shown], n_classes, area, ordered, hollow
            )
    _FRAMES[panel.frame](ax, n_classes)
    ax.set_title(panel.title, fontsize=10, color=palette.INK)


def side(ax):
    """The shorter side of axes, in the units of those of a display's own figure."""
    return min(ax.bbox.width, ax.bbox.height) / ax.figure.dpi / _SIDE


def legend_handles(display, errors):
    """Entries of the legend of a `ProductSpaceDisplay`: classes, what is hollow, what ringed."""
    handles = drawing.class_handles(display.class_names, display.ordered)
    if any(panel.far.any() for panel in display.panels):
        handles.append(_hollow_handle("far side"))
    if display._has_errors(errors):
        handles.append(drawing.ring_handle("wrong"))
    return handles


def draw_legend(axes, handles):
    """One legend below all axes if the layout is constrained, else at the right of the last."""
    figure = axes[0].figure
    constrained = isinstance(figure.get_layout_engine(), ConstrainedLayoutEngine)
    if handles and not constrained:
        drawing.draw_legend(axes[-1], handles)
    elif handles:
        drawing.draw_figure_legend(figure, handles)
    if constrained:
        # The first layout of axes of fixed shape makes them too large.
        figure.draw_without_rendering()


def _hollow_handle(label):
    return Line2D([], [], ls="", marker="o", mfc="none", mec=palette.MUTED, alpha=0.6, ms=5,
                  mew=0.8, label=label)  # fmt: skip


def _disk(ax, n_classes):
    drawing.prepare_disk(ax)


def _circle(ax, n_classes):
    """The unit circle, with angles inside."""
    drawing.prepare_disk(ax, reach=_REACH)
    for text, x, y in (("0", 1, 0), ("π/2", 0, 1), ("π", -1, 0), ("3π/2", 0, -1)):
        ax.annotate(text, (0.55 * x, 0.55 * y), ha="center", va="center", fontsize=8,
                    color=palette.MUTED)  # fmt: skip


def _line(ax, n_classes):
    """A horizontal axis alone; a row of a class has a fifth of the height at most."""
    _axes(ax)
    ax.spines["left"].set_visible(False)
    half = 0.53 * max(1, 5 / n_classes)
    ax.set(yticks=[], ylim=(0.5 - half, 0.5 + half))


def _plane(ax, n_classes):
    """Both axes, with one unit of length."""
    _axes(ax)
    ax.set_aspect("equal", adjustable="datalim")


def _axes(ax):
    ax.set_box_aspect(1)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[:].set_color(palette.MUTED)
    ax.tick_params(labelsize=8, colors=palette.MUTED)
    ax.locator_params(nbins=5)


_FRAMES = {
    "disk": _disk,
    "sphere": _disk,
    "circle": _circle,
    "line": _line,
    "plane": _plane,
}
