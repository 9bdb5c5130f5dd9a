"""Put labels beside markers so that none covers another label or a marker."""

import itertools

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

from noneuclid.plots import palette

# Directions to try, the ones easiest to read first; distances from the marker in points.
_DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))
_DISTANCES = (8, 18, 30, 44)


def place_labels(figure, ax, x, y, texts, size=8.5):
    """Label the markers at (x, y) at the first free place each; a thin line joins distant labels.

    Limits and scales of `ax` must be final; the figure may still be laid out.
    """
    x, y = np.asarray(x), np.asarray(y)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    unit = figure.dpi / 72
    centres = ax.transData.transform(np.column_stack([x, y]))
    taken = [_box(*c, 9 * unit, 9 * unit) for c in centres]
    frame = ax.get_window_extent(renderer).extents
    for i in np.lexsort((centres[:, 0], -centres[:, 1])):
        probe = ax.text(0, 0, texts[i], fontsize=size)
        extent = probe.get_window_extent(renderer)
        probe.remove()
        offset, box = _free(centres[i], extent.width, extent.height, unit, taken, frame)
        half = np.array([extent.width, extent.height]) / (2 * unit)
        taken.append(box)
        ax.annotate(
            texts[i], (x[i], y[i]), offset, textcoords="offset points", ha="center", va="center",
            fontsize=size, color=palette.INK,
            # An outline of the letters would treble the file.
            bbox={"boxstyle": "square,pad=0.05", "fc": "white", "alpha": 0.75, "lw": 0},
            arrowprops={"arrowstyle": "-", "color": palette.MUTED, "lw": 0.5, "shrinkA": 0}
            if (np.abs(offset) - half).max() > _DISTANCES[1] - 1 else None,
        )  # fmt: skip


def _free(centre, width, height, unit, taken, frame):
    """Offset in points and box of the first place that is free, or of the least covered one."""
    choices = []
    for distance, (dx, dy) in itertools.product(_DISTANCES, _DIRECTIONS):
        shift = np.array([dx * (distance * unit + width / 2), dy * (distance * unit + height / 2)])
        if dx and dy:
            shift *= (1.0, 0.75)
        box = _box(*(centre + shift), width + 2 * unit, height + unit)
        cost = sum(_overlap(box, other) for other in taken)
        cost += (box[2] - box[0]) * (box[3] - box[1]) - _overlap(box, frame)
        choices.append((cost, shift / unit, box))
        if cost < 1e-9:
            break
    _, offset, box = min(choices, key=lambda choice: choice[0])
    return tuple(offset), box


def _box(x, y, width, height):
    return np.array([x - width / 2, y - height / 2, x + width / 2, y + height / 2])


def _overlap(a, b):
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    return max(width, 0.0) * max(height, 0.0)
