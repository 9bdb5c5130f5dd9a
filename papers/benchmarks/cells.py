"""Balanced accuracy of cells from counts to the page, on the same folds: cells.tsv.

    snakemake --cores 1 --snakefile papers/workflow/Snakefile --configfile papers/config/cells.yaml
    python papers/benchmarks/cells.py [--results results]

Means and standard deviations over five folds, and seconds of a fit. `original_logistic` is scanpy's
PCA with logistic regression, `original_celltypist` CellTypist's model on all genes; both are fitted
on training cells alone, embeddings on all cells without labels.
"""

import argparse
from pathlib import Path

import pandas as pd

TABLE = Path(__file__).with_suffix(".tsv")
COLUMNS = ["dataset", "embedding", "method", "mean", "sd", "fit_seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=Path("results"))
    table = pd.read_csv(
        parser.parse_args().results / "report/tables/scores_by_dataset.tsv", sep="\t"
    )
    table = table.loc[table["method"] != "majority", COLUMNS].round(
        {"mean": 4, "sd": 4, "fit_seconds": 2}
    )
    table = table.sort_values(["dataset", "mean"], ascending=[True, False])
    print(table.to_string(index=False))
    table.to_csv(TABLE, sep="\t", index=False)


if __name__ == "__main__":
    main()
