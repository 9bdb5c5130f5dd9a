"""Classes that are the leaves of a tree: Gaussians whose means follow the branches."""

import numpy as np

from noneuclid.errors import require, require_number
from noneuclid_compare.data.checks import checked
from noneuclid_compare.records import Dataset

NAME = "nested_gaussians"
ABOUT = {
    "citation": "Made to test scores by the distance in a tree of classes",
    "licence": "generated",
    "source": f"noneuclid: {NAME}",
    "oddities": "Squared distances of means, not distances, grow with the length of the path in "
    "the tree.",
}
# Leaves of the largest tree.
MOST_CLASSES = 10_000


def load(files, seed, *, depth=3, n_branches=2, n_samples_per_class=20, n_features=10, noise=1.0):
    """Draw a balanced tree and rows around its leaves.

    The mean of a node is that of its parent plus a vector with standard normal entries. Rows of a
    leaf are normal around its mean. Nodes are named by the way from the root: class "1.2" is the
    second child of node "1".

    Parameters
    ----------
    depth : int
        Edges from the root to a leaf.
    n_branches : int
        Children of each inner node; there are n_branches^depth classes.
    n_samples_per_class : int
        Rows of each class.
    n_features : int
        Number of features.
    noise : float
        Standard deviation of each feature within a class.

    Returns
    -------
    Dataset
        Kind `features`; `about` has the `class_tree`, so that `class_tree: true` uses it.

    Raises
    ------
    InputError
        If a setting is out of range.

    Examples
    --------
    >>> data = load({}, 0, depth=2)
    >>> data.class_names
    ('1.1', '1.2', '2.1', '2.2')
    >>> data.about["class_tree"]["1.2"], data.about["class_tree"]["1"]
    ('1', 'root')
    """
    settings = {
        "depth": depth,
        "n_branches": n_branches,
        "n_samples_per_class": n_samples_per_class,
    }
    settings |= {"n_features": n_features, "noise": noise}
    for key, low in {
        "depth": 1,
        "n_branches": 2,
        "n_samples_per_class": 1,
        "n_features": 1,
    }.items():
        require_number(settings[key], key, NAME, low=low, integer=True)
    require_number(noise, "noise", NAME, low=0.0)
    require(
        depth * np.log(n_branches) <= np.log(MOST_CLASSES),
        f"{NAME}: depth={depth} and n_branches={n_branches} give more than {MOST_CLASSES} classes",
    )
    rng = np.random.default_rng(seed)
    names, means, parents = ["root"], np.zeros((1, n_features)), {}
    for _ in range(depth):
        children = [
            f"{k}" if name == "root" else f"{name}.{k}"
            for name in names
            for k in range(1, n_branches + 1)
        ]
        parents |= dict(zip(children, np.repeat(names, n_branches).tolist(), strict=True))
        means = np.repeat(means, n_branches, axis=0)
        means, names = means + rng.standard_normal(means.shape), children
    labels = np.repeat(np.arange(len(names)), n_samples_per_class)
    features = means[labels] + noise * rng.standard_normal((len(labels), n_features))
    about = {**ABOUT, "settings": settings, "seed": seed, "class_tree": parents}
    return checked(Dataset(NAME, "features", labels, tuple(names), features=features, about=about))
