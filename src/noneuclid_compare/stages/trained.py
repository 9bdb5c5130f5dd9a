"""What stages share that fit a trained method again: arguments, what is read, and what is kept."""

import argparse
import json
from pathlib import Path

from noneuclid_compare import io, provenance
from noneuclid_compare.records import Embedded, Predictions, Split


def parser(description):
    """Parser of the arguments of all such stages."""
    found = argparse.ArgumentParser(description=description)
    found.add_argument("--points", type=Path, required=True)
    found.add_argument("--split", type=Path, required=True)
    found.add_argument("--trained", type=Path, required=True, help="predictions of train")
    found.add_argument("--record", type=Path, required=True, help="record of train")
    found.add_argument("--names", nargs=3, required=True, metavar="NAME")
    found.add_argument("--method", type=json.loads, required=True, help="JSON")
    found.add_argument("--seed", type=int, required=True, help="of what the stage draws")
    found.add_argument("--code", default="", help="digest of the code, kept in the result")
    found.add_argument("--output", type=Path, required=True)
    return found


def read(args):
    """Points, folds, and predictions and record of train."""
    return (
        io.read_record(args.points, Embedded),
        io.read_record(args.split, Split),
        io.read_record(args.trained, Predictions),
        io.read_json(args.record),
    )


def write(args, **found):
    """Write a result with its names, and with the seed, code and data that it follows from."""
    names = dict(zip(("dataset", "embedding", "method"), args.names, strict=True))
    source = {
        "seed": args.seed,
        "digest": args.code,
        "data_checksum": provenance.checksum(args.points),
        "split_checksum": provenance.checksum(args.split),
    }
    io.write_json(args.output, names | source | found)
