"""Stage acquire: load a data set by its function and keep it in one format."""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.config import load_by_name, registry
from noneuclid_compare.data import downloads
from noneuclid_compare.stages.launch import launch


def main(argv=None):
    """Parse the arguments, load, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", required=True, help="name of the data set")
    parser.add_argument("--use", required=True, help="name of the function that loads it")
    parser.add_argument("--params", type=json.loads, default={}, help="JSON")
    parser.add_argument("--files", type=json.loads, default={}, help="JSON: role to path")
    parser.add_argument("--checksums", type=json.loads, default={}, help="JSON: role to sha256")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--code", default="", help="digest of the code, kept in the result")
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args(argv)

    files = {role: Path(path) for role, path in args.files.items()}
    checksums = {role: downloads.checksum_of_own(path) for role, path in files.items()}
    checksums = {role: sha256 for role, sha256 in checksums.items() if sha256}
    check_unaltered(files, checksums, args.checksums)
    try:
        dataset = load_by_name.call(
            registry.path_of(args.use, "load"), files, args.seed, **args.params
        )
    except InputError as error:
        raise InputError(f"data set {args.name}: {error}") from error
    oddities = dataset.about.get("oddities", [])
    for sentence in [oddities] if isinstance(oddities, str) else oddities:
        print(f"note: {sentence}", file=sys.stderr)
    print(f"{args.name}: licence {dataset.about.get('licence', 'not stated')}")
    made = {"settings": args.params, "seed": args.seed, "digest": args.code}
    made["checksums"] = checksums
    io.write_record(args.output, replace(dataset, name=args.name, about=made | dataset.about))


def check_unaltered(files, found, expected):
    """Refuse a file that is not the one that the run was planned for."""
    for role, sha256 in expected.items():
        if role in found and found[role] != sha256:
            raise InputError(
                f"{files[role]} has sha256 {found[role][:12]}..., expected {sha256[:12]}...: the "
                "file was altered; delete it if it was fetched, and run again"
            )


if __name__ == "__main__":
    launch(main)
