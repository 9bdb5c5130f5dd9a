"""Stage gaps: all certificates in one table, and two figures of them."""

import argparse
import json
from pathlib import Path

import numpy as np
import pandas as pd

from noneuclid.geometry import charts
from noneuclid_compare import io
from noneuclid_compare.records import Embedded, Split
from noneuclid_compare.report.figures import page_figures
from noneuclid_compare.report.names import Names
from noneuclid_compare.stages.launch import launch
from noneuclid_papers.statistics import certificates, optimality_gaps


def main(argv=None):
    """Parse the arguments, read all certificates, compare, draw, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=Path, nargs="+", required=True, help="JSON of certify")
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True, help="folder")
    parser.add_argument("--names", type=Names.from_json, default=Names(), help="JSON, see names")
    args = parser.parse_args(argv)

    records = [io.read_json(path) for path in args.records]
    table = optimality_gaps.long_table(records)
    chosen = optimality_gaps.most_spread(table)
    points, positive = points_of(chosen, records, args.results)
    io.write_table(args.output / "certificates.tsv", table.assign(w=table["w"].map(json.dumps)))
    io.write_table(args.output / "overview.tsv", optimality_gaps.overview(table))
    shown = pd.DataFrame(points, columns=[f"x{k}" for k in range(points.shape[1])])
    io.write_table(args.output / "hyperplanes.tsv", shown.assign(positive=positive))
    inputs = {"table": table, "rows": chosen, "points": points, "positive": positive}
    inputs["names"] = args.names
    page_figures.write_figures("noneuclid_papers.stages.gaps", inputs, args.output)


def points_of(chosen, records, results):
    """Points of one problem on the hyperboloid, and which are positive; none for no problem."""
    if chosen.empty:
        return np.empty((0, 3)), np.empty(0, dtype=bool)
    dataset, embedding, _, problem = chosen[optimality_gaps.PROBLEM].iloc[0]
    embedded = io.read_record(results / f"embed/{dataset}/{embedding}.npz", Embedded)
    split = io.read_record(results / f"split/{dataset}/0.npz", Split)
    (multi_class,) = [
        record["multi_class"]
        for record in records
        if (record["dataset"], record["embedding"]) == (dataset, embedding)
    ]
    used = np.flatnonzero(split.fold != Split.UNUSED)
    posed = certificates.problems(embedded.labels[used], embedded.class_names, multi_class)
    ((rows, signs),) = [parts for name, *parts in posed if name == problem]
    points = charts.convert(
        embedded.points[used][rows], embedded.chart, "hyperboloid", embedded.curvature
    )
    return points * np.sqrt(embedded.curvature), signs > 0


if __name__ == "__main__":
    launch(main)
