"""Graph embeddings at 1e4 to 1e6 edges: processor seconds of reading and of an epoch, peak memory.

Usage: python benchmarks/graph_scale.py [output.tsv] [--edges 10000,100000,1000000]; prints the
table too. Five edges a node; node i is joined to nodes floor(i U^2), U uniform, so degrees differ
widely. Each row is a process of its own, with ten epochs and no burn-in: an epoch is a tenth of
the fit, less what reading takes (a fit with five epochs less half of one with ten).
"""

import argparse
import resource
import subprocess
import sys
import time
import warnings

import numpy as np
from scipy.sparse import coo_array

import noneuclid

NAMES = ("PoincareEmbedding", "RandomWalkEmbedding", "DeepWalk")
COLUMNS = ("embedding", "edges", "nodes", "seconds_read", "seconds_epoch", "peak_gb")


def random_graph(edges, seed=0):
    """Sparse adjacency matrix."""
    rng, n = np.random.default_rng(seed), edges // 5
    late = np.repeat(np.arange(1, n), 5)
    early = np.floor(late * rng.random(len(late)) ** 2).astype(np.int64)
    pairs = np.unique(np.column_stack([early, late]), axis=0)
    half = coo_array((np.ones(len(pairs)), pairs.T), shape=(n, n))
    return (half + half.T).tocsr()


def measure(name, edges):
    """One row of the table."""
    graph = random_graph(edges)
    seconds = {}
    for epochs in (5, 5, 10):  # the first compiles
        model = getattr(noneuclid, name)(max_iter=epochs, burn_in=0, tol=0.0, random_state=0)
        start = time.process_time()
        with warnings.catch_warnings(action="ignore"):
            model.fit(graph)
        seconds[epochs] = time.process_time() - start
    epoch = (seconds[10] - seconds[5]) / 5
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    read = seconds[5] - 5 * epoch
    return [name, graph.nnz // 2, graph.shape[0], f"{read:.2f}", f"{epoch:.3f}", f"{peak:.2f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", nargs="?")
    parser.add_argument("--edges", default="10000,100000,1000000")
    parser.add_argument("--one", nargs=2)
    args = parser.parse_args()
    if args.one:
        print(*measure(args.one[0], int(args.one[1])), sep="\t")
        return
    lines = ["\t".join(COLUMNS)]
    for name in NAMES:
        for edges in args.edges.split(","):
            command = [sys.executable, __file__, "--one", name, edges]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
            lines.append(done.stdout.splitlines()[-1])
            print(lines[-1], flush=True)
    if args.output:
        with open(args.output, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
