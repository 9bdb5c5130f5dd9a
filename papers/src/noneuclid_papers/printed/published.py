"""Our scores, and p-values of our runs, beside those printed in a paper, cell by cell."""

import re

import numpy as np
import pandas as pd
from scipy.stats import t as student

from noneuclid.errors import InputError, require
from noneuclid_compare.evaluation import metric_table
from noneuclid_papers.folders import PRINTED
from noneuclid_papers.printed import (
    printed_comparisons,
    published_entries,
    repeated_rows,
    reproduction_status,
    run_metadata,
)
from noneuclid_papers.statistics import paired_t_tests, studies

KEYS = repeated_rows.KEYS
COLUMNS = [*KEYS, "value", "error", "unit"]
# `row_of`: table and variant whose row this number is from; in yang2024's and chlenski2024's only.
OPTIONAL = ["row_of"]
# `ours`: the side of the printed number on which ours is explained; either if empty. `fault`: a
# pattern over the faults of imitations; the reason holds where runs with these are nearer.
REASONS = ["paper", *KEYS, "ours", "fault", "kind", "reason", "evidence"]
_SIGNS = {"": 0, "higher": 1, "lower": -1}
FOUND = ["ours", "se", "runs", "rows", "tolerance", "difference"]
FOUND += ["our_method", "best", "best_method"]
# Which kinds of reasons can be given for a status; only other data withdraw a number.
_KINDS = {
    reproduction_status.EXACT: (reproduction_status.OTHER_DATA,),
    reproduction_status.CLOSE: (reproduction_status.OTHER_DATA,),
    reproduction_status.OUTSIDE: (reproduction_status.HYPOTHESIS, reproduction_status.OTHER_DATA),
    reproduction_status.OTHER_SIDE: (reproduction_status.HYPOTHESIS,),
    reproduction_status.NOT_RUN: (
        reproduction_status.NOT_RUN,
        reproduction_status.NO_DATA,
        reproduction_status.NOT_JUDGED,
    ),
    reproduction_status.NOT_JUDGED: (
        reproduction_status.HYPOTHESIS,
        reproduction_status.NOT_JUDGED,
        reproduction_status.OTHER_DATA,
    ),
}
TWO_RUNS = "The times are of different runs."
# Of the largest of several values: how many times the paper's number of runs ours must be. With ten
# times as many, 91 to 93 % of intervals contain the printed number, with as many 65 to 73 %
# (largest of 20 lognormal, exponential or normal values).
_MORE_RUNS = 10
UNLIKE = "The weighted F1 of the same method in the same row is outside, or farther off."
TOO_WIDE = "The interval of the difference is too wide to show agreement."
_NAMES = ["paper", *KEYS]
_FIT = ["dataset", "embedding", "method", "repeat", "fold"]


