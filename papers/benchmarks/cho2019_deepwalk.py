"""The DeepWalk rows of cho2019, table 1: what vectors give that belong to other nodes.

    NONEUCLID_MIRROR=FOLDER PYTHONPATH=benchmarks python papers/benchmarks/cho2019_deepwalk.py
        [--sets karate ...] [--runs 3] [--output FILE]

The table is cho2019_deepwalk.tsv; with a part of the sets it is printed only, unless
--output names a file.

Area under the precision-recall curve as in the paper (aupr_trapezoid_macro; mean over `runs`
embeddings and two halves each, C = 1), of the same DeepWalk vectors with rows of three kinds:
`nodes`, each vector at its node; `frequency`, in the order of how often walks visit a node, in
which programs for word vectors write them, read as if in the order of nodes; `shuffled`. DeepWalk
with 10 walks of 10 steps from each node and five passes.
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold

from noneuclid import DeepWalk, EuclideanSVC
from noneuclid.embeddings import graphs
from noneuclid.embeddings.skip_gram import walk_pairs
from noneuclid_compare.embed.of_dataset import embed
from noneuclid_compare.evaluation.metrics import Fold, aupr_trapezoid_macro
from noneuclid_papers.data import cho2019_networks
from outputs import options_of, paper_file

# For 2, 5, 10 and 25 dimensions.
PUBLISHED = {
    "karate": (0.47, 0.55, 0.50, 0.50),
    "polbooks": (0.34, 0.35, 0.36, 0.37),
    "football": (0.09, 0.10, 0.10, 0.11),
    "polblogs": (0.60, 0.69, 0.72, 0.80),
}
KINDS = ("nodes", "frequency", "shuffled")


def score(X, y, seed):
    """Mean over two halves."""
    found = []
    for train, test in StratifiedKFold(2, shuffle=True, random_state=seed).split(X, y):
        values = EuclideanSVC().fit(X[train], y[train]).decision_function(X[test])
        values = np.column_stack([-values, values]) if values.ndim == 1 else values
        found.append(aupr_trapezoid_macro(Fold(y[test], ranking=values)))
    return np.mean(found)


def run(data, dimension, seed):
    """Scores of the three kinds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        embedded = embed(DeepWalk, data, seed, n_components=dimension, max_iter=5)
    points, settings = embedded.points, embedded.about["embedding"]["settings"]
    walks = {key: settings[key] for key in ("num_walks", "walk_length", "window")}
    _, visits = walk_pairs(graphs.graph_of(data, "deepwalk"), seed, **walks)
    orders = {
        "nodes": np.arange(len(points)),
        "frequency": np.argsort(-visits, kind="stable"),
        "shuffled": np.random.default_rng(seed).permutation(len(points)),
    }
    return [score(points[orders[kind]], data.labels, seed) for kind in KINDS]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    sets = list(PUBLISHED)
    parser.add_argument("--sets", nargs="*", choices=sets, default=sets)
    parser.add_argument("--runs", type=int, default=3)
    options = options_of(parser, Path(__file__).with_suffix(".tsv"))
    columns = [f"{kind}_{what}" for kind in KINDS for what in ("mean", "sd")]
    lines = ["\t".join(["set", "dimension", "published", *columns])]
    for name in options.sets:
        file = paper_file("hyplinear", "realnet", f"{name}_data_1.mat")
        data = cho2019_networks.load({"network": file}, 0, name=name, kind="graph")
        for dimension, published in zip((2, 5, 10, 25), PUBLISHED[name], strict=True):
            found = np.array([run(data, dimension, seed) for seed in range(options.runs)])
            values = np.column_stack([found.mean(axis=0), found.std(axis=0)]).ravel()
            cells = [name, str(dimension), f"{published:.2f}", *(f"{v:.3f}" for v in values)]
            lines.append("\t".join(cells))
            print(lines[-1], flush=True)
    if options.output is not None:
        options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
