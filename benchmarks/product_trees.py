"""Fit and predict times of the decision tree on a product space, beside manify's.

    python benchmarks/product_trees.py [--peer PYTHON FOLDER] [--sizes 1000 3000 10000 1000000]

Mixtures of five wrapped normals in H2 x S2 x E1, without ties; half the rows are for training.
Depth 5, features "d" and "d_choose_2". FOLDER is a checkout of pchlenski/manify at 2f640d7, and
PYTHON that of an environment with torch, geoopt, jaxtyping and scikit-learn. It gets the same
numbers in float64, and runs `product_trees_manify.py`: there `predict` returns at the root, so a
default is set to None. Its memory grows with n^2: 10,000 rows need more than 12 GB, so it runs up
to 3,000 rows.

product_trees.tsv has processor seconds of one thread, the least of the repeats (manify: one run),
peak_mb, the largest memory of the process so far, and the shares of training and test rows with the
same predicted class. They need not be 1: where
manify takes a mean of two angles, thresholds differ, and rows at the opposite end of the plane may
change sides after the split is chosen. `manify_leaves` and `manify_accuracy` are its accuracy on
the training rows by the leaves of `fit` and by `predict`, which would be equal otherwise.
"""

import argparse
import resource
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from noneuclid import ProductDecisionTreeClassifier
from outputs import options_of

TABLE = Path(__file__).with_suffix(".tsv")
SPACE, DEPTH, CLASSES = "H2 S2 E1", 5, 5
SIZES, FEATURES = (1_000, 3_000, 10_000, 100_000, 1_000_000), ("d", "d_choose_2")
PEER_ROWS = 3_000


def mixture(n, seed=0):
    """Points in H2 x S2 x E1, shape (n, 7), and their classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(CLASSES, size=n)
    v = rng.normal(size=(CLASSES, 5))[y] + rng.normal(size=(n, 5))
    far = np.linalg.norm(v[:, :2], axis=1, keepdims=True)
    angle = np.linalg.norm(v[:, 2:4], axis=1, keepdims=True)
    blocks = [np.cosh(far), np.sinh(far) / far * v[:, :2]]
    blocks += [np.cos(angle), np.sin(angle) / angle * v[:, 2:4], v[:, 4:]]
    return np.hstack(blocks), y


def seconds(model, X, y, new):
    """Processor seconds of fit and of predict, and the classes predicted for `new`."""
    start = time.process_time()
    model.fit(X, y)
    fitted = time.process_time()
    found = model.predict(new)
    return fitted - start, time.process_time() - fitted, found


def ours(features, X, y, new, repeats):
    """Least seconds of fit and of predict, and the predicted classes."""
    settings = {"space": SPACE, "max_depth": DEPTH, "n_features": features}
    runs = []
    for _ in range(repeats + 1):  # the first one loads compiled code
        runs.append(seconds(ProductDecisionTreeClassifier(**settings), X, y, new))
    return min(run[0] for run in runs[1:]), min(run[1] for run in runs[1:]), runs[0][2]


def theirs(peer, features, X, y, new):
    """Seconds, predicted classes, and accuracy by the leaves of `fit`."""
    python, program = peer
    with tempfile.TemporaryDirectory() as folder:
        given, target = Path(folder) / "given.npz", Path(folder) / "found.npz"
        np.savez(given, X=X, y=y, new=new, features=features, depth=DEPTH)
        script = Path(__file__).with_name("product_trees_manify.py")
        subprocess.run([python, script, program, given, target], check=True)
        return dict(np.load(target))


def line(n, features, repeats, peer):
    """A line of the table."""
    X, y = mixture(2 * n)
    fit, predict, found = ours(features, X[:n], y[:n], X, repeats if n < 100_000 else 1)
    row = {"n": n, "features": features, "noneuclid_fit_s": fit, "noneuclid_predict_s": predict}
    row |= {"peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000}
    row |= {"train": (found == y)[:n].mean(), "test": (found == y)[n:].mean()}
    if peer and n <= PEER_ROWS:
        other = theirs(peer, features, X[:n], y[:n], X)
        same, right = other["found"] == found, other["found"] == y
        row |= {"manify_fit_s": other["fit"], "manify_predict_s": other["predict"]}
        row |= {"same_train": same[:n].mean(), "same_test": same[n:].mean()}
        row |= {"manify_leaves": other["leaves"], "manify_accuracy": right[:n].mean()}
        row["manify_test"] = right[n:].mean()
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", nargs=2, metavar=("PYTHON", "FOLDER"))
    parser.add_argument("--sizes", nargs="+", type=int, default=list(SIZES))
    parser.add_argument("--repeats", type=int, default=5)
    options = options_of(parser, TABLE, chosen=("peer",))
    rows = []
    for n in options.sizes:
        for features in FEATURES:
            rows.append(line(n, features, options.repeats, options.peer))
            print(rows[-1], flush=True)
    if options.output:
        table = pd.DataFrame(rows).astype({"n": int})
        table.to_csv(options.output, sep="\t", index=False, float_format="%.4g")


if __name__ == "__main__":
    main()
