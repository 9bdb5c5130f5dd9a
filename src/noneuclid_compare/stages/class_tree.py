"""Stage class_tree: the tree of a data set's classes, checked before anything is trained."""

import argparse
import json
from pathlib import Path

from noneuclid.errors import InputError
from noneuclid.geometry.class_trees import class_tree, read_parents
from noneuclid_compare import io
from noneuclid_compare.stages.launch import launch


def main(argv=None):
    """Parse the arguments, find the parents, check that all classes are in the tree, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", type=Path, required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--setting", type=json.loads, required=True, help="JSON")
    parser.add_argument("--code", default="", help="digest of the code, kept in the result")
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args(argv)
    shapes, values = io.read_header(args.dataset)
    try:
        if "target" in shapes:
            raise InputError("class_tree is for classes, not for numbers")
        parents = parents_of(args.setting, values["about"])
        class_tree(parents, values["class_names"])
    except InputError as error:
        raise InputError(f"data set {args.name}: {error}") from error
    found = {"classes": values["class_names"], "parents": parents, "digest": args.code}
    io.write_json(args.output, found)


def parents_of(setting, about):
    """Parent of each node: given as a mapping, in a file, or by the loader (`true`)."""
    if isinstance(setting, str):
        return read_parents(setting)
    if setting is not True:
        return setting
    if about.get("class_tree") is None:
        raise InputError("the loader gives no class tree; give the parents or a file")
    return about["class_tree"]


if __name__ == "__main__":
    launch(main)
