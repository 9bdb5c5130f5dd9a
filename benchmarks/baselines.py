"""Forests against gradient boosting on original features: accuracy and CPU time of one fit.

python benchmarks/baselines.py    # writes benchmarks/baselines.tsv

Balanced accuracy in ten folds (two repeats of five), one thread. Images and gene expression are
reduced to 50 principal components first.
"""

import time
from pathlib import Path

import pandas as pd
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.decomposition import PCA
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from threadpoolctl import threadpool_limits

from noneuclid_compare.data.shipped import digits, krumsiek11, pbmc68k_reduced
from noneuclid_compare.evaluation.baselines import COMPONENTS

OUTPUT = Path(__file__).with_suffix(".tsv")
METHODS = {
    "random forest, 100 trees": RandomForestClassifier(100, random_state=0),
    "random forest, 300 trees": RandomForestClassifier(300, random_state=0),
    "extra trees, 300 trees": ExtraTreesClassifier(300, random_state=0),
    "gradient boosting": HistGradientBoostingClassifier(random_state=0),
}


def data():
    """Name, features, labels, and whether features are reduced."""
    for load in (load_wine, load_breast_cancer):
        yield load.__name__.removeprefix("load_"), *load(return_X_y=True), False
    for module in (digits, pbmc68k_reduced, krumsiek11):
        found = module.load({}, 0)
        yield found.name, found.features, found.labels, found.features.shape[1] > COMPONENTS


def main():
    """Measure and write."""
    rows = []
    for name, X, y, reduced in data():
        for method, model in METHODS.items():
            model = make_pipeline(PCA(COMPONENTS, random_state=0), model) if reduced else model
            folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
            start = time.process_time()
            with threadpool_limits(1):
                scores = cross_val_score(model, X, y, cv=folds, scoring="balanced_accuracy")
            seconds = (time.process_time() - start) / len(scores)
            rows.append((name, method, round(100 * scores.mean(), 2), round(seconds, 3)))
            print(*rows[-1], flush=True)
    columns = ["dataset", "method", "balanced_accuracy", "seconds"]
    pd.DataFrame(rows, columns=columns).to_csv(OUTPUT, sep="\t", index=False)


if __name__ == "__main__":
    main()
