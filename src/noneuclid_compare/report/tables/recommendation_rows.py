"""What to use on each data set: the best pipeline, its kept model, and the code that uses it."""

import pandas as pd

from noneuclid_compare import io
from noneuclid_compare.records import ORIGINAL
from noneuclid_compare.report.names import capital
from noneuclid_compare.report.tables import opening, prediction_code, provenance_rows

NO_RULE = (
    "{name} has no rule for new rows: this model labels points that were embedded together with "
    "the training rows, but no new features."
)
NO_OTHER = (
    " No embedding of this data set places new rows: embed them together with the old ones, or add "
    "an embedding that has a rule, such as lifted_pca for tables."
)
SEEN = (
    "The embedding saw the test rows, without labels: scores on rows that it has not seen may be "
    "lower."
)
LATE = "{fits}: see Provenance before you use it."
COLUMNS = ["dataset", "embedding", "method", "value", "low", "high", "shown", "places_new_rows"]


def table(run, placing):
    """The table to be saved: the best pipeline of each data set."""
    rows = []
    for dataset, found in run.of_datasets.items():
        best = found.best
        places = (dataset, best["embedding"]) in placing
        rows.append({"dataset": dataset, **best, "places_new_rows": places})
    return pd.DataFrame(rows, columns=COLUMNS)


def rows(run, placing, sources):
    """Texts of each data set for the page.

    `placing` has the pairs (dataset, embedding) that place new rows; `sources`: see
    `prediction_code.source`.
    """
    return [
        {
            "dataset": dataset,
            "name": run.names.in_text("datasets", dataset),
            "sentences": [opening.sentences(found)[0], *_remarks(run, dataset, found.best)],
            "models": _models(run, dataset, found, placing, sources[dataset]),
        }
        for dataset, found in run.of_datasets.items()
    ]


def _remarks(run, dataset, row):
    """What limits a recommendation."""
    key = dataset, row["embedding"], row["method"]
    own = [one for one in run.runs if (one["dataset"], one["embedding"], one["method"]) == key]
    late = provenance_rows.late(own)
    found = [LATE.format(fits=late)] if late else []
    return found + ([SEEN] if any(one["transductive"] for one in own) else [])


def _models(run, dataset, found, placing, source):
    """The kept model of the best pipeline, and the best that places new rows if that does not."""
    if not source.get("models", True):
        return []
    best = found.best
    models = [_model(run, dataset, best, placing, source)]
    if (dataset, best["embedding"]) in placing:
        return models
    name = capital(run.names.in_text("embeddings", best["embedding"]))
    models[0]["remark"] = NO_RULE.format(name=name)
    pipelines = found.rows("pipeline")
    others = pipelines[[(dataset, name) in placing for name in pipelines["embedding"]]]
    if others.empty:
        models[0]["remark"] += NO_OTHER
        return models
    other = _model(run, dataset, others.iloc[0], placing, source)
    remark = f"For new rows, use {others.iloc[0]['name']}: {others.iloc[0]['shown']}."
    return [*models, other | {"remark": remark}]


def _model(run, dataset, row, placing, source):
    embedding, method = row["embedding"], row["method"].partition(" ")[0]
    path = f"results/models/{dataset}/{embedding}/{method}.skops"
    places = (dataset, embedding) in placing
    if embedding == ORIGINAL and source.get("network") and source["features"]:
        # New rows are features of nodes, in a table.
        source = source | {"network": False, "path": "", "suffix": "csv"}
    chart = next(one["chart"] for one in run.runs if one["method"] == method)
    asked = path, source if places else source | {"chart": chart}, run.classes.get(method, "")
    return {
        "title": capital(row["name"]),
        "remark": "",
        "path": path,
        "link": f"../{path.removeprefix('results/')}",
        "novelty": embedding != ORIGINAL,
        "command": prediction_code.command(*asked),
        "code": prediction_code.lines(*asked),
    }


def placing(results, pairs):
    """Pairs (dataset, embedding) whose embedding has a rule for new rows."""
    found = set()
    for dataset, embedding in pairs:
        _, rule = io.read_header(results / f"map/{dataset}/{embedding}.npz")
        if rule.get("kind", "none") != "none":
            found.add((dataset, embedding))
    return found
