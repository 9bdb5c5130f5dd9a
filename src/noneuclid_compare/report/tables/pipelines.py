"""The one table of the first screen: two tested comparisons, then one row for each pipeline.

A pipeline is an embedding, or none, and a classifier with its search. Sentences, plot and table
show the texts of this table.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from noneuclid_compare import wording
from noneuclid_compare.evaluation import inference, metric_table
from noneuclid_compare.records import ORIGINAL
from noneuclid_compare.report import style
from noneuclid_compare.report.names import Names
from noneuclid_compare.report.tables import score_tables

EMBEDDING, CURVATURE = "embedding", "curvature"
COLUMNS = [
    *("kind", "name", "embedding", "method", "family", "value", "low", "high", "p", "half_width"),
    *("place", "place_low", "place_high", "shown"),
]
# Embedded data sets of several embeddings, where pipelines of several data sets are averaged.
EACH = ""
WITHOUT = "without embedding"
MAJORITY = "majority"  # the method that predicts the largest class
IN_UNITS = ("rmse", "mae")  # of the target
MOST = 3  # data sets that are named
TITLES = {
    EMBEDDING: "Embedding{space} against none", CURVATURE: "Non-Euclidean against Euclidean"
}  # fmt: skip


@dataclass(frozen=True)
class Pipelines:
    """What the page opens with.

    Attributes
    ----------
    table : DataFrame
        Columns `COLUMNS`. Rows of kind "comparison" have a difference, those of kind "pipeline" a
        score, highest mean first; `place` is the position on the axis of the plot, a difference;
        for a pipeline it is that from the reference. `shown` is the text of all three.
    reference : str or None
        Name of the best pipeline without embedding.
    metric : str
    smallest : float
        Smallest difference that matters in practice.
    datasets, folds : int
        Number of data sets, and of folds of all repeats of one.
    left_out : tuple of str
        Names of pipelines that lack the score of a fold, and are not compared where they do.
    floor : str
        Difference of the best pipeline from the largest class, where its interval reaches 0.
    space : str
        Dimensions of the embeddings, such as " in 2 to 5 dimensions"; empty if not known.
    place, others : str
        Best pipelines of the data sets that do not count, which lack those that are compared; and
        the data set that counts, such as " on iris", if it is one and there are others.
    """

    table: pd.DataFrame
    reference: str | None
    metric: str
    smallest: float
    datasets: int
    folds: int
    left_out: tuple = ()
    floor: str = ""
    space: str = ""
    place: str = ""
    others: str = ""

    @property
    def best(self):
        """Row of the recommended pipeline."""
        return self.rows("pipeline").iloc[0]

    def rows(self, kind):
        """Rows of a kind."""
        return self.table[self.table["kind"] == kind]

    def comparison(self, name):
        """Row of a comparison, or None if it could not be made."""
        found = self.table[(self.table["kind"] == "comparison") & (self.table["embedding"] == name)]
        return found.iloc[0] if len(found) else None


def build(
    scores, metric, smallest_classes, classes=None, names=None, n_groups=None, dimensions=None
):
    """`Pipelines` of the long table of scores, baselines on the original features included.

    `smallest_classes` has the rows of the smallest class of each data set, `n_groups` the number of
    held-out groups of those whose rows come in groups, `dimensions` those of each (data set,
    embedding). Trivial baselines and programs of papers are no pipelines. Data sets without a
    pipeline on the original features do not count if others have one. None if nothing was run.
    """
    names, larger = names or Names(classes=classes or {}), style.higher_is_better(metric)
    found = _folds(scores, metric, smallest_classes, classes)
    found["n_groups"] = found["dataset"].map(n_groups or {}).astype(float)
    trivial = found["method"] == MAJORITY
    majority, (table, left_out) = found[trivial], _complete(found[~trivial])
    if table.empty:
        return None
    every, plain = table, table["embedding"] == ORIGINAL
    if plain.any():
        table = table[table["dataset"].isin(table["dataset"][plain])]
    scale, space = _scale(scores, metric), _space(table, dimensions or {})
    shared = _shared(table)
    found = _ordered(inference.pipeline_intervals(shared, larger, scale), larger, classes)
    without = [key for key in found.index if key[0] == ORIGINAL]
    flat = [key for key in found.index if style.family(key[1], classes) == "Euclidean"]
    reference = next(iter(without or flat), None)
    zero = found["score"].get(reference, found["score"].iloc[0])
    rows = list(filter(None, [
        _comparison(EMBEDDING, _by_embedding(table), table, metric, scale, space),
        _comparison(CURVATURE, _by_curvature(table, classes), table, metric, scale, space),
    ]))  # fmt: skip
    rows += [_pipeline(key, one, zero, metric, names) for key, one in found.iterrows()]
    counted = shared["dataset"].unique()
    others = _best_of_each(
        every[~every["dataset"].isin(counted)], majority, larger, scale, metric, names
    )
    datasets = len(counted)
    alone = datasets == 1 and others
    return Pipelines(
        pd.DataFrame(rows, columns=COLUMNS), reference and in_words(reference, names), metric,
        smallest(zero, metric), datasets, int(found["folds"].iloc[0] / datasets),
        tuple(in_words(key, names) for key in left_out),
        _floor(shared[shared["pipeline"] == found.index[0]], majority, metric, scale),
        space, f" on {names.in_text('datasets', counted[0])}" if alone else "", "; ".join(others),
    )  # fmt: skip


def _best_of_each(table, majority, larger, scale, metric, names):
    """Texts of the best pipeline of each data set and its score; of many, the first and a count."""
    sets = list(table.groupby("dataset", sort=False))
    texts = []
    for dataset, part in sets[:MOST]:
        found = _ordered(inference.pipeline_intervals(part, larger, scale), larger, names.classes)
        one = _pipeline(found.index[0], found.iloc[0], 0.0, metric, names)
        texts.append(f"{one['name']}, {one['shown']} on {names.in_text('datasets', dataset)}")
        if _floor(part[part["pipeline"] == found.index[0]], majority, metric, scale):
            texts[-1] += ", not shown to beat the largest class"
    return [*texts, wording.count(len(sets) - MOST, "more data set")] if sets[MOST:] else texts


def _floor(best, majority, metric, scale):
    """Difference of a pipeline from the largest class if its interval reaches 0, else ""."""
    folds = ["dataset", "repeat", "fold"]
    trivial = majority.drop_duplicates(folds).merge(best[folds]).assign(pipeline=MAJORITY)
    if best["fold"].nunique() == 1 or len(trivial) < len(best):
        return ""
    part = pd.concat([best.assign(pipeline="best"), trivial])
    sides = {"best": ["best"], "trivial": [MAJORITY]}
    one = inference.compare(part, sides, style.higher_is_better(metric), scale)
    return gap(one.difference, one.low, one.high, metric) if one.low <= 0 else ""


def _pipeline(key, one, zero, metric, names):
    """Row of a pipeline; `zero` is the score of the reference."""
    ends = [one["score"], one["low"], one["high"]]
    ends = np.clip(ends, *metric_table.limits(metric)).tolist()
    place = [end - zero for end in ends]
    if not style.higher_is_better(metric):
        place = [-place[0], -place[2], -place[1]]
    family = WITHOUT if key[0] == ORIGINAL else style.family(key[1], names.classes)
    return {
        "kind": "pipeline", "name": in_words(key, names), "embedding": key[0], "method": key[1],
        "family": family, "value": ends[0], "low": ends[1], "high": ends[2], "place": place[0],
        "place_low": place[1], "place_high": place[2], "shown": score(*ends, metric),
    }  # fmt: skip


def smallest(level, metric):
    """Smallest difference that matters in practice: one point, or 1 % of another metric."""
    return 0.01 if style.in_percent(metric) else 0.01 * abs(level)


def in_words(key, names):
    """Name of a pipeline, (embedding, method), within a sentence."""
    embedding, method = key
    place = {
        ORIGINAL: names.place(method),
        EACH: "on the embedding of each data set",
        "given": "on the given coordinates",
    }.get(embedding)
    place = place or f"on {names.in_text('embeddings', embedding)}"
    return f"{names.in_text('methods', method)} {place}"


def score(value, low, high, metric):
    """Score of a pipeline with its interval.

    Examples
    --------
    >>> score(0.91, 0.9, 1.0, "accuracy")
    '91.0 % (90.0 to 100.0)'
    """
    text = style.score(value, metric) + (" %" if style.in_percent(metric) else "")
    if np.isnan(low):
        return text
    return f"{text} ({style.score(low, metric)} to {style.score(high, metric)})"


def gap(difference, low, high, metric):
    """A difference with its unit and interval.

    Examples
    --------
    >>> gap(0.034, 0.01, 0.058, "accuracy"), gap(-0.5, float("nan"), float("nan"), "r2")
    ('+3.4 points (+1.0 to +5.8)', '−0.500')
    """
    unit = " points" if style.in_percent(metric) else ""
    text = style.signed(difference, metric) + unit
    if np.isnan(low):
        return text
    return f"{text} ({style.signed(low, metric)} to {style.signed(high, metric)})"


def size(value, metric):
    """A positive difference with its unit.

    Examples
    --------
    >>> size(0.012, "accuracy"), size(0.012, "r2")
    ('1.2 points', '0.012')
    """
    return style.score(value, metric) + (" points" if style.in_percent(metric) else "")


def _comparison(kind, groups, table, metric, scale, space):
    """Row of a comparison of two groups of pipelines; None without pipelines on either side."""
    used = [name for name in table["dataset"].unique() if _has_both(groups, table, name)]
    if not used:
        return None
    part, larger = table[table["dataset"].isin(used)], style.higher_is_better(metric)
    present = set(part["pipeline"])
    groups = {side: [key for key in keys if key in present] for side, keys in groups.items()}
    if single := (part.groupby(["dataset", "repeat"])["fold"].nunique() == 1).any():
        # No other fold of the repeat to choose by: the best means are compared, and not tested.
        part, groups = _best(part, groups, larger)
    found = inference.compare(part, groups, larger, scale)
    ends = found.difference, *((np.nan, np.nan) if single else (found.low, found.high))
    tested = (np.nan, np.nan) if single else (found.p, found.half_width)
    return {
        "kind": "comparison", "name": TITLES[kind].format(space=space), "embedding": kind,
        "method": "", "family": "", "value": ends[0], "low": ends[1], "high": ends[2],
        "p": tested[0], "half_width": tested[1], "place": ends[0], "place_low": ends[1],
        "place_high": ends[2], "shown": gap(*ends, metric),
    }  # fmt: skip


def _space(table, dimensions):
    """Dimensions of the embeddings of a table, as `Pipelines.space`."""
    keys = zip(table["dataset"], table["embedding"], strict=True)
    found = sorted({dimensions[key] for key in keys if key in dimensions})
    if not found:
        return ""
    low = "" if len(found) == 1 else f"{found[0]} to "
    return f" in {low}{wording.count(found[-1], 'dimension')}"


def _best(part, groups, larger):
    """The pipeline with the best mean on each data set, of each group, named after the group."""
    means = part.groupby(["dataset", "pipeline"])["score"].mean() * (1 if larger else -1)
    rows = []
    for side, keys in groups.items():
        own = means[means.index.get_level_values("pipeline").isin(keys)]
        chosen = part.set_index(["dataset", "pipeline"]).loc[own.groupby("dataset").idxmax()]
        rows.append(chosen.reset_index().assign(pipeline=side))
    return pd.concat(rows), {side: [side] for side in groups}


def _has_both(groups, table, dataset):
    present = set(table["pipeline"][table["dataset"] == dataset])
    return all(present.intersection(keys) for keys in groups.values())


def _by_embedding(table):
    """Pipelines with and without an embedding."""
    keys = list(dict.fromkeys(table["pipeline"]))
    return {
        "with": [key for key in keys if key[0] != ORIGINAL],
        "without": [key for key in keys if key[0] == ORIGINAL],
    }


def _by_curvature(table, classes):
    """Non-Euclidean and Euclidean pipelines on embedded points."""
    keys = [key for key in dict.fromkeys(table["pipeline"]) if key[0] != ORIGINAL]
    sides = {"non-Euclidean": [], "Euclidean": []}
    for key in keys:
        sides.get(style.family(key[1], classes), []).append(key)
    return sides


def _folds(scores, metric, smallest_classes, classes):
    """Scores of pipelines and the largest class by fold, with sizes that `inference` needs."""
    named = scores.assign(method=score_tables.name_methods(scores))
    usable = [
        name
        for name in named["method"].unique()
        if name == MAJORITY
        or (style.family(name, classes) != "floor" and style.is_usable(name, classes))
    ]
    named = named[named["method"].isin(usable)]
    keys = ["dataset", "embedding", "method", "repeat", "fold"]
    wide = named[named["metric"].isin([metric, "train_rows", "test_rows"])]
    wide = wide.pivot_table("value", keys, "metric", aggfunc="first", dropna=False)
    wide = wide.reindex(columns=[metric, "train_rows", "test_rows"]).dropna().reset_index()
    wide.columns = [*keys, "score", "n_train", "n_test"]
    wide["pipeline"] = list(zip(wide["embedding"], wide["method"], strict=True))
    return wide.assign(n_min=wide["dataset"].map(smallest_classes))


def _complete(table):
    """Scores of the pipelines that have all folds of a data set, and the others."""
    folds = table[["dataset", "repeat", "fold"]].drop_duplicates()["dataset"].value_counts()
    found = table.groupby(["dataset", "pipeline"])["score"].transform("size")
    whole = found == table["dataset"].map(folds)
    return table[whole], list(dict.fromkeys(table["pipeline"][~whole]))


def _scale(scores, metric):
    """See `fold_scores.data_sets`: the spread of the target, which is rmse / √(1 - R²)."""
    if metric not in IN_UNITS:
        return 1.0
    keys = ["dataset", "embedding", "method", "repeat", "fold"]
    errors = scores.pivot_table("value", keys, "metric", aggfunc="first")[["rmse", "r2"]]
    errors = errors[errors["r2"] < 1 - 1e-6]
    return float((errors["rmse"] / np.sqrt(1 - errors["r2"])).mean())


def _ordered(found, larger, classes):
    """Best mean first; of equal ones, those without embedding, then Euclidean ones."""
    found = found[found["datasets"] == found["datasets"].max()]

    def rank(key):
        plain = key[0] == ORIGINAL, style.family(key[1], classes) == "Euclidean"
        best = found["score"][key].round(9) * (-1 if larger else 1)
        return best, not plain[0], not plain[1], *key

    return found.loc[sorted(found.index, key=rank)]


def _shared(table):
    """Pipelines of all data sets: those with one key, or all embeddings of a method as one.

    Without one of all data sets, those of the pipeline that has the most.
    """
    n = table["dataset"].nunique()
    counts = table.groupby("pipeline")["dataset"].transform("nunique")
    whole = table[counts == n]
    if n == 1 or (whole["embedding"] != ORIGINAL).any():
        return whole
    plain = table["embedding"] == ORIGINAL
    keys = [name for name in table.columns if name not in ("score", "embedding", "pipeline")]
    grouped = table[~plain].groupby(keys, sort=False, as_index=False, dropna=False)
    embedded = grouped["score"].mean()
    embedded["embedding"] = EACH
    embedded["pipeline"] = [(EACH, method) for method in embedded["method"]]
    both = pd.concat([table[plain], embedded])
    widest = both.groupby("pipeline")["dataset"].nunique().idxmax()
    return both[both["dataset"].isin(both["dataset"][both["pipeline"] == widest])]
