"""Comparisons behind each claim of `papers/printed/paper_claims.tsv`, from the kept tables.

`COMPARISONS` maps the name of a claim to a function of `read`, a reader of kept tables, that yields
(label, effect, side, bound) or (..., none); see `statistics.claim_effects`. Differences of scores
are in points, so that 0.5 is half a point.
"""

from functools import cache

import numpy as np
import pandas as pd

from noneuclid_papers.folders import KEPT, ROOT
from noneuclid_papers.statistics import claim_effects as effects

HALF = 0.5  # points: what "substantial", "marked", "wide" and "matched" are measured by
LINEAR = 1.25  # exponents up to it count as linear
POINTS = 100
BENCHMARKS = ROOT / "benchmarks", ROOT.parent / "benchmarks"


@cache
def read(name):
    """A kept table by its name: a paper, FIGURE/TABLE, or a benchmark."""
    paths = [KEPT / f"{name}.tsv", KEPT / f"figures/{name}.tsv"]
    paths += [folder / f"{name}.tsv" for folder in BENCHMARKS]
    path = next(path for path in paths if path.is_file())
    return pd.read_csv(path, sep="\t", comment="#", keep_default_na=False, na_values=[""])


def pairs(name, metric):
    """Differences of pairs of scores in points, by series and group."""
    table = read(f"{name}/pairs")
    table = table[table["metric"] == metric]
    return table.assign(difference=POINTS * table["difference"])


def scores(paper, **where):
    """Our numbers of a paper, and the printed ones."""
    table = read(paper).dropna(subset="ours")
    for column, value in where.items():
        table = table[table[column].isin([value] if isinstance(value, str) else value)]
    return table


def by_method(table, value="ours"):
    """One column for each method; rows are data sets and variants."""
    return table.pivot_table(index=["dataset", "variant"], columns="method", values=value)


def statement(paper, name, form=None):
    """Share of counterexamples of a theorem, for each form that was tested."""
    table = read("theorems")
    for row in table[(table["paper"] == paper) & (table["statement"] == name)].itertuples():
        if form in (None, row.form):
            share = effects.share(row.counterexamples, row.instances)
            yield f"{name}, {row.form}", share, "never", 0


def theorem(paper, *names):
    return lambda: (found for name in names for found in statement(paper, name))


# cho2019


def cho_mixtures():
    table = pairs("cho2019", "aupr_macro")
    part = table[table["series"] == "mixture"]
    yield "mixtures", effects.mean(part["difference"]), "above", 0


def label_sets():
    """Difference of each label set, with its network and range of label sizes."""
    table = pairs("cho2019_figure_3", "aupr_macro")
    return table.assign(network=table["group"].str.extract(r"^(n\d+)_", expand=False))


def cho_networks():
    means = label_sets().groupby("network")["difference"].mean()
    yield "means of networks", effects.mean(means), "above", 0


def cho_each_network():
    for (series, network), part in label_sets().groupby(["series", "network"]):
        yield f"{network}, {series}", effects.mean(part["difference"]), "above", -HALF


def cho_small_labels():
    means = label_sets().groupby(["network", "series"])["difference"].mean().unstack()
    for series in ("20-50", "50-100"):
        gain = effects.mean(means[series] - means["100-200"])
        yield f"{series} less 100-200", gain, "above", 0


def cho_real_networks():
    table = pairs("cho2019", "aupr_trapezoid_macro")
    for name, part in table[table["series"] != "mixture"].groupby("series"):
        yield name, effects.mean(part["difference"]), "above", -HALF


def cho_deepwalk():
    table = scores("cho2019", table="table_1").set_index(["variant", "method", "dataset"])
    table = table.sort_index()
    first = table.loc["hyperbolic, d=2", "Hyperbolic SVM"]
    second = table.loc["DeepWalk, d=25", "Euclidean SVM"]
    for name in first.index:
        both = [part.loc[name] for part in (first, second)]
        columns = [[POINTS * row["ours"] for row in both], [POINTS * row["se"] for row in both]]
        gain = effects.difference_of_means(*columns, [row["runs"] for row in both])
        yield name, gain, "above", HALF


