"""Processor seconds of the Poincaré and the hyperboloid SVM on the data of table III of pan2023.

    NONEUCLID_MIRROR=FOLDER PYTHONPATH=benchmarks python papers/benchmarks/pan2023_times.py
        [--runs 5]

Methods and data are those of papers/config/pan2023.yaml. pan2023_times.tsv has one row for each
run: the two methods take turns, after one fit of each that is not counted. Run with
OMP_NUM_THREADS=1.
"""

import argparse
import time
from pathlib import Path

import pandas as pd
import yaml

from noneuclid_compare.config import configuration, load_by_name
from noneuclid_compare.records import Embedded
from noneuclid_compare.stages import train
from noneuclid_papers.data import pan2023_embeddings
from outputs import options_of, paper_file

HERE = Path(__file__).parent
METHODS = ("poincare_svm_published", "hyperboloid_svm_pgd")
SETS = ("olsson", "cifar", "fashion-mnist")


def training_rows(name):
    """Embedded training rows of a data set with what its file says about reference points."""
    names = {"embedding": "poincare_embedding.npz", "reference": "reference_points_gt.npy"}
    folder = "PoincareLinearClassification"
    files = {role: paper_file(folder, f"{name}_{end}") for role, end in names.items()}
    data = pan2023_embeddings.load(files, 0, name=name)
    rows = data.fixed_fold == 0
    return Embedded(
        data.features[rows], data.chart, data.labels[rows], data.class_names, about=data.about
    )


def seconds(config, method, points):
    """Processor seconds of one fit."""
    entry = configuration.method_of(config, method) | {"chart": points.chart}
    settings = train.params_for(entry, points)
    model = load_by_name.build(entry["use"], settings, chart=points.chart, random_state=0)
    start = time.process_time()
    model.fit(points.points, points.labels)
    return time.process_time() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    options = options_of(parser, Path(__file__).with_suffix(".tsv"))
    config = yaml.safe_load((HERE.parent / "config/pan2023.yaml").read_text())
    config, rows = configuration.expanded(config), []
    for name in SETS:
        points = training_rows(name)
        for run in range(options.runs + 1):
            found = [(name, method, run, seconds(config, method, points)) for method in METHODS]
            rows += found if run else []
        print(*rows[-2:], flush=True)
    table = pd.DataFrame(rows, columns=["set", "method", "run", "seconds"])
    if options.output:
        table.to_csv(options.output, sep="\t", index=False, float_format="%.4g")


if __name__ == "__main__":
    main()
