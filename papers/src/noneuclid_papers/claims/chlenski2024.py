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

NAMES = {
    "hyperbolic_tree": "HyperDT",
    "hyperbolic_forest": "HyperRF",
    "tree": "sklearn DT",
    "forest": "sklearn RF",
    "horosphere_tree": "HoroDT",
    "horosphere_forest": "HoroRF",
}
RIVALS = {
    "hyperbolic_tree": ("tree", "horosphere_tree"),
    "hyperbolic_forest": ("forest", "horosphere_forest"),
}
CHARTS = {"klein": "Klein", "poincare": "Poincaré", "tangent": "tangent"}


def _of_mixtures(first, second, points=None):
    """Difference of two methods on each mixture, mean over its sizes, by dimension."""
    table = read("chlenski2024_mixtures")
    table = table if points is None else table[table["points"] == points]
    keys = ["dimension", "mixture", "points"]
    wide = table.pivot(index=keys, columns="method", values="f1_micro")
    gains = POINTS * (wide[first] - wide[second]).dropna()
    return gains.groupby(["dimension", "mixture"]).mean()


def _pairs():
    """Each method of the paper with each of its rivals."""
    return [(first, second) for first, rivals in RIVALS.items() for second in rivals]


def _substantial():
    for (first, second), printed in zip(_pairs(), _printed_substantial(), strict=True):
        gain = effects.mean(_of_mixtures(first, second))
        yield f"{NAMES[first]}/{NAMES[second]}", gain, "reaches", printed


def _seven_cases():
    table = read("chlenski2024_tests")
    for second in RIVALS["hyperbolic_tree"]:
        part = table[(table["first"] == "hyperbolic_tree") & (table["second"] == second)]
        printed = POINTS * (part["printed_p"] < 0.05).mean()
        for words, p in (("folds", "p"), ("mixtures", "p_mixtures")):
            won = int(((part["difference"] > 0) & (part[p] < 0.05)).sum())
            share = in_points(effects.share(won, len(part)))
            yield f"{NAMES[second]}/{words}", share, "reaches", printed


def _seconds():
    """Seconds of both forests by number of points, for each figure."""
    table = read("chlenski2024_figures")
    for figure in ("3a", "3c"):
        part = table[table["figure"] == figure]
        yield figure, part.pivot(index="value", columns="method", values="seconds")


def _times():
    for figure, wide in _seconds():
        ratios = wide["horosphere_forest"] / wide["hyperbolic_forest"]
        yield figure, effects.geometric_mean(ratios), "above", 1


def _growth():
    """Exponents: linear is at most 1; quadratic, a size of 2, at least half of it."""
    for figure, wide in _seconds():
        for method, side, size in (("hyperbolic_forest", "below", 1),
                                   ("horosphere_forest", "reaches", 2)):  # fmt: skip
            growth = effects.exponent(wide.index, wide[method])
            yield f"{NAMES[method]}/{figure}", growth, side, size
    theirs = read("horosphere_program")
    theirs = theirs.query("method == 'HoroDT' and dimension == 2 and points == 'given'")
    growth = effects.exponent(theirs["n"], theirs["seconds_of_tree"])
    yield "authors'-tree", growth, "reaches", 2


def _charts():
    printed = _printed_charts()
    for first, (second, _) in RIVALS.items():
        gain = effects.mean(_of_mixtures(first, second, 800))
        yield f"{NAMES[first]}/hyperboloid", gain, "reaches", next(printed)
        for chart, word in CHARTS.items():
            gain = effects.mean(_of_mixtures(first, f"{second}_{chart}", 800))
            yield f"{NAMES[first]}/{word}", gain, "within", HALF


def _linear():
    for words, rival in (("logistic", "logistic"), ("SVM", "kernel_svm"),
                         ("hyperbolic-logistic", "hyperbolic_logistic"),
                         ("hyperbolic-SVM", "hyperboloid_svm_pgd")):  # fmt: skip
        gains = _of_mixtures("hyperbolic_tree", rival, 800).groupby("dimension")
        found = [(d, effects.mean(part)) for d, part in gains]
        dimension, gain = max(found, key=lambda item: item[1].estimate)
        yield f"{words}/D={dimension}", gain, "above", 0


def _midpoints():
    table = read("chlenski2024_figures").query("figure == '8'")
    wide = table.pivot(index=["panel", "value"], columns="method", values="f1")
    for kind in ("tree", "forest"):
        lost = POINTS * (wide[f"hyperbolic_{kind}"] - wide[f"mean_angle_{kind}"])
        yield kind, effects.mean(lost), "above", HALF


def _wordnet():
    table = pairs("chlenski2024_wordnet", "f1_micro")
    gains = [effects.mean(part["difference"]) for _, part in table.groupby("series")]
    won = effects.share(sum(gain.low > 0 for gain in gains), len(gains))
    yield "scikit-learn", in_points(won), "reaches", POINTS * 5 / 8


def _printed_substantial():
    table = POINTS * by_method("chlenski2024", THEIRS, table="table_1", dataset="Gaussian")
    for first, second in _pairs():
        yield (table[NAMES[first]] - table[NAMES[second]]).mean()


def _printed_charts():
    table = POINTS * by_method("chlenski2024", THEIRS, table="table_3")
    table = table[table.index.get_level_values("variant").str.endswith("_Hyperboloid")]
    for first, (second, _) in RIVALS.items():
        yield (table[NAMES[first]] - table[NAMES[second]]).mean()


def _printed_linear():
    table = POINTS * by_method("chlenski2024", THEIRS, table="table_2")
    for rival in set(table) - {"HyperDT"}:
        yield (table["HyperDT"] - table[rival]).max()


COMPARISONS = {
    "chlenski substantial": _substantial,
    "chlenski seven cases": _seven_cases,
    "chlenski times": _times,
    "chlenski growth": _growth,
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
