"""Order of the labels of cora, citeseer and polblogs in the files of chlenski2025.

    PYTHONPATH=benchmarks python papers/benchmarks/chlenski2025_labels.py

Needs the folder manify of the papers' data, with the points `product_graphs`.

chlenski2025_labels.tsv has a line for each network and signature, means over the trials. `by_id` is
1 if all shipped labels are those of the nodes sorted by id, `in_place` the share of test rows whose
shipped label is that of the node of the point. `listed` and `sorted` are the rank correlations of
distances between points with distances in the network, if row i is the i-th node of the edge list
and if it is the i-th id. `largest`: share of the largest class among the test rows.
`graph_` and `points_`: accuracy of 5 nearest neighbours by distances in the network and in the
product space, with the labels `shipped` and with those of the nodes (`repaired`). `linked`: mean
distance of the points of linked training nodes over that of all, and `misplaced` the same if the
training part of the adjacency matrix is in the order of node numbers, as in the authors' notebook.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.io import mmread
from scipy.sparse.csgraph import connected_components, shortest_path
from scipy.stats import spearmanr
from sklearn.neighbors import KNeighborsClassifier

from noneuclid_papers.data.chlenski2025_points import SIGNATURES, component, on_space, rows_of
from outputs import options_of, paper_file

TABLE = Path(__file__).with_suffix(".tsv")
TRIALS = 5


def network(name):
    """Labels and ids of the nodes in the order of the file, and the adjacency matrix."""
    folder = paper_file("manify", "graphs", name)
    if name != "polblogs":
        files = {"graph": folder / f"{name}.edges", "labels": folder / f"{name}.node_labels"}
        return component(files)
    matrix = mmread(folder / "polblogs.mtx").tocsr()
    matrix = ((matrix + matrix.T) > 0).astype(np.float64)
    parts = connected_components(matrix)[1]
    kept = np.flatnonzero(parts == np.bincount(parts).argmax())
    labels = np.loadtxt(folder / "polblogs_labels.tsv", dtype=np.int64)[kept]
    return labels, kept, matrix[kept][:, kept]


def distances(X, signature):
    """Distances in the product, shape (n, n)."""
    total, start = np.zeros((len(X), len(X))), 0
    for factor in signature.split():
        kind, width = factor[0], int(factor[1:]) + (factor[0] != "E")
        block = X[:, start : start + width]
        start += width
        apart = ((block[:, None] - block) ** 2).sum(axis=2)
        if kind == "H":
            apart -= 2 * (block[:, :1] - block[:, 0]) ** 2
            apart = (2 * np.arcsinh(np.sqrt(np.maximum(apart, 0)) / 2)) ** 2
        elif kind == "S":
            apart = (2 * np.arcsin(np.minimum(np.sqrt(apart) / 2, 1))) ** 2
        total += apart
    return np.sqrt(total)


def neighbours(apart, train, test, labels):
    """Accuracy of five nearest neighbours."""
    model = KNeighborsClassifier(5, metric="precomputed")
    model.fit(apart[np.ix_(train, train)], labels[train])
    return model.score(apart[np.ix_(test, train)], labels[test])


def line(name, short, trial, labels, adjacency, hops, places):
    """Numbers of one file; `places` are the places of the nodes sorted by id."""
    archive = np.load(paper_file("manify", "product_graphs", name, f"{short}_{trial}.npz"))
    train, test = rows_of(archive["test_idx"], len(labels))
    X = np.empty((len(labels), archive["X_test"].shape[1]))
    X[train], X[test] = archive["X_train"], archive["X_test"]
    apart = distances(on_space(X, SIGNATURES[short]), SIGNATURES[short])
    shipped = np.empty_like(labels)
    shipped[train], shipped[test] = archive["y_train"], archive["y_test"]
    some = np.random.default_rng(trial).integers(len(labels), size=(2, 20_000))
    in_order = np.ix_(np.sort(train), np.sort(train))
    near, all_near = apart[np.ix_(train, train)], adjacency[np.ix_(train, train)] > 0
    return {
        "by_id": (shipped == labels[places]).all(),
        "in_place": (shipped == labels)[test].mean(),
        "listed": spearmanr(apart[*some], hops[*some])[0],
        "sorted": spearmanr(apart[*some], hops[*places[some]])[0],
        "largest": np.bincount(labels[test]).max() / len(test),
        "graph_shipped": neighbours(hops, train, test, shipped),
        "graph_repaired": neighbours(hops, train, test, labels),
        "points_shipped": neighbours(apart, train, test, shipped),
        "points_repaired": neighbours(apart, train, test, labels),
        "linked": near[all_near].mean() / near.mean(),
        "misplaced": near[adjacency[in_order] > 0].mean() / near.mean(),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=TRIALS)
    options = options_of(parser, TABLE)
    rows = []
    for name in ("cora", "citeseer", "polblogs"):
        labels, ids, adjacency = network(name)
        hops, places = shortest_path(adjacency, unweighted=True), np.argsort(ids)
        adjacency = adjacency.toarray()
        for short in SIGNATURES:
            found = [
                line(name, short, trial, labels, adjacency, hops, places)
                for trial in range(options.trials)
            ]
            means = pd.DataFrame(found).astype(float).mean()
            rows.append({"network": name, "signature": short, "trials": len(found), **means})
            print(rows[-1], flush=True)
    if options.output:
        pd.DataFrame(rows).to_csv(options.output, sep="\t", index=False, float_format="%.4f")


if __name__ == "__main__":
    main()
