"""Stage embed: embed a data set in hyperbolic space, and measure the distortion."""

import argparse
import json
import sys
import time
from dataclasses import replace
from inspect import signature
from pathlib import Path

import numpy as np

from noneuclid.embeddings import maps, neighbour_mean
from noneuclid.errors import InputError, MissingPackage
from noneuclid.geometry import spaces
from noneuclid_compare import io, provenance
from noneuclid_compare.config import registry, transformers
from noneuclid_compare.data.prepare import mixed_columns
from noneuclid_compare.records import ORIGINAL, Dataset
from noneuclid_compare.stages.launch import launch

NO_RULE = "the embedding {} has no rule for new rows"


def main(argv=None):
    """Parse the arguments, read the data set, embed, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", type=Path, required=True)
    parser.add_argument("--name", required=True, help="name of the embedding")
    parser.add_argument("--use", required=True, help="name of the transformer or function")
    parser.add_argument("--params", type=json.loads, default={}, help="JSON")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--code", default="", help="digest of the code, kept in the result")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--card", type=Path, required=True, help="all except the points")
    parser.add_argument("--map", type=Path, required=True, help="how new samples are embedded")
    args = parser.parse_args(argv)

    dataset = io.read_record(args.dataset, Dataset)
    path = registry.path_of(args.use, "embed")
    start = time.perf_counter()
    try:
        embedded = of_columns(path, dataset, args)
    except (InputError, MissingPackage) as error:
        raise InputError(f"embedding {args.name} of {dataset.name}: {error}") from error
    about = {"embedding": {}} | embedded.about | describe(dataset)
    about["embedding"] |= {
        "name": args.name,
        "seed": args.seed,
        "digest": args.code,
        "data_checksum": provenance.checksum(args.dataset),
    }
    kept = replace(embedded, about=about, target=dataset.target, rule=None)
    io.write_record(args.output, kept)
    io.write_json(args.card, card(kept))
    rule = rule_of(dataset, embedded, args.name)
    of_nodes = dataset.kind == "graph" and rule.kind != "neighbour_mean"
    columns = dataset.about.get("attributes" if of_nodes else "columns")
    prepared = dataset.preparation
    if prepared is not None:
        columns = prepared["genes"]
        prepared = {key: value for key, value in prepared.items() if key != "genes"}
    io.write_record(args.map, replace(rule, columns=columns, preparation=prepared))
    # What an embedding decided, beside what it was given.
    decided = about["embedding"].get("settings", {}).get("standardize")
    if decided and args.params.get("standardize", "auto") == "auto":
        print(
            f"note: features of {dataset.name} are divided by their standard deviations, as for "
            "every table; standardize: false keeps their units",
            file=sys.stderr,
        )
    print(f"embedded {len(embedded.points)} points in {time.perf_counter() - start:.2f} s")


def of_columns(path, dataset, args):
    """Embedding of a data set; missing values and categories are prepared on all rows, and kept.

    The baselines of `records.ORIGINAL` prepare them themselves, on training rows.
    """
    kinds = dataset.column_kinds
    if kinds is not None and args.name == ORIGINAL:
        embedded = transformers.embed(path, dataset, args.seed, **args.params)
        rule = replace(embedded.rule, column_kinds=kinds)
        return replace(embedded, column_kinds=kinds, rule=rule)
    if kinds is None:
        return embed(path, dataset, args.seed, args.params)
    known = signature(transformers.function(path)).parameters
    prepared = mixed_columns.prepared(dataset, args.params, known, args.name)
    dataset, params, transformer, scale = prepared
    embedded = embed(path, dataset, args.seed, params)
    about = embedded.about.get("embedding", {}) | {"transductive": True}
    if "standardize" in about.get("settings", {}):
        about["settings"] = about["settings"] | {"standardize": scale}
    rule = embedded.rule or maps.Map(why=NO_RULE.format(args.name))
    rule = replace(rule, column_kinds=kinds, column_transformer=io.pack(transformer))
    return replace(embedded, rule=rule, about=embedded.about | {"embedding": about})


def embed(path, dataset, seed, params):
    """Embedding of a data set of numbers, with points of its chart."""
    embedded = transformers.embed(path, dataset, seed, **params)
    spaces.check_points(embedded.points, embedded.chart, embedded.curvature)
    return embedded


def rule_of(dataset, embedded, name):
    """How new rows are placed; new nodes of a network, by their neighbours in any embedding."""
    plain = embedded.about["embedding"].get("original_features", False)
    if dataset.kind != "graph" or (plain and dataset.features is not None):
        return embedded.rule or maps.Map(why=NO_RULE.format(name))
    return neighbour_mean.NeighbourMean(
        points=embedded.points,
        chart=embedded.chart,
        curvature=embedded.curvature,
        flat=plain,
    )


def describe(dataset):
    """Entries of the report's card of a data set."""
    counts = np.bincount(dataset.labels, minlength=len(dataset.class_names))
    classes = dict(zip(dataset.class_names, counts.tolist(), strict=True))
    card = {"name": dataset.name, "kind": dataset.kind, "n": len(dataset.labels)}
    if dataset.target is not None:
        card["target"] = [float(dataset.target.min()), float(dataset.target.max())]
    if dataset.groups is not None:
        card["group_names"] = list(dataset.group_names)
    return {"dataset": dataset.about | card | {"classes": classes}}


def card(embedded):
    """What the report needs of an embedded data set."""
    # JSON sorts the classes; their colours go by code.
    keys = ("chart", "curvature", "dimension", "class_names")
    about = {key: x for key, x in embedded.about.items() if not isinstance(x, np.ndarray)}
    return about | {key: getattr(embedded, key) for key in keys}


if __name__ == "__main__":
    launch(main)
