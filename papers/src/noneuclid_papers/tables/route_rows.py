"""From raw data to labels: hyperbolic against flat routes at equal dimension.

A route is a set of embeddings and a family of methods. In each fold the search on its training rows
chooses embedding, method and settings; the score is that of the test rows. The unit of all tests is
the data set: its folds, repeats and dimensions are averaged first. One data set by itself has an
interval over its folds, by the corrected resampled t-test of
`noneuclid_papers.statistics.verdicts`.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import t as student

from noneuclid_compare.records import ORIGINAL
from noneuclid_compare.report import style
from noneuclid_papers.statistics import bayesian_signed_ranks, verdicts
from noneuclid_papers.tables.probability_rows import percent

FULL = "all"
EVERY = "all"
FOLD = ["dataset", "dimension", "repeat", "fold"]
RUN = ["dataset", "repeat", "fold"]
CONFIDENCE = 0.95
# With fewer data sets the prior decides.
FEWEST = 5
# With two data sets Student's t has one degree of freedom: its interval spans everything.
FEWEST_OF_INTERVAL = 3
MORE_REPEATS = "Its folds give no interval; raise `repeats` in the configuration."
HEADS = {"dimension": "Dimensions", "labels": "Labels per class", "depth": "Depth of the tree"}
COLUMNS = [
    *("route", "embedding", "family", "by", "value", "data_sets", "score", "reference"),
    *("difference", "low", "high", "better", "equal", "worse"),
]


class Route(NamedTuple):
    """Embeddings (their family, or the name of one) and family of methods; in words by `name`."""

    embedding: str
    family: str
    kind: str  # of the embedding: "flat", "hyperbolic" or "none"


REFERENCE = Route("flat", "flat", "flat")
BEST = Route("hyperbolic", "hyperbolic", "hyperbolic")
NONE = Route(ORIGINAL, "flat", "none")


def candidates(runs, scores, metric, entry):
    """A row for each fold of each run with an inner score.

    Columns `FOLD`, `embedding` (without its dimension), `kind` (of the embedding), `family` (of the
    method), `labels` (per class, or `FULL`), `depth` (nan: none), `inner`, `value`. A run without
    embedding has dimension 0. In the order of the configuration, so that the first wins a tie.
    """
    families = {name: f for f, methods in entry["methods"].items() for name in methods}
    order = {name: place for place, name in enumerate([*families])}
    rows = []
    for run in runs:
        name, method = run["embedding"], run["method"]
        if name == ORIGINAL:
            about, family = ("none", ORIGINAL, 0), "flat"
        elif name in entry["embeddings"] and method in families:
            about, family = entry["embeddings"][name], families[method]
        else:
            continue
        labels, dataset = run.get("labels_per_class"), run["dataset"]
        labels = FULL if labels is None else labels
        kind, stem, dimension = about
        for fold in run["folds"]:
            key = dataset, name, method, run["repeat"], fold["fold"]
            row = (*key, dimension, stem, kind, family, labels, order.get(method, 0))
            rows.append((*row, fold.get("inner_score")))
    names = ["dataset", "full", "method", "repeat", "fold", "dimension", "embedding", "kind"]
    found = pd.DataFrame(rows, columns=[*names, "family", "labels", "order", "inner"])
    found["depth"] = found["dataset"].map(entry["depths"]).astype(float)
    values = scores[scores["metric"] == metric].rename(columns={"embedding": "full"})
    keys = ["dataset", "full", "method", "repeat", "fold"]
    found = found.merge(values[[*keys, "value"]], on=keys, validate="one_to_one")
    found["inner"] = found["inner"].astype(float)
    return found.sort_values("order", kind="stable").reset_index(drop=True)


def chosen(table):
    """The row with the highest inner score of each fold; folds without any are left out."""
    known = table[table["inner"].notna()]
    best = known.loc[known.groupby(FOLD)["inner"].idxmax()]
    return best.set_index(FOLD)[["labels", "depth", "value"]]


def part_of(table, route):
    """Rows of the candidates of a route."""
    one = "kind" if route.embedding == route.kind else "embedding"
    return table[(table[one] == route.embedding) & (table["family"] == route.family)]


def routes(entry):
    """All routes but the reference: the best of each kind, then each embedding."""
    stems = dict.fromkeys((kind, stem) for kind, stem, _ in entry["embeddings"].values())
    mixed = [Route("hyperbolic", "flat", "hyperbolic"), Route("flat", "hyperbolic", "flat")]
    single = [Route(stem, family, kind) for kind, stem in stems for family in entry["methods"]]
    return [BEST, *mixed, NONE, *single]


def table(runs, scores, metric, entry):
    """Every route against the best flat route, in every column; columns `COLUMNS`."""
    found = candidates(runs, scores, metric, entry)
    reference = chosen(part_of(found, REFERENCE))
    _, ratio = verdicts.values_of(scores, metric)
    ratio = ratio.groupby(level=list(RUN)).mean()
    rows = []
    for route in routes(entry):
        own = chosen(part_of(found, route))
        if route is NONE and len(own):
            # The same for every dimension.
            own = own.droplevel("dimension")
            pairs = reference.join(own[["value"]], on=own.index.names, rsuffix="_own", how="inner")
        else:
            pairs = reference.join(own[["value"]], rsuffix="_own", how="inner")
        for by, value, part in columns(pairs.reset_index()):
            means = part.groupby("dataset")[["value", "value_own"]].mean()
            gaps = (means["value_own"] - means["value"]).to_numpy().round(9)
            averages = means["value_own"].mean(), means["value"].mean()
            # Errors are better if small.
            better = gaps if style.higher_is_better(metric) else -gaps
            ends = interval(gaps) if len(gaps) > 1 else interval_of_folds(part, ratio)
            head = [name_of(route), route.embedding, route.family, by, str(value), len(gaps)]
            rows.append(
                [*head, *averages, gaps.mean(), *ends, *likely(better, entry["equivalence"])]
            )
    return pd.DataFrame(rows, columns=COLUMNS)


def left_out(runs, entry):
    """Names of the data sets with folds of routes without a search, and number of these folds."""
    methods = {name for names in entry["methods"].values() for name in names}
    found = {
        (run["dataset"], run["repeat"], fold["fold"])
        for run in runs
        if run["embedding"] in entry["embeddings"] and run["method"] in methods
        for fold in run["folds"]
        if fold.get("inner_score") is None
    }
    return sorted({dataset for dataset, *_ in found}), len(found)


def columns(pairs):
    """Kind of column, its value, and the rows that belong to it."""
    full, plain = pairs["labels"] == FULL, pairs["depth"].isna()
    for value, part in pairs[full & plain].groupby("dimension"):
        yield "dimension", value, part
    if (full & plain).any():
        yield "dimension", EVERY, pairs[full & plain]
    few = pairs[plain & ~full]
    for value, part in few.groupby("labels"):
        yield "labels", value, part
    # The same data sets as in the other columns.
    same = pairs[full & plain & pairs["dataset"].isin(few["dataset"])]
    if len(same):
        yield "labels", FULL, same
    for value, part in pairs[full & ~plain].groupby("depth"):
        yield "depth", int(value), part


def interval(gaps):
    """Ends of the 95 % interval of the mean by Student's t over data sets; nan for two."""
    if len(gaps) < FEWEST_OF_INTERVAL:
        return np.nan, np.nan
    half = student.ppf((1 + CONFIDENCE) / 2, len(gaps) - 1) * gaps.std(ddof=1) / np.sqrt(len(gaps))
    return gaps.mean() - half, gaps.mean() + half


