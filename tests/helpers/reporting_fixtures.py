"""Realistic made-up input for the report: branching trees on the disk and sklearn models."""

import functools

import numpy as np
import pandas as pd
from sklearn import metrics
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from noneuclid_compare import io
from noneuclid_compare.records import Disk
from noneuclid_compare.report import section_list
from noneuclid_compare.report.figures import figure_list
from noneuclid_compare.report.run import Run

SVG = b'<svg width="6pt" height="3pt"></svg>'
NASTY = "a<b & \"c\" </script><script>alert('x')</script>"

# name, embedding, class names, rows per class, spread of the branches
DATASETS = (
    ("karate", "lorentz_mds", ("Mr. Hi", "Officer"), (17, 17), 0.35),
    ("olsson", "given", ("CMP", "Eryth", "Gran", "HSPC-1", "HSPC-2", "MDP", "Mono", "Multi-Lin"),
     (13, 59, 33, 95, 28, 59, 14, 18), 0.25),
    ("pbmc68k_reduced", "poincare_maps",
     ("CD14+ Monocyte", "CD19+ B", "CD34+", "CD4+/CD25 T Reg", "CD4+/CD45RA+/CD25- Naive T",
      "CD4+/CD45RO+ Memory", "CD56+ NK", "CD8+ Cytotoxic T", "CD8+/CD45RA+ Naive Cytotoxic",
      "Dendritic"), (129, 95, 13, 68, 8, 19, 31, 54, 43, 240), 0.3),
    ("hyperbolic_mixture", "given", ("0", "1", "2", "3"), (75, 75, 75, 75), 0.55),
    ("a_rather_long_dataset_name_with_three_parts", "popularity_similarity",
     ("a<b", "b & c", "rest"), (60, 40, 9), 0.4),
)  # fmt: skip


def _tangent(X):
    radius = np.linalg.norm(X, axis=1, keepdims=True)
    return X * (2 * np.arctanh(radius) / np.maximum(radius, 1e-12))


def _klein(X):
    return 2 * X / (1 + np.square(X).sum(axis=1, keepdims=True))


def _lifted(X):
    square = np.square(X).sum(axis=1, keepdims=True)
    return np.hstack([1 + square, 2 * X]) / (1 - square)


def _through(chart, model):
    return make_pipeline(FunctionTransformer(chart), model)


METHODS = {
    "majority": lambda: DummyClassifier(),
    "shuffled": lambda: DummyClassifier(strategy="stratified", random_state=0),
    "euclidean_svm": lambda: SVC(kernel="linear", C=10),
    "logistic": lambda: LogisticRegression(),
    "tree": lambda: DecisionTreeClassifier(max_depth=4, random_state=0),
    "forest": lambda: RandomForestClassifier(6, max_depth=6, random_state=0),
    "hyperbolic_tree": lambda: _through(
        _klein, DecisionTreeClassifier(max_depth=6, random_state=0)
    ),
    "hyperbolic_forest": lambda: _through(_tangent, RandomForestClassifier(6, random_state=1)),
    "poincare_perceptron": lambda: _through(_lifted, Perceptron(random_state=0)),
    "poincare_svm": lambda: _through(_tangent, SVC(C=3)),
    "hyperboloid_svm_pgd": lambda: _through(_lifted, KNeighborsClassifier(9)),
}
CLASSES = {
    "majority": "sklearn.dummy.DummyClassifier",
    "shuffled": "noneuclid_compare.models.ShuffledLabelsClassifier",
    "euclidean_svm": "noneuclid.EuclideanSVC",
    "logistic": "sklearn.linear_model.LogisticRegression",
    "tree": "sklearn.tree.DecisionTreeClassifier",
    "forest": "sklearn.ensemble.RandomForestClassifier",
    "hyperbolic_tree": "noneuclid.HyperbolicDecisionTreeClassifier",
    "hyperbolic_forest": "noneuclid.HyperbolicRandomForestClassifier",
    "poincare_perceptron": "noneuclid.PoincarePerceptron",
    "poincare_svm": "noneuclid.PoincareSVC",
    "hyperboloid_svm_pgd": "noneuclid.HyperboloidSVC",
}
NO_PROBABILITIES = ("euclidean_svm", "poincare_perceptron", "poincare_svm")


