"""Share of cells of new donors whose answer is right, by ConformalClassifier: conformal.tsv.

    python benchmarks/conformal.py

Atlases of `cell_atlas` (24 donors of 250 cells, 1000 genes, 20 types in a tree; seeds 0 to 3): each
donor multiplies the rate of each gene by a factor whose logarithm has the standard deviation
`effect`. Twelve donors are prepared, train a logistic regression on 50 components, and calibrate it
by five folds at an error rate of 0.1: with donors or cells as exchangeable, or within types. The
other twelve are new; the factors of the last three are cubed (`strange`), so that they are not
exchangeable with the others. Columns: share of cells with their type in the set, its mean and its
range over new donors; types in a set; shares of cells answered by a type, and by the root.
"""

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.sparse import csr_array, vstack
from sklearn.linear_model import LogisticRegression

from noneuclid import ConformalClassifier
from noneuclid_compare.data.generators import cell_atlas
from noneuclid_compare.data.prepare import parts, preparation

TABLE = Path(__file__).with_suffix(".tsv")
DONORS, KNOWN, STRANGE = 24, 12, 3
CALIBRATED = {
    "donors": {},
    "cells": {},
    "donors, each type": {"class_conditional": True},
}


def atlas(seed, effect):
    """Components, types, donors and the tree; components are fitted to the known donors."""
    drawn = cell_atlas.draw(
        seed,
        n_cells=250 * DONORS,
        n_genes=1000,
        n_classes=20,
        n_batches=DONORS,
        batch_effect=effect,
        counts_per_cell=900.0,
    )
    effects = drawn.effects.copy()
    effects[-STRANGE:] **= 3
    drawn = drawn._replace(effects=effects)
    counts = [rows for _, rows in cell_atlas.counts_of(drawn, seed, 0.3, 0.5)]
    used = drawn.batches < KNOWN
    source = parts.of_matrix(csr_array(vstack(counts, format="csr")))
    _, places, _ = preparation.fit(source, used, lambda *part: None, n_top_genes=500)
    names = np.array(cell_atlas.class_names(drawn))
    nodes = list(zip(drawn.names, drawn.parents, strict=True))[1:]
    return places, names[drawn.codes], drawn.batches, {c: drawn.names[p] for c, p in nodes}


def lines(seed, effect):
    """Lines of the table of one atlas."""
    X, y, donors, tree = atlas(seed, effect)
    known = donors < KNOWN
    for name, settings in CALIBRATED.items():
        model = ConformalClassifier(
            LogisticRegression(max_iter=1000), class_tree=tree, random_state=0, **settings
        )
        model.fit(X[known], y[known], None if name == "cells" else donors[known])
        codes = np.searchsorted(model.classes_, y)
        sets = model.predict_set(X)
        inside = sets[np.arange(len(y)), codes]
        answers = model.predict(X)
        strange = donors >= DONORS - STRANGE
        for kind, rows in (("new", ~known & ~strange), ("strange", strange)):
            by_donor = pd.Series(inside[rows]).groupby(donors[rows]).mean()
            yield {
                "effect": effect,
                "calibrated by": name,
                "donors": kind,
                "coverage": by_donor.mean(),
                "lowest": by_donor.min(),
                "highest": by_donor.max(),
                "types": sets[rows].sum(axis=1).mean(),
                "answered": np.isin(answers[rows], model.classes_).mean(),
                "unknown": (answers[rows] == "root").mean(),
            }


def main():
    warnings.simplefilter("ignore")
    found = [line for effect in (0.1, 0.3) for seed in range(4) for line in lines(seed, effect)]
    groups = pd.DataFrame(found).groupby(["effect", "calibrated by", "donors"], sort=False)
    table = groups.mean()
    table["lowest"], table["highest"] = groups["lowest"].min(), groups["highest"].max()
    table = table.round(3)
    print(table.to_string())
    table.to_csv(TABLE, sep="\t")


if __name__ == "__main__":
    main()
