"""Table 3 of chlenski2024 as the loop of the authors' notebook draws its trees and forests.

    PYTHONPATH=benchmarks python papers/benchmarks/chlenski2024_forests.py [--dimensions 2 4 8 16]

Mixtures of 800 points (`hyperdt_mixtures`), depth 3; the loop is `chlenski2024_loop.LoopTrees`.

chlenski2024_forests.tsv has the printed score, that stored in the notebook, and ours with 100 and
with 12 trees, in %.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold

from noneuclid_papers.data import hyperdt_mixtures
from noneuclid_papers.programs.chlenski2024_loop import PLACES, LoopTrees
from noneuclid_papers.stages import published as stage
from outputs import options_of

HERE = Path(__file__).parent
# Names of table 3, and of the notebook.
METHODS = {
    "HyperRF": ("HyperRF", "HyperbolicRandomForestClassifier"),
    "DT": ("sklearn DT", "DecisionTreeClassifier"),
    "RF": ("sklearn RF", "RandomForestClassifier"),
}
COORDINATES = {
    "tangent": "Euclidean",
    "poincare": "Poincare",
    "hyperboloid": "Hyperboloid",
    "klein": "Klein",
}


def score(dimension, model):
    """Mean accuracy over the mixtures and five folds, in %."""
    hits = []
    for number in range(10):
        data = hyperdt_mixtures.load({}, 0, n_samples=800, n_features=dimension, number=number)
        X, y = data.features, data.labels
        model.set_params(random_state=number)
        for rows, test in KFold(5, shuffle=True, random_state=number).split(X):
            hits.append(model.fit(X[rows], y[rows]).score(X[test], y[test]))
    return 100 * float(np.mean(hits))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dimensions", type=int, nargs="+", default=[2, 4, 8, 16])
    options = options_of(parser, HERE / "chlenski2024_forests.tsv")
    printed = stage.read_words(HERE.parent / "printed/chlenski2024.tsv")
    printed = printed[printed["table"] == "table_3"].set_index(["variant", "method"])["value"]
    stored = pd.read_csv(HERE / "chlenski2024_stored.tsv", sep="\t")
    stored = stored[stored["notebook"] == "35_all_geometries"]
    stored = stored.set_index(["dimension", "coordinates", "program"])["score"]
    rows = []
    for d in options.dimensions:
        for place, method in PLACES:
            if place not in COORDINATES:
                continue
            name, (ours, theirs) = COORDINATES[place], METHODS[method]
            model = LoopTrees(method=method, coordinates=place)
            scores = [score(d, model.set_params(n_estimators=trees)) for trees in (100, 12)]
            at = (d, name, ours, printed[f"D{d}_n800_{name}", ours], stored[d, name, theirs])
            rows.append((*at, *scores))
            print(*rows[-1], flush=True)
    columns = ["dimension", "coordinates", "method", "printed", "stored", "trees_100", "trees_12"]
    table = pd.DataFrame(rows, columns=columns)
    if options.output:
        table.to_csv(options.output, sep="\t", index=False, float_format="%.6g")


if __name__ == "__main__":
    main()