def points(sizes, width, seed):
    """Branches from the centre to the rim, one or more per class."""
    rng = np.random.default_rng(seed)
    parts = []
    for code, n in enumerate(sizes):
        angle = 2 * np.pi * code / len(sizes) + rng.normal(scale=width, size=n)
        distance = rng.gamma(4, 0.75, size=n) + 0.3
        radius = np.minimum(np.tanh(distance / 2), 0.995)
        parts.append(radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]))
    return np.vstack(parts), np.repeat(np.arange(len(sizes)), sizes)


def raster(model, size):
    """Predicted codes at cell centres, row 0 lowest, -1 outside the disk."""
    centres = (np.arange(size) + 0.5) / size * 2 - 1
    grid = np.stack(np.meshgrid(centres, centres), axis=-1).reshape(-1, 2)
    inside = np.hypot(*grid.T) < 1 - 1e-4
    codes = np.full(size * size, -1, dtype=np.int8)
    codes[inside] = model.predict(grid[inside])
    return codes.reshape(size, size)


def _fold_scores(truth, predicted):
    average = {"micro": "f1_micro", "macro": "f1_macro", "weighted": "f1_weighted"}
    found = {n: metrics.f1_score(truth, predicted, average=a) for a, n in average.items()}
    found["accuracy"] = metrics.accuracy_score(truth, predicted)
    recalls = metrics.recall_score(truth, predicted, average=None, labels=np.unique(truth))
    return found | {"balanced_accuracy": recalls.mean()}


def _run(dataset, embedding, method, repeat, folds):
    warnings = ["PGD: no convergence in 2000 iterations, gap 3.1e-02"] if "pgd" in method else []
    if method == "poincare_svm" and dataset.startswith("a_"):
        warnings.append(f"fold 1: class {NASTY} has 3 rows")
    return {
        "dataset": dataset, "embedding": embedding, "method": method, "transductive": True,
        "class": CLASSES[method], "chart": "poincare",
        "settings": {"C": 10.0, "multi_class": "ovr"} if "svm" in method else {},
        "grid": {"C": [0.1, 1.0, 10.0]} if "svm" in method else {},
        "repeat": repeat, "seed": 7 + repeat, "digest": "3f9a" * 16,
        "current_digest": ("ffff" if method == "tree" else "3f9a") * 16,
        "data_checksum": "sha256:" + "b17e" * 16,
        "versions": {"python": "3.11.2", "numpy": "2.4.6", "scikit-learn": "1.9.1"},
        "peak_memory_mb": 141.2,
        "folds": [
            {"fold": k, "best": {"C": 10.0 ** (k % 2)} if "svm" in method else {},
             "status": ["converged", "still falling"] if "pgd" in method and k == 1 else
             "optimal" if "svm" in method else None,
             "n_iter": [40 + 7 * k, 9] if "svm" in method else None, "objective": 12.5 + k,
             "lower_bound": 12.4 if "svm" in method else None,
             "gap": 0.008 * (k + 1) if "svm" in method else None,
             "fit_seconds": fit, "predict_seconds": predict,
             "warnings": warnings if k == 1 else []}
            for k, (fit, predict) in enumerate(folds)
        ],
    }  # fmt: skip


