"""Whether decision trees on products split the rows as manify's do.

    PYTHONPATH=benchmarks python benchmarks/product_splits.py --peer PYTHON FOLDER

PYTHON and FOLDER, and the points, are those of `product_trees.py`: 30 draws of 300 rows in
H2 x S2 x E1, depth 5, half of the draws with the features "d" and half with "d_choose_2".

product_splits.tsv has a line for each draw: `splits` that were compared, from the root down while
the parts are the same; `same`; `ties`, other parts whose decrease of Gini impurity is the same to
1e-6 (manify sums in float32); `other`; and `leaves` reached by both.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from noneuclid import ProductDecisionTreeClassifier
from outputs import options_of
from product_trees import DEPTH, FEATURES, SPACE, mixture, theirs

TABLE = Path(__file__).with_suffix(".tsv")
ROWS, SAME_GAIN = 300, 1e-6


def impurity(sides, y):
    """Mean Gini impurity of two sets of rows.

    Shapes: `sides` pair of bool (n,).
    """
    counts = [np.bincount(y[side]) for side in sides]
    return sum(c.sum() - (c**2).sum() / c.sum() for c in counts) / sum(c.sum() for c in counts)


def rows_of(tree, leaves):
    """Training rows below each node, bool (n_nodes, n)."""
    found = leaves == np.arange(len(tree.left))[:, None]
    for node in np.flatnonzero(tree.features >= 0)[::-1]:  # children have larger numbers
        found[node] = found[tree.left[node]] | found[tree.left[node] + 1]
    return found


def compare(model, X, y, splits):
    """Counts of a line of the table; `splits` (n_splits, n) are 1 and 2 on the sides, else 0."""
    tree = model.trees_[0]
    ours = rows_of(tree, model.apply(X))
    others = {(sides > 0).tobytes(): (sides == 1, sides == 2) for sides in splits}
    counts = dict.fromkeys(("splits", "same", "ties", "other", "leaves"), 0)
    nodes = [0]
    while nodes:
        node = nodes.pop()
        other, first = others.get(ours[node].tobytes()), tree.left[node]
        if other is None and tree.features[node] < 0:
            counts["leaves"] += 1
            continue
        counts["splits"] += 1
        if other is None or tree.features[node] < 0:
            counts["other"] += 1
            continue
        own = ours[first], ours[first + 1]
        if any(np.array_equal(own[0], side) for side in other):
            counts["same"] += 1
            nodes += [first, first + 1]
        else:
            tied = abs(impurity(own, y) - impurity(other, y)) <= SAME_GAIN
            counts["ties" if tied else "other"] += 1
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", nargs=2, required=True, metavar=("PYTHON", "FOLDER"))
    parser.add_argument("--draws", type=int, default=30)
    options = options_of(parser, TABLE, chosen=("peer",))
    lines = []
    for draw in range(options.draws):
        features, (X, y) = FEATURES[draw % 2], mixture(ROWS, draw)
        model = ProductDecisionTreeClassifier(space=SPACE, max_depth=DEPTH, n_features=features)
        splits = theirs(options.peer, features, X, y, X)["splits"]
        lines.append({"draw": draw, "features": features, **compare(model.fit(X, y), X, y, splits)})
        print(lines[-1], flush=True)
    table = pd.DataFrame(lines)
    print(table.sum(numeric_only=True).drop("draw").to_string())
    if options.output:
        table.to_csv(options.output, sep="\t", index=False)


if __name__ == "__main__":
    main()