def interval_of_folds(pairs, ratio):
    """Ends of the 95 % interval of the mean over the folds of one data set; nan for one fold.

    The dimensions of a fold are averaged. `ratio`: test rows over training rows by `RUN`.
    """
    gaps = (pairs["value_own"] - pairs["value"]).groupby([pairs[name] for name in RUN]).mean()
    if len(gaps) < 2:
        return np.nan, np.nan
    share = ratio.reindex(gaps.index).mean()
    _, low, high, _ = verdicts.corrected_t([gaps.round(9)], [share], level=CONFIDENCE)
    return (low, high) if high > low else (np.nan, np.nan)


def likely(gaps, equivalence):
    """Probabilities of better, equal and worse; nan for fewer than `FEWEST` data sets."""
    if len(gaps) < FEWEST:
        return np.nan, np.nan, np.nan
    return bayesian_signed_ranks.probabilities(gaps, equivalence)


def name_of(route):
    """Identifier of a route in the saved table.

    Examples
    --------
    >>> name_of(BEST), name_of(NONE), name_of(Route("hydra", "flat", "hyperbolic"))
    ('hyperbolic + hyperbolic', 'original + flat', 'hydra + flat')
    """
    return f"{route.embedding} + {route.family}"


def groups(found, entry, metric, names):
    """For the page: of each kind of column its title, heads, the reference, and rows of cells."""
    wanted = routes(entry)
    parts = []
    for by, title in HEADS.items():
        here = found[found["by"] == by]
        if here.empty:
            continue
        values = list(dict.fromkeys(here["value"]))
        cells = {(row["route"], row["value"]): row for row in here.to_dict("records")}
        best = [cells.get((name_of(BEST), value)) for value in values]
        level = [style.score(row["reference"], metric) if row else "–" for row in best]
        rows = []
        for route in wanted:
            own = [cells.get((name_of(route), value)) for value in values]
            if any(own):
                texts = [row and cell(row, metric) for row in own]
                rows.append({"name": words(route, names), "cells": texts, "best": route == BEST})
        parts.append(
            {"id": f"routes_{by}", "title": title, "heads": values, "level": level, "rows": rows}
        )
    return parts


