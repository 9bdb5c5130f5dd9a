"""Scores of predicted classes by a tree of the classes."""

DISTANCE, LEVEL = "tree_distance", "accuracy_level_"


def evaluate(truth, predicted, tree):
    """Scores of one fold.

    Parameters
    ----------
    truth, predicted : ndarray of int, shape (m,)
        Codes of classes.
    tree : ClassTree

    Returns
    -------
    dict of float
        `tree_distance`: mean number of edges between the true and the predicted class, 0 if all
        are right. `accuracy_level_k`, k from 1 to the depth of the deepest class: share of rows
        whose true and predicted class have the same ancestor k edges below the root; classes that
        are less deep stay themselves. At the largest k it is the accuracy.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid.geometry.class_trees import class_tree
    >>> tree = class_tree({"T": "lymphoid", "B": "lymphoid", "lymphoid": "blood",
    ...                    "mono": "blood"}, ["B", "T", "mono"])
    >>> evaluate(np.array([0, 1, 2, 2]), np.array([1, 1, 2, 0]), tree)
    {'tree_distance': 1.25, 'accuracy_level_1': 0.75, 'accuracy_level_2': 0.5}
    """
    scores = {DISTANCE: float(tree.distances[truth, predicted].mean())}
    for level in range(1, tree.depths.max() + 1):
        nodes = tree.at_level(level)
        scores[f"{LEVEL}{level}"] = float((nodes[truth] == nodes[predicted]).mean())
    return scores
