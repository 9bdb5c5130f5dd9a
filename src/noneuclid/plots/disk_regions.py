"""What classifiers say on the Poincaré disk, and points of other spaces on it."""

import warnings

import numpy as np
from scipy.linalg import eigh

from noneuclid.errors import InputError, require
from noneuclid.geometry import charts
from noneuclid.plots import disk_views

NOTHING = -1
# Distance of the farthest row from the centre of a projection that the disk cannot hold.
_DRAWN = 4.0


def grid(size):
    """Centres, shape (size², 2), of a raster over [-1, 1]², and which of them lie in the disk.

    Row 0 is the lowest, column 0 the leftmost. The outermost 1e-4 of the radius, thinner than a
    pixel, counts as outside: points there are farther than 9.9 from the origin.
    """
    axis = (np.arange(size) + 0.5) / size * 2 - 1
    x, y = np.meshgrid(axis, axis)
    centres = np.column_stack([x.ravel(), y.ravel()])
    return centres, np.hypot(*centres.T) < 1 - 1e-4


def grid_in_chart(size, chart, curvature=1.0, view=disk_views.PLAIN):
    """The points in the disk drawn at the centres of `grid`, as a chart writes them."""
    centres, inside = grid(size)
    centres = view.undo(centres[inside])
    return charts.convert(centres / np.sqrt(curvature), "poincare", chart, curvature)


def on_grid(values, size, elsewhere):
    """Values at the centres of `grid` that lie in the disk, as a raster (size, size)."""
    _, inside = grid(size)
    raster = np.full(size * size, elsewhere, dtype=np.asarray(values).dtype)
    raster[inside] = values
    return raster.reshape(size, size)


def regions(
    estimator, class_names, chart, size=240, curvature=1.0, edges=None, view=disk_views.PLAIN
):
    """Class codes that a fitted estimator predicts on the raster of `grid`, shape (size, size).

    `NOTHING` outside the disk. `edges` are those of `Disk` and needed for numbers. Costs one
    prediction for each pixel.
    """
    predicted = evaluate(estimator, "predict", grid_in_chart(size, chart, curvature, view))
    named = edges is None
    codes = (
        encode(predicted, class_names) if named else np.searchsorted(edges, predicted, side="left")
    )
    return on_grid(codes.astype(np.int16), size, NOTHING)


def encode(labels, class_names):
    """Position of each label among the names of the classes."""
    code_of = {name: code for code, name in enumerate(class_names)}
    return np.array([code_of[label] for label in labels], dtype=np.int16)


def encode_known(y, class_names):
    """`encode` for labels that a user gives: one that is no class is an error with its row."""
    known = set(class_names)
    for row, label in enumerate(y.tolist()):
        if label not in known:
            raise InputError(
                f"y at row {row} is {label!r}, not a class of the model; its classes are "
                f"{', '.join(map(repr, class_names))}"
            )
    return encode(y.tolist(), class_names)


def find_wrong(y_pred, y):
    """Rows whose prediction differs from the label; None without predictions."""
    if y_pred is None:
        return None
    y_pred, y = np.asarray(y_pred), np.asarray(y)
    require(y_pred.shape == y.shape, f"y_pred has shape {y_pred.shape}, y {y.shape}")
    return y_pred != y


def evaluate(estimator, method, points):
    """Output of a method; models fitted to data frames read the array without a warning."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X does not have valid feature names")
        return getattr(estimator, method)(points)


def flatten(points, chart, curvature=1.0):
    """Points of the unit disk, shape (n, 2): exact in two dimensions, else a projection.

    In more dimensions the two leading principal components of the tangent coordinates at the
    origin are lifted; in one dimension the second coordinate is zero. Components that the disk
    cannot hold, as of log-ratios of thousands of parts, are centred and divided by one number: the
    farthest row is then at the distance `_DRAWN`.
    """
    tangent = charts.convert(points, chart, "tangent", curvature) * np.sqrt(curvature)
    if tangent.shape[1] == 1:
        tangent = np.column_stack([tangent, np.zeros(len(tangent))])
    elif tangent.shape[1] > 2:
        tangent = tangent @ leading_axes(tangent - tangent.mean(axis=0), 2)
        if np.hypot(*tangent.T).max() > charts.REACH["poincare"]:
            tangent = tangent - tangent.mean(axis=0)
            tangent *= _DRAWN / np.hypot(*tangent.T).max()
    return charts.convert(tangent, "tangent", "poincare")


def leading_axes(rows, k):
    """The k leading principal axes, (d, k), each with its largest coordinate positive."""
    d = rows.shape[1]
    axes = eigh(rows.T @ rows, subset_by_index=[d - k, d - 1])[1][:, ::-1]
    largest = axes[np.abs(axes).argmax(axis=0), np.arange(k)]
    return axes * np.copysign(1.0, largest)
