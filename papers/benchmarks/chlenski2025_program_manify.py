"""Trees and forests of the authors on given rows: `chlenski2025_program.py` runs this file.

PYTHON chlenski2025_program_manify.py FOLDER GIVEN, with a checkout of pchlenski/manify at 2f640d7.
GIVEN is a folder of archives with X_train, y_train, X_test, y_test, curvatures, dimensions and
seed. Each gets a line on standard output: its name, then accuracies in % of a tree and a forest as
released and with the midpoint rules of the factors. Settings of the authors: depth 5, 12 trees,
planes of all pairs of axes.
"""

import sys
from pathlib import Path

import numpy as np
import torch

from product_trees_manify import trees_of


def put_right(trees):
    """Let each angle have the factor, and the kind of plane, that `angle_dims` says."""
    wrong = trees.ProductSpaceDT._preprocess

    def right(self, X, y=None):
        found = wrong(self, X, y)
        self.angle2man = [self.pm.dim2man[second] for _, second in self.angle_dims]
        first = [self.pm.man2dim[factor][0] for factor in self.angle2man]
        flat = [self.pm.P[factor].type == "E" for factor in self.angle2man]
        self.special_first = [
            dim is None or (dim == start and not is_flat)
            for (dim, _), start, is_flat in zip(self.angle_dims, first, flat, strict=True)
        ]
        return found

    trees.ProductSpaceDT._preprocess = right
    return wrong


def scores(trees, space, rows, seed):
    """Accuracies of a tree and of a forest, in %."""
    settings = {"pm": space, "max_depth": 5, "n_features": "d_choose_2"}
    forest = trees.ProductSpaceRF(**settings, n_estimators=12, random_state=seed)
    found = []
    for model in (trees.ProductSpaceDT(**settings), forest):
        model.fit(rows["X_train"], rows["y_train"])
        right = model.predict(rows["X_test"]) == rows["y_test"]
        found.append(100 * float(right.float().mean()))
    return found


def main():
    folder, given = sys.argv[1:]
    torch.set_num_threads(1)
    spaces, trees = trees_of(folder)
    for path in sorted(Path(given).glob("*.npz")):
        archive = np.load(path)
        space = spaces.ProductManifold(
            list(zip(archive["curvatures"].tolist(), archive["dimensions"].tolist(), strict=True))
        )
        rows = {name: torch.tensor(archive[name]) for name in archive.files if "_t" in name}
        found = scores(trees, space, rows, int(archive["seed"]))
        wrong = put_right(trees)
        # The rules differ only if a factor follows a flat one.
        differ = (archive["curvatures"][:-1] == 0).any()
        found += scores(trees, space, rows, int(archive["seed"])) if differ else found
        trees.ProductSpaceDT._preprocess = wrong
        print(path.name, *found, flush=True)


if __name__ == "__main__":
    main()
