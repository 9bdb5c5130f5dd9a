"""How each method was run: its class weights, its candidate settings, and its scores."""

import pandas as pd

from noneuclid_compare import wording
from noneuclid_compare.evaluation.metrics import CALIBRATION_BINS
from noneuclid_compare.report import style
from noneuclid_compare.report.tables import score_tables

PROBABILITIES = ("log_loss", "calibration_error")


def table(run, entry):
    """A row for each method on embedded points, best mean of the run's metric first.

    Index `method`; `class_weight` (words of `estimators.class_weight_of`), `candidates`, `fewer`
    (the reason), `data_sets` with a score, and the mean of each metric over data sets, nan where a
    method gives no probabilities.
    """
    weights = {one["method"]: one["class_weight"] for one in run.runs}
    methods = list(dict.fromkeys(run.scores["method"]))
    known = entry["methods"]
    found = pd.DataFrame(
        {
            "class_weight": [weights[name] for name in methods],
            "candidates": [known[name]["candidates"] for name in methods],
            "fewer": [known[name]["fewer"] for name in methods],
        },
        index=pd.Index(methods, name="method"),
    )
    present = score_tables.metrics(run.scores)
    for metric in (run.metric, *PROBABILITIES):
        rows = run.scores[run.scores["metric"] == metric]
        means = rows.groupby(["method", *score_tables.PAIR])["value"].mean()
        means = means.groupby(level=["method", "dataset"]).mean().groupby("method")
        if metric == run.metric:
            found["data_sets"] = means.count().reindex(found.index)
        found[metric] = means.mean().reindex(found.index) if metric in present else float("nan")
    larger = style.higher_is_better(run.metric)
    return found.sort_values(run.metric, ascending=not larger, kind="stable")


def heads(metric):
    """Heads of the columns of `rows`."""
    scores = [style.metric_label(name) for name in (metric, *PROBABILITIES)]
    return ["method", "class weights", "candidate settings", "data sets", *scores]


def rows(found, run):
    """Texts of the table."""
    texts = []
    for name, row in found.iterrows():
        tried = str(row["candidates"]) + (f" ({row['fewer']})" if row["fewer"] else "")
        scores = [style.score(row[run.metric], run.metric)]
        scores += [_probability(row[metric], metric) for metric in PROBABILITIES]
        head = [run.names.method(name), row["class_weight"], tried, str(row["data_sets"])]
        texts.append([*head, *scores])
    return texts


def note(found, entry, names):
    """What was asked for, and which methods differ."""
    parts = []
    if entry["class_weight"]:
        lacking = found.index[found["class_weight"] == "not available"]
        parts.append(
            f"Class weights are {entry['class_weight']} in training and in the search of every "
            f"method that takes them{_except(lacking, names)}."
        )
    if entry["candidates"]:
        fewer = found.index[found["candidates"] < entry["candidates"]]
        parts.append(
            f"The search chooses among {wording.count(entry['candidates'], 'candidate setting')} "
            f"for every method{_except(fewer, names)}."
        )
    parts.append(
        f"Calibration error: expected calibration error of the most probable class with "
        f"{CALIBRATION_BINS} bins of equal width. "
        "Means over data sets; embeddings of a data set are averaged first."
    )
    return " ".join(parts)


def _probability(value, metric):
    """A score of probabilities, or why there is none."""
    return style.score(value, metric) if value == value else "no probabilities"


def _except(methods, names):
    """Exceptions in words; empty without any."""
    found = [names.in_text("methods", name) for name in methods]
    return f" except {wording.listed(found)}" if found else ""
