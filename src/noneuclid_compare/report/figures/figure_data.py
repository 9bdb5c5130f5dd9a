"""What a figure draws, as a table, for a figure that comes without one."""

import numpy as np
import pandas as pd
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.patches import Polygon

COLUMNS = ["panel", "title", "series", "label", "kind", "colour", "x", "y", "z"]


def tabulate_artists(figure):
    """Points of every line, scatter and filled area of a figure, in the columns `COLUMNS`.

    `panel` and, within it, `series` count from 1; `kind` is line, markers or area; `z` is NaN in
    two dimensions. Lines across a whole panel, circles and surfaces are left out.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> figure = Figure()
    >>> _ = figure.subplots().plot([0, 1], [2, 3], label="a", color="red")
    >>> tabulate_artists(figure)[["series", "label", "kind", "colour", "x", "y"]].values.tolist()
    [[1, 'a', 'line', '#ff0000', 0.0, 2.0], [1, 'a', 'line', '#ff0000', 1.0, 3.0]]
    """
    parts = [pd.DataFrame(columns=COLUMNS)]
    for panel, ax in enumerate(figure.axes, start=1):
        found = [series for artist in ax.get_children() for series in _series(artist, ax)]
        for number, series in enumerate(found, start=1):
            place = {"panel": panel, "title": ax.get_title(), "series": number}
            parts.append(pd.DataFrame(place | series))
    return pd.concat([part for part in parts if len(part)] or parts, ignore_index=True)[COLUMNS]


def _series(artist, ax):
    """One series as a list, an empty one for what draws no points of its own."""
    if artist in ax.lines and artist.get_transform() == ax.transData:
        flat = not hasattr(artist, "get_data_3d")
        points = artist.get_data(orig=False) if flat else artist.get_data_3d()
        kind, colour = _look(artist, len(points[0]))
    elif isinstance(artist, PathCollection):
        points, kind = artist.get_offsets().T, "markers"
        colour = [*artist.get_facecolor(), *artist.get_edgecolor(), (0, 0, 0)][0]
    elif isinstance(artist, Polygon) and artist in ax.patches:
        points, kind, colour = artist.get_xy().T, "area", artist.get_facecolor()
    else:
        return []
    label = str(artist.get_label())
    about = {"label": "" if label.startswith("_child") else label, "kind": kind}
    x, y, z = [*map(np.asarray, points), np.nan][:3]
    return [about | {"colour": to_hex(colour), "x": x, "y": y, "z": z}] if len(x) else []


def _look(artist, n):
    """Kind and colour of a line, of which one point shows the marker only."""
    if n > 1 and artist.get_linestyle() not in ("None", "", " "):
        return "line", artist.get_color()
    face = artist.get_markerfacecolor()
    return "markers", artist.get_markeredgecolor() if str(face) == "none" else face
