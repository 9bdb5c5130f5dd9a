"""The command ``noneuclid``: what is done by hand, beside the workflow."""

import argparse

from noneuclid import __version__
from noneuclid.stages import estimate, predict, warmup
from noneuclid.stages.launch import launch


def main():
    """Run the command; bad input ends in one line and exit status 2."""
    launch(run)


def run(argv):
    """Parse the arguments and run the command that they name."""
    parser = argparse.ArgumentParser(
        prog="noneuclid",
        description="Classifiers for data in hyperbolic, Hilbert and Funk geometry.",
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(title="commands", required=True)
    predict.add_arguments(
        commands.add_parser("predict", help="label new samples by a model of results/models")
    )
    estimate.add_arguments(
        commands.add_parser(
            "estimate", help="core-hours and memory of a configuration", allow_abbrev=False
        )
    )
    warmup.add_arguments(commands.add_parser("warmup", help="compile what default fits need"))
    args = parser.parse_args(argv)
    args.run(args)


if __name__ == "__main__":
    main()
