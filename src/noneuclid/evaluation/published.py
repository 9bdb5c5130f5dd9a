"""Our scores beside those printed in a paper, cell by cell."""

import re
from decimal import Decimal

import numpy as np
import pandas as pd
from scipy.stats import t as student

from noneuclid.errors import InputError, require
from noneuclid.evaluation import metric_table, printed_tests, published_entries

KEYS = ["table", "dataset", "variant", "method", "metric"]
COLUMNS = [*KEYS, "value", "error", "unit"]
REASONS = ["paper", *KEYS, "kind", "reason", "evidence"]
# Printed percentages become fractions, as in the long table.
UNITS = {"%": 0.01, "1": 1.0, "s": 1.0, "count": 1.0}
WITHIN, EXPLAINED, OUTSIDE = "within noise", "explained", "outside noise"
NOT_RUN, NO_DATA, NOT_JUDGED = "not run", "no data", "not judged"
STATUSES = (WITHIN, EXPLAINED, OUTSIDE, NOT_JUDGED, NOT_RUN, NO_DATA)
FOUND = ["ours", "se", "runs", "tolerance", "difference", "our_method", "best", "best_method"]
# Which kinds of reasons can be given for a status.
_KINDS = {
    WITHIN: (NOT_JUDGED,),
    OUTSIDE: (NOT_JUDGED, EXPLAINED),
    NOT_RUN: (NOT_RUN, NO_DATA, NOT_JUDGED),
    NOT_JUDGED: (EXPLAINED,),
}
_DRAWS = 1000


def cells(scores, theirs, paper, entries, reasons, tests=()):
    """Put every printed number of a paper beside ours and judge the difference, one row each.

    A difference is noise if it is at most t of its standard errors, plus half a unit of the last
    printed digit; t is Student's 97.5 % quantile for the number of our values, about two. The
    error of a mean of ours is taken over runs (data set, embedding, repeat), or over folds where
    there is one run; one single value has none. Where the paper prints no error, its own is taken
    to be ours. A printed standard deviation is taken to have its count below the root: the standard
    error of the mean is sd / sqrt(count - 1). Times are shown and not judged: they are of other
    machines. The p-values of `tests` are not judged either (see `printed_tests.p_values`).

    `scores` is the long table of `evaluate`, `theirs` has the columns `COLUMNS` as printed.
    `entries` say which of our runs belong to which cells: `table`, `datasets` (pattern over ours),
    `embedding` (pattern), `dataset` and `variant` (texts with groups of the patterns in braces),
    `methods` and `metrics` (ours to the paper's), `ours` (methods of ours to show in the same
    rows), `choose` (a metric: of several methods of ours for one of the paper's, the best on the
    held-out rows, which is what papers print), `error` ("sd" over `count` values, or "se"),
    `statistic` ("mean", "max"), `repeats` ("dependent": those on one data set count as one run, as
    trials on one embedding must). `reasons` has the columns `REASONS`; names are patterns, an empty
    one matches all, the first match counts.

    Columns: `paper`, `KEYS`, `unit`, `printed`, `published` and `ours` (percentages as fractions),
    `se` (ours), `runs`, `tolerance`, `difference` (ours - published), `our_method`, `best` and
    `best_method` (of `ours`), `status` (one of `STATUSES`), `reason`, `evidence`.
    """
    _check_reasons(reasons)
    found, rows = {}, theirs.to_dict("records")
    for entry in entries:
        published_entries.check_entry(entry, rows)
        new = ours(scores, entry)
        twice = [" / ".join(key) for key in new if key in found]
        require(not twice, f"published: two entries for {', '.join(twice[:1])}")
        found |= new
    for test in tests:
        published_entries.check_test(test, rows)
        found |= printed_tests.p_values(scores, test)
    known = set(theirs[KEYS].itertuples(index=False, name=None))
    stray = [" / ".join(key) for key in found if key not in known]
    require(not stray, f"published: {paper} prints no {', '.join(stray[:1])}")
    cells = []
    for row in rows:
        cell = beside(row | {"paper": paper}, found.get(tuple(row[key] for key in KEYS)))
        cells.append(cell | verdict(cell, reasons))
    return pd.DataFrame(cells)


def _check_reasons(reasons):
    """Raise `InputError` for a kind that no status takes, or an illegal pattern."""
    known = {kind for kinds in _KINDS.values() for kind in kinds}
    for row in reasons.to_dict("records"):
        kind = row["kind"]
        require(kind in known, f"reasons: unknown kind {kind!r}; known: {', '.join(sorted(known))}")
        for key in ("paper", *KEYS):
            published_entries.pattern(row[key])


def ours(scores, entry):
    """What our runs give for the cells of an entry of `cells`, by the values of `KEYS`."""
    found = {}
    for place, rows in _places(scores, entry).items():
        for metric, printed in entry["metrics"].items():
            values = dict(list(rows[rows["metric"] == metric].groupby("method")))
            best = _best(values, entry, metric, _candidates(rows, entry))
            for name, method in _chosen(rows, entry).items():
                if method in values:
                    key = entry["table"], *place, name, printed
                    found[key] = _summary(values[method], entry) | {"our_method": method} | best
    return found


def _chosen(rows, entry):
    """Which of our methods is each of the paper's: of several, the best by `choose`."""
    groups = {}
    for method, name in entry["methods"].items():
        groups.setdefault(name, []).append(method)
    if "choose" not in entry:
        double = [name for name, methods in groups.items() if len(methods) > 1]
        place = f"published: {entry['table']}"
        require(not double, f"{place}: several methods for {double[:1]}; set `choose: METRIC`")
        return {name: methods[0] for name, methods in groups.items()}
    found = {name: _leader(rows, methods, entry["choose"]) for name, methods in groups.items()}
    return {name: methods[0] for name, methods in found.items() if methods}


