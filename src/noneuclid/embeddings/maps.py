"""Maps that carry new samples into an embedding after it was made.

An embedding module that has such a map offers ``fit_map(dataset, embedded) -> Map``; one that does
not (most embeddings place all rows at once) offers nothing.
"""

from dataclasses import dataclass
from importlib import import_module

import numpy as np

from noneuclid.errors import InputError, require
from noneuclid.geometry import charts


@dataclass(frozen=True)
class Map:
    """How new samples become points; `noneuclid.experiment.io.write_record` keeps it.

    Attributes
    ----------
    kind : str
        ``"none"``: the embedding has no map; ``"given"``: samples come as points in `chart`;
        ``"linear"``: points are `(features - mean) @ axes` in `chart`.
    chart, curvature : str or None, float
    columns : list of str or None
        Names of the features that the embedding was made from.
    mean, axes : ndarray of float, shapes (p,) and (p, d), or None
    """

    kind: str = "none"
    chart: str | None = None
    curvature: float = 1.0
    columns: list | None = None
    mean: np.ndarray | None = None
    axes: np.ndarray | None = None

    @property
    def width(self):
        """Number of features of a sample, None if the map does not know it."""
        return None if self.mean is None else len(self.mean)


def fit(module, dataset, embedded):
    """Map of the embedding that `module` made, of kind ``"none"`` if it offers none."""
    offered = getattr(import_module(module), "fit_map", None)
    return Map() if offered is None else offered(dataset, embedded)


def given(dataset, embedded):
    """Map of points that come embedded: new ones come in the same chart."""
    columns = dataset.about.get("columns")
    return Map("given", embedded.chart, embedded.curvature, columns)


def linear(features, points, standardise=False):
    """Map of principal components: recovers the axes from the features and their scores.

    With centred features F = U S V' the scores are P = s U S, s the scale of the embedding. Column
    by column F'P = s S^2 V, whose norm gives s V = F'P |P|^2 / |F'P|^2: no second decomposition.

    Shapes: `features` (n, p), `points` (n, d).
    """
    mean = means(features)
    deviation = deviations(features) if standardise else np.ones(len(mean))
    products = ((features - mean) / deviation).T @ points
    size = np.linalg.norm(products, axis=0)
    scale = (np.linalg.norm(points, axis=0) / np.where(size > 0, size, 1.0)) ** 2
    axes = products * scale / deviation[:, None]
    return Map("linear", "tangent", mean=mean, axes=axes)


def means(features):
    """Mean of each feature; of a constant one its value, from which a rounded mean would differ.

    Examples
    --------
    >>> values = np.full((3, 1), 0.1)
    >>> float(values.mean(axis=0)[0]), float(means(values)[0])
    (0.10000000000000002, 0.1)
    """
    return np.where(np.ptp(features, axis=0) == 0, features[0], features.mean(axis=0))


def deviations(features):
    """Standard deviation of each feature; 1 for a constant one, whatever rounding makes of it.

    Examples
    --------
    >>> deviations(np.array([[0.1, 1.0], [0.1, 3.0], [0.1, 2.0]])).round(3).tolist()
    [1.0, 0.816]
    """
    size = np.abs(features).max(axis=0)
    constant = np.ptp(features, axis=0) <= 1e-12 * size
    size = np.where(size > 0, size, 1.0)  # squares of small numbers are zero
    return np.where(constant, 1.0, size * (features / size).std(axis=0))


def transform(fitted, features):
    """Points of new samples, in the chart of the map.

    Shapes: `features` (n, p); returns shape (n, d).
    """
    if fitted.kind == "given":
        charts.check_points(features, fitted.chart, fitted.curvature)
        return features
    require(fitted.kind == "linear", "the embedding has no map for new samples")
    require(
        features.shape[1] == fitted.width,
        f"{features.shape[1]} features, but the embedding was made from {fitted.width}; give the "
        "same features in the same order",
    )
    bad = np.argwhere(~np.isfinite(features))
    if bad.size:
        row, column = bad[0]
        raise InputError(
            f"row {row}, column {column} is {features[row, column]}; drop the row or fill in the "
            "value"
        )
    return (features - fitted.mean) @ fitted.axes
