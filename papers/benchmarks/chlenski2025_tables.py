"""Tables 2 to 4 of chlenski2025 from the authors' scores of each trial.

    PYTHONPATH=benchmarks python papers/benchmarks/chlenski2025_tables.py

Needs the folder manify of the papers' data, whose `results_icml` has the scores and the tables. The
scores of Landmasses, Neuron 33, Neuron 46, Temperature and Traffic are not in that folder; FOLDER
of `--scores` is `data/results_icml` of pchlenski/manify at 2f640d7, which has them.

chlenski2025_tables.tsv has the printed mean, number after ± and mark (b: bold, u: underlined), the
mean, the standard error and the standard deviation of the scores, the mark that the rule of the
authors' notebook gives among all methods of the run (`mark_all`), and that which it gives among the
methods of the table (`mark_shown`). `best` is the best method of the run. Accuracies in %.
"""

import argparse
import re
from pathlib import Path

import numpy as np
import pandas as pd

from outputs import options_of, paper_file

TABLE = Path(__file__).with_suffix(".tsv")
SHOWN = ("product_rf", "sklearn_rf", "tangent_rf", "knn", "ambient_mlp", "kappa_gcn")
FILES = {
    "table_2": [("classification_signature", "C"), ("graph_classification", "C"), ("vae", "C")],
    "table_3": [("regression_signature", "R"), ("graph_regression", "R")],
    "table_4": [("link_prediction", "C")],
}
SIGNATURES = {
    r"$(\S{2})^2$": "SS", r"$\E{4}$": "E", r"$\H{2}\E{2}$": "HE", r"$\H{2}\S{2}$": "HS",
    r"$\H{4}$": "H", r"$\S{2}\E{2}$": "SE", r"$\S{4}$": "S", r"($\H{2})^2$": "HH",
}  # fmt: skip
NAMES = {"blood": "bloodcellscrna"}
MARKS = {"textbf": "b", "underline": "u"}


def letters(name):
    """Letters and digits of a name."""
    return re.sub("[^a-z0-9]", "", name.lower())


def scores_of(table, folder):
    """Scores of each trial of a table."""
    parts = []
    for name, _ in FILES[table]:
        part = pd.read_csv(folder / f"{name}.tsv", sep="\t")
        column = next((c for c in ("embedding", "dataset") if c in part), None)
        parts.append(part.assign(key=part[column].map(letters) if column else "gaussian"))
    if table != "table_4" and (folder / "all_nn_empirical.tsv").exists():
        part = pd.read_csv(folder / "all_nn_empirical.tsv", sep="\t")
        parts.append(part.assign(key=part["dataset"].map(letters)))
    return pd.concat(parts)


def printed_rows(path):
    """Data set, signature and cells (mean, number after ±, mark) of each printed row."""
    dataset = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if "±" not in line:
            continue
        words = [word.strip() for word in line.replace(r"\\", "").split("&")]
        start = next(k for k, word in enumerate(words) if "±" in word)
        head = words[start - 2 : start] if start > 1 else [words[0], ""]
        dataset = re.sub(r"\\multirow.*\{(.*)\}", r"\1", head[0]) or dataset
        cells = [
            (*re.search(r"([\d.]+) ± ([\d.]+)", word).groups(), mark_of(word))
            for word in words[start:]
        ]
        yield dataset, head[1], cells


def mark_of(cell):
    """`b`, `u` or nothing."""
    return next((mark for word, mark in MARKS.items() if word in cell), "")


def marks(means, sign):
    """Marks by the rule of the notebook: a tie for the first place leaves no second."""
    rounded = {name: sign * round(mean, 3) for name, mean in means.items()}
    places = sorted(set(rounded.values()), reverse=True)[:2]
    found = {name: "bu"[places.index(v)] if v in places else "" for name, v in rounded.items()}
    alone = list(found.values()).count("b") == 1
    return {name: mark if alone or mark == "b" else "" for name, mark in found.items()}


def lines_of(table, folder):
    """Lines of a table."""
    scores = scores_of(table, folder)
    ending, scale = ("rmse", 1) if table == "table_3" else ("accuracy", 100)
    sign = -1 if ending == "rmse" else 1
    every = [name.removesuffix(f"_{ending}") for name in scores if name.endswith(f"_{ending}")]
    path = paper_file("manify", "results_icml", f"{table.replace('_', '')}.tex")
    for dataset, signature, cells in printed_rows(path):
        part = scores[scores["key"] == NAMES.get(letters(dataset), letters(dataset))]
        if dataset == "Gaussian":
            part = part[part["signature"] == SIGNATURES[signature]]
        if not len(part):
            continue
        columns = {name: part[f"{name}_{ending}"].dropna() for name in every}
        means = {name: column.mean() for name, column in columns.items() if len(column)}
        shown = SHOWN[: len(cells)]
        among_all = marks(means, sign)
        among_shown = marks({name: means[name] for name in shown}, sign)
        best = max(means, key=lambda name: sign * means[name])
        for name, (mean, error, mark) in zip(shown, cells, strict=True):
            column = scale * columns[name]
            row = {"table": table, "dataset": dataset, "signature": signature, "method": name}
            row |= {"printed": mean, "printed_error": error, "mark": mark, "trials": len(column)}
            row |= {"mean": column.mean(), "standard_error": column.sem(), "sd": column.std()}
            yield row | {"mark_all": among_all[name], "mark_shown": among_shown[name], "best": best}


def agree(table):
    """Whether the printed mean and number after ± are the mean and the standard error."""
    half = np.where(table["table"] == "table_3", 5.1e-4, 0.051)
    pairs = (("printed", "mean"), ("printed_error", "standard_error"), ("printed_error", "sd"))
    return [(table[a].astype(float) - table[b]).abs() <= half for a, b in pairs]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scores", type=Path, metavar="FOLDER")
    options = options_of(parser, TABLE, chosen=("scores",))
    folder = options.scores or paper_file("manify", "results_icml")
    table = pd.DataFrame([row for name in FILES for row in lines_of(name, folder)])
    mean, error, deviation = (int(found.sum()) for found in agree(table))
    print(f"{len(table)} cells: {mean} means, {error} standard errors, {deviation} deviations")
    print(table[table["mark"] != table["mark_shown"]].to_string())
    if options.output:
        table.to_csv(options.output, sep="\t", index=False, float_format="%.4f")


if __name__ == "__main__":
    main()
