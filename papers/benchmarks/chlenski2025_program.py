"""Product trees and forests of chlenski2025's program beside ours, on the same rows.

    PYTHONPATH=benchmarks python papers/benchmarks/chlenski2025_program.py --peer PYTHON FOLDER

FOLDER is a checkout of pchlenski/manify at 2f640d7, and PYTHON that of an environment with torch,
geoopt, jaxtyping, scikit-learn and pandas. Needs the folder manify of the papers' data.

Lymphoma and MNIST: 1,000 training and 1,000 test rows of a trial, drawn with the numbers of trial
and draw as the seed. Cora: the authors' split, labels those of the nodes, the draw is the seed of
the forests. The authors' program gets float32, as in the files, and the settings of the authors:
depth 5, 12 trees, planes of all pairs of axes. Ours gets float64, on the space.

chlenski2025_program.tsv has accuracies in %: of their tree and forest as released and with the
midpoint rules of the factors (`right`; in both, `predict` descends below the root, which it does
not in the release), of our forest with their settings (`forest_same`), and of our forest by default
(`forest_ours`). The lines printed last are mean differences of `forest_ours` and the two others
with standard errors over the draws, which share a trial's training rows.
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from chlenski2025_tasks import DEPTH, TREES
from noneuclid import ProductRandomForestClassifier
from noneuclid_papers.data.chlenski2025_points import (
    SIGNATURES,
    VAE_SIGNATURES,
    on_space,
    read_split,
)
from outputs import options_of, paper_file

TABLE = Path(__file__).with_suffix(".tsv")
ROWS = 1000
TRIALS = {"lymphoma": (0, 1, 2), "mnist": (0, 1)}
NETWORK, NETWORK_TRIAL = "cora", 0
THEIRS = ("tree_released", "forest_released", "tree_right", "forest_right")
CURVATURES = {"H": -1, "E": 0, "S": 1}


def cases(tasks, draws):
    """Task, signature, trial, draw, and the four arrays of the rows as in the files."""
    for task, trials in TRIALS.items():
        for trial in trials if task in tasks else ():
            archive = dict(np.load(paper_file("manify", "product_vae", task, f"{trial}.npz")))
            for draw in range(draws):
                rng, rows = np.random.default_rng([trial, draw]), {}
                for part in ("train", "test"):
                    chosen = rng.choice(len(archive[f"X_{part}"]), ROWS, replace=False)
                    rows |= {f"{x}_{part}": archive[f"{x}_{part}"][chosen] for x in "Xy"}
                yield (task, VAE_SIGNATURES[task], trial, draw), rows
    for short, signature in SIGNATURES.items() if NETWORK in tasks else ():
        path = paper_file("manify", "product_graphs", NETWORK, f"{short}_{NETWORK_TRIAL}.npz")
        graph = paper_file("manify", "graphs", NETWORK)
        files = {"graph": graph / f"{NETWORK}.edges", "labels": graph / f"{NETWORK}.node_labels"}
        split, archive = read_split(path, signature, files), np.load(path)
        labels = np.unique(np.r_[split.y_train, split.y_test])
        rows = {f"X_{part}": archive[f"X_{part}"].astype(np.float32) for part in ("train", "test")}
        rows |= {"y_train": np.searchsorted(labels, split.y_train)}
        rows |= {"y_test": np.searchsorted(labels, split.y_test)}
        yield (NETWORK, signature, NETWORK_TRIAL, 0), rows


def save(path, signature, draw, rows):
    """An archive for the authors' program."""
    factors = signature.split()
    space = {
        "curvatures": [CURVATURES[factor[0]] for factor in factors],
        "dimensions": [int(factor[1:]) for factor in factors],
    }
    np.savez(path, **rows, **space, seed=draw)


def ours(signature, draw, rows):
    """Accuracies of our forests in %: with the authors' settings, and by default."""
    X, new = (on_space(rows[f"X_{part}"], signature) for part in ("train", "test"))
    settings = {"max_depth": DEPTH, "n_estimators": TREES, "n_features": "d_choose_2"}
    return [
        100 * ProductRandomForestClassifier(space=signature, random_state=draw, **given)
        .fit(X, rows["y_train"])
        .score(new, rows["y_test"])
        for given in (settings, {})
    ]  # fmt: skip


def differences(table):
    """Mean gain of our forest by default, and its standard error, for each task."""
    lines = []
    for task, part in table.groupby("task", sort=False):
        for other in ("forest_right", "forest_same"):
            gain = part["forest_ours"] - part[other]
            lines.append((task, other, len(gain), gain.mean(), gain.sem()))
    return pd.DataFrame(lines, columns=["task", "over", "draws", "gain", "standard_error"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", nargs=2, required=True, metavar=("PYTHON", "FOLDER"))
    parser.add_argument("--tasks", nargs="+", default=[*TRIALS, NETWORK])
    parser.add_argument("--draws", type=int, default=20, help="of each trial")
    options = options_of(parser, TABLE, chosen=("peer",))
    lines = {}
    python, program = options.peer
    with tempfile.TemporaryDirectory() as folder:
        for number, (case, rows) in enumerate(cases(options.tasks, options.draws)):
            name = f"{number:03}.npz"
            _, signature, _, draw = case
            save(Path(folder, name), signature, draw, rows)
            lines[name] = [*case, *ours(signature, draw, rows)]
        script = Path(__file__).with_name("chlenski2025_program_manify.py")
        command = [python, script, program, folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as peer:
            for line in peer.stdout:
                name, *theirs = line.split()
                lines[name] += map(float, theirs)
                print(lines[name], flush=True)
        if peer.returncode:
            raise SystemExit(f"{script.name} ended with code {peer.returncode}")
    columns = ["task", "signature", "trial", "draw", "forest_same", "forest_ours", *THEIRS]
    table = pd.DataFrame(lines.values(), columns=columns)
    print(differences(table).to_string(index=False))
    if options.output:
        table.to_csv(options.output, sep="\t", index=False, float_format="%.4g")


if __name__ == "__main__":
    main()
