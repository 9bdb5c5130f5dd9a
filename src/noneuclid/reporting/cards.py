"""Data-set cards: what the page says of each data set and its embeddings."""

import math
from urllib.parse import urlsplit

from noneuclid.reporting import rows, style


def cards(abouts):
    """One card per data set, its embeddings inside, in order of first appearance.

    Parameters
    ----------
    abouts : list of dict
        `Embedded.about` of each (dataset, embedding), with `chart`, `curvature`, `dimension`
        and `split` (`scheme`, `seed`, `decisions`).

    Returns
    -------
    list of dict
        Keys `name`, `kind`, `n`, `balance` (sentence), `target` (range, or empty), `classes` (name,
        count, share in percent, colour), `licence`, `citation`, `source`, `link` (or None),
        `oddities` (list), `embeddings` (list of dict).
    """
    grouped = {}
    for about in abouts:
        name = about["dataset"]["name"]
        grouped.setdefault(name, _dataset(about["dataset"]) | {"embeddings": []})
        grouped[name]["embeddings"].append(_embedding(about))
    return list(grouped.values())


def _dataset(about):
    counts = about["classes"]
    colours = style.class_colours(len(counts), "target" in about)
    source = str(about.get("source") or "")
    return {
        "name": about["name"],
        "kind": about["kind"],
        "n": about["n"],
        "balance": balance(counts),
        "target": " to ".join(map(style.number, about.get("target", []))),
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


_KNOWN = ("name", "settings", "distortion", "transductive", "seconds")
_ELSEWHERE = ("seed", "digest", "data_checksum")


def _embedding(about):
    embedding, split = about["embedding"], about.get("split") or {}
    return {
        "name": embedding["name"],
        "given": embedding["name"] == "given",
        "settings": style.settings(embedding.get("settings") or {}),
        "distortion": rows.flatten(embedding.get("distortion") or {}),
        "transductive": bool(embedding.get("transductive")),
        "facts": rows.flatten({k: v for k, v in embedding.items() if k not in _KNOWN + _ELSEWHERE}),
        "seconds": embedding.get("seconds"),
        "chart": about["chart"],
        "curvature": style.number(-about["curvature"]).replace("-", "−"),
        "dimension": about["dimension"],
        "scheme": split.get("scheme"),
        "seed": split.get("seed"),
        "decisions": _texts(split.get("decisions")),
    }


def balance(counts):
    """One sentence on the sizes of the classes.

    Examples
    --------
    >>> balance({"a": 90, "b": 10})
    'largest class 90 %, smallest 10 rows; as even as 1.4 equal classes'
    >>> balance({"a": 5, "b": 5})
    'classes of equal size'
    """
    sizes, total = list(counts.values()), sum(counts.values())
    if len(set(sizes)) == 1:
        return "classes of equal size"
    shares = [n / total for n in sizes if n]
    effective = math.exp(-sum(p * math.log(p) for p in shares))
    return (
        f"largest class {100 * max(shares):.0f} %, smallest {style.count(min(sizes), 'row')}; "
        f"as even as {effective:.1f} equal classes"
    )


def _texts(value):
    """A list of texts from a list, one text, or nothing."""
    if not value:
        return []
    return [value] if isinstance(value, str) else [str(text) for text in value]
