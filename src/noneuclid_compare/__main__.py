"""The command ``noneuclid`` and its subcommands, which users call themselves."""

import argparse
from importlib import import_module
from typing import NamedTuple

from noneuclid import __version__
from noneuclid.errors import require_package
from noneuclid_compare.stages.launch import launch


class Command(NamedTuple):
    """A command: what it does, the extra that it needs, and packages of that extra.

    Its module in ``noneuclid_compare.stages`` has `add_arguments`, and the same name unless one is given;
    it is imported without these packages.
    """

    summary: str
    extra: str = ""
    packages: tuple = ()
    module: str = ""


COMMANDS = {
    "init": Command("write a configuration to start from"),
    "run": Command(
        "run a configuration with Snakemake", "workflow", ("snakemake", "jsonschema", "yaml")
    ),
    "paper": Command(
        "repeat a paper: from its data to its page",
        "workflow",
        ("snakemake", "jsonschema", "yaml"),
    ),
    "estimate": Command(
        "core-hours and memory of a configuration", "workflow", ("jsonschema", "yaml")
    ),
    "report": Command("print the page of a run to a PDF", module="print_report"),
    "predict": Command(
        "label new samples by a model of results/models", "data", ("pandas", "skops")
    ),
    "warmup": Command("compile code before the first fit"),
    "fetch": Command("download files of the papers' data, or list them"),
}


def main():
    """Run the command; bad input ends in one line and exit status 2."""
    launch(run)


def run(argv):
    """Parse the arguments and run the command that they name; only its libraries are loaded."""
    parser = argparse.ArgumentParser(
        prog="noneuclid",
        description="Classifiers for data in hyperbolic, Hilbert and Funk geometry.",
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(title="commands", required=True)
    for name, command in COMMANDS.items():
        its_own = commands.add_parser(name, help=command.summary, allow_abbrev=False)
        if argv[:1] == [name]:
            module = command.module or name
            import_module(f"noneuclid_compare.stages.{module}").add_arguments(its_own)
    args, args.options = parser.parse_known_args(argv)
    if args.options and argv[0] not in ("run", "paper"):
        parser.error(f"unrecognized arguments: {' '.join(args.options)}")
    # Not before: --help needs no package.
    command = COMMANDS[argv[0]]
    for package in command.packages:
        require_package(package, command.extra, f"noneuclid {argv[0]}")
    args.run(args)


if __name__ == "__main__":
    main()
