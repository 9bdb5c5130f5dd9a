"""Random configurations with random small tables through Snakemake, one run for many of them.

Every job of a run ends in its results or in one line; what ended well makes a page.
"""

import csv
import re

import numpy as np
import pytest
import yaml
from snakemake_copies import ROOT

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("two random runs")]

METHODS = yaml.safe_load((ROOT / "config/config.yaml").read_text())["methods"]
CLASSES = ["_a", "a b", "it's", '"q"', "é", "数", "1", "2.0", "-1", "<b>&", "$x", "{c}", "%", "#"]
CLASSES += ["a,b", "tab\t", "\\", "*", "None", "", "x" * 200, "a\nb", "$(touch pwned)"]
EMBEDDINGS = {
    "given": {"use": "given"},
    "pca": {"use": "lifted_pca", "params": {"standardize": True}},
    "line": {"use": "lifted_pca", "params": {"n_components": 1}},
    "hydra": {"use": "hydra"},
    "maps": {"use": "poincare_maps", "params": {"max_iter": 3}},
    "log_ratio": {"use": "log_ratio"},
}
PARTS = {"kind": "composition", "normalize": True}
# Runs of the slow test.
RUNS = 5
# What is done to a table of numbers; most tables stay as they are.
SPOIL = [
    lambda X, row, rng: X * 10.0 ** rng.integers(-320, 300),
    lambda X, row, rng: np.vstack([X, X[: len(X) // 2]]),
    lambda X, row, rng: np.repeat(X[:1], len(X), axis=0),
    lambda X, row, rng: X * (np.arange(X.shape[1]) > 0) + 7,
    lambda X, row, rng: np.where(row, np.nan, X),
    lambda X, row, rng: np.where(row, np.inf, X),
    lambda X, row, rng: np.where(row, 1.0, X),
    lambda X, row, rng: np.where(row, 1 - 1e-16, X),
    lambda X, row, rng: np.abs(X) / np.abs(X).sum(axis=1, keepdims=True),
]


def table(rng):
    """Numbers, and names of one to four classes."""
    n, p = rng.integers(8, 41), rng.integers(1, 6)
    codes = np.minimum(rng.geometric(0.4, size=n) - 1, rng.choice([3, 3, 3, 2, 1, 1, 0]))
    X = rng.normal(size=(n, p)) * 0.2 / p + 0.1 * codes[:, None]
    if rng.random() < 0.4:
        X = rng.choice(SPOIL)(X, np.arange(n)[:, None] == rng.integers(n), rng)
    names = rng.permutation(CLASSES)
    return X, [names[codes[k % n]] for k in range(len(X))]


def entry(rng, path):
    """Write a table; the entry of its data set."""
    X, labels = table(rng)
    read = rng.choice([{}, {}, {"chart": "poincare"}, {"chart": "tangent"}, PARTS])
    X = np.abs(X) if read is PARTS else X
    with open(path, "w", newline="", encoding="utf-8") as stream:
        rows = ([*row, name] for row, name in zip(X.tolist(), labels, strict=True))
        csv.writer(stream).writerows([[*(f"x{k}" for k in range(X.shape[1])), "class"], *rows])
    fits = {"chart": ["given"], "kind": ["log_ratio", "pca"]}
    embeddings = fits.get(next(iter(read), None), ["pca", "line", "hydra", "maps"])
    return {
        "use": "table_file",
        "files": {"data": path.name},
        "params": {"label": "class", **read},
        "embeddings": [str(rng.choice(embeddings))],
        "methods": rng.choice(sorted(METHODS), size=2, replace=False).tolist(),
        "split": {"small_classes": str(rng.choice(["error", "drop", "keep", "keep"]))},
    }


def smaller(method):
    """A method of the default configuration with two values in its grid and three trees."""
    method = method | {"grid": {key: v[:2] for key, v in method.get("grid", {}).items()}}
    if "n_estimators" in method.get("params", {}):
        method["params"] = {"n_estimators": 3}
    return method


def configuration(rng, datasets):
    used = {name for dataset in datasets.values() for name in dataset["methods"]}
    shown = {name for dataset in datasets.values() for name in dataset["embeddings"]}
    scheme = [{"scheme": "stratified_kfold", "folds": 2}, {"scheme": "holdout"}]
    return {
        "seed": int(rng.integers(2**31)),
        "repeats": 1,
        "baselines": False,
        "splits": scheme[int(rng.integers(2))],
        "search": {"folds": 2, "scoring": str(rng.choice(["accuracy", "balanced_accuracy"]))},
        "datasets": datasets,
        "embeddings": {name: EMBEDDINGS[name] for name in sorted(shown)},
        "methods": {name: smaller(METHODS[name]) for name in sorted(used)},
        "report": {"title": "Fuzz", "metric": str(rng.choice(["accuracy", "f1_macro"]))},
    }


def run(copy, config, *options):
    """Run; the blocks of the jobs that failed, and the outputs of those that were started."""
    copy.config.write_text(yaml.safe_dump(config))
    done = copy.run("--nocolor", *options)
    text = done.stdout + done.stderr
    assert "Traceback" not in text, text
    blocks = re.findall(r"^Error in rule \w+:\n((?:    .*\n)+)", text, flags=re.M)
    started = re.findall(r"^    output: (.+)$", text, flags=re.M)
    assert (done.returncode == 0) == (not blocks), text
    return blocks, [paths.split(", ") for paths in started]


def refusal(copy, block):
    """The line that ended a job, which left nothing; and the data set that it was about."""
    (log,) = re.findall(r"^    log: (\S+)", block, flags=re.M)
    printed = (copy.folder / log).read_text().splitlines()
    (line,) = [line for line in printed if line.startswith("error: ")]
    assert len(line) < 1500
    (outputs,) = re.findall(r"^    output: (.+)$", block, flags=re.M)
    assert not any((copy.folder / path).exists() for path in outputs.split(", "))
    return re.search(r"/(d\d+)[./]", log)[1], line


def check(copy, rng, count):
    """Run `count` random configurations, then those without a refusal to their page."""
    datasets = {f"d{k}": entry(rng, copy.folder / f"d{k}.csv") for k in range(count)}
    config = configuration(rng, datasets)
    blocks, started = run(copy, config, "--keep-going")
    refused = dict(refusal(copy, block) for block in blocks)
    kept = {name: value for name, value in datasets.items() if name not in refused}
    if kept:
        failed, again = run(copy, config | {"datasets": kept})
        assert not failed
        assert any("results/report/index.html" in paths for paths in again)
        assert not [paths for paths in again if paths in started and "plan" not in paths[0]]
    assert not list(copy.folder.rglob("pwned"))
    return refused, len(started)


@pytest.mark.slow
def test_random_tables_end_on_a_page_or_in_a_line(fresh):
    refused, started = check(fresh, np.random.default_rng(0), 3)
    assert 0 < len(refused) < 3
    assert started > 6


@pytest.mark.slow
@pytest.mark.parametrize("trial", range(RUNS))
def test_many_random_tables_end_on_a_page_or_in_a_line(trial, fresh):
    (seed,) = np.random.SeedSequence().generate_state(1)
    print(f"seed {seed}")
    refused, started = check(fresh, np.random.default_rng(seed), 8)
    print(f"{started} jobs, {len(refused)} of 8 refused", *refused.values(), sep="\n")
