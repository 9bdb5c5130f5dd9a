"""Embeddings of an atlas of cells side by side: seconds, memory, and what is kept.

Usage: python benchmarks/atlas_layout.py [output.tsv] [--cells 10000] [--starts 3]
[--data cell_atlas] [--only hyperbolic_umap,hydra_landmarks]; prints the table too. Data:
`cell_atlas`, or `gaussian_tree`, a tree of Gaussian clouds in 50 dimensions. Each row is a process
of its own with one thread (`hyperbolic_umap`: `--jobs`), which reads the rows from a file. A tenth
is held out. Measures: accuracy of the class of held-out rows (at most 40,000) by their 15 nearest
training rows, divided by that on the components; trustworthiness of 15 neighbours (of 1000 rows);
rank correlation between distances and the number of edges between classes in the tree (of 1500
rows), and that of the components. Where a rule for new rows is slow, 300 are held out. Hyperbolic
t-SNE is the program of its authors in an environment of its own (`--tsne FOLDER PYTHON`, see
atlas_tsne.py); it has no rule for new rows, so that it embeds the held-out rows with the others.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.spatial.distance import cdist
from scipy.stats import spearmanr
from sklearn.neighbors import NearestNeighbors

import noneuclid
from noneuclid.geometry import charts, lorentz
from noneuclid_compare.data.generators import cell_atlas

MOST, SLOW = 40_000, 300  # held-out rows
COLUMNS = ("embedding", "data", "rows", "start", "seconds_fit", "seconds_1000_new", "peak_gb")
COLUMNS += ("accuracy_ratio", "trustworthiness", "tree", "tree_of_components", "jobs", "wall_fit")


def gaussian_tree(n):
    """Components, classes, and edges between classes in a tree of three levels."""
    rng = np.random.default_rng(0)
    parents, centres, leaves = [], [], []
    for a in range(6):
        one = rng.normal(scale=2.0, size=50)
        for b in range(rng.integers(2, 5)):
            two = one + rng.normal(scale=1.3, size=50)
            for _ in range(rng.integers(1, 5)):
                leaves.append((a, b))
                parents.append(two)
                centres.append(two + rng.normal(scale=0.9, size=50))
    classes = rng.choice(len(leaves), size=n, p=rng.dirichlet(np.full(len(leaves), 2.0)))
    way = rng.beta(2.5, 1.0, size=(n, 1))
    parents, centres = np.array(parents), np.array(centres)
    rows = parents[classes] * (1 - way) + centres[classes] * way + rng.normal(size=(n, 50))
    apart = [[2 * ((p != q) + (p[0] != q[0])) for q in leaves] for p in leaves]
    apart = np.array(apart) + 2 * (1 - np.eye(len(leaves), dtype=int))
    return rows, classes, apart


def atlas(n):
    """Components, classes, edges between classes in the tree of `cell_atlas`."""
    data = cell_atlas.load({}, 0, n_cells=n)
    parent = data.about["class_tree"]

    def line(name):
        return [name, *line(parent[name])] if name in parent else [name]

    lines = [line(name) for name in data.class_names]
    apart = [[len(set(p) ^ set(q)) for q in lines] for p in lines]
    return data.features, data.labels, np.array(apart)


DATA = {"cell_atlas": atlas, "gaussian_tree": gaussian_tree}


class Flat:
    """umap-learn, flat or with hyperboloid output in the Poincaré disk."""

    def __init__(self, metric, seed):
        from umap import UMAP

        self.lifted = metric == "hyperboloid"
        self.model = UMAP(output_metric=metric, random_state=seed, n_jobs=1)

    def fit_transform(self, X):
        """Points of the rows."""
        return self._place(self.model.fit_transform(X))

    def transform(self, X):
        """Points of new rows."""
        return self._place(self.model.transform(X))

    def _place(self, flat):
        """In the chart in which `nearest` measures: far inside the disk, where space is flat."""
        flat = flat.astype(float)
        if self.lifted:
            time = np.sqrt(1 + np.square(flat).sum(axis=1, keepdims=True))
            return flat / (1 + time)
        return 1e-6 * flat


class ReleasedTSNE:
    """Hyperbolic t-SNE by the program of its authors."""

    def __init__(self, program, seed):
        self.program, self.seed = program, seed

    def fit_transform(self, X):
        """Points of the rows."""
        folder, python = self.program
        script = Path(__file__).with_name("atlas_tsne.py")
        with tempfile.TemporaryDirectory() as made:
            rows, points = f"{made}/rows.npy", f"{made}/points.npy"
            np.save(rows, X)
            command = [python, script, folder, rows, points, str(self.seed)]
            subprocess.run(command, check=True, env=os.environ | {"PYTHONPATH": ""})
            return np.load(points)


def clock():
    """Processor seconds of this process and of its children."""
    return sum(os.times()[:4])


def models(seed, tsne=None, jobs=1):
    """Embeddings by name, and whether new rows cost little."""
    common = {"random_state": seed, "n_pcs": None}
    linear = {"n_landmarks": 1000, "out_of_sample": "linear"}
    return {
        "hyperbolic_umap": (lambda: noneuclid.HyperbolicUMAP(random_state=seed, n_jobs=jobs), True),
        "hyperbolic_umap_distance": (
            lambda: noneuclid.HyperbolicUMAP(random_state=seed, kernel="distance"),
            True,
        ),
        "umap": (lambda: Flat("euclidean", seed), True),
        "umap_hyperboloid": (lambda: Flat("hyperboloid", seed), True),
        "lifted_pca": (lambda: noneuclid.LiftedPCA(random_state=seed), True),
        "hydra_landmarks": (lambda: noneuclid.Hydra(**common, n_landmarks=1000), True),
        "poincare_maps_linear": (lambda: noneuclid.PoincareMap(**common, **linear), True),
        "hydra": (lambda: noneuclid.Hydra(**common), False),
        "poincare_maps": (lambda: noneuclid.PoincareMap(**common, n_landmarks=1000), False),
    } | ({"hyperbolic_tsne": (lambda: ReleasedTSNE(tsne, seed), True)} if tsne else {})


def nearest(points, new, count):
    """Rows of `points` that are nearest to each new one, in the Poincaré disk."""
    search = noneuclid.GeodesicKNeighborsClassifier(n_neighbors=count, chart="poincare")
    search.fit(points, np.arange(len(points)) % 2)
    return search.kneighbors(new, return_distance=False)


def accuracy(chosen, classes, wanted):
    """Of the most frequent class among the chosen rows."""
    votes = [np.bincount(row, minlength=classes.max() + 1).argmax() for row in classes[chosen]]
    return np.mean(votes == wanted)


def trustworthiness(rows, points, count=15, sample=1000):
    """Of the nearest rows in the plane, those of a sample of rows."""
    n = len(rows)
    chosen = np.random.default_rng(0).choice(n, min(n, sample), replace=False)
    near, total = nearest(points, points[chosen], count + 1), 0
    squares = np.square(rows).sum(axis=1)
    for i, row in enumerate(chosen):
        apart = squares - 2 * (rows @ rows[row])
        mine = near[i][near[i] != row][:count]
        total += sum(max(np.sum(apart < apart[j]) - count, 0) for j in mine)
    return 1 - 2 * total / (len(chosen) * count * (2 * n - 3 * count - 1))


def measure(name, data, file, seed, tsne, jobs):
    """One row of the table, from the arrays of a file."""
    with np.load(file) as made:
        rows, classes, apart = (made[key] for key in ("rows", "classes", "apart"))
    n = len(rows)
    make, quick = models(seed, tsne, jobs)[name]
    order = np.random.default_rng(1).permutation(n)
    held, kept = np.split(order, [n // 10])
    held = held[: MOST if quick else SLOW]
    train = np.ascontiguousarray(rows[kept])
    start, began = clock(), time.perf_counter()
    model = make()
    if hasattr(model, "transform"):
        points = model.fit_transform(train)
        fitted, wall = clock(), time.perf_counter() - began
        new = model.transform(rows[held])
        placed = 1000 * (clock() - fitted) / len(held)
    else:
        both = model.fit_transform(np.vstack([train, rows[held]]))
        points, new = both[: len(kept)], both[len(kept) :]
        fitted, wall, placed = clock(), time.perf_counter() - began, np.nan
    of = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    peak = max(resource.getrusage(who).ru_maxrss for who in of) / 1e6
    flat = NearestNeighbors(n_neighbors=15).fit(train).kneighbors(rows[held])[1]
    base = accuracy(flat, classes[kept], classes[held])
    found = accuracy(nearest(points, new, 15), classes[kept], classes[held])
    some = np.random.default_rng(0).choice(len(kept), min(len(kept), 1500), replace=False)
    on_sheet = charts.convert(points[some], "poincare", "hyperboloid")
    upper = np.triu_indices(len(some), 1)
    wanted = apart[np.ix_(classes[kept][some], classes[kept][some])][upper]
    distances = lorentz.pairwise_distances(on_sheet)[upper]
    tree = spearmanr(wanted[wanted > 0], distances[wanted > 0]).statistic
    plain = cdist(train[some], train[some])[upper]
    of_components = spearmanr(wanted[wanted > 0], plain[wanted > 0]).statistic
    kept_neighbours = trustworthiness(train, points)
    numbers = [found / base, kept_neighbours, tree, of_components]
    seconds = [f"{fitted - start:.1f}", f"{placed:.2f}", f"{peak:.2f}"]
    return [name, data, n, seed, *seconds, *(f"{x:.3f}" for x in numbers), jobs, f"{wall:.1f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", nargs="?")
    parser.add_argument("--cells", type=int, default=10_000)
    parser.add_argument("--data", choices=DATA, default="cell_atlas")
    parser.add_argument("--starts", type=int, default=1)
    parser.add_argument("--only", default=",".join(models(0)))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--one", nargs=3)
    parser.add_argument("--draw")
    parser.add_argument("--tsne", nargs=2, metavar=("FOLDER", "PYTHON"))
    args = parser.parse_args()
    if args.draw:
        rows, classes, apart = DATA[args.data](args.cells)
        np.savez(args.draw, rows=rows, classes=classes, apart=apart)
        return
    if args.one:
        name, seed, file = args.one
        with warnings.catch_warnings(action="ignore"):
            print(*measure(name, args.data, file, int(seed), args.tsne, args.jobs), sep="\t")
        return
    lines = ["\t".join(COLUMNS)]
    print(lines[0])
    with tempfile.TemporaryDirectory() as made:
        common = [sys.executable, __file__, "--data", args.data, "--jobs", str(args.jobs)]
        file = f"{made}/data.npz"
        subprocess.run([*common, "--cells", str(args.cells), "--draw", file], check=True)
        common += ["--tsne", *args.tsne] if args.tsne else []
        for name in args.only.split(","):
            for seed in range(args.starts):
                command = [*common, "--one", name, str(seed), file]
                done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
                lines.append(done.stdout.splitlines()[-1])
                print(lines[-1], flush=True)
    if args.output:
        with open(args.output, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
