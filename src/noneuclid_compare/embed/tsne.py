"""t-SNE: a popular flat embedding of features, as a baseline (in scikit-learn).

References
----------
.. [1] L. van der Maaten and G. Hinton, Visualizing data using t-SNE, JMLR 9:2579-2605, 2008.
"""

from noneuclid.embeddings.base import require_features
from noneuclid.errors import require_number
from noneuclid_compare.embed.flat import FOR_OTHERS, as_embedded, fitted, reduced

NAME = "tsne"
# scikit-learn approximates the forces in up to three dimensions; in more a step costs O(n^2).
FAST = 3


def embed(
    dataset,
    seed,
    *,
    n_components=2,
    n_pcs=20,
    perplexity=30.0,
    quantile=0.95,
    radius=2.5,
    standardize="auto",
):
    """Embed rows of features by t-SNE [1]_, at the size of `LiftedPCA`.

    Parameters
    ----------
    n_components : int
        Above three a step takes time O(n^2).
    n_pcs : int or None
        Number of principal components on which neighbours are found if there are more features.
    perplexity : float
        As in scikit-learn; at most (n - 1) / 3.
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
        If a parameter is out of range, or the data set has no features.

    Examples
    --------
    >>> from noneuclid_compare.data.shipped import sklearn_table
    >>> data = sklearn_table.load({}, 0, name="iris")
    >>> embed(data, 0).points.shape  # doctest: +SKIP
    (150, 2)
    """
    # Only this embedding pays for it.
    from sklearn.manifold import TSNE

    n = len(dataset.labels)
    require_features(dataset, NAME, FOR_OTHERS)
    require_number(n_components, "n_components", NAME, low=1, high=n - 2, integer=True)
    require_number(perplexity, "perplexity", NAME, low=1.0, high=(n - 1) / 3)
    options = {"n_pcs": n_pcs, "standardize": standardize}
    features, rows, chosen = reduced(dataset, seed, NAME, **options)
    method = "barnes_hut" if n_components <= FAST else "exact"
    start = "pca" if n_components <= min(rows.shape) else "random"
    model = TSNE(n_components, perplexity=perplexity, method=method, init=start, random_state=seed)
    settings = {"n_components": n_components, "n_pcs": n_pcs, "perplexity": perplexity}
    settings |= {"quantile": quantile, "radius": radius, "standardize": chosen}
    return as_embedded(dataset, fitted(model, rows), seed, NAME, settings, features)
