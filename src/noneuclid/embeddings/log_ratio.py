"""Compositions as points: log-ratio coordinates, written in the tangent chart.

The usual Euclidean reading of compositional data, and so the baseline for polytope methods:
isometric log-ratios on the simplex (Egozcue et al. 2003), logits of each coordinate in a box.
"""

from noneuclid.contracts import Embedded
from noneuclid.embeddings.distortion import distortion_of_features
from noneuclid.errors import InputError, require, require_number
from noneuclid.geometry import bounded


def embed(dataset, seed, *, scale=1.0):
    """Embed a composition without changing the distances between its log-ratios.

    Parameters
    ----------
    dataset : Dataset
        Of kind ``composition``, strictly inside its polytope: the simplex (default), or the box
        that ``about["domain"]`` describes.
    scale : float
        Multiplies the coordinates before they are lifted.

    Returns
    -------
    Embedded
        In the tangent chart; one dimension less than parts on the simplex.

    Raises
    ------
    InputError
        If the data set is not a composition, or a row lies on the boundary.

    Examples
    --------
    >>> from noneuclid.contracts import Dataset
    >>> import numpy as np
    >>> rows = np.array([[0.5, 0.5], [0.2, 0.8]])
    >>> data = Dataset("d", "composition", np.array([0, 1]), ("a", "b"), features=rows)
    >>> embed(data, 0).points.round(3)
    array([[ 0.  ],
           [-0.98]])
    """
    require_number(scale, "scale", "log_ratio", low=1e-6)
    require(
        dataset.kind == "composition",
        f"log_ratio: {dataset.name} has kind {dataset.kind!r}; use hydra or lifted_pca",
    )
    ratios = _ratios(dataset)
    points = scale * ratios
    about = {
        "name": "log_ratio",
        "settings": {"scale": scale},
        "distortion": distortion_of_features(ratios, points, seed),
        "transductive": False,
    }
    return Embedded(
        points=points,
        chart="tangent",
        labels=dataset.labels,
        class_names=dataset.class_names,
        fixed_fold=dataset.fixed_fold,
        about={"embedding": about},
    )


def _ratios(dataset):
    """Log-ratio coordinates of the rows."""
    domain = dataset.about.get("domain", {"polytope": "simplex"})
    try:
        if domain["polytope"] == "box":
            return bounded.from_box(dataset.features, domain["low"], domain["high"])
        return bounded.from_simplex(dataset.features)
    except InputError as error:
        raise InputError(f"log_ratio of {dataset.name}: {error}") from None
