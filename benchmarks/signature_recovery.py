"""How often `SignatureSearch` finds the product that points were drawn from; what errors cost.

    OMP_NUM_THREADS=1 python benchmarks/signature_recovery.py --lines draws.tsv

adds to draws.tsv the draws that it does not hold, a line each (some 12 s), so that a run may be
stopped and started again, and writes benchmarks/signature_recovery.tsv from it; `--summary` draws
nothing, `--only "S2 E2"` takes one product.

The table that is kept has draws of 60 rows (`--rows 60`), 20 each, and 7 of `small`: 20 of 100 rows
take hours.

For each of eight products of dimension 4, 20 draws of 100 points of a wrapped normal distribution,
and the defaults of `SignatureSearch`. Conditions: `exact` distances, variance 1; `noise`, each
distance times exp(0.1 z), z standard normal; `small`, the same noise and variance 0.04, where
curvature is hardly visible. Labels are the nearest of four drawn points in the true product. Each
row of the table is a condition and a product:

`recovered`   how often the true one was chosen, "none" for the flat one
`first`       how often it had the least held-out distortion, significant or not
`chosen`      how often each was chosen: a row of the confusion matrix
`covered`     share of draws whose 95 % interval of the difference of the true product and the flat
              one holds the mean over draws of points, noise, parts and starts, which is estimated
              by that of the other draws; nan for the flat one
`covered_own` the same of the distortion of the true product
`knn`, `forest`   accuracy (%) of five nearest neighbours and of `ProductRandomForestClassifier`, 5
              folds, on points embedded in the true product; `_chosen` and `_flat`: in the chosen
              one (flat if none) and the flat one, less that, with 95 % intervals over draws
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

from noneuclid import ProductEmbedding, ProductRandomForestClassifier, SignatureSearch
from noneuclid.geometry import ProductSpace
from outputs import options_of

TRUE = ("H4", "S4", "E4", "H2 H2", "H2 S2", "H2 E2", "S2 S2", "S2 E2")
CONDITIONS = {"exact": (1.0, 0.0), "noise": (1.0, 0.1), "small": (0.04, 0.1)}
FLAT, LABELS, NEIGHBOURS, FOLDS = "E4", 4, 5, 5
CLASSIFIERS = ("knn", "forest")


def draw(signature, n, variance, noise, seed):
    """Distances and labels of points of a product."""
    space, rng = ProductSpace(signature), np.random.default_rng([seed, TRUE.index(signature)])
    X = space.random_wrapped_normal(n, covariances=variance, random_state=rng)
    distances = space.pairwise_distances(X)
    labels = distances[:, rng.choice(n, LABELS, replace=False)].argmin(axis=1)
    factors = np.exp(noise * np.triu(rng.standard_normal((n, n)), 1))
    return distances * factors * factors.T, labels


def accuracies(signature, distances, labels):
    """Of the two classifiers in an embedding, in percent."""
    model = ProductEmbedding(
        signature, metric="precomputed", n_init=12, max_iter=300, tol=0.01, random_state=0
    )
    points = model.fit(distances).embedding_
    neighbours = KNeighborsClassifier(NEIGHBOURS, metric="precomputed")
    forest = ProductRandomForestClassifier(space=model.space_, random_state=0)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    pairs = (neighbours, model.space_.pairwise_distances(points)), (forest, points)
    return [100 * cross_val_score(*pair, labels, cv=folds).mean() for pair in pairs]


def measure(condition, signature, seed, n):
    """A line of the draws."""
    distances, labels = draw(signature, n, *CONDITIONS[condition], seed)
    search = SignatureSearch(metric="precomputed", random_state=seed).fit(distances)
    row = {row["signature"]: row for row in search.table_}[signature]
    # The differences in the table hold together; a single interval is shorter.
    shorter = student.ppf(0.975, n - 1) / student.ppf(1 - 0.025 / (len(TRUE) - 1), n - 1)
    line = {"condition": condition, "true_signature": signature, "seed": seed, "n": n}
    line |= {"chosen": search.best_signature_, "first": search.table_[0]["signature"]}
    line |= {"own": row["distortion"], "own_half": (row["high"] - row["low"]) / 2}
    line["difference"] = row["difference"]
    line["difference_half"] = shorter * (row["difference_high"] - row["difference_low"]) / 2
    chosen = FLAT if search.best_signature_ == "none" else search.best_signature_
    found = {s: accuracies(s, distances, labels) for s in {signature, chosen, FLAT}}
    for at, name in ((signature, "true"), (chosen, "chosen"), (FLAT, "flat")):
        line |= {f"{kind}_{name}": a for kind, a in zip(CLASSIFIERS, found[at], strict=True)}
    return line


def add_draws(path, options):
    """Append the lines that are missing, the same draws of all products first."""
    done = set()
    if path.exists():
        read = pd.read_csv(path, sep="\t", keep_default_na=False)
        done = set(zip(read["condition"], read["true_signature"], read["seed"], strict=True))
    for seed in range(options.draws):
        for condition in CONDITIONS:
            for signature in [options.only] if options.only else TRUE:
                if (condition, signature, seed) in done:
                    continue
                line = pd.DataFrame([measure(condition, signature, seed, options.rows)])
                line.to_csv(path, sep="\t", index=False, mode="a", header=not path.exists())


def summary(lines):
    """A row for each condition and product."""
    rows = []
    for condition in CONDITIONS:
        for signature in TRUE:
            at = (lines["condition"] == condition) & (lines["true_signature"] == signature)
            if at.any():
                rows.append(summary_row(condition, signature, lines[at]))
    return pd.DataFrame(rows)


def summary_row(condition, signature, lines):
    """A row of the table."""
    row = {"condition": condition, "true_signature": signature}
    row |= {"draws": len(lines), "n": lines["n"].iloc[0]}
    row["recovered"] = (lines["chosen"] == ("none" if signature == FLAT else signature)).sum()
    row["first"] = (lines["first"] == signature).sum()
    counts = Counter(lines["chosen"]).most_common()
    row["chosen"] = ", ".join(f"{name} {count}" for name, count in counts)
    row["covered"] = covered(lines, "difference") if signature != FLAT else np.nan
    row["covered_own"] = covered(lines, "own")
    for kind in CLASSIFIERS:
        true = lines[f"{kind}_true"]
        row[kind] = round(true.mean(), 1)
        for other in ("chosen", "flat"):
            row[f"{kind}_{other}"] = mean_and_interval(lines[f"{kind}_{other}"] - true)
    return row


def covered(lines, name):
    """Share of the intervals that hold the mean, were it known.

    A value's deviation from the mean of all k draws has (k - 1) / k of its variance.
    """
    values, k = lines[name], len(lines)
    away = (values - values.mean()).abs()
    return round((away <= lines[f"{name}_half"] * np.sqrt((k - 1) / k)).mean(), 2)


def mean_and_interval(values):
    """As text, with the 95 % t interval."""
    half = student.ppf(0.975, len(values) - 1) * values.std() / np.sqrt(len(values))
    return f"{values.mean():+.1f} ({values.mean() - half:+.1f} to {values.mean() + half:+.1f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=Path, required=True, help="table of draws, added to")
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--only", choices=TRUE, help="default: all")
    parser.add_argument("--summary", action="store_true", help="of the draws there are")
    options = options_of(parser, Path(__file__).with_suffix(".tsv"), ("lines", "summary"))
    warnings.simplefilter("ignore", ConvergenceWarning)
    warnings.filterwarnings("ignore", message="The least populated class")
    if not options.summary:
        add_draws(options.lines, options)
    table = summary(pd.read_csv(options.lines, sep="\t", keep_default_na=False))
    print(table.to_csv(sep="\t", index=False))
    if options.output is not None:
        table.to_csv(options.output, sep="\t", index=False)


if __name__ == "__main__":
    main()
