"""Stage estimate: core-hours and memory of a configuration before it runs.

Not part of the workflow: the command ``noneuclid estimate`` runs it.
"""

import argparse
import sys
from contextlib import chdir, nullcontext
from pathlib import Path

from noneuclid.errors import InputError, require
from noneuclid_compare.jobs import locations
from noneuclid_compare.stages.launch import launch, reader_may_leave
from noneuclid_papers.stages import paper


def main(argv=None):
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    add_arguments(parser)
    run(parser.parse_args(argv))


def add_arguments(parser):
    """Add what the command line takes to a parser."""
    parser.add_argument(
        "paper", nargs="?", help="a paper's configuration; noneuclid paper --help lists them"
    )
    parser.add_argument("--quick", action="store_true", help="the paper's smaller version")
    parser.add_argument(
        "--configfile",
        type=Path,
        help="default: config.yaml or config/config.yaml in the directory",
    )
    folder = parser.add_mutually_exclusive_group()
    folder.add_argument(
        "--directory", type=Path, default=Path(), help="of the run: paths of files count from here"
    )
    folder.add_argument(
        "--results", type=Path, help="results with sizes of data; default: those in the directory"
    )
    parser.add_argument(
        "--costs",
        type=Path,
        default=locations.root() / "resources/costs.tsv",
        help="table of measured laws; default: that of the package",
    )
    parser.set_defaults(run=run)


def run(args):
    """Print the estimate of a configuration."""
    # Not before: --help needs no package.
    from noneuclid_compare.config import (
        configuration,
        configuration_checks,
        dataset_sizes,
        yaml_checks,
    )
    from noneuclid_compare.data import downloads
    from noneuclid_compare.jobs import costs, estimates, found_sizes

    root = locations.root()
    file = _file(args)
    config = yaml_checks.read(file)
    try:
        configuration_checks.check_keys(file)
        new = not args.directory.is_dir()  # the run will make it
        with nullcontext() if new else chdir(args.directory):
            configuration.check(config, root / "workflow/schemas/config.schema.yaml")
    except InputError as error:
        raise InputError(f"{file}: {'; '.join(str(error).splitlines())}") from error
    config = configuration.completed(config)
    laws = costs.read_laws(args.costs)
    known = dataset_sizes.read_sizes(root / "resources/sizes.tsv")
    results = args.results or args.directory / "results"
    pairs = [(dataset, embedding) for dataset, embedding, _ in configuration.pairs(config)]
    found = {pair: found_sizes.of(config, *pair, results, args.directory, known) for pair in pairs}
    notes = dataset_sizes.doubts(config, found)
    try:
        fetched = downloads.read_sources(root / "resources/sources.tsv")
        configuration_checks.check_files(config["datasets"], fetched, args.directory)
    except InputError as error:
        notes += str(error).splitlines()
    for line in notes:
        print(f"note: {line}", file=sys.stderr)
    with reader_may_leave():
        print(estimates.summary(config, found, laws))


def _file(args):
    """The configuration: of a paper, the one that is named, or that of the directory."""
    require(not (args.paper and args.configfile), "give a paper or --configfile, not both")
    require(args.paper or not args.quick, "--quick needs the name of a paper")
    if args.paper:
        return paper.configuration_of(args.paper, args.quick)
    return args.configfile or locations.configuration_in(args.directory)


if __name__ == "__main__":
    launch(main)
