"""Maps that place new rows in an embedding after it was made.

A map is a record of arrays and JSON values, so that it can be kept in a file.
"""

from dataclasses import dataclass
from importlib import import_module

import numpy as np

from noneuclid.errors import InputError, require
from noneuclid.geometry import charts, lorentz, spaces

# The class of each kind of map.
KINDS = {
    "none": "noneuclid.embeddings.maps.Map",
    "given": "noneuclid.embeddings.maps.Given",
    "linear": "noneuclid.embeddings.maps.Linear",
    "neighbour_mean": "noneuclid.embeddings.neighbour_mean.NeighbourMean",
    "hydra": "noneuclid.embeddings.geodesic_maps.HydraMap",
    "refined_hydra": "noneuclid.embeddings.geodesic_maps.RefinedHydraMap",
    "poincare_maps": "noneuclid.embeddings.forest_map.ForestMap",
    "linear_poincare_maps": "noneuclid.embeddings.forest_map.LinearForestMap",
    "log_ratio": "noneuclid.embeddings.log_ratio.LogRatioMap",
    "hyperbolic_umap": "noneuclid.embeddings.hyperbolic_umap.HyperbolicUMAPMap",
    "umap": "noneuclid.embeddings.umap.UMAPMap",
    "product_embedding": "noneuclid.embeddings.product_maps.ProductEmbeddingMap",
    "product_umap": "noneuclid.embeddings.product_maps.ProductUMAPMap",
    "network": "noneuclid.embeddings.network_map.NetworkMap",
}
# Why there is no rule in a model that does not say so.
EARLIER = "the model keeps no rule for new rows; an earlier version made it: run it again"


@dataclass(frozen=True, kw_only=True)
class Map:
    """How new rows become points in `chart`; this class itself has no rule.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    chart, curvature : str or None, float
        Of the points.
    columns : list of str or None
        Names of the features that the embedding was made from.
    why : str
        Why there is no rule.
    preparation : dict or None
        Of new rows that are counts: arrays and values of `datasets.prepare.preparation.Preparation`
        whose components the embedding was made from; `columns` then names the genes.
    column_kinds : list or None
        Kinds of the `columns` of a table with missing values or categories.
    column_transformer : ndarray of uint8, or None
        The transformer of these columns that the embedding was made with, as a file holds it.
    """

    kind: str = "none"
    chart: str | None = None
    curvature: float = 1.0
    columns: list | None = None
    why: str = ""
    preparation: dict | None = None
    column_kinds: list | None = None
    column_transformer: np.ndarray | None = None

    @property
    def width(self):
        """Number of features of a row, None if the map does not know it."""
        return None

    def place(self, features):
        """Points of new rows, each placed alone, in `chart`.

        Shapes: `features` (n, p); returns shape (n, d), or (n, d + 1) on the hyperboloid.
        """
        raise InputError(self.why)

    def require_rows(self, features):
        """Refuse another number of columns than the embedding was made from, and no numbers."""
        require(
            features.shape[1] == self.width,
            f"{features.shape[1]} features, but the embedding was made from {self.width}; give the "
            "same features in the same order",
        )
        bad = np.argwhere(~np.isfinite(features))
        if bad.size:
            row, column = bad[0]
            raise InputError(
                f"row {row}, column {column} is {features[row, column]}; drop the row or fill in "
                "the value"
            )


@dataclass(frozen=True, kw_only=True)
class Given(Map):
    """New rows come embedded, as points in `chart`; `why`, if no rule could embed them.

    `project_to_ball` of the training data holds for new rows, and so does `written`: the chart of
    a file, if it is none of the library.
    """

    kind: str = "given"
    project_to_ball: bool = False
    written: str | None = None

    def place(self, features):
        """The points, after a check that they are points."""
        if self.written == charts.SPACE_ONLY:
            features = lorentz.from_spatial(features, self.curvature)
        spaces.check_points(features, self.chart, self.curvature)
        return features


@dataclass(frozen=True, kw_only=True)
class Linear(Map):
    """Points are ``(features - mean) @ axes``.

    Attributes
    ----------
    mean, axes : ndarray of float, shapes (p,) and (p, d)
    """

    kind: str = "linear"
    chart: str | None = "tangent"
    mean: np.ndarray
    axes: np.ndarray

    @property
    def width(self):
        """Number of features."""
        return len(self.mean)

    def place(self, features):
        """Projections on the axes."""
        self.require_rows(features)
        return (features - self.mean) @ self.axes


def restore(kind="none", **entries):
    """The map with these entries, as `dataclasses.asdict` gives them; without any, no rule.

    Examples
    --------
    >>> restore("given", chart="klein").place(np.array([[0.5, 0.0]]))
    array([[0.5, 0. ]])
    """
    require(kind in KINDS, f"unknown kind of map {kind!r}; known: {', '.join(KINDS)}")
    module, _, name = KINDS[kind].rpartition(".")
    found = getattr(import_module(module), name)
    # Earlier versions wrote the fields of all maps.
    known = {k: v for k, v in entries.items() if v is not None or k in found.__dataclass_fields__}
    if found is Map and not known.get("why"):
        known["why"] = EARLIER
    return found(**known)


def linear(features, points, standardize=False):
    """Map of principal components: recovers the axes from the features and their scores.

    With centred features F = U S V' the scores are P = s U S, s the scale of the embedding. Column
    by column F'P = s S^2 V, whose norm gives s V = F'P |P|^2 / |F'P|^2: no second decomposition.

    Shapes: `features` (n, p), `points` (n, d).
    """
    mean = means(features)
    deviation = deviations(features) if standardize else np.ones(len(mean))
    products = ((features - mean) / deviation).T @ points
    size = np.linalg.norm(products, axis=0)
    scale = (np.linalg.norm(points, axis=0) / np.where(size > 0, size, 1.0)) ** 2
    return Linear(mean=mean, axes=products * scale / deviation[:, None])


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
