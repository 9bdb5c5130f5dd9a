"""Whether methods, metrics and the scorer of the search fit the data sets: classes or numbers."""

from contextlib import suppress

from noneuclid.errors import InputError
from noneuclid_compare import provenance
from noneuclid_compare.config import load_by_name, parameter_checks, registry, signatures
from noneuclid_compare.config.parameter_checks import CLASSES, NUMBERS
from noneuclid_compare.evaluation import metric_table, scorers
from noneuclid_compare.records import ORIGINAL

# Imported by loaders whose data sets have numbers to predict and no parameter that says so.
TARGETS = "noneuclid_compare.data.targets"


def kind_of_data(entry):
    """What a data set has to predict; None where only its loader knows."""
    use = entry["use"]
    if use not in registry.shipped("load"):
        return None
    own = signatures.defaults(use, "load").get("numeric")
    imported = provenance.imported(registry.origin_of(registry.path_of(use, "load")))
    numeric = TARGETS in imported if own is None else own
    return NUMBERS if entry.get("params", {}).get("numeric", numeric) else CLASSES


def check_kinds(use, kind, datasets):
    """Refuse a method that predicts something else than its data sets have.

    `use` names its class, `kind` is what it predicts, `datasets` are entries by name.
    """
    others = [name for name, e in datasets.items() if kind_of_data(e) not in (kind, None)]
    if others:
        more = f" and {len(others) - 3} more" if len(others) > 3 else ""
        wanted, cure = (NUMBERS, "regressors") if kind == CLASSES else (CLASSES, "classifiers")
        raise InputError(
            f"{use} predicts {kind}, but data set {', '.join(others[:3])}{more} has {wanted} "
            f"to predict: list only {cure} under `methods:` of this data set"
        )


def kind_of_method(entry):
    """What a method predicts, by its class; parameters that it does not have are left out."""
    use, params = entry["use"], entry.get("params", {})
    known = parameter_checks.known_parameters(load_by_name.estimator(use)) or params
    taken = {k: v for k, v in params.items() if k in known and k not in load_by_name.CONTEXT}
    return parameter_checks.predicted_kind(load_by_name.build(use, taken), use)


def check_metrics(config, pairs, asked):
    """Refuse metrics that no data set has a value of; `pairs` as in `configuration.pairs`.

    `asked` has the names of metrics by their place in the configuration.
    """
    kinds = _of_methods(config)
    predicted = {kind for name, _, _ in pairs for kind in _of_data(config, pairs, name, kinds)}
    for place, names in asked.items():
        for name in names:
            compared = metric_table.compares(name)
            if predicted and compared not in predicted:
                legal = [m for m in metric_table.RANKING if metric_table.compares(m) in predicted]
                raise InputError(
                    f"{place}: {name} compares {compared}, but the data sets have "
                    f"{predicted.pop()} to predict; give {' or '.join(legal)}"
                )


def check_scoring(config, pairs):
    """Refuse a scorer of the search for the other kind; baselines have one of their own."""
    kinds, scoring = _of_methods(config), config["search"]["scoring"]
    compared = scorers.compares(scoring)
    for name, embedding, methods in pairs:
        found = {kinds.get(m) for m in methods if config["methods"].get(m, {}).get("grid")}
        if embedding == ORIGINAL:
            # A data set of unknown kind gets the baselines that fit the scorer.
            unknown = kind_of_data(config["datasets"][name]) is None
            found = _of_data(config, pairs, name, kinds) if unknown else set()
        for other in found - {compared, None}:
            raise InputError(
                f"search/scoring: {scoring} compares {compared}, but methods of data set {name} "
                f"predict {other}; give {scorers.USUAL[other]}, or make two configurations"
            )


def _of_data(config, pairs, name, kinds):
    """What a data set has to predict, by its loader, else by its methods."""
    kind = kind_of_data(config["datasets"][name])
    if kind is not None:
        return {kind}
    methods = [m for data, e, some in pairs if data == name and e != ORIGINAL for m in some]
    return {kinds[m] for m in methods if m in kinds}


def _of_methods(config):
    """What each method predicts; one that cannot be loaded is refused elsewhere."""
    found = {}
    for name, entry in config["methods"].items():
        with suppress(InputError):
            found[name] = kind_of_method(entry)
    return found
