"""What curved factors and the embedding pay on data sets of chlenski2025.

    PYTHONPATH=benchmarks python papers/benchmarks/chlenski2025_spaces.py

Needs the folder manify of the papers' data.

chlenski2025_spaces.tsv: `networks` has the mean score of each method in eight spaces of dimension 4
(trials 0 to 4, the authors' splits, labels of the nodes), accuracy in % and, of cs_phds, the root
mean squared error in years; `gain` is the mean lead over E4 with a 95 % interval (t over trials),
negative if E4 is better. `lymphoma` has the accuracy on 1,000 rows after training on 1,000, ten
draws: methods of products on the authors' S2 x S2 (three files), and logistic regression and a
support vector machine, both with the defaults of scikit-learn, on the first 4 and 50 principal
components of counts normalised to the median total and log1p; components are those of all rows but
the test rows, as the authors' autoencoder saw their training rows.
"""

import argparse
import gzip
import shutil
import tempfile
from pathlib import Path

import anndata
import numpy as np
import pandas as pd
from scipy import stats
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from chlenski2025_all import CLASSES, NUMBERS, process, score
from noneuclid_papers.data.chlenski2025_points import SIGNATURES, read_split
from outputs import options_of, paper_file

TABLE = Path(__file__).with_suffix(".tsv")
METHODS = ("product forest", "product kernel", "product k-NN")
NETWORKS, REPAIRED = ("polblogs", "cora", "citeseer", "cs_phds"), ("cora", "citeseer")
TRIALS, DRAWS, ROWS, FLAT = 5, 10, 1000, "E4"


def network_scores(trials):
    """Data set, space, trial, method and score."""
    for name in NETWORKS:
        graph, classes = paper_file("manify", "graphs"), name != "cs_phds"
        files = {"graph": graph / name / f"{name}.edges"}
        files |= {"labels": graph / name / f"{name}.node_labels"}
        for short, signature in SIGNATURES.items():
            for trial in range(trials):
                path = paper_file("manify", "product_graphs", name, f"{short}_{trial}.npz")
                split = read_split(path, signature, files if name in REPAIRED else None)
                y = split.y_train.astype(float)
                for method in METHODS:
                    if not classes and method == "product kernel":
                        found = process(signature, split.X_train, y, split.X_test)
                    else:
                        model = (CLASSES if classes else NUMBERS)[method](signature)
                        found = model.fit(split.X_train, y).predict(split.X_test)
                    value = score(found, split.y_test, classes)
                    yield name, signature, trial, method, value
            print(name, signature, flush=True)


def counts():
    """Counts of the lymphoma cells, normalised and log1p, and their classes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "adata.h5ad")
        source = paper_file("manify", "lymphoma", "adata.h5ad.gz")
        with gzip.open(source) as packed, path.open("wb") as target:
            shutil.copyfileobj(packed, target)
        data = anndata.read_h5ad(path)
    X = np.asarray(data.X.todense(), dtype=np.float64)
    total = X.sum(axis=1, keepdims=True)
    return np.log1p(X / total * np.median(total)), data.obs["cell_type"].astype(int).to_numpy()


def lymphoma_scores(draws):
    """Data set, space, draw, method and score."""
    X, y = counts()
    for draw in range(draws):
        rows = np.random.default_rng(draw).permutation(len(y))
        test, train = rows[:ROWS], rows[ROWS : 2 * ROWS]
        scores = PCA(50, random_state=draw).fit(X[rows[ROWS:]]).transform(X)
        for width in (4, 50):
            for method, model in (
                ("logistic regression", LogisticRegression(max_iter=5000)),
                ("SVC", SVC()),
            ):
                found = model.fit(scores[train, :width], y[train]).predict(scores[test, :width])
                value = score(found, y[test], True)
                yield "lymphoma", f"PCA {width}", draw, method, value
        path = paper_file("manify", "product_vae", "lymphoma", f"{draw % 3}.npz")
        split, choice = read_split(path, "S2 S2"), np.random.default_rng(draw)
        train, test = (
            choice.choice(len(part), ROWS, replace=False) for part in (split.y_train, split.y_test)
        )
        for method in METHODS:
            model = CLASSES[method]("S2 S2").fit(split.X_train[train], split.y_train[train])
            value = score(model.predict(split.X_test[test]), split.y_test[test], True)
            yield "lymphoma", "S2 S2", draw, method, value
        print("lymphoma", draw, flush=True)


def summary(each):
    """Means, and leads over the flat space."""
    lines = []
    for (name, method), part in each.groupby(["data", "method"], sort=False):
        wide = part.pivot(index="trial", columns="space", values="score")
        for space in wide:
            line = {"data": name, "method": method, "space": space, "trials": len(wide)}
            line |= {"mean": wide[space].mean(), "standard_error": wide[space].sem()}
            if FLAT in wide and space != FLAT:
                gain = (wide[space] - wide[FLAT]) * (-1 if name == "cs_phds" else 1)
                half = stats.t.ppf(0.975, len(gain) - 1) * gain.sem()
                line |= {"gain": gain.mean(), "low": gain.mean() - half, "high": gain.mean() + half}
            lines.append(line)
    return pd.DataFrame(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=TRIALS)
    parser.add_argument("--draws", type=int, default=DRAWS)
    options = options_of(parser, TABLE)
    lines = [*lymphoma_scores(options.draws), *network_scores(options.trials)]
    each = pd.DataFrame(lines, columns=["data", "space", "trial", "method", "score"])
    print(summary(each).to_string())
    if options.output:
        summary(each).to_csv(options.output, sep="\t", index=False, float_format="%.4g")


if __name__ == "__main__":
    main()
