"""What maps share that compare new rows with the rows of the fit: standardise, then project."""

from dataclasses import dataclass

import numpy as np

from noneuclid.embeddings.maps import Map, linear


@dataclass(frozen=True, kw_only=True)
class ReducedMap(Map):
    """New rows are standardised and projected on principal axes as the rows of the fit were.

    Attributes
    ----------
    mean, deviation : ndarray of float, shape (p,), or None
        Of `feature_scaling.Standardisation`; None if the features keep their units.
    centre, axes : ndarray of float, shapes (p,) and (p, q), or None
        Of the principal components; None if there are none.
    rows : ndarray of float, shape (m, q)
        Rows of the fit after both steps.
    """

    mean: np.ndarray | None = None
    deviation: np.ndarray | None = None
    centre: np.ndarray | None = None
    axes: np.ndarray | None = None
    rows: np.ndarray

    @property
    def width(self):
        """Number of features."""
        return self.rows.shape[1] if self.axes is None else len(self.axes)

    def reduce(self, features):
        """Rows in the coordinates of `rows`.

        Row by row: a product of matrices rounds differently for one row and for many.
        """
        self.require_rows(features)
        if self.mean is not None:
            features = (features - self.mean) / self.deviation
        if self.axes is not None:
            features = np.array([row @ self.axes for row in features - self.centre])
        return features


def standardisation(scale):
    """Entries of a `ReducedMap` for a scale of `feature_scaling.choose_scale`."""
    mean = getattr(scale, "mean", None)
    return {} if mean is None else {"mean": mean, "deviation": scale.deviation}


def projection(features, scores):
    """Entries of a `ReducedMap` for principal components of standardised features."""
    if scores is features:
        return {}
    found = linear(features, scores)
    return {"centre": found.mean, "axes": found.axes}
