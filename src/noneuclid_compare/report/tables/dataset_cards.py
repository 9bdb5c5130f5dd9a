"""Data-set cards: facts on each data set and its embeddings."""

import math
from urllib.parse import urlsplit

from noneuclid.geometry.spaces import is_signature
from noneuclid.plots import palette
from noneuclid_compare import wording
from noneuclid_compare.report import style
from noneuclid_compare.report.names import Names
from noneuclid_compare.report.tables import provenance_rows


def cards(abouts, names=None):
    """One card per data set, with its embeddings, in order of first appearance.

    `abouts` has `Embedded.about` of each (dataset, embedding), with `chart`, `curvature`,
    `dimension` and `split` (`scheme`, `seed`, `decisions`; the numbers `folds` and `repeats`).
    `like` of a card is an earlier data set with the same licence, citation, source and oddities, or
    None.
    """
    names = names or Names()
    grouped, origins = {}, {}
    for about in abouts:
        name = about["dataset"]["name"]
        if name not in grouped:
            card = _dataset(about["dataset"], names)
            card["kind"] = about.get("group") or card["kind"]
            origin = tuple(str(card[key]) for key in _ORIGIN)
            like = origins.setdefault(origin, name) if card["citation"] else name
            like = None if like == name else names.head("datasets", like)
            grouped[name] = card | {"like": like, "embeddings": []}
        grouped[name]["embeddings"].append(_embedding(about, names))
    return list(grouped.values())


_ORIGIN = ("licence", "citation", "source", "oddities")


def _dataset(about, names):
    counts = about["classes"]
    colours = palette.class_colours(len(counts), "target" in about)
    source = str(about.get("source") or "")
    return {
        "name": names.head("datasets", about["name"]),
        "identifier": about["name"],
        "kind": about["kind"],
        "n": about["n"],
        "balance": balance(counts),
        "target": " to ".join(map(wording.number, about.get("target", []))),
        "classes": [
            (name, n, 100 * n / sum(counts.values()), colour)
            for (name, n), colour in zip(counts.items(), colours, strict=True)
        ],
        "licence": about.get("licence"),
        "citation": about.get("citation"),
        "source": source,
        # A data file must not be able to plant a javascript: link.
        "link": source if urlsplit(source).scheme in ("http", "https") else None,
        "oddities": _texts(about.get("oddities")),
    }


# What the measures of `embeddings.distortion` and `embeddings.poincare_maps` mean.
MEASURES = {
    "average": "mean relative error of distances after optimal scaling; 0 is perfect",
    "average_scale": "optimal scale of distances",
    "worst": "largest ratio of embedded to original distance divided by the smallest; 1 is "
    "perfect, undefined if different rows coincide",
    "collapsed_pairs": "pairs of different rows that coincide in the embedding",
    "stress": "root of squared errors over squared distances; 0 is perfect",
    "spearman": "rank correlation of distances; 1 is perfect",
    "mean_average_precision": "retrieval of graph neighbours by distance; 1 is perfect",
    "neighbour_agreement": "share of nearest neighbours preserved; 1 is perfect",
    "neighbours": "number of nearest neighbours compared",
    "compared_rows": "rows whose distances were compared",
    "rows": "rows that these were compared with: all, or a sample of 20,000",
    "q_local": "preservation of small neighbourhoods; 1 is perfect",
    "q_global": "preservation of large neighbourhoods; 1 is perfect",
    "k_max": "neighbourhood size that separates small from large",
}

_KNOWN = ("name", "settings", "distortion", "transductive", "seconds")
_ELSEWHERE = ("seed", "digest", "data_checksum")
# Of the descent, beside the measures of its distances.
_OF_DESCENT = ("loss", "average", "pairs", "n_iter", "edges")


def _embedding(about, names):
    embedding, split = about["embedding"], about.get("split") or {}
    return {
        "name": embedding["name"],
        "shown": names.head("embeddings", embedding["name"]),
        "given": embedding["name"] == "given",
        "settings": style.settings(embedding.get("settings") or {}),
        "distortion": [
            (name, value, MEASURES.get(name, ""))
            for name, value in provenance_rows.flatten(embedding.get("distortion") or {})
        ],
        "transductive": bool(embedding.get("transductive")),
        "facts": provenance_rows.flatten(
            {k: v for k, v in embedding.items() if k not in _KNOWN + _ELSEWHERE + _OF_DESCENT}
        ),
        "seconds": embedding.get("seconds"),
        "chart": wording.signature(about["chart"]),
        "product": is_signature(about["chart"]),
        "curvature": wording.number(-about["curvature"]).replace("-", "−"),
        "dimension": about["dimension"],
        "split": _split(split),
        "decisions": _texts(split.get("decisions")),
    }


def _split(about):
    """Scheme, folds, repeats and seed in words; empty without a split.

    Examples
    --------
    >>> _split({"scheme": "holdout", "seed": 7, "folds": 1, "repeats": 3})
    'random holdout, 1 fold, repeated 3 times, seed 7'
    >>> _split({"scheme": "fixed", "seed": 7, "folds": 1, "repeats": 1})
    'fixed split, 1 fold'
    """
    if "scheme" not in about:
        return ""
    words = [_SCHEMES.get(about["scheme"], about["scheme"]), wording.count(about["folds"], "fold")]
    if about["repeats"] > 1:
        words.append(f"repeated {about['repeats']} times")
    state = about.get("settings", {}).get("random_state")
    if about["scheme"] not in ("fixed", "leave_one_group_out"):
        words.append(f"seed {about['seed']}" if state is None else f"random state {state}")
    return ", ".join(words)


_SCHEMES = {
    "stratified_kfold": "stratified cross-validation",
    "kfold": "cross-validation",
    "holdout": "random holdout",
    "fixed": "fixed split",
    "stratified_group_kfold": "stratified cross-validation by groups",
    "leave_one_group_out": "each group left out in turn",
    "group_holdout": "random holdout of groups",
}


def balance(counts):
    """One sentence on the sizes of the classes.

    Examples
    --------
    >>> balance({"a": 90, "b": 10})
    'largest class 90 %, smallest 10 rows; effective number of classes: 1.4'
    >>> balance({"a": 5, "b": 5})
    'classes of equal size'
    >>> balance({"a": 9964, "b": 36})
    'largest class 99.6 %, smallest 36 rows; effective number of classes: 1.0'
    """
    sizes, total = list(counts.values()), sum(counts.values())
    if len(set(sizes)) == 1:
        return "classes of equal size"
    shares = [n / total for n in sizes if n]
    effective = math.exp(-sum(p * math.log(p) for p in shares))
    largest = f"{100 * max(shares):.{0 if max(shares) < 0.99 else 1}f}"
    return (
        f"largest class {largest} %, smallest {wording.count(min(sizes), 'row')}; "
        f"effective number of classes: {effective:.1f}"
    )


def _texts(value):
    """A list of texts from a list, one text, or nothing."""
    if not value:
        return []
    return [value] if isinstance(value, str) else [str(text) for text in value]
