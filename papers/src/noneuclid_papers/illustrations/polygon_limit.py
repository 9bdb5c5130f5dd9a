"""From polygons to the hyperbolic plane: the Hilbert metric of a growing polygon."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon
from matplotlib.ticker import ScalarFormatter

from noneuclid.classifiers.hilbert_svm import HilbertSVC
from noneuclid.classifiers.hyperboloid_svm import HyperboloidSVC
from noneuclid.errors import InputError, require
from noneuclid.geometry import charts
from noneuclid.geometry.polytope import Polytope
from noneuclid.plots import palette
from noneuclid.plots.planes import Plane

TITLE = "From polygons to the hyperbolic plane"
INTRO = (
    "The Hilbert metric of a disk is the hyperbolic plane in Klein coordinates. For regular "
    "polygons around the disk with increasing numbers of sides, the hyperplane with the largest "
    "Hilbert margin converges to that of the hyperboloid SVM."
)
TEXT = (
    "Two classes of {name} in Klein coordinates. Left: hyperplanes with the largest margin in "
    "polygons with few sides and, in black, in the disk, where the margin is {margin:.4f}. Right: "
    "error of the margin and of the hyperplane with m sides; the angle is that between the "
    "corresponding planes through the origin of Minkowski space. Dotted: decrease as 1/m²."
)
DRAWN = 3
LOOKS = (("#D55E00", "-."), ("#0072B2", "--"), ("#009E73", ":"))
# So large that the hinge forbids every violation of separable classes.
HARD = 1e4


def draw(points, models, scores, *, classes, sides=(4, 8, 16, 32, 64, 128, 256)):
    """Margin and hyperplane in regular polygons against those in the disk.

    Parameters
    ----------
    points : dict of str to Embedded
        One data set, in the hyperbolic plane.
    models : dict
        None.
    classes : list of str
        Names of two classes that a hyperplane separates.
    sides : sequence of int
        Numbers of sides.
    scores : None

    Returns
    -------
    dict of str to (Figure, str, DataFrame)

    Raises
    ------
    InputError
        If something else is given.
    """
    require(
        len(points) == 1 and len(classes) == 2,
        f"{TITLE}: give one data set under points and two names of classes",
    )
    ((name, embedded),) = points.items()
    require(embedded.dimension == 2, f"{TITLE}: {name} has {embedded.dimension} dimensions, not 2")
    require(
        set(classes) <= set(embedded.class_names),
        f"{TITLE}: {name} has the classes {', '.join(embedded.class_names)}; name two of them",
    )
    codes = [embedded.class_names.index(one) for one in classes]
    rows = np.isin(embedded.labels, codes)
    X = charts.convert(embedded.points[rows], embedded.chart, "klein", embedded.curvature)
    X, positive = X * np.sqrt(embedded.curvature), embedded.labels[rows] == codes[1]
    table = limit(X, positive, sides)
    text = TEXT.format(name=name, margin=table["margin"].iloc[-1])
    figure = draw_limit(table, X, positive, classes)
    return {"limit": (figure, text, table)}


def limit(X, positive, sides):
    """Hard margins and hyperplanes in polygons, and last in the disk, from Klein coordinates X.

    Columns: sides (inf for the disk), margin, c, w1, w2 (of g(x) = c + w.x, |(c, w)| = 1), and how
    far it is from the disk: missing_margin and angle in radians.
    """
    rows = []
    for m in sides:
        model = HilbertSVC({"regular_polygon": m}, margin="hard", tol=1e-7, calibration=None)
        try:
            model.fit(X, positive)
        except InputError as error:
            if "separates" not in str(error):
                raise
            raise InputError(
                f"{TITLE}: no hyperplane separates the two classes; name others"
            ) from error
        rows.append([m, model.margin_, *model.coef_[0] / np.linalg.norm(model.coef_[0])])
    disk = HyperboloidSVC(C=HARD, tol=1e-6, chart="klein", calibration=None).fit(X, positive)
    # <w, x>_L is proportional to c + w.x with c = -w_0; the margin is asinh(1 / |w|_L).
    t, *w = disk.coef_[0]
    normal = np.array([-t, *w])
    margin = np.arcsinh(1 / np.sqrt(w @ np.array(w) - t**2))
    rows.append([np.inf, margin, *normal / np.linalg.norm(normal)])
    table = pd.DataFrame(rows, columns=["sides", "margin", "c", "w1", "w2"])
    g = table[["c", "w1", "w2"]].to_numpy()
    table["missing_margin"] = margin - table["margin"]
    table["angle"] = np.arctan2(np.linalg.norm(np.cross(g, g[-1]), axis=1), g @ g[-1])
    return table


def draw_limit(table, X, positive, classes):
    """Hyperplanes of the first polygons beside the disk's, and how the rest comes near it."""
    figure = Figure(figsize=(9.6, 4.8))
    left, right = figure.subplots(1, 2)
    for side, colour, marker in zip((False, True), ("#E69F00", "#56B4E9"), ("s", "o"), strict=True):
        left.plot(*X[positive == side].T, ls="", marker=marker, ms=4, color=colour,
                  mec=palette.edge(colour), mew=0.3, label=palette.plain(classes[side]),
                  rasterized=len(X) > 2000)  # fmt: skip
    g = table[["c", "w1", "w2"]].to_numpy()
    for row, (colour, dashes) in zip(range(min(DRAWN, len(table) - 1)), LOOKS, strict=False):
        m = int(table["sides"][row])
        plane = Plane(Polytope.regular_polygon(m))
        left.add_patch(Polygon(plane.corners, fill=False, ec=colour, ls=dashes, lw=1.1))
        left.plot(*plane.segment(g[row]).T, color=colour, ls=dashes, lw=1.8, label=f"{m} sides")
    left.add_patch(Circle((0, 0), 1, fill=False, ec=palette.INK, lw=1.1))
    left.plot(*_chord(g[-1]).T, color=palette.INK, lw=1.8, label="disk")
    left.set_axis_off()
    left.set(aspect="equal")
    left.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=3)
    _draw_fall(right, table[:-1])
    return figure


def _draw_fall(ax, table):
    """What is missing against the number of sides, on logarithmic axes."""
    looks = {
        "missing_margin": ("margin missing", "#0072B2", "o"),
        "angle": ("angle between the hyperplanes", "#D55E00", "s"),
    }
    m = table["sides"].to_numpy()
    for column, (label, colour, marker) in looks.items():
        ax.plot(m, table[column], color=colour, marker=marker, ms=6, lw=1.6, label=label)
    start = table[list(looks)].max(axis=None)
    ax.plot(m, start * (m[0] / m) ** 2, color=palette.MUTED, ls=":", lw=1.2, label="∝ 1/m²")
    ax.set_xscale("log", base=2)
    ax.set_yscale("log")
    ax.xaxis.set_major_formatter(ScalarFormatter())
    ax.set_xticks(m)
    ax.set_xlabel("sides m of the polygon (logarithmic)")
    ax.set_ylabel("difference to the disk (logarithmic)")
    ax.legend()


def _chord(g):
    """Ends in the unit circle of the line c + w.x = 0."""
    length = np.hypot(*g[1:])
    normal, offset = g[1:] / length, g[0] / length
    half = np.sqrt(1 - offset**2) * np.array([-normal[1], normal[0]])
    return np.array([-offset * normal - half, -offset * normal + half])
