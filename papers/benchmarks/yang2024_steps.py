"""Gradient descent of yang2024 with shorter steps than the paper's, on its data and folds.

    NONEUCLID_MIRROR=FOLDER PYTHONPATH=benchmarks python papers/benchmarks/yang2024_steps.py
        [--sets NAME ...] [--rates 1e-4]

The released program steps by 1e-3, 4000 times (the paper says the same). For each data set, C and
scheme of tables 5 to 10 the table has the printed accuracy and weighted F1, ours with steps of 1e-3
(the kept cell) and ours with the rate, with the words of
`noneuclid_papers.printed.reproduction_status`. Seconds are processor seconds of five folds; run
with OMP_NUM_THREADS=1. Writes yang2024_steps.tsv.
"""

import argparse
import time
from pathlib import Path

import pandas as pd
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import StratifiedKFold

from noneuclid_papers.data import yang2024_points
from noneuclid_papers.printed import published, reproduction_status
from noneuclid_papers.programs.yang2024 import ReleasedPGD
from noneuclid_papers.stages import published as stage
from outputs import options_of, paper_file

HERE = Path(__file__).parent
SETS = ["football", "polbooks", "olsson", "myeloidprogenitors", "krumsiek", "moignard", "paul"]
SCHEMES = {"ovr": ("one-vs-rest", 5), "ovo": ("one-vs-one", 8)}
RATES = (0.1, 1, 10)
SCORES = {
    "accuracy": accuracy_score,
    "f1_weighted": lambda y, found: f1_score(y, found, average="weighted"),
}
KEYS = ["table", "dataset", "variant", "method", "metric"]


def folds(data, scheme, C, rate):
    """Both scores of each fold, as rows of the long table."""
    X, y = data.features, data.labels
    split = StratifiedKFold(5, shuffle=True, random_state=0).split(X, y)
    for fold, (train, test) in enumerate(split):
        model = ReleasedPGD(
            chart=data.chart, C=C, loss="arcsinh", calibration="platt", multi_class=scheme,
            learning_rate=rate, program_steps=True,
        )  # fmt: skip
        found = model.fit(X[train], y[train]).predict(X[test])
        values = {name: score(y[test], found) for name, score in SCORES.items()}
        for metric, value in (values | {"test_rows": len(test)}).items():
            yield data.name, "given", "pgd", 0, fold, metric, value, ""


def compared(rows, entry, kept, rate):
    """Printed, kept and new number of each score, with words."""
    columns = ["dataset", "embedding", "method", "repeat", "fold", "metric", "value", "setting"]
    for key, found in published.ours(pd.DataFrame(rows, columns=columns), entry).items():
        cell = kept.loc[key].to_dict() | dict(zip(KEYS, key, strict=True))
        row = {"value": cell["printed"].partition(" ")[0], "error": "", **cell}
        row["error"] = cell["printed"].partition("± ")[2]
        new = published.beside(row, found)
        yield dict(zip(KEYS, key, strict=True)) | {
            "printed": cell["printed"], "step_1e-3": cell["ours"], "word_1e-3": cell["status"],
            "rate": rate, "ours": new["ours"], "sd": found["se"] * len(rows[::3]) ** 0.5,
            "word": reproduction_status.word(new),
        }  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--rates", type=float, nargs="+", default=[1e-4])
    options = options_of(parser, HERE / "yang2024_steps.tsv")
    kept = stage.read(HERE.parent / "kept/yang2024.tsv").set_index(KEYS)
    found = []
    for name in options.sets:
        folder = paper_file("hsvm-relax", name)
        files = {"points": folder / "X_lorentz.npy", "labels": folder / "y.npy"}
        data = yang2024_points.load(files, 0, name=name)
        for scheme, (words, first) in SCHEMES.items():
            for number, C in enumerate(RATES):
                entry = {
                    "table": f"table_{first + number}", "datasets": ".*", "dataset": name,
                    "variant": f"{words}, C={C}", "methods": {"pgd": "PGD"}, "folds": "theirs",
                    "metrics": {metric: metric for metric in SCORES}, "error": "sd", "count": 5,
                }  # fmt: skip
                for rate in options.rates:
                    start = time.process_time()
                    rows = list(folds(data, scheme, C, rate))
                    seconds = time.process_time() - start
                    new = list(compared(rows, entry, kept, rate))
                    found += [row | {"cpu_s": seconds} for row in new]
                    print(*new[0].values(), flush=True)
    if options.output:
        pd.DataFrame(found).to_csv(options.output, sep="\t", index=False, float_format="%.5g")


if __name__ == "__main__":
    main()