def _candidates(rows, entry):
    """Methods of ours to show; of several the one that `choose` takes, as for the paper's."""
    ours = entry.get("ours", [])
    return _leader(rows, ours, entry["choose"]) if "choose" in entry else ours


def _leader(rows, methods, metric):
    """The best of some methods, in a list; an empty one if none has the metric."""
    sign = 1 if metric_table.higher_is_better(metric) else -1
    means = sign * rows[rows["metric"] == metric].groupby("method")["value"].mean()
    means = means.reindex(methods).dropna()
    return [means.idxmax()] if len(means) else []


def _places(scores, entry):
    """Rows of our runs by the paper's data set and variant."""
    patterns = [
        published_entries.pattern(entry["datasets"]),
        published_entries.pattern(entry.get("embedding", ".*")),
    ]
    parts = {}
    for pair, rows in scores.groupby(["dataset", "embedding"], sort=False):
        matches = [p.fullmatch(name) for p, name in zip(patterns, pair, strict=True)]
        if all(matches):
            groups = matches[0].groupdict() | matches[1].groupdict()
            texts = entry.get("dataset", "{dataset}"), entry.get("variant", "")
            parts.setdefault(tuple(_filled(text, groups) for text in texts), []).append(rows)
    return {place: pd.concat(frames) for place, frames in parts.items()}


def _filled(text, groups):
    try:
        return text.format(**groups)
    except (AttributeError, LookupError, ValueError):
        known = ", ".join(groups) or "none"
        raise InputError(
            f"published: {text!r} needs a group of the patterns; known: {known}"
        ) from None


def _best(values, entry, metric, ours):
    """Best of our methods; of gaps and costs the smallest."""
    means = {m: _summary(values[m], entry)["ours"] for m in ours if m in values}
    means = {m: mean for m, mean in means.items() if mean == mean}
    if not means:
        return {"best": np.nan, "best_method": ""}
    choose = max if metric_table.higher_is_better(metric) else min
    method = choose(means, key=means.get)
    return {"best": means[method], "best_method": method}


def _summary(rows, entry):
    """Mean (or largest) of ours, its standard error, and standard error of what is printed."""
    method = rows["method"].iloc[0]
    require(
        rows["setting"].nunique() == 1,
        f"published: {entry['table']}: runs of {method} with different settings in one cell",
    )
    rows = rows.dropna(subset="value")
    runs = ["dataset", "embedding", "repeat"]
    if entry.get("repeats") == "dependent":
        runs.remove("repeat")
    values = rows.groupby(runs)["value"].mean().to_numpy(float)
    if len(values) == 1:
        values = rows["value"].to_numpy(float)
    kind = entry.get("error", "none")
    root = {"none": None, "se": 1.0, "sd": np.sqrt(entry.get("count", 2) - 1)}[kind]
    summary = {"runs": len(values), "root": root}
    if not len(values):
        return summary | {"ours": np.nan, "se": np.nan}
    if entry.get("statistic") == "max":
        drawn = np.random.default_rng(0).choice(values, size=(_DRAWS, len(values)))
        return summary | {"ours": values.max(), "se": drawn.max(axis=1).std()}
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0
    return summary | {"ours": values.mean(), "se": error}


def beside(row, found):
    """One printed number, a row with `paper`, beside ours, a value of `ours` or None."""
    unit, value, error = row["unit"], row["value"], row["error"]
    require(unit in UNITS, f"published: unknown unit {unit!r}; known: {', '.join(UNITS)}")
    scale = UNITS[unit]
    cell = {key: row[key] for key in ("paper", *KEYS, "unit")}
    cell["printed"] = f"{value} ± {error}" if error else value
    cell["published"] = scale * float(value) if value else np.nan
    if found is None:
        return cell | dict.fromkeys(FOUND, np.nan) | {"our_method": "", "best_method": ""}
    printed = found["root"] and error
    theirs = scale * float(error) / found["root"] if printed else found["se"]
    last_digit = float(Decimal(1).scaleb(Decimal(value).as_tuple().exponent)) if value else 0.0
    shown = {name: found[name] for name in FOUND if name in found}
    quantile = student.ppf(0.975, found["runs"] - 1) if found["runs"] > 1 else 2.0
    shown["tolerance"] = quantile * np.hypot(found["se"], theirs) + scale * last_digit / 2
    shown["difference"] = found["ours"] - cell["published"]
    return cell | {"our_method": ""} | shown


def verdict(cell, reasons):
    """`status` of a cell of `beside`, with `reason` and `evidence` if needed and known."""
    status = status_of(cell)
    for reason in reasons.to_dict("records"):
        kind = reason["kind"]
        if kind in _KINDS[status] and all(
            re.fullmatch(reason[key] or ".*", cell[key]) for key in ("paper", *KEYS)
        ):
            status = status if status == NOT_JUDGED else kind
            return {"status": status} | {name: reason[name] for name in ("reason", "evidence")}
    return {"status": status, "reason": "", "evidence": ""}


def status_of(cell):
    """Within noise, outside, not run, or not judged: times and p-values, which have no error."""
    if cell["ours"] != cell["ours"]:
        return NOT_RUN
    without_error = cell["unit"] == "s" or cell["metric"] == printed_tests.P_VALUE
    if without_error or cell["published"] != cell["published"]:
        return NOT_JUDGED
    # A sum of decimals must not decide on the edge.
    within = abs(cell["difference"]) <= cell["tolerance"] * (1 + 1e-9)
    return WITHIN if within else OUTSIDE
