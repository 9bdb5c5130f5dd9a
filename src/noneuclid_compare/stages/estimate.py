"""Stage estimate: jobs of a configuration, their memory, and what finished ones took.

Not part of the workflow: the command ``noneuclid estimate`` runs it.
"""

import argparse
import sys
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from noneuclid.errors import InputError
from noneuclid_compare.jobs import locations
from noneuclid_compare.stages.launch import launch, reader_may_leave


def main(argv=None):
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    add_arguments(parser)
    run(parser.parse_args(argv))


def add_arguments(parser):
    """Add what the command line takes to a parser."""
    parser.add_argument(
        "config",
        nargs="?",
        type=Path,
        help="default: config.yaml or config/config.yaml in the directory",
    )
    parser.add_argument(
        "--directory", type=Path, default=Path(), help="of the run: paths of files count from here"
    )
    parser.set_defaults(run=run)


def run(args):
    """Print the estimate of a configuration."""
    # Not before: --help needs no package.
    from noneuclid_compare.config import configuration, configuration_checks, yaml_checks
    from noneuclid_compare.data import downloads
    from noneuclid_compare.jobs import estimates

    root = locations.root()
    file = args.config or locations.configuration_in(args.directory)
    config, path = yaml_checks.read(file), file.resolve()
    # The run will make a directory that is not there.
    with TemporaryDirectory() as new, chdir(args.directory if args.directory.is_dir() else new):
        try:
            configuration_checks.check_keys(path)
            configuration.check(config, root / "workflow/schemas/config.schema.yaml")
        except InputError as error:
            raise InputError(f"{file}: {'; '.join(str(error).splitlines())}") from error
        config = configuration.completed(config)
        fetched = downloads.read_sources(*locations.tables("sources.tsv"))
        try:
            configuration_checks.check_files(config["datasets"], fetched)
        except InputError as error:
            for line in str(error).splitlines():
                print(f"note: {line}", file=sys.stderr)
        files = {
            name: downloads.local_paths(dataset.get("files", {}), fetched)
            for name, dataset in config["datasets"].items()
        }
        with reader_may_leave():
            print(estimates.summary(config, files))


if __name__ == "__main__":
    launch(main)
