"""Rows, dimension and classes of a data set before anything has run.

The sizes of data that ship or are fetched are in ``resources/sizes.tsv``;
``benchmarks/sizes.py`` wrote them down from the data.
"""

import csv
from dataclasses import replace

from noneuclid.errors import InputError
from noneuclid_compare.config import signatures
from noneuclid_compare.data.files.arrays import part_of_h5ad
from noneuclid_compare.data.prepare import preparation
from noneuclid_compare.embed import original_features
from noneuclid_compare.jobs.costs import Size

# Embeddings whose points have the dimension of the data, whatever their parameters.
KEEPING = ("given", "log_ratio", "original_features")
# Numbers of a data set that is drawn: 80 GB.
MOST_NUMBERS = 10**10
# Parameters of generators that give the size.
NUMBERS = (
    "points",
    "nodes",
    "cells",
    "per_class",
    "classes",
    "dimension",
    "parts",
    "branches",
    "depth",
)


def read_sizes(table):
    """Read ``sizes.tsv``: a dictionary from `key_of` to `Size`."""
    with open(table, newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {
        (row["use"], row["data"]): Size(*(int(row[k]) for k in ("rows", "dimension", "classes")))
        for row in rows
    }


def key_of(entry):
    """Loader of an entry under `datasets`, and its parameters and files as one text.

    Examples
    --------
    >>> key_of({"use": "a.b", "params": {"name": "karate"}, "files": {"points": "x.npy"}})
    ('a.b', 'name=karate; points=x.npy')
    """
    given = entry.get("params", {}) | entry.get("files", {})
    return entry["use"], "; ".join(f"{key}={given[key]}" for key in sorted(given))


def expected(config, dataset, embedding, known):
    """Size of an embedded data set by the table `known`, or a generator's parameters, or None."""
    entry = config["datasets"][dataset]
    size = known.get(key_of(entry)) or of_generator(entry)
    size = size and embedded(size, config["embeddings"][embedding])
    # The job refuses any other dimension.
    return size if size and type(size.d) is int and size.d > 0 else None


def embedded(size, embedding):
    """Size of a data set of this size after an entry under `embeddings`."""
    if embedding["use"] == "original_features" and size.d == 0:
        # A graph, of which the eigenvectors are taken.
        return replace(size, d=min(original_features.COMPONENTS, size.n - 2))
    if embedding["use"] in KEEPING:
        return size
    return replace(size, d=embedding.get("params", {}).get("dimension", 2))


def of_generator(entry):
    """Size of a generator's data by its parameters and defaults, or None."""
    if "files" in entry:
        return None
    params = signatures.defaults(entry["use"], "load") | entry.get("params", {})
    if any(type(params.get(key, 0)) is not int for key in NUMBERS):
        return None
    classes, places = params.get("classes", 2), params.get("places")
    if "places" in params:
        classes = len(places) if isinstance(places, list) else 0
    if "branches" in params:
        # The leaves of a tree; the loader refuses more levels.
        classes = params["branches"] ** max(0, min(params["depth"], 64))
    n = params.get("points", params.get("nodes", params.get("cells")))
    n = params["per_class"] * classes if "per_class" in params else n
    dimension = params.get("parts", 1) - 1 or params.get("dimension", 0)
    if "n_comps" in params:
        dimension = params["n_comps"] or preparation.COMPONENTS
    return Size(n, dimension, classes) if n and min(n, classes) > 0 and dimension >= 0 else None


def of_counts(entry, directory):
    """Size of cells whose counts will be prepared, by their table obs, or None for other data."""
    path, params = directory / entry.get("files", {}).get("data", ""), entry.get("params", {})
    network = params.get("neighbors", False)
    if entry["use"] != "anndata_file" or network or not params.get("counts") or not path.is_file():
        return None
    label = params.get("label")
    with part_of_h5ad(path, params.get("features", "X"), label) as (obs, _, _, _):
        width = params.get("n_comps") or preparation.COMPONENTS
        return Size(len(obs), width, obs[label].nunique())


def check_generator(entry, place):
    """Refuse parameters of a generator that make more numbers than any machine holds."""
    size = of_generator(entry)
    if size and size.n * (size.d + 1) > MOST_NUMBERS:
        raise InputError(
            f"{place}: its parameters make {size.n} rows in {size.d} dimensions, "
            f"{8e-9 * size.n * (size.d + 1):.3g} GB; the limit is {8e-9 * MOST_NUMBERS:.0f} GB: "
            "lower them"
        )


def doubts(config, found):
    """Lines on embeddings with more dimensions than their data sets can fill.

    Examples
    --------
    >>> config = {"embeddings": {"e": {"use": "nickel_kiela"}}}
    >>> doubts(config, {("karate", "e"): Size(34, 40, 2)})
    ['embeddings/e: 40 dimensions for the 34 rows of data set karate, ...; lower `dimension`']
    """
    return [
        f"embeddings/{embedding}: {size.d} dimensions for the {size.n} rows of data set {dataset}, "
        f"which never need more than {size.n - 1}; lower `dimension`"
        for (dataset, embedding), size in found.items()
        if size and size.d >= size.n and config["embeddings"][embedding]["use"] not in KEEPING
    ]


def of_dataset(data):
    """Size of a loaded `Dataset`; the dimension of a graph is 0."""
    columns = 0 if data.features is None else data.features.shape[1]
    simplex = data.about.get("domain", {}).get("polytope", "simplex") == "simplex"
    extra = data.chart == "hyperboloid" or (data.kind == "composition" and simplex)
    return Size(len(data.labels), columns - extra, len(data.class_names))
