"""Rates of the inference on generated data whose true accuracies are known.

    python benchmarks/inference.py            # inference.tsv, and the table in docs/inference.md
    python benchmarks/inference.py --quick    # a tenth of the draws, printed only

False claims, coverage and power of `noneuclid_compare.evaluation.inference`, for a procedure A of
many pipelines against B of three. "model": a row is right if its difficulty, in part common to all
pipelines (share `rho` of the variance), in part of the pipeline and of the fit, is below the
threshold of the pipeline. "scikit-learn": random forests, SVMs and logistic regressions, each on
views of the same rows that are alike; the true accuracy is that on fresh rows after a fit to all
rows. Where nothing is better all pipelines of the model have one true accuracy; from five data sets
on, the difference of A and B varies over data sets by 2 points.

Columns, in percent or points: `true`, mean true difference of the pipelines with the best means;
`a`, `b`, claims that A or B is better; `coverage` of the true difference; `bias`; `half`, mean
half-width; `named`, `leader`: coverage of the score of a pipeline known in advance and, with one
data set, of the best of A.
"""

import argparse
import re
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import norm
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

from noneuclid_compare.evaluation.inference import MANY, chosen, interval
from outputs import options_of

ROOT = Path(__file__).resolve().parents[1]
TABLE, PAGE = ROOT / "benchmarks/inference.tsv", ROOT / "docs/inference.md"
MARKS = "<!-- rates -->\n", "<!-- end of rates -->\n"
FOLDS, REF, FRESH = 5, 3, 4000
COLUMNS = ["kind", "setting", "sets", "draws", "true", "a", "b", "coverage", "bias", "half"]
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
    *(SMALL | dict(m=m) for m in (2, 3, 4, 5, 9, 10, 20, 40)),
    *(SMALL | dict(m=m, all=0.03) for m in (2, 3, 4, 5, 9, 10, 40)),
    *(SMALL | dict(m=m, R=3) for m in (2, 4, 5)),
]
LEARN = dict(n=150, R=1, views=2, shares=(0.5, 0.5), gain=0.0, draws=160)
REAL = [
    *({}, dict(shares=FIVE, n=250), dict(shares=RARE, n=300), dict(R=3, draws=60)),
    *(dict(shares=FIVE, n=250, R=3, draws=40), dict(gain=0.3, R=3, draws=40)),
]
POOLED = (3, 5, 10, 40)
GAINS = ("all", "one")
HIDDEN = (
    "better",
    "rho",
    "pipelines",
    "accuracy",
    "n = 100",
    "n = 200, 3",
    "10 repeats",
    "1 repeat, 10 %",
    "1 repeat, 5",
)


def labels(rng, n, shares):
    """Classes of n rows, exactly in these shares."""
    return rng.permutation(
        np.repeat(np.arange(len(shares)), np.round(n * np.array(shares)).astype(int))
    )


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
    truth = c["level"] + own * bool(c["gain"] or c["all"]) * rng.normal(size=k)
    truth[REF:] += c["all"] + 0.02 * (c["m"] >= MANY) * rng.normal()
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
    forest = RandomForestClassifier(8, random_state=seed, **weights)
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
        balanced_accuracy(truth, model.fit(X, y).predict(Z))
        for X, Z in zip(views, others, strict=True)
        for model in classifiers(seed)
    ]


def balanced_accuracy(truth, predicted):
    return np.mean([np.mean(predicted[truth == label] == label) for label in np.unique(truth)])


def outcome(sets, repeats):
    """Columns of the table from `true` on, of one draw."""
    codes = np.repeat(np.arange(repeats), FOLDS)
    gaps = [chosen(s[:, REF:], codes) - chosen(s[:, :REF], codes) for s, _, _ in sets]
    leads = [REF + s[:, REF:].mean(axis=0).argmax() for s, _, _ in sets]
    refs = [s[:, :REF].mean(axis=0).argmax() for s, _, _ in sets]
    rows = list(zip(sets, leads, refs, strict=True))
    true = np.mean([truth[a] - truth[b] for (_, truth, _), a, b in rows])
    around = [1 / (FOLDS - 1)] * len(sets), [least for _, _, least in sets]
    found = interval(gaps, *around)
    low, high, off = found["low"], found["high"], found["difference"] - true
    named = covers([(s[:, 0], truth[0]) for s, truth, _ in sets], around)
    best = [(s[:, j], truth[j]) for (s, truth, _), j in zip(sets, leads, strict=True)]
    leader = covers(best, around) if len(sets) == 1 else np.nan
    return true, low > 0, high < 0, low <= true <= high, off, found["half_width"], named, leader


