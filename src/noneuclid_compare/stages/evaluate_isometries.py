"""Stage evaluate_isometries: the scores of all methods on moved points in one long table."""

import argparse
from pathlib import Path

import pandas as pd

from noneuclid_compare import io
from noneuclid_compare.records import ORIGINAL
from noneuclid_compare.stages.evaluate import runs_of
from noneuclid_compare.stages.launch import launch

KEY = ["dataset", "embedding", "method", "distance", "repeat"]
COLUMNS = [*KEY, "fold", "metric", "value"]
FACTS = ("test_rows", "changed_rows", "farthest", "farthest_before", "fit_seconds")


def main(argv=None):
    """Parse the arguments, read all records of the plan, write rows, failures and what is left."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plan", type=Path, required=True, help="JSON, see evaluate")
    parser.add_argument("--distances", nargs="+", required=True, help="as in the names of files")
    parser.add_argument("--records", type=Path, required=True, help="folder of stage isometries")
    parser.add_argument("--output", type=Path, nargs=3, required=True, help="parquet, tsv, json")
    args = parser.parse_args(argv)

    records = [
        io.read_json(args.records.joinpath(*run, distance, f"{repeat}.json"))
        for *run, repeat in runs_of(io.read_json(args.plan))
        for distance in args.distances
        if run[1] != ORIGINAL
    ]
    table = pd.DataFrame([row for record in records for row in rows(record)], columns=COLUMNS)
    parquet, tsv, json_file = args.output
    io.write_table(parquet, table)
    io.write_table(tsv, table)
    io.write_json(json_file, {"failed": failed(records), "skipped": skipped(records)})


def rows(record):
    """Rows of the long table for one job; a fold that failed has its facts only."""
    key = [record[name] for name in KEY]
    found = []
    for fold in record["folds"]:
        values = fold.get("scores", {}) | {name: fold[name] for name in FACTS if name in fold}
        found += [[*key, fold["fold"], metric, float(value)] for metric, value in values.items()]
    return found


def failed(records):
    """Folds in which a method failed, with its message."""
    return [
        {name: record[name] for name in KEY} | {"fold": fold["fold"], "message": fold["failure"]}
        for record in records
        for fold in record["folds"]
        if fold["failure"]
    ]


def skipped(records):
    """What was not moved, and why; each method on embedded data once."""
    found = {
        tuple(record[name] for name in KEY[:3]): record["skipped"]
        for record in records
        if record["skipped"]
    }
    return [dict(zip(KEY[:3], key, strict=True)) | {"why": why} for key, why in found.items()]


if __name__ == "__main__":
    launch(main)
