"""Stage certify: bounds and solutions of the hyperboloid SVM on all rows of a data set."""

import argparse
import json
from pathlib import Path

import numpy as np
from tqdm import tqdm

from noneuclid.geometry import charts
from noneuclid_compare import io, provenance
from noneuclid_compare.records import Embedded, Split
from noneuclid_compare.stages.launch import launch
from noneuclid_papers.statistics import certificates


def main(argv=None):
    """Parse the arguments, read points and folds, solve, check the order of bounds, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=Path, required=True)
    parser.add_argument("--split", type=Path, required=True)
    parser.add_argument("--names", nargs=2, required=True, metavar="NAME")
    parser.add_argument("--settings", type=json.loads, required=True, help="C, solvers, ...")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--code", default="", help="digest of the code, kept in the result")
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args(argv)

    embedded = io.read_record(args.points, Embedded)
    split = io.read_record(args.split, Split)
    used = np.flatnonzero(split.fold != Split.UNUSED)
    points = charts.convert(
        embedded.points[used], embedded.chart, "hyperboloid", embedded.curvature
    ) * np.sqrt(embedded.curvature)
    posed = certificates.problems(
        embedded.labels[used], embedded.class_names, args.settings["multi_class"]
    )
    solved = certificates.certify(
        points,
        tqdm(posed, desc="problem", mininterval=5),
        args.settings["C"],
        args.settings["solvers"],
        args.seed,
    )
    certificates.check_order(solved, ", ".join(args.names))
    dataset, embedding = args.names
    record = {
        "dataset": dataset,
        "embedding": embedding,
        **args.settings,
        "dimension": embedded.dimension,
        "seed": args.seed,
        "digest": args.code,
        "data_checksum": provenance.checksum(args.points),
        "split_checksum": provenance.checksum(args.split),
        "versions": provenance.versions(),
        "solutions": solved,
    }
    io.write_json(args.output, record)


if __name__ == "__main__":
    launch(main)
