"""Rows of the page's provenance tables, from the train jobs."""

import hashlib
import re
from collections import Counter

import numpy as np

from noneuclid_compare import wording
from noneuclid_compare.evaluation import convergence
from noneuclid_compare.report import style

# Packages whose versions the printed page names.
IMPRINTED = ("noneuclid", "numpy", "python", "scikit-learn")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*\w)")


def solved(fold):
    """Whether every problem of a fit converged; several classes may need several problems."""
    return convergence.solved(fold["status"])


def fits(run):
    """The fits of a train job: of each fold, and of the kept model."""
    return [*run["folds"], *([run["model"]] if run.get("model") else [])]


def late(runs):
    """How many fits of some train jobs did not converge, in words; empty if all did."""
    every = [fit for run in runs for fit in fits(run)]
    failed = sum(not solved(fit) for fit in every)
    kept = any(run.get("model") and not solved(run["model"]) for run in runs)
    among = ", the kept model among them" if kept else ""
    return f"{failed} of {wording.count(len(every), 'fit')} did not converge{among}" * bool(failed)


def _several(value):
    """A list of one value per problem from a list or one value."""
    return value if isinstance(value, list) else [value]


def is_stale(run):
    """Whether this run was made by other code than the present one."""
    current = run.get("current_digest")
    return current is not None and current != run["digest"]


def run_rows(runs):
    """One row per train job, with its folds summarised in words."""
    return [_run_row(run) for run in runs]


def _run_row(run):
    folds, every = run["folds"], fits(run)
    fit = _numbers(folds, "fit_seconds")
    gaps = _numbers(folds, "gap")
    statuses = Counter(
        status for fold in every for status in _several(fold["status"]) if status is not None
    )
    grid = {
        name: f"{{{wording.number(values, none='None')}}}" for name, values in run["grid"].items()
    }
    return {
        **{key: run[key] for key in ("dataset", "embedding", "method", "class", "repeat", "seed")},
        "chart": wording.signature(run["chart"]),
        "settings": style.settings({**run["settings"], **grid}) or "defaults",
        "chosen": tally(Counter(style.settings(fold["best"]) for fold in folds if fold["best"])),
        "status": tally(statuses),
        "bad": not all(map(solved, every)),
        "iterations": _range(_numbers(folds, "n_iter")),
        "gap": wording.number(max(gaps)) if gaps else "–",
        "fit": wording.seconds(float(np.mean(fit))),
        "fit_sort": float(np.mean(fit)),
        "memory": wording.number(run["peak_memory_mb"]),
        "digest": run["digest"],
        "current_digest": run.get("current_digest"),
        "stale": is_stale(run),
        "warnings": sum(len(fold["warnings"]) for fold in every),
    }


def tally(counts):
    """Write counted texts, the commonest first.

    Examples
    --------
    >>> tally(Counter({"optimal": 4, "max_iter": 1}))
    'optimal ×4, max_iter ×1'
    """
    ordered = sorted(counts.items(), key=lambda item: (-item[1], str(item[0])))
    return ", ".join(f"{text} ×{n}" for text, n in ordered) or "–"


def warning_rows(runs):
    """Warnings with their counts and folds, commonest first.

    Warnings that differ in numbers alone are one.
    """
    found = {}
    for run in runs:
        for fold in fits(run):
            place = f"{run['repeat']}.{fold['fold']}" if "fold" in fold else "kept model"
            for text in fold["warnings"]:
                key = _NUMBER.sub("#", text), run["method"], run["dataset"], run["embedding"]
                found.setdefault(key, []).append((text, place))
    listed = [
        {
            "text": in_ranges([text for text, _ in at]),
            "method": method,
            "dataset": dataset,
            "embedding": embedding,
            "count": len(at),
            "folds": ", ".join(dict.fromkeys(fold for _, fold in at)),
        }
        for (_, method, dataset, embedding), at in found.items()
    ]
    return sorted(listed, key=lambda row: (-row["count"], row["method"], row["dataset"]))


def in_ranges(texts):
    """Texts that differ in their numbers alone as one text."""
    places = zip(*(_NUMBER.findall(text) for text in texts), strict=True)
    ends = iter([(min(place, key=float), max(place, key=float)) for place in places])
    return _NUMBER.sub(lambda _: " to ".join(dict.fromkeys(next(ends))), texts[0])


def version_rows(runs):
    """Package, its versions (with counts where runs differ), and whether they differ."""
    seen = {}
    for run in runs:
        for name, version in run["versions"].items():
            seen.setdefault(name, Counter())[str(version)] += 1
    return [
        (name, next(iter(counts)) if len(counts) == 1 else tally(counts), len(counts) > 1)
        for name, counts in sorted(seen.items())
    ]


def checksum_rows(runs):
    """Data checksums of each pair; several if runs read different data."""
    seen = {}
    for run in runs:
        sums = seen.setdefault((run["dataset"], run["embedding"]), [])
        if run["data_checksum"] not in sums:
            sums.append(run["data_checksum"])
    return [(*pair, sums) for pair, sums in sorted(seen.items())]


def imprint(runs):
    """Where the numbers of a run come from, in one line for the printed page.

    The digest is the same for two runs of the same code on the same data with the same seeds.
    """
    versions = ", ".join(
        f"{name} {version}" for name, version, _ in version_rows(runs) if name in IMPRINTED
    )
    keys = ("dataset", "embedding", "method", "repeat", "seed", "digest", "data_checksum")
    lines = sorted(" ".join(str(run[key]) for key in keys) for run in runs)
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    counted = wording.count(sum(len(fits(run)) for run in runs), "fit")
    whole = sum(len(fits(run)) - len(run["folds"]) for run in runs)
    counted += f" ({whole} of them on all rows)" if whole else ""
    return (
        f"{versions}. {counted} of "
        f"{wording.count(len({run['method'] for run in runs}), 'method')} on "
        f"{wording.count(len({run['dataset'] for run in runs}), 'data set')}. "
        f"SHA-256 of code, data and seeds: {digest}"
    )


def flatten(values, prefix=""):
    """Nested dictionaries as (dotted name, text) rows.

    Examples
    --------
    >>> flatten({"a": {"b": 1}, "c": "x"})
    [('a.b', '1'), ('c', 'x')]
    """
    flat = []
    for name, value in values.items():
        if isinstance(value, dict):
            flat += flatten(value, f"{prefix}{name}.")
        else:
            flat.append((f"{prefix}{name}", wording.number(value)))
    return flat


def _numbers(folds, key):
    values = [value for fold in folds for value in _several(fold.get(key))]
    return [value for value in values if value is not None and np.isfinite(value)]


def _range(values):
    if not values:
        return "–"
    low, high = min(values), max(values)
    return " to ".join(map(wording.number, [low] if low == high else [low, high]))
