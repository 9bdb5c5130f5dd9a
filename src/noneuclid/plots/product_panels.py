"""Where a display of a product space draws its points: a plane picture of each factor."""

from dataclasses import dataclass

import numpy as np

from noneuclid.plots.disk_regions import flatten, leading_axes

# Part of a row of a line, of the distances about a circle and a diameter, and of the radius of a
# disk with points close to its centre, that points fill.
_FILLED = 0.7
# Points closer to the centre of a disk are drawn farther out.
_SMALL = 0.2
_CLASS_WIDTH, _WIDEST = 0.15, 0.5
_GOLDEN = (np.sqrt(5) - 1) / 2


@dataclass(frozen=True)
class Panel:
    """Picture of a factor.

    `frame` is "disk", "circle", "sphere", "line" or "plane"; `places` (n, 2) are where the points
    are drawn, `far` (n,) those on the far side of a sphere, `lines` (k, m, 2) its graticule.
    """

    frame: str
    title: str
    places: np.ndarray
    far: np.ndarray
    lines: np.ndarray


def panel_of(factor, block, labels, n_classes):
    """The picture of a factor, of points of its block (n, width) with codes of classes (n,)."""
    frame, places, note = _DRAWN[factor.kind](factor, block, rows_of(labels, n_classes), n_classes)
    far, lines = np.zeros(len(places), dtype=bool), np.empty((0, 0, 2))
    if frame == "sphere":
        view = view_of(places)
        places, far = places @ view[:2].T, places @ view[2] < 0
        lines = graticule(view)
    title = f"{factor.name}, K = {factor.curvature:.3g}" + (f"\n{note}" if note else "")
    return Panel(frame, title, places, far, lines)


def _hyperbolic(factor, block, rows, n_classes):
    """The unit disk: exact in two dimensions; in one, points on curves along the diameter."""
    places, stretched = stretch(flatten(block, factor.chart, -factor.curvature))
    if factor.dimension == 1:
        # Points at a distance from the diameter, whose feet on it are exact.
        side = 1j * _width(n_classes) * (0.5 - rows)
        moved = (places[:, 0] + side) / (1 + places[:, 0] * side)
        places = np.column_stack([moved.real, moved.imag])
    return "disk", places, "\n".join(filter(None, [_projected(factor.dimension), stretched]))


def stretch(places):
    """Places (n, 2) in the unit disk and a note; close to the centre, times a factor of distance.

    Examples
    --------
    >>> places, note = stretch(np.array([[0.01, 0.0], [0.0, 0.02]]))
    >>> np.linalg.norm(places, axis=1).round(2), note
    (array([0.41, 0.7 ]), 'distances from the centre × 43')
    """
    radius = np.linalg.norm(places, axis=1, keepdims=True)
    most = radius.max(initial=0.0)
    if most == 0 or most >= _SMALL:
        return places, ""
    factor = np.arctanh(_FILLED) / np.arctanh(most)
    far = np.tanh(factor * np.arctanh(radius))
    ratio = np.divide(far, radius, out=np.zeros_like(radius), where=radius > 0)
    return places * ratio, f"distances from the centre × {factor:.2g}"


def _spherical(factor, block, rows, n_classes):
    """The unit circle, or points (n, 3) of the unit sphere, of more dimensions in their ball."""
    points = factor.to_ambient(block) * np.sqrt(factor.curvature)
    if factor.dimension == 1:
        return "circle", points * (1 + _width(n_classes) * (0.5 - rows[:, None])), ""
    if factor.dimension == 2:
        return "sphere", points, ""
    note = f"three of {factor.dimension + 1} directions"
    return "sphere", points @ leading_axes(points, 3), note


def _flat(factor, block, rows, n_classes):
    """A plane, or a line with a row for each class."""
    if factor.dimension == 1:
        return "line", np.column_stack([block[:, 0], 1 - rows]), ""
    if factor.dimension > 2:
        centred = block - block.mean(axis=0)
        block = centred @ leading_axes(centred, 2)
    return "plane", block, _projected(factor.dimension)


_DRAWN = {"H": _hyperbolic, "S": _spherical, "E": _flat}


def _projected(dimension):
    return f"two of {dimension} principal components" if dimension > 2 else ""


def _width(n_classes):
    """Of all rows of classes about a circle of radius 1 or a diameter."""
    return min(_CLASS_WIDTH * n_classes, _WIDEST)


def rows_of(labels, n_classes):
    """Heights in (0, 1) that divide points of a line: a row for each class, spread within it.

    Examples
    --------
    >>> rows_of(np.array([0, 1, 1]), 2).round(2)
    array([0.25, 0.75, 0.62])
    """
    rank = np.zeros(len(labels))
    for code in range(n_classes):
        own = labels == code
        rank[own] = np.arange(np.count_nonzero(own))
    spread = (0.5 + _GOLDEN * rank) % 1 - 0.5
    return (labels + 0.5 + _FILLED * spread) / n_classes


def view_of(points):
    """Rotation (3, 3): directions to the right, upwards, and from the sphere to the eye.

    The eye is in the direction of the mean of the points (n, 3), at the origin of the sphere if
    there is none; the last axis points upwards, the second if the last points to the eye.

    Examples
    --------
    >>> view_of(np.array([[1.0, 0.0, 0.0]]))[0]  # seen from there, the second axis is at the right
    array([0., 1., 0.])
    """
    mean = points.mean(axis=0) if len(points) else np.zeros(3)
    length = np.linalg.norm(mean)
    eye = mean / length if length > 1e-9 else np.eye(3)[0]
    axis = np.eye(3)[2 if abs(eye[2]) < 0.999 else 1]
    up = axis - (axis @ eye) * eye
    up /= np.linalg.norm(up)
    return np.array([np.cross(up, eye), up, eye])


def graticule(view, step=30, size=181):
    """Parallels and meridians about the last axis, shape (k, size, 2); NaN on the far side.

    Examples
    --------
    >>> graticule(np.eye(3)).shape
    (11, 181, 2)
    """
    turn = np.linspace(0, 2 * np.pi, size)
    round_once = np.column_stack([np.cos(turn), np.sin(turn)])
    lines = []
    for latitude in np.radians(np.arange(step - 90, 90, step)):
        lines.append(np.c_[np.cos(latitude) * round_once, np.full(size, np.sin(latitude))])
    for longitude in np.radians(np.arange(0, 180, step)):
        across = [np.cos(longitude), np.sin(longitude)]
        lines.append(np.c_[np.outer(round_once[:, 0], across), round_once[:, 1]])
    x, y, depth = np.moveaxis(np.array(lines) @ view.T, -1, 0)
    return np.where(depth[..., None] >= 0, np.stack([x, y], axis=-1), np.nan)
