"""Points by the released hyperbolic t-SNE, for atlas_layout.py; runs in that program's environment.

    python atlas_tsne.py FOLDER rows.npy points.npy SEED

FOLDER is a checkout of msmathcomp/hyperbolic-tsne at 7a48381, built in place with the versions of
its requirements.txt (Python 3.11). Settings are those of its example_basic_usage.ipynb: perplexity
30, accelerated by the polar quadtree, 250 iterations with exaggeration 12, then up to 750. One
thread with OMP_NUM_THREADS=1.
"""

import contextlib
import os
import sys

import numpy as np


def main(folder, rows, points, seed):
    sys.path.insert(0, folder)
    from hyperbolicTSNE import HyperbolicTSNE, SequentialOptimizer, hd_matrix, initialization

    X = np.load(rows)
    distances, similarities = hd_matrix(X=X, hd_params={"perplexity": 30}, knn_method="hnswlib")
    start = initialization(
        n_samples=len(X), n_components=2, X=X, random_state=int(seed), method="pca"
    )
    rate = len(X) / (12 * 1000)
    settings = SequentialOptimizer.sequence_poincare(
        learning_rate_ex=rate, learning_rate_main=rate, exaggeration=12, exaggeration_its=250,
        gradientDescent_its=750, vanilla=False, momentum_ex=0.5, momentum=0.8, exact=False,
        area_split=False, n_iter_check=10, size_tol=0.999,
    )  # fmt: skip
    model = HyperbolicTSNE(
        init=start, n_components=2, metric="precomputed", verbose=False,
        opt_method=SequentialOptimizer, opt_params=settings,
    )  # fmt: skip
    np.save(points, model.fit_transform((distances, similarities)))


if __name__ == "__main__":
    with (
        open(os.devnull, "w") as nowhere,
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
    ):
        main(*sys.argv[1:])
