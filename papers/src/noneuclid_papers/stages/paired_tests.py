"""Stage paired_tests: methods compared in pairs, group by group."""

import argparse
import json
from itertools import combinations
from pathlib import Path

from noneuclid_compare import io
from noneuclid_compare.stages.launch import launch
from noneuclid_papers.statistics import paired_t_tests
from noneuclid_papers.tables import paired_test_rows as shown


def main(argv=None):
    """Parse the arguments, read the scores, test, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", type=Path, required=True, help="parquet of evaluate")
    parser.add_argument("--settings", type=json.loads, required=True, help="JSON: metric and entry")
    parser.add_argument("--output", type=Path, required=True, help="folder")
    args = parser.parse_args(argv)

    settings = args.settings
    metric, group, blocks = (settings[key] for key in ("metric", "group", "blocks"))
    scores = paired_t_tests.in_groups(io.read_table(args.scores), group)
    pairs = [pair for block in blocks.values() for pair in combinations(block, 2)]
    tests = paired_t_tests.paired_tests(scores, metric, pairs, group)
    table = paired_t_tests.summarise(scores, tests, blocks, group)
    section = shown.section(table, metric, blocks)
    io.write_table(args.output / "tests.tsv", tests)
    io.write_table(args.output / "table.tsv", table)
    io.write_text(args.output / "table.tex", shown.to_latex(section))
    io.write_json(args.output / "section.json", section)


if __name__ == "__main__":
    launch(main)