def cells(scores, theirs, paper, entries, reasons, tests=(), imitations=(), comparisons=()):
    """Put every printed number of a paper beside ours and judge the difference, one row each.

    `agreement` has the words. If ours has the paper's own rows and folds (`folds` of an entry), the
    interval of "close" follows from the number of held-out predictions. Otherwise it is t standard
    errors of the difference; t is Student's 97.5 % quantile for the number of our values, about
    two. The error of a mean of ours is then taken over runs (data set, embedding, repeat), or over
    folds where there is one run; one single value has none. Where the paper prints no error, its
    own is taken to be ours. A printed standard deviation is taken to have its count below the root:
    the standard error of the mean is sd / sqrt(count - 1). Times are of other machines: they are
    compared as ratios to the first method of the same row. A number of a row that the paper prints
    in two tables (`row_of`) has ours of the first one; if the number is the same, it is not counted
    again.

    `scores` is the long table of `evaluate`, `theirs` has the columns `COLUMNS` as printed.
    `entries` say which of our runs belong to which cells: `table`, `datasets` (pattern over ours),
    `embedding` (pattern), `dataset` and `variant` (texts with groups of the patterns in braces),
    `methods` and `metrics` (ours to the paper's), `ours` (methods of ours to show in the same
    rows), `error` ("sd" over `count` values, or "se"), `statistic` ("mean", "max"), `printed_runs`
    (the paper's number of runs, if ours is another; the largest is then the mean over the largest
    of so many draws from ours, and "close" needs ten times as many runs of ours), `repeats`
    ("dependent": those on one data set count as one run, as trials on one embedding must), `folds`
    ("theirs": rows and folds are the paper's). `reasons` has the columns `REASONS`; names are
    patterns, an empty one matches all, the first match counts. `tests` as for `p_values`,
    `comparisons` as for `printed_comparisons.ours`; `imitations` is the table of
    `fault_comparison.imitate`.

    Columns: `paper`, `KEYS`, `unit`, `printed`, `published` and `ours` (percentages as fractions),
    `se` (ours), `runs`, `rows`, `tolerance`, `difference` (ours - published), `our_method`, `best`
    and `best_method` (of `ours`), `commit`, `code` and `machine` (`run_metadata`), `counted_in`
    (`row_of` of a number that is there, too), `ratio` and `printed_ratio` (of times), `imitations`
    (their number), `status` (one of `agreement.STATUSES`), `reason`, `evidence`.
    """
    _check_reasons(reasons)
    rows, parts = theirs.to_dict("records"), []
    for entry in entries:
        published_entries.check_entry(entry, rows)
        parts.append(ours(scores, entry))
    for test in tests:
        published_entries.check_test(test, rows)
        parts.append(p_values(scores, test))
    for entry in comparisons:
        published_entries.check_comparison(entry, rows)
        parts.append(printed_comparisons.ours(_places(scores, entry), entry))
    found = {}
    for new in parts:
        twice = [" / ".join(key) for key in new if key in found]
        require(not twice, f"published: two entries for {', '.join(twice[:1])}")
        found |= new
    _check_keys(found, rows, paper)
    places = zip(rows, repeated_rows.first_keys(rows), repeated_rows.counted_in(rows), strict=True)
    both = [
        beside(row | {"paper": paper}, found.get(key)) | {"counted_in": first}
        for row, key, first in places
    ]
    return judged(pd.DataFrame(both), reasons, imitations)


def check_comparisons(settings, pairs):
    """Refuse comparisons of a configuration's `published:` before the run.

    `pairs` are those of `configuration.pairs`: data set, embedding, methods.
    """
    for entry in settings.get("comparisons", []):
        rows = published_entries.read(PRINTED / f"{settings['paper']}.tsv")
        runs = [(data, name, method) for data, name, methods in pairs for method in methods]
        places = _places(pd.DataFrame(runs, columns=["dataset", "embedding", "method"]), entry)
        rest = entry["method"], entry["metric"]
        _check_keys([(entry["table"], *place, *rest) for place in places], rows, settings["paper"])
        for runs in places.values():
            printed_comparisons.check(entry, runs)


def _check_keys(keys, rows, paper):
    """Refuse names of cells that a paper does not print."""
    known = {tuple(row[key] for key in KEYS) for row in rows}
    stray = [" / ".join(key) for key in keys if key not in known]
    require(not stray, f"published: {paper} prints no {', '.join(stray[:1])}")


def judged(both, reasons, imitations=()):
    """Cells of `beside` with ratios of times, `imitations`, `status`, `reason` and `evidence`."""
    runs = {}
    for run in imitations.to_dict("records") if len(imitations) else []:
        runs.setdefault(tuple(run[key] for key in _NAMES), []).append(run)
    both = reproduction_status.ratios(both)
    cells = both.to_dict("records")
    tried = [runs.get(tuple(cell[key] for key in _NAMES), []) for cell in cells]
    parts = zip(cells, reproduction_status.words(cells), tried, strict=True)
    words = pd.DataFrame([status_of(*part, reasons) for part in parts], index=both.index)
    return both.assign(imitations=list(map(len, tried)), **words)


def _check_reasons(reasons):
    """Raise `InputError` for a kind that no status takes, or an illegal pattern."""
    missing = [name for name in REASONS if name not in reasons]
    require(not missing, f"reasons: no column {', '.join(missing)}; add it, empty or filled")
    known = {kind for kinds in _KINDS.values() for kind in kinds}
    for row in reasons.to_dict("records"):
        kind = row["kind"]
        require(kind in known, f"reasons: unknown kind {kind!r}; known: {', '.join(sorted(known))}")
        side = row["ours"]
        require(side in _SIGNS, f"reasons: ours is {side!r}; give higher, lower or nothing")
        for key in ("paper", *KEYS, "fault"):
            published_entries.pattern(row[key])


