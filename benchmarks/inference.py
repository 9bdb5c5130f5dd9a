"""Rates of the inference on generated data whose true accuracies are known.

    python benchmarks/inference.py            # inference.tsv, and the table in docs/inference.md
    python benchmarks/inference.py --quick    # a tenth of the draws, printed only

False claims, coverage and power of `noneuclid_compare.evaluation.inference`, for a procedure A of
many pipelines against one of three. "model": a row is right if its difficulty, in part common to
all pipelines (share `rho` of the variance), in part of the pipeline and of the fit, is below the
threshold of the pipeline. "scikit-learn": random forests, SVMs and logistic regressions, each on
several views of the same rows, all views alike; the true accuracy is that on fresh rows after a
fit to all rows.
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from outputs import options_of
from scipy.stats import norm
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

from noneuclid_compare.evaluation.inference import chosen, interval

ROOT = Path(__file__).resolve().parents[1]
TABLE, PAGE = ROOT / "benchmarks/inference.tsv", ROOT / "docs/inference.md"
MARKS = "<!-- rates -->\n", "<!-- end of rates -->\n"
FOLDS, REF, FRESH = 5, 3, 4000
COLUMNS = ["kind", "setting", "sets", "draws", "gain", "claims", "coverage", "bias", "half"]
COLUMNS += ["named", "leader"]

BASE = dict(n=500, k=12, R=3, rho=0.7, m=1, level=0.8, gain=0.0, all=0.0, shares=(0.5, 0.5))
SMALL = dict(n=200, R=1)
FIVE, RARE = (0.2,) * 5, (0.9, 0.1)
MODEL = [
    *({}, dict(k=3), dict(k=60), dict(R=1), dict(R=10), dict(n=100), dict(n=2000), dict(rho=0.3)),
    *(dict(rho=0.9), dict(n=100, level=0.99), dict(n=100, R=1, k=60)),
    *(dict(shares=FIVE), dict(shares=FIVE, R=1), dict(shares=RARE), dict(shares=RARE, R=1)),
    *(dict(gain=0.03), dict(gain=0.03, rho=0.9), dict(gain=0.03, n=2000)),
    *(dict(all=0.03), dict(all=0.03, rho=0.9), dict(all=0.03, rho=0.9, R=10)),
    *(dict(all=0.03, n=2000), dict(shares=FIVE, all=0.03), dict(shares=RARE, all=0.03)),
    *(SMALL | dict(m=m, all=g) for m in (2, 3, 4, 5, 9, 10, 20, 40) for g in (0.0, 0.03)),
]
LEARN = dict(n=150, R=1, views=2, shares=(0.5, 0.5), gain=0.0, draws=200)
REAL = [
    *({}, dict(shares=FIVE, n=250), dict(shares=RARE, n=300), dict(R=3, draws=100)),
    *(dict(shares=FIVE, n=250, R=3, draws=100), dict(gain=1.0, R=3, draws=100)),
]
POOLED = (3, 5, 10, 40)


def labels(rng, n, shares):
    """Classes of n rows, exactly in these shares."""
    return rng.permutation(np.repeat(np.arange(len(shares)), np.round(n * np.array(shares)).astype(int)))


def floor(y):
    return 1 / (2 * np.bincount(y).min() ** 2)


def folds(rng, y):
    """Fold of each row, each class spread evenly."""
    order = np.lexsort((rng.random(len(y)), y))
    fold = np.empty(len(y), dtype=int)
    fold[order] = (np.arange(len(y)) + rng.integers(FOLDS)) % FOLDS
    return fold


def modelled(rng, c):
    """Scores (J, pipelines), true accuracies and floor of one data set of the model."""
    n, rho, k = c["n"], c["rho"], REF + c["k"]
    y = labels(rng, n, c["shares"])
    own = 0.1 / np.sqrt(n)  # sd of the accuracy of a pipeline, and of its fits
    truth = c["level"] + own * rng.normal(size=k)
    truth[REF:] += c["all"] + 0.02 * (c["m"] > 1) * rng.normal()  # data sets differ
    truth[REF] += c["gain"]
    sampled = 0.35 * c["level"] * (1 - c["level"]) * (1 - 0.62 * rho) / n  # in all fits alike
    common = truth + np.sqrt(sampled) * rng.normal(size=k)
    hard = np.sqrt(rho) * rng.normal(size=(n, 1))
    hard = hard + np.sqrt(0.7 * (1 - rho)) * rng.normal(size=(n, k))
    scores = []
    for _ in range(c["R"]):
        fold = folds(rng, y)
        limit = norm.ppf(np.clip(common + own * rng.normal(size=(FOLDS, k)), 0.01, 0.9999))
        right = hard + np.sqrt(0.3 * (1 - rho)) * rng.normal(size=(n, k)) < limit[fold]
        member = fold * len(c["shares"]) + y == np.arange(FOLDS * len(c["shares"]))[:, None]
        recalls = member @ right.astype(float) / member.sum(axis=1, keepdims=True)
        scores.append(recalls.reshape(FOLDS, -1, k).mean(axis=1))
    return np.concatenate(scores), truth, floor(y)


def points(rng, n, c, centres):
    """Rows of all views (views + 1, n, 4) of hidden points in two clusters for each class."""
    y = labels(rng, n, c["shares"])
    hidden = centres[y, rng.integers(2, size=n)] + rng.normal(size=(n, 4))
    noise = np.full(c["views"] + 1, 1.5)
    noise[1] -= c["gain"]
    return hidden + noise[:, None, None] * rng.normal(size=(len(noise), n, 4)), y


def classifiers(seed):
    weights = {"class_weight": "balanced"}
    forest = RandomForestClassifier(15, min_samples_leaf=3, random_state=seed, **weights)
    return forest, SVC(**weights), LogisticRegression(**weights)


def learned(rng, c):
    """Scores (J, pipelines), true accuracies and floor of one data set of real classifiers."""
    centres = 2 * rng.normal(size=(len(c["shares"]), 2, 4))
    (views, y), (fresh, of_fresh) = (points(rng, n, c, centres) for n in (c["n"], FRESH))
    scores, seed = [], int(rng.integers(2**31))
    for repeat in range(c["R"]):
        splits = StratifiedKFold(FOLDS, shuffle=True, random_state=(seed + repeat) % 2**31)
        for train, test in splits.split(y, y):
            scores.append(accuracies(views[:, train], y[train], views[:, test], y[test], seed))
    return np.array(scores), np.array(accuracies(views, y, fresh, of_fresh, seed)), floor(y)


def accuracies(views, y, others, truth, seed):
    return [
        balanced_accuracy_score(truth, model.fit(X, y).predict(Z))
        for X, Z in zip(views, others, strict=True)
        for model in classifiers(seed)
    ]


def outcome(sets, repeats):
    """Claim for A, claim for B, coverage, error, half-width; coverage of two pipelines' scores.

    True difference: of the pipelines with the best means, of each data set.
    """
    codes = np.repeat(np.arange(repeats), FOLDS)
    gaps = [chosen(s[:, REF:], codes) - chosen(s[:, :REF], codes) for s, _, _ in sets]
    leads = [REF + s[:, REF:].mean(axis=0).argmax() for s, _, _ in sets]
    refs = [s[:, :REF].mean(axis=0).argmax() for s, _, _ in sets]
    rows = list(zip(sets, leads, refs, strict=True))
    true = np.mean([truth[a] - truth[b] for (_, truth, _), a, b in rows])
    around = [1 / (FOLDS - 1)] * len(sets), [least for _, _, least in sets]
    found = interval(gaps, *around)
    low, high, off = found["low"], found["high"], found["difference"] - true
    own = [covers([(s[:, j], t[j]) for (s, t, _), j in zip(sets, which, strict=True)], around)
           for which in ([0] * len(sets), leads)]  # fmt: skip
    return low > 0, high < 0, low <= true <= high, off, found["half_width"], *own


def covers(pairs, around):
    """Whether the interval of a pipeline's score contains its true accuracy."""
    found = interval([s for s, _ in pairs], *around)
    return found["low"] <= np.mean([t for _, t in pairs]) <= found["high"]