# pan2023


def shares_of_table_iii():
    """Accuracy of each method on the test rows of each set, and the number of rows."""
    ours = scores("pan2023", table="table_iii", metric="accuracy")
    wide = ours.pivot(index="dataset", columns="method", values="ours")
    wide["rows"] = ours.groupby("dataset")["rows"].first()
    own = read("poincare_svm").query("part == 'accuracy' and reference == 'with intercept'")
    wide["with intercept"] = own.set_index("set")["accuracy"] / POINTS
    theirs = read("pan2023_hyperboloid").query("start == 'as_released'").set_index("set")
    wide["their descent"] = theirs["mean"] / POINTS
    return wide


def gain_over(name):
    for row in shares_of_table_iii().reset_index().to_dict("records"):
        found = effects.difference_of_shares((row["Poincaré SVM"], row[name]), row["rows"])
        yield row["dataset"], in_points(found)


def in_points(effect):
    values = (POINTS * x for x in (effect.estimate, effect.low, effect.high))
    return effects.Effect(*values, effect.n)


def pan_best():
    rivals = "Euclidean SVM", "their descent", "Hyperboloid SVM"
    for rival in rivals:
        for name, gain in gain_over(rival):
            yield f"{name}, over {rival}", gain, "above", 0


def pan_gain():
    for rival in ("Euclidean SVM", "with intercept"):
        gain = dict(gain_over(rival))["fashion-mnist"]
        yield f"fashion-mnist, {rival}", gain, "reaches", 47.91


def pan_ten_times():
    for name, part in read("pan2023_times").groupby("set"):
        one, two = (part.loc[part["method"] == m, "seconds"]
                    for m in ("hyperboloid_svm_pgd", "poincare_svm_published"))  # fmt: skip
        yield name, effects.ratio(one, two), "reaches", 10, 1


def sweep(figure, name, value):
    """Rows of a figure of synthetic data at one value, by panel and method."""
    table = read(f"{figure}/sweep")
    part = table[(table["name"] == name) & (table["value"] == value)]
    return {key: rows for key, rows in part.groupby(["panel", "method"])}


def pan_540_times():
    part = sweep("pan2023_figure_2", "points", 1e6)
    one, two = (part["p0.4", m]["fit_seconds"] for m in ("hyperboloid_svm_pgd", "poincare_svm"))
    found = effects.ratio(one, two)
    yield "faster", found, "above", 1
    yield "540 times", found, "reaches", 540, 1


SYNTHETIC = {
    "pan2023_figure_2": ("p0.4",),
    "pan2023_figure_8": ("p0.2", "p0.6"),
}


def synthetic_gains(rival, name, value):
    """Poincaré SVM less another one on synthetic data, for each |p|."""
    for figure, panels in SYNTHETIC.items():
        part = sweep(figure, name, value)
        for panel in panels:
            if (panel, rival) in part:
                one, two = (POINTS * part[panel, m]["score"] for m in ("poincare_svm", rival))
                yield f"|p| = {panel[1:]} R, {name} {value:g}", effects.difference(one, two)


def pan_fifty_points():
    places = [("dimension", d) for d in (2, 10, 100, 1000)]
    places += [("points", 10.0**k) for k in (3, 4, 5, 6)]
    places += [("margin", m) for m in (1, 0.1, 0.01, 0.001)]
    found = [gain for at in places for gain in synthetic_gains("hyperboloid_svm_pgd", *at)]
    label, largest = max(found, key=lambda item: item[1].estimate)
    yield f"largest: {label}", largest, "reaches", 50