def ours(scores, entry):
    """What our runs give for the cells of an entry of `cells`, by the values of `KEYS`."""
    found = {}
    for place, rows in _places(scores, entry).items():
        sizes = rows[rows["metric"] == "test_rows"].set_index(_FIT)["value"]
        for metric, printed in entry["metrics"].items():
            values = dict(list(rows[rows["metric"] == metric].groupby("method")))
            best = _best(values, entry, metric, entry.get("ours", []))
            for method, name in entry["methods"].items():
                if method in values:
                    key = entry["table"], *place, name, printed
                    found[key] = _summary(values[method], entry) | {"our_method": method} | best
                    if entry.get("folds") == "theirs":
                        scored = values[method].dropna(subset="value").set_index(_FIT).index
                        known = scored.isin(sizes.index).all()
                        require(known, f"published: {method} has no metric test_rows")
                        found[key]["rows"] = sizes[sizes.index.isin(scored)].sum() or np.nan
    return found


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
    summary = {"runs": len(values), "root": root} | run_metadata.of(rows)
    if not len(values):
        return summary | {"ours": np.nan, "se": np.nan, "theirs": np.nan}
    printed, known = entry.get("printed_runs", len(values)), len(values) > 1
    if entry.get("statistic") == "max":
        center, error = _largest(values, printed)
        center = center if "printed_runs" in entry else values.max()
        known = len(values) >= _MORE_RUNS * printed
    else:
        center = values.mean()
        error = values.std(ddof=1) / np.sqrt(printed) if known else 0.0
        known = known or "printed_runs" not in entry
    se = error * np.sqrt(printed / len(values))
    return summary | {"ours": center, "se": se, "theirs": error if known else np.inf}


def _largest(values, size):
    """Mean and standard deviation of the largest of `size` draws from some values."""
    ranks = np.arange(len(values) + 1) / len(values)
    weights, ordered = np.diff(ranks**size), np.sort(values)
    mean = weights @ ordered
    return mean, np.sqrt(weights @ (ordered - mean) ** 2)


def beside(row, found):
    """One printed number, a row with `paper`, beside ours, a value of `ours` or None."""
    unit, value, error = row["unit"], row["value"], row["error"]
    units = reproduction_status.UNITS
    require(unit in units, f"published: unknown unit {unit!r}; known: {', '.join(units)}")
    scale = units[unit]
    cell = {key: row[key] for key in (*_NAMES, "unit")}
    cell["printed"] = f"{value} ± {error}" if error else value
    cell["published"] = scale * float(value) if value else np.nan
    empty = dict.fromkeys(FOUND, np.nan) | {"our_method": "", "best_method": ""}
    empty |= dict.fromkeys(run_metadata.COLUMNS, "")
    if found is None:
        return cell | empty
    printed = found["root"] and error
    theirs = scale * float(error) / found["root"] if printed else found.get("theirs", found["se"])
    shown = empty | {name: found[name] for name in empty if name in found}
    quantile = student.ppf(0.975, found["runs"] - 1) if found["runs"] > 1 else 2.0
    noise = quantile * np.hypot(found["se"], theirs)
    half = reproduction_status.half_digit(value, unit) if value else 0.0
    shown["tolerance"] = reproduction_status.tolerance(row["metric"], half, shown["rows"], noise)
    shown["difference"] = found["ours"] - cell["published"]
    return cell | shown