def _card(name, embedding, names, sizes, n_embedding):
    oddities = "Labels came as uint8; cast before arithmetic. One cell has no counts."
    return {
        "dataset": {
            "name": name, "kind": "graph" if name == "karate" else "expression",
            "n": sum(sizes), "classes": dict(zip(names, sizes, strict=True)),
            "licence": "CC BY-NC 4.0 (non-commercial)",
            "citation": "Olsson et al. (2016), Single-cell analysis of mixed-lineage states "
            "leading to a binary cell fate choice, Nature 537, 698-702",
            "source": "https://github.com/facebookresearch/PoincareMaps/tree/7ffa518",
            "oddities": NASTY if name.startswith("a_") else oddities if n_embedding else "",
        },
        "embedding": {
            "name": embedding, "settings": {"k": 15, "sigma": 1.0} if n_embedding else {},
            "distortion": {"mean": 0.2123, "worst": 4.21, "mean_average_precision": 0.943}
            if n_embedding else {},
            **({"eigenvalues": [3.1, 2.0, 0.4]} if n_embedding else {}),
            "transductive": bool(n_embedding),
            "seconds": 12.3 if n_embedding else None,
        },
        "chart": "poincare", "curvature": 1.0, "dimension": 2,
        "split": {"scheme": "stratified_kfold", "seed": 7, "folds": 3, "repeats": 1,
                  "decisions": [f"class {names[-1]} has {min(sizes)} rows: kept in every fold"]
                  if min(sizes) < 10 else []},
    }  # fmt: skip


def _train(X, y, method, repeat, n_folds):
    """Predictions when left out, rows (fold, metric, value), and times of each fold."""
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=repeat)
    predicted, rows, times = np.full(len(y), -1), [], []
    for k, (train, test) in enumerate(folds.split(X, y)):
        model = METHODS[method]().fit(X[train], y[train])
        predicted[test] = model.predict(X[test])
        found = _fold_scores(y[test], predicted[test])
        if method not in NO_PROBABILITIES:
            found["log_loss"] = 1.4 - found["accuracy"]
        # Made-up times, so that the same call gives the same table.
        costs = {"fit_seconds": 1e-3 * (1 + len(method) ** 2 + k), "predict_seconds": 4e-4}
        sizes = {"train_rows": len(train), "test_rows": len(test)}
        rows += [(k, name, value) for name, value in (found | costs | sizes).items()]
        times.append(tuple(costs.values()))
    return predicted, rows, times


@functools.cache
def report_input(n_datasets=5, n_folds=3, repeats=1, size=120, methods=tuple(METHODS)):
    """`scores`, `runs`, `cards`, `disks`, as `Run` takes them."""
    scores, runs, cards, disks = [], [], [], []
    for seed, (name, embedding, names, sizes, width) in enumerate(DATASETS[:n_datasets]):
        X, y = points(sizes, width, seed)
        held_out, regions = [], []
        for method in methods:
            for repeat in range(repeats):
                predicted, rows, times = _train(X, y, method, repeat, n_folds)
                scores += [(name, embedding, method, "default", repeat, *row) for row in rows]
                runs.append(_run(name, embedding, method, repeat, times))
            held_out.append(predicted)
            regions.append(raster(METHODS[method]().fit(X, y), size))
        drawn = np.array(held_out), np.array(regions)
        disks.append(Disk(name, embedding, methods, X, y, names, 2, *drawn))
        cards.append(_card(name, embedding, names, sizes, embedding != "given"))
    columns = ["dataset", "embedding", "method", "setting", "repeat", "fold", "metric", "value"]
    return {
        "scores": pd.DataFrame(scores, columns=columns),
        "runs": runs,
        "cards": cards,
        "facts": cards,
        "disks": disks,
    }


def run_of(folder, data, config=None, figures=None, **settings):
    """A run of these data whose own figures are in a folder of results: see `report_input`."""
    drawn = figure_list.entries("report")
    names = [one.name for one in drawn] + [one.narrow_name for one in drawn if one.narrow]
    shown = dict.fromkeys(names, SVG) | (figures or {})
    for name, content in shown.items():
        io.write_bytes(folder / f"report/figures/{name}.svg", content)
    entries = section_list.entries(config or {})
    return Run(**data, results=folder, entries=entries, **settings)
