"""Stage split: the folds of one repeat of one data set, the same for every method."""

import argparse
import json
from pathlib import Path

from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.evaluation.splits import groups_of, make_split
from noneuclid_compare.records import Dataset
from noneuclid_compare.stages.launch import launch


def main(argv=None):
    """Parse the arguments, read the labels, split, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", type=Path, required=True)
    parser.add_argument("--settings", type=json.loads, required=True, help="JSON")
    parser.add_argument("--repeat", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--code", default="", help="digest of the code, kept in the result")
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args(argv)

    data = io.read_record(args.dataset, Dataset)
    try:
        split = make_split(
            data.labels,
            data.class_names,
            args.repeat,
            args.seed,
            data.fixed_fold,
            groups_of(data),
            **args.settings,
        )
    except InputError as error:
        raise InputError(f"split of {data.name}: {error}") from error
    for decision in split.about.get("decisions", []):
        print(decision)
    io.write_record(args.output, split)


if __name__ == "__main__":
    launch(main)
