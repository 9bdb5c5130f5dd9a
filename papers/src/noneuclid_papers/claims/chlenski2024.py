"""Comparisons behind the claims of chlenski2024; see `claims`."""

from noneuclid_papers.claims.kept_tables import (
    HALF,
    POINTS,
    THEIRS,
    by_method,
    in_points,
    pairs,
    read,
    theorem,
)
from noneuclid_papers.statistics import claim_effects as effects

TREES = "hyperbolic_tree", "hyperbolic_forest"
LINEAR = 1.25  # exponents up to it count as linear


def _mixtures(first, second, points=None):
    """Difference of two methods for each dimension, over mixtures (means of their sizes)."""
    table = read("chlenski2024_mixtures")
    table = table if points is None else table[table["points"] == points]
    keys = ["dimension", "mixture", "points"]
    wide = table.pivot(index=keys, columns="method", values="f1_micro")
    gains = POINTS * (wide[first] - wide[second]).dropna()
    for dimension, part in gains.groupby("dimension"):
        yield f"D = {dimension}", effects.mean(part.groupby("mixture").mean())


def _substantial():
    rivals = (("tree", "horosphere_tree"), ("forest", "horosphere_forest"))
    for first, others in zip(TREES, rivals, strict=True):
        for second in others:
            for label, gain in _mixtures(first, second):
                yield f"{first} over {second}, {label}", gain, "above", HALF


def _seven_cases():
    table = read("chlenski2024_tests")
    table = table[(table["first"] == "hyperbolic_tree") & (table["second"] == "tree")]
    printed = (table["printed_p"] < 0.05).mean()
    for words, p in (("paired folds", "p"), ("paired mixtures", "p_mixtures")):
        won = int(((table["difference"] > 0) & (table[p] < 0.05)).sum())
        share = in_points(effects.share(won, len(table)))
        yield f"{words}: {won} of {len(table)}", share, "reaches", POINTS * printed


def _times():
    table = read("chlenski2024_figures")
    table = table[table["figure"].isin(["3a", "3c"])]
    for figure, part in table.groupby("figure"):
        wide = part.pivot(index="value", columns="method", values="seconds")
        ratios = wide["horosphere_forest"] / wide["hyperbolic_forest"]
        yield f"figure {figure}, faster", effects.geometric_mean(ratios), "above", 1
        for method, side, bound in (("hyperbolic_forest", "below", LINEAR),
                                    ("horosphere_forest", "above", 1.5)):  # fmt: skip
            growth = effects.exponent(wide.index, wide[method])
            yield f"figure {figure}, exponent of {method}", growth, side, bound
    theirs = read("horosphere_program")
    theirs = theirs.query("method == 'HoroDT' and dimension == 2 and points == 'given'")
    growth = effects.exponent(theirs["n"], theirs["seconds_of_tree"])
    yield "exponent of a tree of the authors' HoroDT", growth, "above", 1.5


def _charts():
    for first, second in zip(TREES, ("tree", "forest"), strict=True):
        for label, gain in _mixtures(first, second, 800):
            if label in ("D = 2", "D = 4"):
                yield f"{first} on the hyperboloid, {label}", gain, "above", HALF
        for chart in ("klein", "poincare", "tangent"):
            for label, gain in _mixtures(first, f"{second}_{chart}", 800):
                yield f"{first} less {second}_{chart}, {label}", gain, "within", HALF


def _linear():
    for rival in ("logistic", "hyperbolic_logistic", "kernel_svm", "hyperboloid_svm_pgd"):
        found = list(_mixtures("hyperbolic_tree", rival, 800))
        label, gain = max(found, key=lambda item: item[1].estimate)
        yield f"{rival}, best dimension: {label}", gain, "above", 0


def _midpoints():
    table = read("chlenski2024_figures").query("figure == '8'")
    wide = table.pivot(index=["panel", "value"], columns="method", values="f1")
    for kind in ("tree", "forest"):
        lost = POINTS * (wide[f"hyperbolic_{kind}"] - wide[f"mean_angle_{kind}"])
        yield f"{kind}, 16 settings", effects.mean(lost), "above", HALF


def _wordnet():
    table = pairs("chlenski2024_wordnet", "f1_micro")
    for name, part in table.groupby("series"):
        yield name, effects.mean(part["difference"]), "above", 0


def _printed_substantial():
    table = POINTS * by_method("chlenski2024", THEIRS, table="table_1", dataset="Gaussian")
    table = table.groupby(lambda at: at[1].partition("_")[0]).mean()
    for first, others in (
        ("HyperDT", ("sklearn DT", "HoroDT")),
        ("HyperRF", ("sklearn RF", "HoroRF")),
    ):
        for second in others:
            yield from table[first] - table[second]


def _printed_charts():
    table = POINTS * by_method("chlenski2024", THEIRS, table="table_3")
    table = table.xs("Gaussian")
    for first, second in (("HyperDT", "sklearn DT"), ("HyperRF", "sklearn RF")):
        for dimension in ("D2", "D4"):
            row = table.loc[f"{dimension}_n800_Hyperboloid"]
            yield row[first] - row[second]


def _printed_linear():
    table = POINTS * by_method("chlenski2024", THEIRS, table="table_2")
    for rival in set(table) - {"HyperDT"}:
        yield (table["HyperDT"] - table[rival]).max()


COMPARISONS = {
    "chlenski substantial": _substantial,
    "chlenski seven cases": _seven_cases,
    "chlenski times": _times,
    "chlenski charts": _charts,
    "chlenski linear": _linear,
    "chlenski midpoints": _midpoints,
    "chlenski convex": theorem("chlenski2024", "convex areas"),
    "chlenski wordnet": _wordnet,
}
PRINTED = {
    "chlenski substantial": _printed_substantial,
    "chlenski charts": _printed_charts,
    "chlenski linear": _printed_linear,
}
