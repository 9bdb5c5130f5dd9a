"""CPU time of the flat embeddings by number of rows: benchmarks/flat_embeddings.tsv.

    python benchmarks/flat_embeddings.py

Branching features in 40 columns; the second fit, after umap-learn has compiled. Above three
dimensions t-SNE is exact: its row with ten dimensions.
"""

import time
from pathlib import Path

import pandas as pd

from noneuclid_compare.config import registry, transformers
from noneuclid_compare.data.generators import branching_features

TABLE = Path(__file__).resolve().with_suffix(".tsv")


def main():
    rows = []
    for name, dimension in (("spectral", 2), ("tsne", 2), ("tsne", 10), ("umap", 2)):
        path = registry.path_of(name, "embed")
        for n in (100, 200, 2000):
            if (n, dimension) == (2000, 10):
                n = 1000
            data = branching_features.load({}, 0, n_samples=n)
            start = time.process_time()
            transformers.embed(path, data, 0, n_components=dimension)
            rows.append([name, dimension, n, round(time.process_time() - start, 2)])
            print(*rows[-1], flush=True)
    # The first fit compiles or imports.
    table = pd.DataFrame(rows, columns=["embedding", "dimension", "rows", "seconds"])
    table[table["rows"] > 100].to_csv(TABLE, sep="\t", index=False)


if __name__ == "__main__":
    main()
