"""Clusters of 10,000 points of the plane: noneuclid, and scikit-learn on tangent coordinates.

    OMP_NUM_THREADS=1 python benchmarks/clustering.py

Each row of benchmarks/clustering.tsv is a method: median processor time (`cpu_s`) and iterations of
nine fits with other seeds, and `rand`, the median adjusted Rand index with the eight distributions
that the points were drawn from. Both libraries start from one k-means++.
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture

from noneuclid import HyperbolicKMeans, WrappedNormalMixture, geometry
from outputs import options_of

CLUSTERS, SEEDS = 8, 9
METHODS = {
    "HyperbolicKMeans": HyperbolicKMeans(CLUSTERS, chart="tangent"),
    "KMeans": KMeans(CLUSTERS),
    "WrappedNormalMixture": WrappedNormalMixture(CLUSTERS, chart="tangent"),
    "GaussianMixture": GaussianMixture(CLUSTERS),
}


def points(n):
    """Points of the tangent chart around eight random means, and their distributions."""
    means = geometry.random_uniform(CLUSTERS, 2, 4.0, chart="tangent", random_state=0)
    parts = [
        geometry.random_wrapped_normal(n // CLUSTERS, m, 0.25, chart="tangent", random_state=k)
        for k, m in enumerate(means)
    ]
    return np.vstack(parts), np.repeat(np.arange(CLUSTERS), n // CLUSTERS)


def measure(model, X, y):
    warnings.simplefilter("ignore", ConvergenceWarning)
    model.fit(X[:: len(X) // 100])  # compiles
    found = []
    for seed in range(SEEDS):
        start = time.process_time()
        model.set_params(random_state=seed).fit(X)
        found.append(
            (time.process_time() - start, model.n_iter_, adjusted_rand_score(y, model.predict(X)))
        )
    return np.median(found, axis=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    options = options_of(parser, Path(__file__).with_suffix(".tsv"))
    X, y = points(options.rows)
    rows = [
        {"method": name, "n": len(X), "d": 2, "k": CLUSTERS}
        | dict(zip(("cpu_s", "n_iter", "rand"), measure(model, X, y).round(4), strict=True))
        for name, model in METHODS.items()
    ]
    table = pd.DataFrame(rows)
    print(table.to_string(index=False))
    if options.output is not None:
        table.to_csv(options.output, sep="\t", index=False)


if __name__ == "__main__":
    main()
