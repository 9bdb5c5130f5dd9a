"""Routes from raw data to labels: which embeddings and methods of a configuration they join."""

import re

from noneuclid.errors import InputError
from noneuclid_compare.config import baselines
from noneuclid_compare.config.configuration_checks import check_names, check_pattern
from noneuclid_compare.records import ORIGINAL

FAMILIES = ("flat", "hyperbolic")


def check(config, pairs):
    """Refuse routes without embeddings, dimensions, scores of the search or a comparison.

    `pairs`: see `configuration.pairs`.
    """
    routes = config["routes"]
    for key, names in (("n_components", config["embeddings"]), ("depth", config["datasets"])):
        if key in routes:
            _check_number(routes[key], f"routes/{key}", names)
    found = {}
    for family in FAMILIES:
        place, pattern = f"routes/{family}", routes[family]["embeddings"]
        check_pattern(pattern, f"{place}/embeddings")
        known = [name for name in config["methods"] if name not in baselines.NAMES]
        check_names(routes[family]["methods"], known, f"{place}/methods", "method")
        for name in routes[family]["methods"]:
            if (key := ("method", name)) in found:
                raise InputError(f"{place}/methods: {name} is also one of {found[key]}")
            if not config["methods"][name].get("grid"):
                raise InputError(
                    f"{place}/methods: {name} has no grid, but the search on training rows chooses "
                    "the method; give it a grid, which may have one point"
                )
            found[key] = place
        for name in embeddings_of(config, family):
            if not re.search(routes["n_components"], name):
                number = routes["n_components"]
                raise InputError(
                    f"routes/n_components: {number!r} is not found in the embedding {name!r}"
                )
            if name in found:
                raise InputError(f"{place}/embeddings: {name} is also one of {found[name]}")
            found[name] = place
        if not embeddings_of(config, family):
            raise InputError(f"{place}/embeddings: {pattern!r} matches no embedding")
    _check_stems(entry(config)["embeddings"])
    _check_compared(config, pairs)


def embeddings_of(config, family):
    """Names of the embeddings of a family, in their order."""
    pattern = re.compile(config["routes"][family]["embeddings"])
    return [name for name in config["embeddings"] if pattern.search(name)]


def _check_stems(embeddings):
    """Refuse names that would be taken for another route."""
    families = {}
    for name, (family, stem, _) in embeddings.items():
        if stem in (*FAMILIES, ORIGINAL):
            raise InputError(
                f"routes: the embedding {name} without its number is {stem!r}, a name of routes; "
                "rename it"
            )
        if families.setdefault(stem, family) != family:
            raise InputError(
                f"routes/{family}/embeddings: {name} without its number is {stem!r}, as one of "
                f"routes/{families[stem]}; rename one"
            )


def _check_compared(config, pairs):
    """Refuse methods that nothing runs, and families that no data set has at equal dimension."""
    about = entry(config)
    places, dimensions = {family: set() for family in FAMILIES}, {f: set() for f in FAMILIES}
    run = set()
    for dataset, embedding, methods in pairs:
        family, _, dimension = about["embeddings"].get(embedding, (None, None, None))
        if family is not None:
            run.update(methods)
            if set(methods) & set(about["methods"][family]):
                places[family].add((dataset, dimension))
                dimensions[family].add(dimension)
    for family in FAMILIES:
        for name in about["methods"][family]:
            if name not in run:
                raise InputError(
                    f"routes/{family}/methods: {name} runs on no embedding of the routes; list it "
                    "under `methods:` of a data set or an embedding, or leave it out"
                )
    if not set.intersection(*places.values()):
        found = ", ".join(f"{f}: {sorted(dimensions[f])}" for f in FAMILIES)
        raise InputError(
            "routes: no data set has a flat and a hyperbolic route of the same dimension "
            f"({found}); add an embedding"
        )


def _check_number(pattern, place, names):
    """Refuse a pattern whose group is not a number in a name that it matches."""
    check_pattern(pattern, place)
    if re.compile(pattern).groups != 1:
        raise InputError(f"{place}: {pattern!r} needs one group, the number, such as _([0-9]+)$")
    for name in names:
        found = re.search(pattern, name)
        if found and not (found[1] or "").isdecimal():
            raise InputError(
                f"{place}: {pattern!r} finds {found[1] or ''!r} in {name!r}, not a number; use a "
                "group of digits, such as _([0-9]+)$"
            )


def entry(config):
    """What the page needs of the routes.

    `embeddings`: family, name without the number, and dimension of each; `methods` of each family
    in their order; `depths` of the data sets that have one; `equivalence`.
    """
    routes = config["routes"]
    embeddings = {}
    for family in FAMILIES:
        for name in embeddings_of(config, family):
            number = re.search(routes["n_components"], name)
            stem = name[: number.start()] + name[number.end() :]
            embeddings[name] = [family, stem, int(number[1])]
    depths = {}
    for name in config["datasets"]:
        number = re.search(routes["depth"], name) if "depth" in routes else None
        if number:
            depths[name] = int(number[1])
    return {
        "embeddings": embeddings,
        "methods": {family: routes[family]["methods"] for family in FAMILIES},
        "depths": depths,
        "equivalence": config.get("equivalence", 0.01),
    }
