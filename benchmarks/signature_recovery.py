"""How often `SignatureSearch` finds the product that points were drawn from; what errors cost.

    OMP_NUM_THREADS=1 python benchmarks/signature_recovery.py

For each of eight products of dimension 4, 8 draws of 60 points of a wrapped normal distribution.
Conditions: `exact` distances, variance 1; `noise`, each distance times exp(0.1 z), z standard
normal; `small`, the same noise and variance 0.04, where curvature is hardly visible. Labels are the
nearest of four drawn points in the true product. Each row of benchmarks/signature_recovery.tsv is a
condition and a product:

`chosen`      how often each signature, or none, was chosen
`first`       how often the true one had the least held-out distortion, significant or not
`covered`     share of 95 % intervals, of the difference of the true product and the flat one, that
              hold the mean difference over all draws; nan for the flat one
`true`, `found`, `flat`   accuracy (%) of five nearest neighbours, 10 folds, on points embedded in
              the true product, the chosen one (flat if none) and the flat one
"""

import argparse
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import t as student
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from noneuclid import ProductEmbedding, SignatureSearch
from noneuclid.geometry import ProductSpace
from outputs import options_of

TRUE = ("H4", "S4", "E4", "H2 H2", "H2 S2", "H2 E2", "S2 S2", "S2 E2")
CONDITIONS = {"exact": (1.0, 0.0), "noise": (1.0, 0.1), "small": (0.04, 0.1)}
FLAT, LABELS, NEIGHBOURS = "E4", 4, 5
SEARCH = {"n_splits": 2, "n_init": 4, "max_iter": 200, "tol": 0.02}


def draw(signature, n, variance, noise, seed):
    """Distances and labels of points of a product."""
    space, rng = ProductSpace(signature), np.random.default_rng([seed, TRUE.index(signature)])
    X = space.random_wrapped_normal(n, covariances=variance, random_state=rng)
    distances = space.pairwise_distances(X)
    labels = distances[:, rng.choice(n, LABELS, replace=False)].argmin(axis=1)
    factors = np.exp(noise * np.triu(rng.standard_normal((n, n)), 1))
    return distances * factors * factors.T, labels


def accuracy(signature, distances, labels):
    """Of nearest neighbours in an embedding."""
    model = ProductEmbedding(
        signature, metric="precomputed", n_init=4, max_iter=300, tol=0.01, random_state=0
    )
    points = model.fit(distances).embedding_
    classifier = KNeighborsClassifier(NEIGHBOURS, metric="precomputed")
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    found = model.space_.pairwise_distances(points)
    return 100 * cross_val_score(classifier, found, labels, cv=folds).mean()


def measure(condition, signature, draws, n):
    """A row of the table."""
    chosen, differences, accuracies, first = Counter(), [], [], 0
    for seed in range(draws):
        distances, labels = draw(signature, n, *CONDITIONS[condition], seed)
        search = SignatureSearch(metric="precomputed", random_state=seed, **SEARCH).fit(distances)
        table = {row["signature"]: row for row in search.table_}
        chosen[search.best_signature_] += 1
        first += search.table_[0]["signature"] == signature
        differences.append([table[signature][f"difference{end}"] for end in ("", "_low", "_high")])
        at = {s: accuracy(s, distances, labels) for s in {signature, FLAT}}
        best = FLAT if search.best_signature_ == "none" else search.best_signature_
        if best not in at:
            at[best] = accuracy(best, distances, labels)
        accuracies.append([at[signature], at[best], at[FLAT]])
    mean, low, high = np.transpose(differences)
    # The intervals in the table hold together; a single one is shorter.
    shorter = ratio_of_quantiles(n, len(TRUE) - 1)
    covered = np.abs(mean - mean.mean()) <= shorter * (high - low) / 2
    row = {"condition": condition, "true_signature": signature, "draws": draws, "n": n}
    row["recovered"] = chosen["none" if signature == FLAT else signature]
    row |= {"chosen": ", ".join(f"{s} {k}" for s, k in chosen.most_common()), "first": first}
    row["covered"] = np.nan if signature == FLAT else round(covered.mean(), 2)
    return row | dict(
        zip(("true", "found", "flat"), np.mean(accuracies, axis=0).round(1), strict=True)
    )


def ratio_of_quantiles(n, comparisons):
    """Width of a 95 % interval by that of one of so many which hold together."""
    return student.ppf(0.975, n - 1) / student.ppf(1 - 0.025 / comparisons, n - 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=8)
    parser.add_argument("--rows", type=int, default=60)
    parser.add_argument("--condition", choices=CONDITIONS, help="default: all")
    options = options_of(parser, Path(__file__).with_suffix(".tsv"))
    warnings.simplefilter("ignore", ConvergenceWarning)
    warnings.filterwarnings("ignore", message="The least populated class")
    rows = []
    for condition in [options.condition] if options.condition else CONDITIONS:
        for signature in TRUE:
            rows.append(measure(condition, signature, options.draws, options.rows))
            print(*rows[-1].values(), sep="\t", flush=True)
    if options.output is not None:
        pd.DataFrame(rows).to_csv(options.output, sep="\t", index=False)


if __name__ == "__main__":
    main()
