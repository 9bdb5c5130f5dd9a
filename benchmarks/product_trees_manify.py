"""The decision tree of manify on given points: `product_trees.py` and `product_splits.py` run this.

PYTHON product_trees_manify.py FOLDER GIVEN TARGET, with a checkout of pchlenski/manify at 2f640d7.
"""

import sys
import time
import types
from pathlib import Path

import numpy as np
import torch


def trees_of(folder):
    """Modules of spaces and of trees, without what the package imports besides."""
    for name in ("manify", "manify.predictors"):
        package = types.ModuleType(name)
        package.__path__ = [str(Path(folder, *name.split(".")))]
        sys.modules[name] = package
    import manify.manifolds as spaces
    import manify.predictors.decision_tree as trees

    # `predict` takes a node whose value is not None for a leaf.
    start = trees.DecisionNode.__init__
    start.__defaults__ = (None, *start.__defaults__[1:])
    return spaces, trees


def main():
    folder, given, target = sys.argv[1:]
    torch.set_num_threads(1)
    spaces, trees = trees_of(folder)
    data = np.load(given)
    X, y, new = (torch.tensor(data[name]) for name in ("X", "y", "new"))
    space = spaces.ProductManifold([(-1, 2), (1, 2), (0, 1)])

    class Counted(trees.ProductSpaceDT):
        """Counts training rows of the class of their leaf, and keeps the sides of splits."""

        hits = 0.0

        def _get_best_split(self, ig, angles, comparisons):
            found = super()._get_best_split(ig, angles, comparisons)
            row, feature, _ = found
            splits.append((angles, comparisons[row, feature].bool()))
            return found

        def _leaf_values(self, labels):
            self.hits += float(labels.sum(dim=0).max())
            return super()._leaf_values(labels)

    model = Counted(space, max_depth=int(data["depth"]), n_features=str(data["features"]))
    splits = []
    start = time.process_time()
    model.fit(X, y)
    fitted = time.process_time()
    found = model.predict(new).numpy()
    predicted = time.process_time()
    sides = np.zeros((len(splits), len(y)), np.int8)
    numbers = {angle.tobytes(): i for i, angle in enumerate(model._preprocess(X)[0].numpy())}
    for line, (angles, above) in zip(sides, splits, strict=True):
        line[[numbers[angle.tobytes()] for angle in angles.numpy()]] = 1 + above.numpy()
    np.savez(
        target,
        fit=fitted - start,
        predict=predicted - fitted,
        found=found,
        leaves=model.hits / len(y),
        splits=sides,
    )


if __name__ == "__main__":
    main()