def pan_fails_in_1000():
    for label, gain in synthetic_gains("hyperboloid_svm_pgd", "dimension", 1000):
        yield label, gain, "above", HALF
    for label, gain in synthetic_gains("hyperboloid_svm_pgd", "margin", 1):
        if "0.6" in label:
            yield label, gain, "above", HALF


def pan_euclidean_fails():
    for value in (1e3, 1e4, 1e5, 1e6):
        for label, gain in synthetic_gains("euclidean_svm", "points", value):
            yield label, gain, "above", HALF


def figures_4_and_9(method_of):
    for row in read("pan2023_figures").itertuples():
        if method_of(row.method):
            yield row, f"figure {row.figure}, {row.method}"


def pan_error_free():
    for row, label in figures_4_and_9(lambda m: m in ("poincare_perceptron",
                                                      "hyperboloid_perceptron_c")):  # fmt: skip
        yield label, effects.share(row.datasets - row.separated, row.datasets), "never", 0
    # An instance counts as a counterexample, too, if the algorithm does not end.
    for name in ("theorem V.1", "theorem V.2"):
        yield from statement("pan2023", name)


def pan_weber():
    for row, label in figures_4_and_9(lambda m: m.startswith("weber")):
        share = in_points(effects.share(row.datasets - row.separated, row.datasets))
        yield label, share, "above", 50


def pan_fewer_updates():
    table = scores("pan2023", table="table_ii", metric="updates_mean")
    wide = {row["method"]: {} for row in table.to_dict("records")}
    for row in table.to_dict("records"):
        wide[row["method"]][row["variant"]] = row
    for variant, one in wide["Poincaré perceptron"].items():
        two = wide["Poincaré second-order perceptron"][variant]
        values = [[row["ours"] for row in (one, two)], [row["se"] for row in (one, two)]]
        fewer = effects.difference_of_means(*values, [row["runs"] for row in (one, two)])
        yield variant, fewer, "above", 0


# chlenski2024


def mixtures(first, second, points=None):
    """Difference of two methods for each dimension, over mixtures (means of their sizes)."""
    table = read("chlenski2024_mixtures")
    table = table if points is None else table[table["points"] == points]
    keys = ["dimension", "mixture", "points"]
    wide = table.pivot(index=keys, columns="method", values="f1_micro")
    gains = POINTS * (wide[first] - wide[second]).dropna()
    for dimension, part in gains.groupby("dimension"):
        yield f"D = {dimension}", effects.mean(part.groupby("mixture").mean())


TREES = "hyperbolic_tree", "hyperbolic_forest"


def chlenski_substantial():
    rivals = (("tree", "horosphere_tree"), ("forest", "horosphere_forest"))
    for first, others in zip(TREES, rivals, strict=True):
        for second in others:
            for label, gain in mixtures(first, second):
                yield f"{first} over {second}, {label}", gain, "above", HALF


def chlenski_seven_cases():
    table = read("chlenski2024_tests")
    table = table[(table["first"] == "hyperbolic_tree") & (table["second"] == "tree")]
    printed = (table["printed_p"] < 0.05).mean()
    for words, p in (("paired folds", "p"), ("paired mixtures", "p_mixtures")):
        won = int(((table["difference"] > 0) & (table[p] < 0.05)).sum())
        share = in_points(effects.share(won, len(table)))
        yield f"{words}: {won} of {len(table)}", share, "reaches", POINTS * printed


def chlenski_times():
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


def chlenski_charts():
    for first, second in zip(TREES, ("tree", "forest"), strict=True):
        for label, gain in mixtures(first, second, 800):
            if label in ("D = 2", "D = 4"):
                yield f"{first} on the hyperboloid, {label}", gain, "above", HALF
        for chart in ("klein", "poincare", "tangent"):
            for label, gain in mixtures(first, f"{second}_{chart}", 800):
                yield f"{first} less {second}_{chart}, {label}", gain, "within", HALF


