"""Stage signatures: which product of curved and flat factors the distances of a data set want."""

import argparse
import json
from pathlib import Path

from noneuclid.errors import InputError
from noneuclid_compare import io, provenance
from noneuclid_compare.embed.compared_signatures import compare
from noneuclid_compare.records import Dataset
from noneuclid_compare.stages.launch import launch


def main(argv=None):
    """Parse the arguments, compare the signatures, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", type=Path, required=True)
    parser.add_argument("--name", required=True, help="name of the data set")
    parser.add_argument("--params", type=json.loads, default={}, help="JSON, of `compare`")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--code", default="", help="digest of the code, kept in the result")
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args(argv)

    dataset = io.read_record(args.dataset, Dataset)
    try:
        found = compare(dataset, args.seed, **args.params)
    except InputError as error:
        raise InputError(f"datasets/{args.name}/signatures: {error}") from error
    found |= {"dataset": args.name, "seed": args.seed, "digest": args.code}
    io.write_json(args.output, found | {"data_checksum": provenance.checksum(args.dataset)})


if __name__ == "__main__":
    launch(main)
