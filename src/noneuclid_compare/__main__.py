"""The command ``noneuclid`` and its subcommands, which users call themselves."""

import argparse
import sys
from importlib import import_module

from noneuclid import __version__
from noneuclid.errors import require, require_package
from noneuclid_compare import plugins
from noneuclid_compare.plugins import Command
from noneuclid_compare.stages.launch import launch

COMMANDS = {
    "init": Command("write a configuration to start from"),
    "run": Command(
        "run a configuration with Snakemake",
        "workflow",
        ("snakemake", "jsonschema", "yaml"),
        options=True,
    ),
    "estimate": Command("jobs and memory of a configuration", "workflow", ("jsonschema", "yaml")),
    "report": Command("print the page of a run to a PDF", module="print_report"),
    "predict": Command(
        "label new samples by a model of results/models", "data", ("pandas", "skops")
    ),
    "curvature": Command(
        "which curvature the distances of a file want", "workflow", ("jsonschema", "pandas")
    ),
    "warmup": Command("compile code before the first fit"),
    "fetch": Command("download files of the table of sources, or list them"),
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
    known = plugins.tables("COMMANDS", COMMANDS)
    for name, command in known.items():
        its_own = commands.add_parser(name, help=command.summary, allow_abbrev=False)
        if argv[:1] == [name]:
            module = command.module or name
            import_module(
                module if "." in module else f"noneuclid_compare.stages.{module}"
            ).add_arguments(its_own)
    args, args.options = parser.parse_known_args(argv)
    command = known[argv[0]]
    if args.options and not command.options:
        parser.error(f"unrecognized arguments: {' '.join(args.options)}")
    require(
        not (command.options and sys.platform == "win32"),
        f"noneuclid {argv[0]} runs on Linux and macOS: on Windows, install and run it inside WSL "
        "(docs/install.md)",
    )
    # Not before: --help needs no package.
    for package in command.packages:
        require_package(package, command.extra, f"noneuclid {argv[0]}")
    args.run(args)


if __name__ == "__main__":
    main()