def chlenski_linear():
    for rival in ("logistic", "hyperbolic_logistic", "kernel_svm", "hyperboloid_svm_pgd"):
        found = list(mixtures("hyperbolic_tree", rival, 800))
        label, gain = max(found, key=lambda item: item[1].estimate)
        yield f"{rival}, best dimension: {label}", gain, "above", 0


def chlenski_midpoints():
    table = read("chlenski2024_figures").query("figure == '8'")
    wide = table.pivot(index=["panel", "value"], columns="method", values="f1")
    for kind in ("tree", "forest"):
        lost = POINTS * (wide[f"hyperbolic_{kind}"] - wide[f"mean_angle_{kind}"])
        yield f"{kind}, 16 settings", effects.mean(lost), "above", HALF


def chlenski_wordnet():
    table = pairs("chlenski2024_wordnet", "f1_micro")
    for name, part in table.groupby("series"):
        yield name, effects.mean(part["difference"]), "above", 0


# yang2024

RELAXED = "SDP", "Moment"
REST = [f"table_{k}" for k in (5, 6, 7)]
ONE = [f"table_{k}" for k in (8, 9, 10)]


def relative(figures, metric, method, column=None):
    """Differences to gradient descent on drawn data sets, means over C, in points."""
    tables = [read(f"yang2024_seeds_arcsinh/yang2024_figure_{k}") for k in figures]
    table = pd.concat(tables)
    table = table[(table["metric"] == metric) & (table["method"] == method)]
    return POINTS * table.groupby("dataset")["difference"].mean()


def over_sets(tables, metric, value="ours"):
    """Means over C of each data set and method."""
    return by_method(scores("yang2024", table=tables, metric=metric), value).groupby("dataset").mean()


def yang_better():
    for method in RELAXED:
        gains = relative((7, 8, 9, 10), "accuracy", method)
        yield f"{method}, drawn mixtures", effects.mean(gains), "above", 0
        for words, tables in (("one-vs-rest", REST), ("one-vs-one", ONE)):
            wide = POINTS * over_sets(tables, "accuracy")
            yield f"{method}, {words}", effects.mean(wide[method] - wide["PGD"]), "above", 0


def corrected_descent():
    """Accuracy of gradient descent from a start with the sign that its product needs, by set."""
    table = read("hyperboloid_pgd")
    table = table[(table["paper"] == "yang2024") & (table["metric"] == "accuracy")]
    table = table[(table["start"] == "corrected") & (table["loss"] == "arcsinh")]
    return table.groupby("set")["value"].mean()


def yang_wide_margin():
    wide = POINTS * over_sets(REST, "accuracy")
    for words, descent in (("as released", wide["PGD"]), ("start corrected", corrected_descent())):
        for method in RELAXED:
            gains = (wide[method] - descent).dropna()
            yield f"{method}, descent {words}", effects.mean(gains), "above", HALF


def yang_moment_best():
    wide = POINTS * by_method(scores("yang2024", table="table_2", metric="accuracy"))
    for rival in ("PGD", "SDP"):
        yield f"over {rival}", effects.mean(wide["Moment"] - wide[rival]), "above", 0


def yang_gaps():
    for words, tables in (("one-vs-rest", REST), ("one-vs-one", ONE)):
        wide = over_sets(tables, "optimality_gap")
        yield words, effects.geometric_mean(wide["SDP"] / wide["Moment"]), "above", 1


def yang_certified():
    for row in read("hyperboloid_svm_moment").itertuples():
        share = effects.share(row.problems - row.certified, row.problems)
        yield row.set, share, "never", 0


def yang_sensitive():
    table = scores("yang2024", table=REST, metric="accuracy")
    ranges = table.groupby(["dataset", "method"])["ours"].agg(np.ptp).unstack()
    for method in RELAXED:
        more = effects.mean(POINTS * (ranges["PGD"] - ranges[method]))
        yield f"range of PGD less {method}", more, "above", 0