def sentence(found, metric):
    """The best hyperbolic route against the best flat one, over all dimensions; None without it."""
    here = found[(found["by"] == "dimension") & (found["value"] == EVERY)]
    here = here[here["route"] == name_of(BEST)]
    if here.empty:
        return None
    row = here.iloc[0]
    unit = " points" if style.in_percent(metric) else ""
    gap = style.signed(row["difference"], metric) + unit
    n = f"{row['data_sets']} data set{'s' if row['data_sets'] > 1 else ''}"
    ends = style.interval(row["low"], row["high"], metric)
    if ends in ("", style.NO_INTERVAL):
        few = "So few data sets give no interval." if row["data_sets"] > 1 else MORE_REPEATS
        return (
            f"From raw data to labels: on {n}, the best hyperbolic embedding and classifier differ "
            f"from the best flat ones by {gap}. {few}"
        )
    answer = "no clear difference between hyperbolic and flat routes"
    if row["low"] > 0 or row["high"] < 0:
        better = (row["low"] > 0) == style.higher_is_better(metric)
        kinds = ("hyperbolic", "flat") if better else ("flat", "hyperbolic")
        answer = "{} routes are better than {} ones".format(*kinds)
    over = n if row["data_sets"] > 1 else "the folds of one data set"
    return (
        f"From raw data to labels, {answer}: mean difference of the best hyperbolic embedding and "
        f"classifier from the best flat ones {gap} ({ends}; {100 * CONFIDENCE:.0f} % interval over "
        f"{over})."
    )


def members(entry, names, run):
    """What the words flat and hyperbolic mean: embeddings in `run` and methods, by kind."""
    known = [about for name, about in entry["embeddings"].items() if name in run]
    stems = dict.fromkeys((kind, stem) for kind, stem, _ in known)
    found = {}
    for kind in dict.fromkeys(kind for kind, _ in stems):
        own = [names.in_text("embeddings", stem) for k, stem in stems if k == kind]
        found[f"{kind} embeddings"] = ", ".join(own)
    for family, methods in entry["methods"].items():
        found[f"{family} classifiers"] = ", ".join(names.in_text("methods", m) for m in methods)
    return found


def words(route, names):
    """Name of a route on the page."""
    if route == NONE:
        return "No embedding, best baseline"
    if route.embedding == route.kind:
        return f"Best {route.kind} embedding, {route.family} classifier"
    return f"{names.head('embeddings', route.embedding)}, {route.family} classifier"


def cell(row, metric):
    """Texts of one cell."""
    likely = [row[name] for name in ("better", "equal", "worse")]
    ends = style.interval(row["low"], row["high"], metric)
    return {
        "difference": style.signed(row["difference"], metric),
        "sort": row["difference"],
        "interval": "no interval" if ends in ("", style.NO_INTERVAL) else ends,
        "probabilities": f"{shares(likely)} %" if likely[0] == likely[0] else "",
        "data_sets": row["data_sets"],
    }


def shares(probabilities):
    """Probabilities in percent, in little space.

    Examples
    --------
    >>> shares((0.999, 0.001, 0.0)), shares((0.623, 0.37, 0.007))
    ('>99/<1/<1', '62/37/1')
    """
    return "/".join(percent(one).removesuffix(" %").replace(" ", "") for one in probabilities)
