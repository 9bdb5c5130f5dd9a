"""Comparisons behind the claims of cho2019; see `claims`."""

from noneuclid_papers.claims.kept_tables import (
    HALF,
    POINTS,
    THEIRS,
    by_method,
    pairs,
    scores,
    theorem,
)
from noneuclid_papers.statistics import claim_effects as effects


def _mixtures():
    table = pairs("cho2019", "aupr_macro")
    part = table[table["series"] == "mixture"]
    yield "mixtures", effects.mean(part["difference"]), "above", 0


def _label_sets():
    """Difference of each label set, with its network and range of label sizes."""
    table = pairs("cho2019_figure_3", "aupr_macro")
    return table.assign(network=table["group"].str.extract(r"^(n\d+)_", expand=False))


def _networks():
    means = _label_sets().groupby("network")["difference"].mean()
    yield "means of networks", effects.mean(means), "above", 0


def _each_network():
    for (series, network), part in _label_sets().groupby(["series", "network"]):
        yield f"{network}/{series}", effects.mean(part["difference"]), "above", -HALF


def _small_labels():
    means = _label_sets().groupby(["network", "series"])["difference"].mean().unstack()
    for series in ("20-50", "50-100"):
        gain = effects.mean(means[series] - means["100-200"])
        yield series, gain, "above", 0


def _real_networks():
    table = pairs("cho2019", "aupr_trapezoid_macro")
    for name, part in table[table["series"] != "mixture"].groupby("series"):
        yield name, effects.mean(part["difference"]), "above", -HALF


def _deepwalk():
    table = scores("cho2019", table="table_1").set_index(["variant", "method", "dataset"])
    table = table.sort_index()
    first = table.loc["hyperbolic, d=2", "Hyperbolic SVM"]
    second = table.loc["DeepWalk, d=25", "Euclidean SVM"]
    for name in first.index:
        both = [part.loc[name] for part in (first, second)]
        columns = [[POINTS * row["ours"] for row in both], [POINTS * row["se"] for row in both]]
        gain = effects.difference_of_means(*columns, [row["runs"] for row in both])
        yield name, gain, "above", 0


def _printed_real_networks():
    table = POINTS * by_method("cho2019", THEIRS, table="table_1", variant="hyperbolic, d=2")
    yield from table["Hyperbolic SVM"] - table["Euclidean SVM"]


def _printed_deepwalk():
    table = POINTS * by_method("cho2019", THEIRS, table="table_1").unstack("variant")
    first = table["Hyperbolic SVM", "hyperbolic, d=2"]
    yield from first - table["Euclidean SVM", "DeepWalk, d=25"]


COMPARISONS = {
    "cho mixtures": _mixtures,
    "cho networks": _networks,
    "cho each network": _each_network,
    "cho small labels": _small_labels,
    "cho real networks": _real_networks,
    "cho deepwalk": _deepwalk,
    "cho theorem": theorem("cho2019", "theorem 1"),
}
PRINTED = {
    "cho real networks": _printed_real_networks,
    "cho deepwalk": _printed_deepwalk,
}
