"""What the pictures of the Poincaré disk show: points, decision regions, held-out predictions."""

import numpy as np

from noneuclid.datasets import targets
from noneuclid.geometry import charts

NOTHING = -1


def grid(size):
    """Centres, shape (size², 2), of a raster over [-1, 1]², and which of them lie in the disk.

    Row 0 is the lowest, column 0 the leftmost. The outermost 1e-4 of the radius, thinner than a
    pixel, counts as outside: points there are farther than 9.9 from the origin.
    """
    axis = (np.arange(size) + 0.5) / size * 2 - 1
    x, y = np.meshgrid(axis, axis)
    centres = np.column_stack([x.ravel(), y.ravel()])
    return centres, np.hypot(*centres.T) < 1 - 1e-4


def regions(estimator, class_names, chart, size=240, curvature=1.0, edges=None):
    """Class codes that a fitted estimator predicts on the raster of `grid`, shape (size, size).

    `NOTHING` outside the disk. `edges` are those of `Disk` and needed for numbers. Costs one
    prediction for each pixel.
    """
    centres, inside = grid(size)
    points = charts.convert(centres[inside] / np.sqrt(curvature), "poincare", chart, curvature)
    code_of = {name: code for code, name in enumerate(class_names)}
    codes = np.full(size * size, NOTHING, dtype=np.int16)
    predicted = estimator.predict(points)
    if edges is None:
        codes[inside] = [code_of[name] for name in predicted]
    else:
        codes[inside] = targets.codes_of(predicted, edges)
    return codes.reshape(size, size)


def held_out(predictions, n, edges=None):
    """Code predicted for each of `n` rows when it was left out; `NOTHING` if it never was."""
    codes = np.full(n, NOTHING, dtype=np.int16)
    predicted = predictions.predicted
    codes[predictions.rows] = predicted if edges is None else targets.codes_of(predicted, edges)
    return codes


def flatten(points, chart, curvature=1.0):
    """Points of the unit disk, shape (n, 2): exact in two dimensions, else a projection.

    In more dimensions the two leading principal components of the tangent coordinates at the
    origin are lifted; in one dimension the second coordinate is zero.
    """
    tangent = charts.convert(points, chart, "tangent", curvature) * np.sqrt(curvature)
    if tangent.shape[1] == 1:
        tangent = np.column_stack([tangent, np.zeros(len(tangent))])
    elif tangent.shape[1] > 2:
        _, _, axes = np.linalg.svd(tangent - tangent.mean(axis=0), full_matrices=False)
        tangent = tangent @ axes[:2].T
    return charts.convert(tangent, "tangent", "poincare")