def status_of(cell, status, imitations, reasons):
    """`status` of a cell of `beside`, with `reason` and `evidence` if needed and known.

    `status` is that of `agreement.words`; `imitations` are the rows of this cell.
    """
    if status == reproduction_status.REPEATED:
        place = cell["counted_in"].replace("_", " ")
        return {"status": status, "reason": f"Counted in {place}.", "evidence": ""}
    returned = [run for run in imitations if run["verdict"] in reproduction_status.RETURNED]
    if status == reproduction_status.OUTSIDE and returned:
        evidence = "Ours with and without it is in the table of imitations."
        faults = "; or: ".join(run["fault"] for run in returned)
        return {"status": reproduction_status.IMITATED, "reason": faults, "evidence": evidence}
    for reason in reasons.to_dict("records"):
        kind, sign = reason["kind"], _SIGNS[reason["ours"]]
        if (
            kind in _KINDS.get(status, ())
            and all(re.fullmatch(reason[key] or ".*", cell[key]) for key in _NAMES)
            and (sign == 0 or sign * cell["difference"] > 0)
            and _supported(reason["fault"], cell, imitations)
        ):
            kept = reproduction_status.NOT_JUDGED, reproduction_status.OTHER_SIDE
            stays = status in kept and kind != reproduction_status.OTHER_DATA
            status = status if stays else kind
            return {"status": status} | {name: reason[name] for name in ("reason", "evidence")}
    too_wide = cell["unit"] != "s" and reproduction_status.wide(cell)  # without a tolerance: no
    reason = TOO_WIDE if status == reproduction_status.NOT_JUDGED and too_wide else ""
    paired = status in (reproduction_status.CLOSE, reproduction_status.OUTSIDE)
    if paired and status != reproduction_status.word(cell):
        reason = UNLIKE
    for word in (reproduction_status.LOSES, reproduction_status.SUPPOSED):
        faults = "; or: ".join(run["fault"] for run in imitations if run["verdict"] == word)
        if status == reproduction_status.OUTSIDE and faults:
            reason = f"{faults}: an imitation {word}."
    if cell["printed_ratio"] > 0 and not cell["ratio"] > 0:
        reason = TWO_RUNS
    return {"status": status, "reason": reason, "evidence": ""}


def _supported(fault, cell, imitations):
    """Whether there are runs with this fault, all nearer to the printed number than ours."""
    runs = [run for run in imitations if re.fullmatch(fault, run["fault"])]
    distances = [abs(run["with_ours"] - cell["published"]) for run in runs]
    return not fault or (runs and all(d < abs(cell["difference"]) for d in distances))


def p_values(scores, test):
    """What a paper prints as p-values, as entries of `ours`: paired t-tests.

    `test` has `table`, `dataset`, `variant` and `method` of the printed number; `datasets` (pattern
    over ours), `first` and `second` (methods of ours), `score` (a metric), `group` (see
    `studies.pairs`). The test is one-sided over data sets; with `over: folds` it is two-sided over
    the folds of all data sets (`paired_t_tests`), one for each `variant`, a text with groups of the
    pattern, the first of which must tell the variants apart. Empty where both methods were run on
    fewer than two of the data sets.
    """
    fits = published_entries.pattern(test["datasets"]).fullmatch
    matches = {name: fits(name) for name in scores["dataset"].unique()}
    variants = {
        name: test["variant"].format(**match.groupdict()) if "over" in test else test["variant"]
        for name, match in matches.items()
        if match is not None
    }
    rows = scores[scores["dataset"].isin(list(variants))]
    parts = rows.groupby(rows["dataset"].map(variants), sort=False)
    found = {}
    for variant, part in parts:
        p, count = _p_value(part, test)
        if count > 1:
            key = (
                test["table"],
                test["dataset"],
                variant,
                test["method"],
                reproduction_status.P_VALUE,
            )
            best = {"best": np.nan, "best_method": ""}
            both = part["method"].isin([test["first"], test["second"]])
            found[key] = {"ours": p, "se": np.nan, "runs": count, "root": None} | best
            found[key] |= run_metadata.of(part[both])
    return found


def _p_value(rows, test):
    """P and the number of pairs of one test."""
    methods = [test["first"], test["second"]]
    if set(methods) - set(rows["method"]):
        return np.nan, 0
    if "over" in test:
        pattern = test["datasets"]
        table = paired_t_tests.paired_tests(rows, test["score"], [methods], pattern)
        return table["p"].iloc[0], table["n"].iloc[0]
    pairs = studies.pairs(rows, *methods, test["score"], test.get("group"))
    if len(pairs) < 2:
        return np.nan, 0
    return studies.paired(pairs["difference"].to_numpy())["t_p"], len(pairs)
