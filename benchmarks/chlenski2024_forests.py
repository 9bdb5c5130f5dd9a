"""Forests of chlenski2024's table 3: 12 trees or 100, with a seed or without.

    python benchmarks/chlenski2024_forests.py [--draws 10] [--dimensions 2 4]

The paper's own mixtures of 800 points and their folds (`hyperdt_mixtures`); scikit-learn's forest,
depth 3, in four coordinates. `seed` is that of the mixture, which gives one value, or none: such
forests are drawn `--draws` times. chlenski2024_forests.tsv has the printed score, the mean of ours,
its standard deviation over draws, the least and the largest.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import KFold

from noneuclid.datasets.generators import hyperdt_mixtures
from noneuclid.geometry import charts
from noneuclid.stages import published as stage
from outputs import options_of

HERE = Path(__file__).parent
# Names of table 3 and of our charts.
CHARTS = {
    "Euclidean": "tangent",
    "Hyperboloid": "hyperboloid",
    "Klein": "klein",
    "Poincare": "poincare",
}


def score(d, chart, trees, draw=None):
    """Mean accuracy over ten mixtures and five folds; the seed of the mixture without `draw`."""
    hits = []
    for number in range(10):
        data = hyperdt_mixtures.load({}, 0, points=800, dimension=d, number=number)
        X = charts.convert(data.features, data.chart, chart)
        y = np.asarray(data.labels)
        for fold, (train, test) in enumerate(KFold(5, shuffle=True, random_state=number).split(X)):
            seed = number if draw is None else [draw, number, fold]
            state = np.random.RandomState(seed)
            forest = RandomForestClassifier(trees, max_depth=3, random_state=state)
            hits.append((forest.fit(X[train], y[train]).predict(X[test]) == y[test]).mean())
    return float(np.mean(hits))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--dimensions", type=int, nargs="+", default=[2, 4])
    options = options_of(parser, HERE / "chlenski2024_forests.tsv")
    printed = stage.read_words(HERE.parent / "resources/published/chlenski2024.tsv")
    printed = printed[(printed["table"] == "table_3") & (printed["method"] == "sklearn RF")]
    printed = printed.set_index("variant")["value"].astype(float)
    rows = []
    for d in options.dimensions:
        for name, chart in CHARTS.items():
            for trees, seed in ((12, "mixture"), (12, "none"), (100, "none")):
                draws = [None] if seed == "mixture" else range(options.draws)
                found = 100 * np.array([score(d, chart, trees, draw) for draw in draws])
                spread = found.std(ddof=1) if len(found) > 1 else np.nan
                row = (d, name, trees, seed, printed[f"D{d}_n800_{name}"], len(found))
                rows.append((*row, found.mean(), spread, found.min(), found.max()))
                print(*rows[-1], flush=True)
    columns = ["dimension", "coordinates", "trees", "seed", "printed", "draws"]
    table = pd.DataFrame(rows, columns=[*columns, "mean", "sd", "least", "largest"])
    if options.output:
        table.to_csv(options.output, sep="\t", index=False, float_format="%.5g")


if __name__ == "__main__":
    main()
