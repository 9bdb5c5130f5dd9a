"""Spectral embedding of features or a graph, a flat baseline (in scikit-learn).

References
----------
.. [1] M. Belkin and P. Niyogi, Laplacian eigenmaps for dimensionality reduction and data
   representation, Neural Computation 15(6):1373-1396, 2003.
"""

import numpy as np
from scipy.sparse import csr_array

from noneuclid.errors import require_number
from noneuclid_compare.embed.flat import as_embedded, fitted, reduced
from noneuclid_compare.embed.of_dataset import adjacency

NAME = "spectral"


def embed(
    dataset,
    seed,
    *,
    n_components=2,
    n_pcs=20,
    n_neighbors=15,
    quantile=0.95,
    radius=2.5,
    standardize="auto",
):
    """Embed rows by eigenvectors of a normalised graph Laplacian [1]_, at the size of `LiftedPCA`.

    The graph of features joins each row to its nearest ones. In a graph that is given, a longer
    edge joins less: its weight is 1 / length. Eigenvectors of equal eigenvalues, as of a graph with
    symmetries or in several parts, have any basis: another order of the rows may turn it, and give
    other points if `n_components` takes only some of them.

    Parameters
    ----------
    n_components : int
        Number of eigenvectors, without the constant one.
    n_pcs : int or None
        Number of principal components on which neighbours are found if there are more features.
    n_neighbors : int
        Of each row of features.
    quantile, radius : float
        As in `LiftedPCA`.
    standardize : bool or "auto"
        "auto" divides the columns of a table by their standard deviations.

    Returns
    -------
    Embedded
        In the chart "tangent"; there is no rule for new rows.

    Raises
    ------
    InputError
        If a parameter is out of range, or the data set has neither features nor edges.

    Examples
    --------
    >>> from noneuclid_compare.data.shipped import karate
    >>> embed(karate.load({}, 0), 0).points.shape
    (34, 2)
    """
    # Only this embedding pays for it.
    from sklearn.manifold import SpectralEmbedding

    n = len(dataset.labels)
    require_number(n_components, "n_components", NAME, low=1, high=n - 2, integer=True)
    settings = {"n_components": n_components}
    size = {"quantile": quantile, "radius": radius}
    if dataset.kind == "graph":
        lengths = adjacency(dataset)
        # scikit-learn takes 32-bit places.
        places = lengths.indices.astype(np.int32), lengths.indptr.astype(np.int32)
        weights = csr_array((1 / lengths.data, *places), shape=lengths.shape)
        model = SpectralEmbedding(n_components, affinity="precomputed", random_state=seed)
        flat, features = fitted(model, weights), None
    else:
        require_number(n_neighbors, "n_neighbors", NAME, low=1, high=n - 1, integer=True)
        options = {"n_pcs": n_pcs, "standardize": standardize}
        features, rows, chosen = reduced(dataset, seed, NAME, **options)
        settings |= {"n_pcs": n_pcs, "n_neighbors": n_neighbors, "standardize": chosen}
        model = SpectralEmbedding(n_components, n_neighbors=n_neighbors, random_state=seed)
        flat = fitted(model, rows)
    # Eigenvectors have signs by chance.
    flat = flat * np.sign(flat[np.abs(flat).argmax(axis=0), np.arange(n_components)])
    return as_embedded(dataset, flat, seed, NAME, settings | size, features)
