"""Graph embeddings beside those that cho2019 published for the same graphs.

Usage: python benchmarks/graph_embeddings.py FOLDER [output.tsv]; FOLDER holds `realnet` and
`randnet` of hhcho/hyplinear. Prints the table without a second argument. On real networks the
measure is the mean average precision of reconstructed neighbours, the median over seeds, in the
largest component; the authors' is the median over their fits by the method of `random_walk`. On
random networks our `labne` is compared with theirs: the largest difference of a norm in the disk,
and the length of the mean of exp(i (angle - their angle)) after the best turn or reflection.
"""

import sys
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.io import loadmat
from scipy.sparse.csgraph import connected_components
from sklearn.exceptions import ConvergenceWarning

from noneuclid import DeepWalk, Hydra, LaBNE, PoincareEmbedding, RandomWalkEmbedding
from noneuclid.embeddings.graphs import graph_of
from noneuclid.embeddings.reconstruction import quality
from noneuclid.geometry import charts
from noneuclid_compare.embed.of_dataset import embed
from noneuclid_compare.records import Dataset

SEEDS = (0, 1, 2)
RUNS = [
    (PoincareEmbedding, {}),
    (PoincareEmbedding, {"n_components": 5}),
    (RandomWalkEmbedding, {}),
    (DeepWalk, {}),
    (DeepWalk, {"n_components": 10}),
    (LaBNE, {}),
    (Hydra, {}),
]
COLUMNS = ["graph", "n", "edges", "embedding", "dimension", "seconds", "measure", "ours", "authors"]


def published(path):
    """Largest component of a network, and the authors' points of its nodes."""
    file = loadmat(path)
    adjacency = file["A"].astype(int)
    component = connected_components(adjacency)[1]
    keep = np.flatnonzero(component == np.bincount(component).argmax())
    edges = np.argwhere(np.triu(adjacency[np.ix_(keep, keep)], 1))
    labels = file["label"].ravel().astype(int)[keep] - 1
    names = tuple(map(str, range(labels.max() + 1)))
    return Dataset(path.stem, "graph", labels, names, edges=edges), file["B"][keep]


def precision(dataset, disk):
    """Mean average precision of points in the Poincaré disk."""
    points = charts.convert(disk, "poincare", "tangent")
    return quality(graph_of(dataset, "authors"), points, 0)["mean_average_precision"]


def network_rows(folder, name):
    """One row for each of our embeddings of a real network."""
    theirs = [published(path) for path in sorted(folder.glob(f"realnet/{name}_data_*.mat"))]
    authors = np.median([precision(dataset, disk) for dataset, disk in theirs])
    dataset = theirs[0][0]
    for transformer, settings in RUNS:
        values, seconds = [], []
        for seed in SEEDS:
            start = time.perf_counter()
            about = embed(transformer, dataset, seed, **settings).about["embedding"]
            seconds.append(about.get("seconds", time.perf_counter() - start))
            values.append(about["distortion"]["mean_average_precision"])
        head = [
            name,
            len(dataset.labels),
            len(dataset.edges),
            transformer.name,
            settings.get("dimension", 2),
        ]
        tail = ["mean_average_precision", f"{np.median(values):.4f}", f"{authors:.4f}"]
        yield [*head, f"{np.median(seconds):.2f}", *tail]


def labne_rows(folder):
    """Two rows for each random network: norms and angles against the authors'."""
    for path in sorted(folder.glob("randnet/*_net.txt")):
        disk = np.loadtxt(str(path).replace("_net", "_labne"))
        edges = np.loadtxt(path, dtype=int) - 1
        n, name = len(disk), path.stem.removesuffix("_net")
        dataset = Dataset(name, "graph", np.arange(n) % 2, ("a", "b"), edges=edges)
        # The authors' networks were made with mean degree 4.
        embedded = embed(LaBNE, dataset, 0, links=2.0)
        ours = charts.convert(embedded.points, "tangent", "poincare")
        norms = np.abs(np.linalg.norm(ours, axis=1) - np.linalg.norm(disk, axis=1)).max()
        angles = [np.arctan2(*points.T[::-1]) for points in (ours, disk)]
        agreement = max(abs(np.exp(1j * (s * angles[0] - angles[1])).mean()) for s in (1, -1))
        head = [name, n, len(edges), "labne", 2]
        head.append(f"{embedded.about['embedding']['seconds']:.2f}")
        yield [*head, "norm_difference", f"{norms:.1e}", "0"]
        yield [*head, "angle_agreement", f"{agreement:.6f}", "1"]


def main(folder, output=None):
    warnings.simplefilter("ignore", ConvergenceWarning)  # the row shows what was reached
    folder, lines = Path(folder), ["\t".join(COLUMNS)]
    rows = [network_rows(folder, name) for name in ("karate", "polbooks", "football", "polblogs")]
    for source in [labne_rows(folder), *rows]:
        for row in source:
            lines.append("\t".join(map(str, row)))
            print(lines[-1], flush=True)
    if output:
        Path(output).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
