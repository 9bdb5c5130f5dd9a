"""Product trees and forests of chlenski2025 on MNIST, with the midpoints of the right factor.

    PYTHONPATH=benchmarks PYTHON papers/benchmarks/chlenski2025_midpoints.py --program FOLDER

FOLDER is a checkout of pchlenski/manify at 2f640d7, and PYTHON that of an environment with torch,
geoopt, jaxtyping, scikit-learn and pandas; noneuclid is not needed. Needs the folder manify of the
papers' data. Points in S2 x E2 x H2, 1,000 training and 1,000 test rows of a trial, drawn with the
numbers of trial and draw as the seed; settings of the authors: depth 5, 12 trees, planes of all
pairs of axes.

chlenski2025_midpoints.tsv has accuracies in % as released and with the midpoint rules of the
factors (`right`). In both, `predict` descends below the root, which it does not in the release.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from outputs import options_of, paper_file
from product_trees_manify import trees_of

TABLE = Path(__file__).with_suffix(".tsv")
TRIALS, ROWS = (0, 1), 1000
SIGNATURE = [(1, 2), (0, 2), (-1, 2)]


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


def scores(trees, space, rows, draw):
    """Accuracies of a tree and of a forest, in %."""
    X, y, new, truth = rows
    settings = {"pm": space, "max_depth": 5, "n_features": "d_choose_2"}
    forest = trees.ProductSpaceRF(**settings, n_estimators=12, random_state=draw)
    found = []
    for model in (trees.ProductSpaceDT(**settings), forest):
        model.fit(X, y)
        found.append(100 * float((model.predict(new) == truth).float().mean()))
    return found


def drawn(trial, draw):
    """Training rows and labels, test rows and labels."""
    archive = np.load(paper_file("manify", "product_vae", "mnist", f"{trial}.npz"))
    rng, found = np.random.default_rng([trial, draw]), []
    for part in ("train", "test"):
        rows = rng.choice(len(archive[f"X_{part}"]), ROWS, replace=False)
        found += [torch.tensor(archive[f"X_{part}"][rows]).float()]
        found += [torch.tensor(archive[f"y_{part}"][rows]).long()]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--draws", type=int, default=8)
    options = options_of(parser, TABLE, chosen=("program",))
    spaces, trees = trees_of(options.program)
    space, lines = spaces.ProductManifold(SIGNATURE), []
    for trial in TRIALS:
        for draw in range(options.draws):
            rows = drawn(trial, draw)
            line = {"trial": trial, "draw": draw}
            line["tree_released"], line["forest_released"] = scores(trees, space, rows, draw)
            wrong = put_right(trees)
            line["tree_right"], line["forest_right"] = scores(trees, space, rows, draw)
            trees.ProductSpaceDT._preprocess = wrong
            lines.append(line)
            print(line, flush=True)
    if options.output:
        pd.DataFrame(lines).to_csv(options.output, sep="\t", index=False, float_format="%.4g")


if __name__ == "__main__":
    main()
