"""Stage fetch: one file from a mirror or the network, verified."""

import argparse
import os
from pathlib import Path

from noneuclid.errors import InputError
from noneuclid.experiment.downloads import obtain, read_sources
from noneuclid.experiment.provenance import SOURCE
from noneuclid.stages.launch import launch

TABLE = SOURCE.parents[1] / "resources/sources.tsv"


def main(argv=None):
    """Parse the arguments, obtain the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--path", required=True, help="path of the file in the table")
    parser.add_argument("--sources", type=Path, default=TABLE)
    parser.add_argument(
        "--mirror",
        default=os.environ.get("NONEUCLID_MIRROR") or None,
        help="folder to copy from instead of downloading; default: $NONEUCLID_MIRROR",
    )
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args(argv)

    source = read_sources(args.sources).get(args.path)
    if source is None:
        raise InputError(f"{args.sources} has no file {args.path!r}")
    obtain(source, args.mirror, args.output)
    print(f"{args.path}: licence {source.licence}; cite {source.citation}")


if __name__ == "__main__":
    launch(main)