def covers(pairs, around):
    """Whether the interval of a pipeline's score contains its true accuracy."""
    found = interval([s for s, _ in pairs], *around)
    return found["low"] <= np.mean([t for _, t in pairs]) <= found["high"]


def row(kind, setting, m, found):
    """One row of the table, printed too."""
    rates = np.round(100 * np.mean(np.array(found, dtype=float), axis=0), 1)
    line = [kind, setting, m, len(found), *rates]
    print(*line, f"{time.process_time():.0f} s", sep="\t", flush=True)
    return line


def words(n, shares, R, **others):
    """A setting in words."""
    names = {
        "k": "{} pipelines", "rho": "rho {}", "level": "accuracy {}", "gain": "one better",
        "all": "all better",
    }  # fmt: skip
    kinds = {FIVE: ["5 classes"], RARE: ["10 % rare"]}.get(shares, [])
    repeats = f"{R} repeat" + "s" * (R > 1)
    parts = [names[key].format(v) for key, v in others.items() if key in names and v]
    return ", ".join([f"n = {n}", repeats, *kinds, *parts])


def of_model(share):
    """Rows of the model."""
    for case in MODEL:
        c, rng = BASE | case, np.random.default_rng(7)
        draws = int(share * (1000 if c["R"] < 10 else 500))
        found = [outcome([modelled(rng, c) for _ in range(c["m"])], c["R"]) for _ in range(draws)]
        setting = {key: c[key] for key in ("n", "shares", "R")} | case
        yield row("model", words(**setting), c["m"], found)


def of_classifiers(share):
    """Rows of scikit-learn's classifiers; those of several data sets draw from the single ones."""
    pool, null = [], []
    for case in REAL:
        c, rng = LEARN | case, np.random.default_rng(7)
        draws = [learned(rng, c) for _ in range(int(share * c["draws"]))]
        found = [outcome([draw], c["R"]) for draw in draws]
        pool += draws if c["R"] == 1 else []
        null += found if not c["gain"] else []
        yield row("scikit-learn", words(**c), 1, found)
    yield row("scikit-learn", "all of these", 1, null)
    rng = np.random.default_rng(7)
    for m in POOLED:
        picks = [rng.choice(len(pool), m, replace=False) for _ in range(int(1000 * share))]
        found = [outcome([pool[j] for j in pick], 1) for pick in picks]
        yield row("scikit-learn", "those of 1 repeat", m, found)


def filled(text, table):
    """The page with the rates of `table` between its marks."""
    before, rest = text.split(MARKS[0])
    return before + MARKS[0] + lines(table) + MARKS[1] + rest.split(MARKS[1])[1]


def lines(table):
    """The table of the page; some settings are in the file alone."""
    power = table.set_index(["kind", "sets", "setting"])["a"]
    text = "\n| rows, repeats | sets | false claims | coverage | half-width | power: all | one |\n"
    text += "|---|---|---|---|---|---|---|\n"
    for _, one in table.iterrows():
        setting, place = one["setting"], (one["kind"], one["sets"])
        if any(word in setting for word in HIDDEN) or one["sets"] in (3, 9):
            continue
        numbers = [one["a"] + one["b"], one["coverage"], one["half"]]
        numbers += [power.get((*place, f"{setting}, {which} better"), np.nan) for which in GAINS]
        data = re.sub("n = | repeats?", "", setting) + ", scikit-learn" * (place[0] != "model")
        cells = [data, str(place[1]), *(f"{x:.1f}" if x == x else "" for x in numbers)]
        text += f"| {' | '.join(cells)} |\n"
    return text + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the draws")
    options = options_of(parser, TABLE)
    warnings.simplefilter("ignore")
    share = 0.1 if options.quick else 1.0
    table = pd.DataFrame([*of_model(share), *of_classifiers(share)], columns=COLUMNS)
    if options.output:
        table.to_csv(options.output, sep="\t", index=False)
    if options.output == TABLE:
        PAGE.write_text(filled(PAGE.read_text(), table))


if __name__ == "__main__":
    main()
