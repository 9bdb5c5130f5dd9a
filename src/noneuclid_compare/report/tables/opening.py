"""The three sentences that open the page, each from a table of situations.

They say which pipeline to use, what an embedding gains, and what curvature gains. Every number and
name in them is a text of `pipelines.Pipelines`.
"""

from matplotlib.ticker import MaxNLocator

from noneuclid_compare.records import ORIGINAL
from noneuclid_compare.report import style
from noneuclid_compare.report.figures import effects
from noneuclid_compare.report.names import capital
from noneuclid_compare.report.tables.pipelines import CURVATURE, EMBEDDING, WITHOUT, size

GAINS, SMALL, LOSES, SLIPS, ALIKE, OPEN, UNTESTED, ABSENT = (
    "gains", "gains little", "loses", "loses little", "alike", "open", "untested", "absent"
)  # fmt: skip

USE = "Use {best}: {metric} {score}{place}. "
# What a reader would do otherwise is the best pipeline without embedding.
FIRST = {
    "reference": USE + "It needs no embedding.",
    "flat": USE + "It is Euclidean, and no method with curvature has a better mean.",
    GAINS: USE + "It beats {reference} by {gap}, which matters in practice.",
    SMALL: USE + "It beats {reference} by {gap}, which is too little to matter in practice.",
    ALIKE: USE + "It is as good as {reference}: {gap}, too little to matter in practice.",
    OPEN: USE + "It is not shown to beat {reference}: {gap}. {seen}",
    LOSES: USE + "Pipelines of its kind, chosen on other folds, are behind {reference}: {gap}.",
    UNTESTED: USE + "One test fold is too little to test it against {reference}.",
    ABSENT: USE + "It is not tested against another kind of pipeline.",
}
SECOND = {
    GAINS: "An embedding{space} helps: {gap}.",
    SMALL: "An embedding{space} helps a little: {gap}.",
    LOSES: "An embedding{space} loses: {gap}.",
    SLIPS: "An embedding{space} loses a little: {gap}.",
    ALIKE: "An embedding{space} changes nothing that matters: {gap}.",
    OPEN: "Whether an embedding{space} helps is open: {gap}. {seen}",
    UNTESTED: "An embedding{space} against none, not tested: {gap}.",
    ABSENT: "{missing}, so an embedding is not compared with none.",
}
THIRD = {
    GAINS: "On the same coordinates, curvature helps: {gap}.",
    SMALL: "On the same coordinates, curvature helps a little: {gap}.",
    LOSES: "On the same coordinates, Euclidean methods are better: {gap}.",
    SLIPS: "On the same coordinates, Euclidean methods are a little better: {gap}.",
    ALIKE: "On the same coordinates, curvature changes nothing that matters: {gap}.",
    OPEN: "On the same coordinates, whether curvature helps is open: {gap}. {seen}",
    UNTESTED: "Curvature on the same coordinates, not tested: {gap}.",
    ABSENT: "Curvature is not compared: Euclidean or non-Euclidean methods are missing.",
}
FLOOR = {False: "", True: " It is not shown to beat the largest class: {floor}."}
OTHERS = {False: "", True: " Best elsewhere: {others}."}
SEEN = "A measured difference below {half_width} can be chance."


def situation(row, smallest):
    """Situation of a row of a comparison, or of None."""
    if row is None:
        return ABSENT
    if row["half_width"] != row["half_width"]:
        return UNTESTED
    if row["low"] > 0:
        return GAINS if row["value"] >= smallest else SMALL
    if row["high"] < 0:
        return LOSES if row["value"] <= -smallest else SLIPS
    return ALIKE if max(-row["low"], row["high"]) < smallest else OPEN