def yang_times():
    wide = by_method(scores("yang2024", table=("table_4", "table_11"), metric="runtime_s"))
    for rival in ("PGD", "SDP"):
        slower = effects.geometric_mean((wide["Moment"] / wide[rival]).dropna())
        yield f"Moment over {rival}", slower, "above", 10


def yang_five_classes():
    for figure, spread in ((9, 0.4), (10, 1)):
        moment, sdp = (relative([figure], "accuracy", method) for method in ("Moment", "SDP"))
        yield f"s = {spread}, over PGD", effects.mean(moment), "above", 0
        yield f"s = {spread}, over SDP", effects.mean(moment - sdp), "above", 0


def yang_losses():
    for figure, spread in ((13, 0.4), (14, 1)):
        table = read(f"yang2024_seeds_arcsinh/yang2024_figure_{figure}")
        table = table[table["metric"] == "objective"]
        table = table.assign(PGD=table["value"] - table["difference"])
        keys = ["dataset", "column"]
        value = table.pivot(index=keys, columns="method", values="value")
        value["PGD"] = table[table["method"] == "SDP"].set_index(keys)["PGD"]
        logs = np.log(value).groupby("dataset").mean()
        for rival in ("PGD", "SDP"):
            ratios = np.exp(logs["Moment"] - logs[rival])
            yield f"s = {spread}, over {rival}", effects.geometric_mean(ratios), "below", 1


# acharya2026


def acharya_growth():
    table = read("hilbert_growth")
    table = table[(table["solver"] == "paper") & (table["series"].str.endswith("polytope"))]
    for size in ("n", "m", "d"):
        part = table[table["series"].str.startswith(size)]
        growth = effects.exponent(part[size], part["seconds"])
        yield f"exponent in {size}", growth, "below", 3


COMPARISONS = {
    "cho mixtures": cho_mixtures,
    "cho networks": cho_networks,
    "cho each network": cho_each_network,
    "cho small labels": cho_small_labels,
    "cho real networks": cho_real_networks,
    "cho deepwalk": cho_deepwalk,
    "cho theorem": theorem("cho2019", "theorem 1"),
    "pan best": pan_best,
    "pan gain": pan_gain,
    "pan 10 times": pan_ten_times,
    "pan 540 times": pan_540_times,
    "pan 50 points": pan_fifty_points,
    "pan hyperboloid fails": pan_fails_in_1000,
    "pan euclidean fails": pan_euclidean_fails,
    "pan error-free": pan_error_free,
    "pan theorems": theorem("pan2023", "theorem IV.1", "theorem V.1", "theorem V.2", "theorem .1"),
    "pan updates": pan_fewer_updates,
    "pan weber": pan_weber,
    "chlenski substantial": chlenski_substantial,
    "chlenski seven cases": chlenski_seven_cases,
    "chlenski times": chlenski_times,
    "chlenski charts": chlenski_charts,
    "chlenski linear": chlenski_linear,
    "chlenski midpoints": chlenski_midpoints,
    "chlenski midpoint formula": theorem("chlenski2024", "eq. 57"),
    "chlenski convex": theorem("chlenski2024", "convex areas"),
    "chlenski wordnet": chlenski_wordnet,
    "yang better": yang_better,
    "yang wide margin": yang_wide_margin,
    "yang moment best": yang_moment_best,
    "yang gaps": yang_gaps,
    "yang certified": yang_certified,
    "yang sensitive": yang_sensitive,
    "yang times": yang_times,
    "yang five classes": yang_five_classes,
    "yang losses": yang_losses,
    "acharya margin": theorem("acharya2026", "theorem 1.1"),
    "acharya growth": acharya_growth,
    "acharya balls": theorem("acharya2026", "lemma 2.3"),
    "acharya representatives": theorem("acharya2026", "eq. 15"),
}  # fmt: skip
