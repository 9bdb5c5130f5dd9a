"""Forests on many rows: how small their leaves are, and what their trees hold.

A fully grown tree on noisy classes has nearly as many nodes as rows, each with a number for every
class: 100 trees on 10⁵ rows of 59 classes take 7 GB, and predict worse than smaller ones.
"""

from itertools import product

# Parts of the names of forests' classes.
NAMES = ("Forest", "ExtraTrees", "baseline_forest")
OURS = ("sklearn.", "noneuclid.", "baseline_")  # classes that have `min_samples_leaf`
TREES = 100  # of a forest that does not say how many
# Settings that limit a tree: a method that gives one of them is left as it is.
LIMITS = (
    *("max_depth", "max_leaf_nodes", "max_samples", "min_samples_leaf", "min_samples_split"),
    *("min_weight_fraction_leaf", "min_impurity_decrease", "ccp_alpha"),
)
# Rows beyond which leaves are larger, and about how many leaves a tree then has.
MANY, LEAVES = 20_000, 10_000
# Nodes of a full tree by rows, measured from 0.36 to 0.64, and of others by rows over leaf size,
# measured from 0.5 to 0.82: both are rounded up.
FULL, PRUNED = 0.7, 1.0
NODE_BYTES = 64  # beside 8 for each class


def is_forest(method):
    """Whether a method is a forest, by the name of its class.

    Examples
    --------
    >>> is_forest({"use": "sklearn.ensemble.RandomForestClassifier"}), is_forest({"use": "a.Tree"})
    (True, False)
    """
    name = method["use"].rpartition(".")[2]
    return any(word in name for word in NAMES)


def leaf_size(method, n):
    """Rows of the smallest leaf of a forest on data of n rows; None where the method decides.

    Examples
    --------
    >>> forest = {"use": "noneuclid.HyperbolicRandomForestClassifier", "params": {}, "grid": {}}
    >>> leaf_size(forest, 20_000), leaf_size(forest, 100_000)
    (None, 10)
    >>> leaf_size(forest | {"params": {"max_depth": 3}}, 100_000)
    """
    given = {*method.get("params", {}), *method.get("grid", {})}
    if n <= MANY or not (is_forest(method) and method["use"].startswith(OURS)):
        return None
    if given & {*LIMITS}:
        return None
    return n // LEAVES


def memory_mb(method, n, classes):
    """Megabytes of the largest forest of a grid fitted to n rows; 0 for other methods."""
    if not is_forest(method):
        return 0.0
    grid = {k: v for k, v in method.get("grid", {}).items() if k in ("n_estimators", *LIMITS)}
    chosen = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    return max(_trees_mb(method | {"params": method["params"] | one}, n, classes) for one in chosen)


def _trees_mb(method, n, classes):
    params = method["params"]
    leaf = params.get("min_samples_leaf", 1)
    leaf = leaf_size(method, n) or (leaf if isinstance(leaf, int) else max(1, int(leaf * n)))
    nodes = FULL * n if leaf == 1 else min(FULL * n, PRUNED * n / leaf)
    if type(depth := params.get("max_depth")) is int:
        nodes = min(nodes, 2.0 ** min(depth + 1, 60))
    if type(leaves := params.get("max_leaf_nodes")) is int:
        nodes = min(nodes, 2.0 * leaves)
    return params.get("n_estimators", TREES) * nodes * (NODE_BYTES + 8 * classes) / 1e6
