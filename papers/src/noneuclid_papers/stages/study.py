"""Stage study: two methods compared over many data sets; pairs, tests and two figures."""

import argparse
import shlex
from pathlib import Path

import pandas as pd

from noneuclid_compare import io
from noneuclid_compare.report.figures import page_figures
from noneuclid_compare.report.names import Names
from noneuclid_compare.stages.launch import launch
from noneuclid_papers.statistics import studies


def study_options(study, metric):
    """Options of the study stage: its section of the configuration; the report's metric if none.

    Examples
    --------
    >>> study_options({"first": "tree", "second": "-x"}, "accuracy")
    '--first=tree --second=-x --metric accuracy'
    """
    options = {"metrics": [metric], **study}
    options["metric"] = options.pop("metrics")
    # With `=` a pattern may begin with a dash.
    words = []
    for key, value in options.items():
        words += [f"--{key}={value}"] if isinstance(value, str) else [f"--{key}", *value]
    return shlex.join(words)


def main(argv=None):
    """Parse the arguments, read the scores, compare, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", type=Path, required=True, help="parquet of evaluate")
    parser.add_argument("--first", required=True, help="method that should be better")
    parser.add_argument("--second", required=True, help="method that it is compared with")
    parser.add_argument(
        "--metric", nargs="+", required=True, help="one or more; the first is drawn"
    )
    parser.add_argument("--group", help="pattern of what data sets of one group share")
    parser.add_argument("--series", help="pattern of what data sets of one series share")
    parser.add_argument("--output", type=Path, required=True, help="folder")
    parser.add_argument("--names", type=Names.from_json, default=Names(), help="JSON, see names")
    args = parser.parse_args(argv)

    scores = io.read_table(args.scores)
    methods = args.first, args.second
    pairs = [studies.pairs(scores, *methods, m, args.group, args.series) for m in args.metric]
    tests = pd.concat([studies.summary(table) for table in pairs], ignore_index=True)
    tests.insert(0, "second", args.second)
    tests.insert(0, "first", args.first)
    io.write_table(args.output / "pairs.tsv", pd.concat(pairs, ignore_index=True))
    io.write_table(args.output / "tests.tsv", tests)
    of_first = tests[tests["metric"] == args.metric[0]]
    inputs = {"pairs": pairs[0], "tests": of_first, "first": args.first, "second": args.second}
    inputs["names"] = args.names
    page_figures.write_figures("noneuclid_papers.stages.study", inputs, args.output)


if __name__ == "__main__":
    launch(main)
