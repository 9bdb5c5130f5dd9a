"""Points of 48 of the 57 tasks of chlenski2025, and the authors' methods on them.

    PYTHONPATH=benchmarks PYTHON papers/benchmarks/chlenski2025_mixtures.py --program FOLDER
        --points POINTS

FOLDER is a checkout of pchlenski/manify at ca947f1, the commit of the scores, and PYTHON that of an
environment with torch, geoopt, scikit-learn and pandas; noneuclid is not needed. POINTS, outside
this project, gets a file for each task and trial: X_train, X_test, y_train, y_test, the signature,
`kind` (C: classes, R: numbers) and `group`.

- Gaussian mixtures: the authors' generator with their seeds. They drew on a graphics card, whose
  numbers differ from those of a processor, and split rows by an unseeded generator. So neither
  points nor splits are theirs, only the law and the numbers of rows (800 and 200); the seed of our
  split is that of the mixture.
- Networks: the authors' files in H4 with their split; all ten trials are paired with their scores.
- Cells and images: 1,000 training and 1,000 test rows, drawn with the trial as the seed (theirs had
  none). The training rows of the blood cells are larger than our copy of the repository keeps, so
  both parts are drawn from the authors' test rows there.
- Temperature and traffic: the authors' coordinates; 1,000 rows, split 800 and 200, with the trial
  as the seed. As in the printed scores, the target of traffic is the logarithm.

Not here: landmasses (coastlines of another package), the two neurons (recordings larger than our
copy keeps) and six networks of link prediction (points were trained anew and not kept).

chlenski2025_mixtures.tsv has a line for each mixture, temperature and traffic, trials 0 and 1, and
four methods of the authors' `benchmark` (depth 5, 12 trees): accuracy, or root mean squared error.
"""

import argparse
import calendar
import importlib
import sys
import types
import warnings
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import torch
from sklearn.model_selection import train_test_split

from outputs import options_of

TABLE = Path(__file__).with_suffix(".tsv")
TRIALS, ROWS, AGAIN = 10, 1000, 2
CURVATURES = (-4, -2, -1, -0.5, -0.25, 0, 0.25, 0.5, 1, 2, 4)
PRODUCTS = {
    "HH": "H2 H2", "HE": "H2 E2", "HS": "H2 S2", "SS": "S2 S2", "SE": "S2 E2", "H": "H4",
    "E": "E4", "S": "S4",
}  # fmt: skip
NETWORKS = {"polblogs": "C", "cora": "C", "citeseer": "C", "cs_phds": "R"}
FILES = {
    "blood_cell_scrna": "S2 E2 H2 H2 H2",
    "lymphoma": "S2 S2",
    "cifar_100": "S2 S2 S2 S2",
    "mnist": "S2 E2 H2",
}
METHODS = ["sklearn_dt", "sklearn_rf", "product_rf", "knn"]
CURVATURE = {"H": -1, "S": 1, "E": 0}


def program(folder):
    """The authors' modules, without what the package imports besides."""
    for name in ("embedders", "embedders.predictors"):
        package = types.ModuleType(name)
        package.__path__ = [str(Path(folder, *name.split(".")))]
        sys.modules[name] = package
    sys.modules["cvxpy"] = types.ModuleType("cvxpy")  # of a method that the scores do not have
    names = types.ModuleType("torchtyping")
    names.TensorType = type("TensorType", (), {"__class_getitem__": classmethod(lambda *_: None)})
    sys.modules["torchtyping"] = names
    for name in ("benchmarks", "gaussian_mixture", "manifolds"):
        importlib.import_module(f"embedders.{name}")
    return sys.modules["embedders"]


def factors(signature):
    """Curvature and dimension of each factor."""
    return [(CURVATURE[factor[0]], int(factor[1:])) for factor in signature.split()]


def split(X, y, seed):
    """X_train, X_test, y_train, y_test."""
    return train_test_split(np.asarray(X), np.asarray(y), test_size=0.2, random_state=seed)


def mixtures(theirs):
    """Gaussian mixtures on one factor of dimension 2 and in eight spaces of dimension 4."""
    single = {
        f"K={K:g}": ("single", "H2" if K < 0 else "S2" if K > 0 else "E2", [(K, 2)])
        for K in CURVATURES
    }
    products = {
        name: ("multi", signature, factors(signature)) for name, signature in PRODUCTS.items()
    }
    for spaces in (single, products):
        for place, (name, (group, signature, space)) in enumerate(spaces.items()):
            for kind, task in (("C", "classification"), ("R", "regression")):
                for trial in range(TRIALS):
                    seed, dim = TRIALS * place + trial, sum(d for _, d in space)
                    X, y = theirs.gaussian_mixture.gaussian_mixture(
                        pm=theirs.manifolds.ProductManifold(signature=space),
                        seed=seed,
                        num_points=ROWS,
                        num_classes=8,
                        num_clusters=32,
                        cov_scale_means=1 / dim,
                        cov_scale_points=1 / dim,
                        task=task,
                    )
                    yield f"{kind} {name}", trial, kind, group, signature, split(X, y, seed)


