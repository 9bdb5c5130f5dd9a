"""Rows, dimension and classes of a data set before anything has run.

The sizes of data that ship or are fetched stand in ``resources/sizes.tsv``;
``benchmarks/sizes.py`` wrote them down from the data.
"""

import csv
from dataclasses import replace

from noneuclid.errors import InputError
from noneuclid.experiment import parameters
from noneuclid.experiment.costs import Size

# Embeddings whose points have the dimension of the data, whatever their settings.
KEEPING = ("given", "log_ratio")
# Numbers of a data set that is drawn: 80 GB.
MOST_NUMBERS = 10**10
# Settings of generators that tell the size.
NUMBERS = ("points", "nodes", "per_class", "classes", "dimension", "parts")


def read_sizes(table):
    """Read ``sizes.tsv``: a dictionary from what `key_of` says of a data set to its `Size`."""
    with open(table, newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {
        (row["loader"], row["data"]): Size(*(int(row[k]) for k in ("rows", "dimension", "classes")))
        for row in rows
    }


def key_of(entry):
    """Loader of an entry under `datasets`, and its settings and files as one text.

    Examples
    --------
    >>> key_of({"loader": "a.b", "settings": {"name": "karate"}, "files": {"points": "x.npy"}})
    ('a.b', 'name=karate; points=x.npy')
    """
    given = entry.get("settings", {}) | entry.get("files", {})
    return entry["loader"], "; ".join(f"{key}={given[key]}" for key in sorted(given))


def expected(config, dataset, embedding, known):
    """Size of an embedded data set: from the table or from settings of a generator.

    Parameters
    ----------
    config : dict
        A checked configuration, without `each`.
    dataset, embedding : str
    known : dict
        See `read_sizes`.

    Returns
    -------
    Size or None
        None where neither tells.
    """
    entry = config["datasets"][dataset]
    size = known.get(key_of(entry)) or of_generator(entry)
    size = size and embedded(size, config["embeddings"][embedding])
    # The job will complain of any other dimension.
    return size if size and type(size.d) is int and size.d > 0 else None


def embedded(size, embedding):
    """Size of a data set of this size after an entry under `embeddings`.

    Examples
    --------
    >>> embedded(Size(9, 64, 2), {"module": "noneuclid.embeddings.hydra"})
    Size(n=9, d=2, classes=2)
    >>> embedded(Size(9, 64, 2), {"module": "noneuclid.embeddings.given"})
    Size(n=9, d=64, classes=2)
    """
    if embedding["module"].rpartition(".")[2] in KEEPING:
        return size
    return replace(size, d=embedding.get("settings", {}).get("dimension", 2))


def of_generator(entry):
    """Size that the settings of a generator and its defaults promise, or None.

    Examples
    --------
    >>> loader = "noneuclid.datasets.generators.hyperbolic_gaussians"
    >>> of_generator({"loader": loader, "settings": {"per_class": 20, "dimension": 5}})
    Size(n=80, d=5, classes=4)
    >>> of_generator({"loader": "noneuclid.datasets.own.table_file", "settings": {"label": "kind"}})
    """
    if "files" in entry:
        return None
    settings = parameters.defaults(entry["loader"]) | entry.get("settings", {})
    if any(type(settings.get(key, 0)) is not int for key in NUMBERS):
        return None
    classes, places = settings.get("classes", 2), settings.get("places")
    if "places" in settings:
        classes = len(places) if isinstance(places, list) else 0
    n = settings.get("points", settings.get("nodes"))
    n = settings["per_class"] * classes if "per_class" in settings else n
    dimension = settings.get("parts", 1) - 1 or settings.get("dimension", 0)
    return Size(n, dimension, classes) if n and min(n, classes) > 0 and dimension >= 0 else None


def check_generator(entry, place):
    """Refuse settings of a generator that make more numbers than any machine holds.

    Raises
    ------
    InputError

    Examples
    --------
    >>> entry = {"loader": "noneuclid.datasets.generators.wrapped_normal_mixture"}
    >>> check_generator(entry | {"settings": {"points": 10**12}}, "datasets/d")
    Traceback (most recent call last):
    noneuclid.errors.InputError: datasets/d: its settings make 1000000000000 rows in 2 ...
    """
    size = of_generator(entry)
    if size and size.n * (size.d + 1) > MOST_NUMBERS:
        raise InputError(
            f"{place}: its settings make {size.n} rows in {size.d} dimensions, "
            f"{8e-9 * size.n * (size.d + 1):.3g} GB; at most {8e-9 * MOST_NUMBERS:.0f} GB are "
            "planned: lower them"
        )


def doubts(config, found):
    """Lines on embeddings with more dimensions than their data sets can fill.

    Parameters
    ----------
    config : dict
    found : dict
        Name of a data set and of an embedding to the `Size` of the points, or None.

    Returns
    -------
    list of str

    Examples
    --------
    >>> config = {"embeddings": {"e": {"module": "noneuclid.embeddings.nickel_kiela"}}}
    >>> doubts(config, {("karate", "e"): Size(34, 40, 2)})
    ['embeddings/e: 40 dimensions for the 34 rows of data set karate, ...; lower `dimension`']
    """
    return [
        f"embeddings/{embedding}: {size.d} dimensions for the {size.n} rows of data set {dataset}, "
        f"which never need more than {size.n - 1}; lower `dimension`"
        for (dataset, embedding), size in found.items()
        if size
        and size.d >= size.n
        and config["embeddings"][embedding]["module"].rpartition(".")[2] not in KEEPING
    ]


def of_dataset(data):
    """Size of a loaded `Dataset`; the dimension of a graph is 0."""
    columns = 0 if data.features is None else data.features.shape[1]
    simplex = data.about.get("domain", {}).get("polytope", "simplex") == "simplex"
    extra = data.chart == "hyperboloid" or (data.kind == "composition" and simplex)
    return Size(len(data.labels), columns - extra, len(data.class_names))