def row(kind, setting, m, found, better):
    """One row of the table; with a gain the claims are those for A, else all."""
    found = 100 * np.array(found, dtype=float)
    above, below, covered, bias, half, *own = found.mean(axis=0)
    claims = above if better else above + below
    rates = np.round([claims, covered, bias, half, *own], 1)
    line = [kind, setting or "as above", m, len(found), better, *rates]
    print(*line, f"{time.process_time():.0f} s", sep="\t", flush=True)
    return line


def words(case):
    """The setting in words."""
    names = {
        FIVE: "5 classes", RARE: "10 % rare", "n": "n = {}", "k": "{} pipelines", "R": "{} repeats",
        "rho": "rho {}", "level": "accuracy {}", "gain": "one better by {:.0%}",
        "all": "all better by {:.0%}",
    }  # fmt: skip
    parts = [names[v] if key == "shares" else names[key].format(v) for key, v in case.items()
             if key in names or key == "shares"]  # fmt: skip
    return ", ".join(parts).replace("1 repeats", "1 repeat").replace("%", " %").replace("  ", " ")


def of_model(share):
    """Rows of the model."""
    for case in MODEL:
        c, rng = BASE | case, np.random.default_rng(7)
        draws = int(share * (1500 if c["m"] < 5 and c["R"] < 10 and c["n"] < 2000 else 600))
        found = [outcome([modelled(rng, c) for _ in range(c["m"])], c["R"]) for _ in range(draws)]
        shown = {key: v for key, v in case.items() if key != "all" or v}
        yield row("model", words(shown), c["m"], found, bool(c["gain"] or c["all"]))


def of_classifiers(share):
    """Rows of scikit-learn's classifiers; those of several data sets draw from the single ones."""
    pool = []
    for case in REAL:
        c, rng = LEARN | case, np.random.default_rng(7)
        draws = [learned(rng, c) for _ in range(int(share * c["draws"]))]
        found = [outcome([draw], c["R"]) for draw in draws]
        pool += draws if c["R"] == 1 else []
        shown = {key: v for key, v in (dict(n=c["n"], R=c["R"]) | case).items() if key != "draws"}
        text = words({key: v for key, v in shown.items() if key != "gain"})
        yield row("scikit-learn", text + ", one better" * bool(c["gain"]), 1, found, bool(c["gain"]))
    rng = np.random.default_rng(7)
    for m in POOLED:
        found = [
            outcome([pool[j] for j in rng.choice(len(pool), m, replace=False)], 1)
            for _ in range(int(1000 * share))
        ]
        yield row("scikit-learn", "of those with 1 repeat", m, found, False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the draws")
    options = options_of(parser, TABLE)
    warnings.simplefilter("ignore")
    share = 0.1 if options.quick else 1.0
    table = pd.DataFrame([*of_model(share), *of_classifiers(share)], columns=COLUMNS)
    if options.output:
        table.to_csv(options.output, sep="\t", index=False)


if __name__ == "__main__":
    main()
