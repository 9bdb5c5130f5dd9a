"""Random trees whose classes are a subtree and the rest, after Yang et al. (2024), section 4.1."""

import numpy as np

from noneuclid.errors import require, require_number
from noneuclid_compare.data.checks import checked
from noneuclid_compare.records import Dataset

ABOUT = {
    "citation": "Yang, Liu and Pehlevan, Convex relaxation for solving large-margin classifiers "
    "in hyperbolic space, 2024, arXiv:2405.17198, section 4.1",
    "licence": "generated",
    "source": "noneuclid: random_tree",
    "oddities": "The paper does not say how its trees are drawn; here they are random recursive "
    "trees, whose depth grows with the logarithm of the number of nodes. The subtree is a few "
    "percent of the nodes, as in the paper's trees: accuracy is not informative.",
}


def grow(n, rng):
    """Draw a random recursive tree: each node hangs on an older one, all equally likely.

    Returns the parents of the nodes 1 to n - 1: node 0 is the root and `parents[i] <= i`.
    Returns shape (n - 1,).
    """
    return rng.integers(0, np.arange(1, n))


def subtree_sizes(parents):
    """Count each node and its descendants.

    Shapes: `parents` (n - 1,); returns shape (n,).
    """
    sizes = [1] * (len(parents) + 1)
    for i, parent in reversed(list(enumerate(parents.tolist()))):
        sizes[parent] += sizes[i + 1]
    return np.array(sizes)


def subtree(parents, node):
    """Mark a node and its descendants.

    Shapes: `parents` (n - 1,); returns shape (n,).
    """
    inside = [False] * (len(parents) + 1)
    inside[node] = True
    for i, parent in enumerate(parents.tolist()):
        inside[i + 1] = inside[i + 1] or inside[parent]
    return np.array(inside)


def load(files, seed, *, n_nodes=1000, low=0.03, high=0.1):
    """Draw a tree and one node; class `subtree` is that node with all its descendants.

    Parameters
    ----------
    low, high : float
        Share of nodes in the subtree: its node is drawn among those whose subtree has such a size.

    Returns
    -------
    Dataset
        Kind `graph`, edges of length one from older to younger; `about` keeps the `node`.

    Raises
    ------
    InputError
        If a setting is unknown or out of range, or no subtree of the tree has such a size.

    Examples
    --------
    >>> data = load({}, 0)
    >>> data.edges.shape, data.class_names
    ((999, 2), ('rest', 'subtree'))
    """
    settings = {"n_nodes": n_nodes, "low": low, "high": high}
    name = "random_tree"
    require_number(n_nodes, "n_nodes", name, low=2, integer=True)
    require_number(low, "low", name, low=0.0, high=1.0)
    require_number(high, "high", name, low=low, high=1.0)
    n = n_nodes
    rng = np.random.default_rng(seed)
    parents = grow(n, rng)
    share = subtree_sizes(parents) / n
    fit = np.flatnonzero((low <= share) & (share <= high) & (share < 1))
    require(
        fit.size > 0,
        f"{name}: no subtree holds a share of {low} to {high} of the {n} nodes; widen low and "
        "high or change the seed",
    )
    node = int(rng.choice(fit))
    return checked(
        Dataset(
            name,
            "graph",
            subtree(parents, node).astype(np.int64),
            ("rest", "subtree"),
            edges=np.column_stack([parents, np.arange(1, n)]),
            about={**ABOUT, "settings": settings, "seed": seed, "node": node},
        )
    )