def sentences(found):
    """The three sentences of a `Pipelines`.

    Examples
    --------
    >>> from noneuclid_compare.report.tables.pipelines import COLUMNS, Pipelines
    >>> import pandas as pd
    >>> row = dict.fromkeys(COLUMNS) | {"kind": "pipeline", "name": "random forest on Hydra"}
    >>> row |= {"shown": "91.0 % (88.2 to 93.8)", "family": "Euclidean"}
    >>> sentences(Pipelines(pd.DataFrame([row]), None, "accuracy", 0.01, 1, 15))[0]
    'Use random forest on Hydra: accuracy 91.0 % (88.2 to 93.8). It is Euclidean, ...'
    """
    embedding, curvature = found.comparison(EMBEDDING), found.comparison(CURVATURE)
    # Of given coordinates, a reader would otherwise take a Euclidean method.
    first = curvature if embedding is None else embedding
    key = situation(first, found.smallest).replace(SLIPS, LOSES)
    if embedding is None and found.best["family"] == "own":
        key = ABSENT  # The comparison is one of other pipelines.
    if found.reference in (None, found.best["name"]):
        key = {WITHOUT: "reference", "Euclidean": "flat"}.get(found.best["family"], ABSENT)
    return [
        _fill(FIRST[key] + FLOOR[bool(found.floor)] + OTHERS[bool(found.others)], first, found),
        _fill(SECOND[situation(embedding, found.smallest)], embedding, found),
        _fill(THIRD[situation(curvature, found.smallest)], curvature, found),
    ]


def _missing(plain):
    """What a comparison with an embedding lacks; `plain` says which pipelines have none.

    Examples
    --------
    >>> import pandas as pd
    >>> _missing(pd.Series([True, True])), _missing(pd.Series([False]))
    ('Nothing is embedded', 'No method runs without an embedding')
    """
    if plain.all():
        return "Nothing is embedded"
    return "No data set has both" if plain.any() else "No method runs without an embedding"


def _fill(template, row, found):
    """The sentence of a situation, with the texts of the table."""
    n, best = found.datasets, found.best
    texts = {
        "best": best["name"],
        "metric": style.metric_words(found.metric),
        "score": best["shown"],
        "reference": found.reference,
        "floor": found.floor,
        "others": found.others,
        "space": found.space,
        "missing": _missing(found.rows("pipeline")["embedding"] == ORIGINAL),
        "place": f", mean over {n} data sets" if n > 1 else found.place,
    }
    if row is not None:
        texts |= {"gap": row["shown"], "half_width": size(row["half_width"], found.metric)}
        texts["seen"] = SEEN.format(**texts)
    return template.format(**texts)


def view(found):
    """What the template shows of a `Pipelines`: sentences, and rows at places in percent."""
    table, scale = effects.shown(found), 100 if style.in_percent(found.metric) else 1
    places = table[["place", "place_low", "place_high"]].to_numpy(dtype=float)
    low, high = effects.limits(places, found.smallest)

    def at(value):
        return round(100 * (min(max(value, low), high) - low) / (high - low), 2)

    rows = []
    for (_, row), (place, start, end) in zip(table.iterrows(), places, strict=True):
        bar = None if start != start else (at(start), round(at(end) - at(start), 2))
        look = _look(row["family"])
        about = {"kind": row["kind"], "name": capital(row["name"]), "shown": row["shown"]}
        rows.append(about | {"look": look, "at": at(place), "bar": bar})
    ticks = MaxNLocator(5).tick_values(scale * low, scale * high)
    return {
        "metric": found.metric,
        "label": style.metric_label(found.metric),
        "sentences": sentences(found),
        "rows": rows,
        "looks": [
            (_look(family), effects.label(family)) for family in dict.fromkeys(table["family"])
        ],
        "zero": at(0.0),
        "band": (at(-found.smallest), round(at(found.smallest) - at(-found.smallest), 2)),
        "ticks": [
            (at(tick / scale), f"{tick:g}".replace("-", "−"))
            for tick in ticks
            if scale * low <= tick <= scale * high
        ],
        "caption": effects.write_caption(found),
    }


def _look(family):
    """Class of a row, by which the style sheet knows its marker."""
    return family.lower().replace(" ", "-") or "difference"
