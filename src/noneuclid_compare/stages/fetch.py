"""Stage fetch: files of the table of sources from a mirror or the network, verified."""

import argparse
import os
from pathlib import Path

from noneuclid.errors import InputError
from noneuclid_compare.data import downloads
from noneuclid_compare.jobs import locations
from noneuclid_compare.stages.launch import launch, reader_may_leave


def main(argv=None):
    """Parse the arguments of the rule, obtain its file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--path", required=True, help="path of the file in the table")
    parser.add_argument("--output", type=Path, required=True)
    add_common(parser)
    args = parser.parse_args(argv)
    source = downloads.read_sources(*args.sources).get(args.path)
    if source is None:
        raise InputError(f"no table of sources has a file {args.path!r}")
    obtain(source, args.mirror, args.output)


def add_common(parser):
    """Add what the rule and the command take."""
    parser.add_argument(
        "--sources",
        type=Path,
        nargs="+",
        default=locations.tables("sources.tsv"),
        help="tables of what can be obtained",
    )
    parser.add_argument(
        "--mirror",
        default=os.environ.get("NONEUCLID_MIRROR") or None,
        help="folder to copy from instead of downloading; default: $NONEUCLID_MIRROR",
    )


def add_arguments(parser):
    """Add what the command line takes to a parser."""
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a file or folder from the list, which the command prints without PATH",
    )
    parser.add_argument(
        "--directory",
        type=Path,
        default=Path(),
        help=f"of the run, which looks for the files in {downloads.DATA}",
    )
    add_common(parser)
    parser.set_defaults(run=run)


def run(args):
    """Obtain the files that are not there yet, or list what can be obtained."""
    sources = downloads.read_sources(*args.sources)
    if not args.paths:
        with reader_may_leave():
            for source in sources.values():
                size = f"{source.bytes / 1e6:.3g} MB" if source.bytes else "size not known"
                print(f"{source.path}\t{size}\t{source.licence}")
    chosen = [source for path in args.paths for source in listed(path, sources)]
    downloads.check_mirror(args.mirror)
    for source in chosen:
        output = args.directory / downloads.DATA / source.path
        if output.is_file():
            downloads.verify(output, source, output)
            print(f"{output}: already there, verified")
        else:
            obtain(source, args.mirror, output, option="--mirror FOLDER")


def listed(path, sources):
    """Sources of a file, or of all files in a folder."""
    folder = path.rstrip("/") + "/"
    found = [source for name, source in sources.items() if name == path or name.startswith(folder)]
    if not found:
        raise InputError(
            f"no file or folder {path!r} can be obtained: `noneuclid fetch` without a path lists "
            "all"
        )
    return found


def obtain(source, mirror, output, **options):
    """Obtain one file; say what is known of it."""
    downloads.obtain(source, mirror, output, **options)
    print(f"{source.path}: licence {source.licence}; cite {source.citation}")


if __name__ == "__main__":
    launch(main)
