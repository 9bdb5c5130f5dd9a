"""Accuracy on new cells that lack genes of training: missing_genes.tsv.

    python benchmarks/missing_genes.py

Atlases of `cell_atlas` (6000 cells, 1000 genes, 20 types; seeds 0 to 4). 4000 cells are prepared
with 500 variable genes, and train a logistic regression on 50 components. The others lack genes,
drawn evenly or by their counts; these have counts of zero, or their means of training
(``--missing-genes mean``), or are left out in training, too. `expression` is the share that the
command reports.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from scipy.sparse import csr_array, vstack
from sklearn.linear_model import LogisticRegression

from noneuclid_compare.data.generators import cell_atlas
from noneuclid_compare.data.prepare import parts, preparation

TABLE = Path(__file__).with_suffix(".tsv")
CELLS, GENES, TRAINING, VARIABLE = 6000, 1000, 4000, 500
SHARES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)


def fitted(counts, y):
    """Preparation and classifier of the training cells."""
    used = np.arange(CELLS) < TRAINING
    prepared, places, _ = preparation.fit(
        parts.of_matrix(counts), used, lambda *part: None, n_top_genes=VARIABLE
    )
    return prepared, LogisticRegression(max_iter=2000).fit(places[used], y[used])


def atlas(seed):
    """Lines of the table of one atlas."""
    drawn = cell_atlas.draw(seed, n_cells=CELLS, n_genes=GENES, n_classes=20, counts_per_cell=900.0)
    rows = [rows for _, rows in cell_atlas.counts_of(drawn, seed, 0.3, 0.5)]
    counts, y = csr_array(vstack(rows, format="csr")), drawn.codes
    prepared, model = fitted(counts, y)
    totals = np.asarray(counts.sum(axis=0)).ravel()
    rng = np.random.default_rng(seed)
    for drawn_by, weights in {"evenly": None, "by counts": totals / totals.sum()}.items():
        for share in SHARES:
            gone = rng.choice(GENES, int(share * GENES), replace=False, p=weights)
            new = counts[TRAINING:].toarray()
            new[:, gone] = 0
            lacking = np.flatnonzero(np.isin(prepared.variable, gone))
            kept = np.setdiff1d(np.arange(GENES), gone)
            again, other = fitted(counts[:, kept], y)
            answers = {
                "zero": model.predict(prepared.place(csr_array(new))),
                "mean": model.predict(prepared.place(csr_array(new), lacking)),
                "trained without": other.predict(again.place(csr_array(new[:, kept]))),
            }
            yield {
                "drawn": drawn_by,
                "genes": share,
                "expression": prepared.means[lacking].sum() / prepared.means.sum(),
                **{name: np.mean(found == y[TRAINING:]) for name, found in answers.items()},
            }


def main():
    table = pd.DataFrame([line for seed in range(5) for line in atlas(seed)])
    table = table.groupby(["drawn", "genes"], sort=False).mean().round(3)
    print(table.to_string())
    table.to_csv(TABLE, sep="\t")


if __name__ == "__main__":
    main()
