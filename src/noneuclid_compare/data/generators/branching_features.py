"""Features of a branching process: a tree of any depth whose classes are its first branches."""

import numpy as np

from noneuclid.errors import require_number
from noneuclid_compare.data.checks import checked
from noneuclid_compare.records import Dataset

NAME = "branching_features"
ABOUT = {
    "citation": "Made to compare methods on hierarchies of different depth",
    "licence": "generated",
    "source": f"noneuclid: {NAME}",
    "oddities": "Squared distances of features, not distances, grow with the length of the path in "
    "the tree.",
}
# Nodes of the largest tree.
MOST_NODES = 10**6


def load(
    files,
    seed,
    *,
    n_samples=400,
    n_classes=4,
    depth=3,
    n_features=40,
    noise_features=20,
    noise=0.5,
):
    """Draw a tree, then rows at random places of its edges.

    The root has one child for each class; all other inner nodes have two. Each edge adds a vector
    with standard normal entries. A row is a uniform place on a random edge below the first
    branches, with normal noise; its class is the branch that it belongs to. Edges of all depths are
    equally likely, so deeper edges, which are more, have more rows. With depth 1 rows are on the
    edges of the root.

    Parameters
    ----------
    n_samples : int
        Number of rows; each class has the same number, give or take one.
    n_classes : int
        Branches of the root.
    depth : int
        Edges from the root to a leaf.
    n_features : int
        Number of features.
    noise_features : int
        Number of those that do not follow the tree: independent standard normal numbers.
    noise : float
        Standard deviation of the noise of the features that follow the tree.

    Returns
    -------
    Dataset
        Kind `features`, those that follow the tree first.

    Raises
    ------
    InputError
        If a setting is out of range.

    Examples
    --------
    >>> data = load({}, 0, depth=5)
    >>> data.features.shape, data.class_names
    ((400, 40), ('branch 1', 'branch 2', 'branch 3', 'branch 4'))
    """
    settings = {
        "n_samples": n_samples,
        "n_classes": n_classes,
        "depth": depth,
        "n_features": n_features,
    }
    settings |= {"noise_features": noise_features, "noise": noise}
    _check_settings(settings)
    rng = np.random.default_rng(seed)
    parent, branch = tree(n_classes, depth)
    followed = n_features - noise_features
    steps = rng.standard_normal((len(parent), followed))
    places = np.zeros_like(steps)
    for node in range(1, len(parent)):
        places[node] = places[parent[node]] + steps[node]
    labels = rng.permutation(np.arange(n_samples) % n_classes)
    inner = depth > 1
    rows = np.empty((n_samples, followed))
    for label in range(n_classes):
        own = np.flatnonzero(labels == label)
        edges = np.flatnonzero(branch == label)
        ends = rng.choice(edges[1:] if inner else edges, len(own))
        share = rng.uniform(size=(len(own), 1))
        rows[own] = places[parent[ends]] + share * steps[ends]
    rows += noise * rng.standard_normal(rows.shape)
    others = rng.standard_normal((n_samples, noise_features))
    return checked(
        Dataset(
            NAME,
            "features",
            labels.astype(np.int64),
            tuple(f"branch {k + 1}" for k in range(n_classes)),
            features=np.hstack([rows, others]),
            about={**ABOUT, "settings": settings, "seed": seed},
        )
    )


def tree(classes, depth):
    """Parent and branch of each node, the root first (parent and branch -1), levels in order.

    Examples
    --------
    >>> tree(2, 2)
    (array([-1,  0,  0,  1,  1,  2,  2]), array([-1,  0,  1,  0,  0,  1,  1]))
    """
    parent, branch = [-1, *[0] * classes], [-1, *range(classes)]
    level = range(1, classes + 1)
    for _ in range(depth - 1):
        first = len(parent)
        for node in level:
            parent += [node, node]
            branch += [branch[node]] * 2
        level = range(first, len(parent))
    return np.array(parent), np.array(branch)


def _check_settings(settings):
    """Refuse values out of range."""
    lows = {"n_classes": 2, "n_features": 1}
    for key, low in lows.items():
        require_number(settings[key], key, NAME, low=low, integer=True)
    deepest = int(np.log2(MOST_NODES / settings["n_classes"]))
    require_number(settings["depth"], "depth", NAME, low=1, high=deepest, integer=True)
    require_number(
        settings["n_samples"], "n_samples", NAME, low=settings["n_classes"], integer=True
    )
    most = settings["n_features"] - 1
    key = "noise_features"
    require_number(settings[key], key, NAME, low=0, high=most, integer=True)
    require_number(settings["noise"], "noise", NAME, low=0.0)