def networks(folder):
    """Networks in H4."""
    parts = ("X_train", "X_test", "y_train", "y_test", "test_idx")
    for name, kind in NETWORKS.items():
        for trial in range(TRIALS):
            path = folder / "data/graphs/embeddings" / name / f"H_{trial}.h5"
            found = torch.load(path, map_location="cpu", weights_only=True)
            arrays = [found[part].detach().numpy() for part in parts]
            yield name, trial, kind, "real", "H4", arrays


def cells_and_images(folder):
    """Embeddings by an autoencoder."""
    for name, signature in FILES.items():
        for trial in range(TRIALS):
            draw, found = np.random.default_rng(trial), {}
            source = folder / "data" / name / "embeddings"
            test = (np.load(source / f"{part}_test_{trial}.npy") for part in "Xy")
            found["test"] = list(test)
            if name == "blood_cell_scrna":
                rows = draw.permutation(len(found["test"][1]))
                halves = np.array_split(rows, 2)
                found["train"], found["test"] = (
                    [part[half] for part in found["test"]] for half in halves
                )
            else:
                found["train"] = [np.load(source / f"{part}_train_{trial}.npy") for part in "Xy"]
            for part, (X, y) in found.items():
                rows = draw.choice(len(y), ROWS, replace=False)
                found[part] = X[rows], y[rows]
            (X, y), (new, truth) = found["train"], found["test"]
            yield name, trial, "C", "real", signature, (X, new, y, truth)


def circle(part):
    """Points of a circle, shape (n, 2); `part` of the turn, shape (n,)."""
    angle = 2 * np.pi * np.asarray(part, dtype=np.float64)
    return np.column_stack([np.cos(angle), np.sin(angle)])


def temperature(folder):
    """Place on the globe and month; degrees Celsius."""
    table = pd.read_csv(folder / "data/temperature/temperature.csv")
    months = list(calendar.month_abbr[1:])
    places = np.tile(table[["X", "Y", "Z"]].to_numpy(), (12, 1))
    X = np.column_stack([places, circle(np.repeat(np.arange(12), len(table)) / 12)])
    return X, table[months].to_numpy().T.ravel()


def traffic(folder):
    """Junction, day of the year and of the week, hour, minute; logarithm of the count."""
    table = pd.read_csv(folder / "data/traffic/traffic.csv")
    when = pd.to_datetime(table["DateTime"]).dt
    turns = (when.day_of_year / 365, when.day_of_week / 7, when.hour / 24, when.minute / 60)
    X = np.column_stack([table["Junction"], *(circle(turn) for turn in turns)])
    return X, np.log(table["Vehicles"].to_numpy(dtype=np.float64))


def counts(folder):
    """Temperature and traffic."""
    for read, signature in ((temperature, "S2 S1"), (traffic, "E1 S1 S1 S1 S1")):
        X, y = read(folder)
        for trial in range(TRIALS):
            rows = np.random.default_rng(trial).choice(len(y), ROWS, replace=False)
            yield read.__name__, trial, "R", "real", signature, split(X[rows], y[rows], trial)


def write(folder, task, trial, kind, group, signature, arrays):
    """The file of a trial; `arrays` may end in the numbers of the test rows."""
    names = ("X_train", "X_test", "y_train", "y_test", "test_idx")
    found = dict(zip(names, arrays, strict=False))
    path = folder / f"{task}_{trial}.npz"
    np.savez(path, kind=kind, group=group, signature=signature, trial=trial, task=task, **found)


def scores(theirs, path):
    """Lines of the authors' methods on the file of a trial."""
    given = np.load(path)
    classes = str(given["kind"]) == "C"
    score = "accuracy" if classes else "rmse"
    arrays = {name: torch.tensor(given[name]) for name in given if name[:2] in ("X_", "y_")}
    arrays = {name: part.float() if name[0] == "X" else part for name, part in arrays.items()}
    space = theirs.manifolds.ProductManifold(signature=factors(str(given["signature"])))
    with warnings.catch_warnings(), joblib.parallel_backend("sequential"):
        warnings.simplefilter("ignore")
        found = theirs.benchmarks.benchmark(
            X=None, y=None, pm=space, score=[score], models=METHODS, seed=int(given["trial"]),
            task="classification" if classes else "regression", **arrays,
        )  # fmt: skip
    for method in METHODS:
        if f"{method}_{score}" in found:
            value = float(found[f"{method}_{score}"])
            yield {"task": given["task"], "trial": given["trial"], "method": method, "score": value}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--points", type=Path, required=True, metavar="POINTS")
    parser.add_argument("--trials", type=int, default=AGAIN, help="of the authors' methods")
    options = options_of(parser, TABLE, chosen=("program", "points"))
    torch.set_num_threads(1)
    theirs = program(options.program)
    options.points.mkdir(parents=True, exist_ok=True)
    for read in (counts, networks, cells_and_images):
        for found in read(options.program):
            write(options.points, *found)
    for found in mixtures(theirs):
        write(options.points, *found)
    lines = []
    for path in sorted(options.points.glob("*.npz")):
        *task, trial = path.stem.rpartition("_")
        if int(trial) < options.trials and task[0] not in (*NETWORKS, *FILES):
            lines += scores(theirs, path)
            print(*lines[-1].values(), flush=True)
    if options.output:
        pd.DataFrame(lines).to_csv(options.output, sep="\t", index=False, float_format="%.5g")


if __name__ == "__main__":
    main()
