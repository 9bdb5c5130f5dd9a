"""How long a configuration will take and how much memory its jobs need, before it runs."""

import math
from collections import Counter
from dataclasses import dataclass

from noneuclid_compare import wording
from noneuclid_compare.config import configuration
from noneuclid_compare.jobs import costs

# Measured: CPU seconds of one process on little data, with Snakemake's part; compiled code is in
# numba's cache. `keep`: what the first repeat adds by keeping a model.
PROCESS_SECONDS = {
    "acquire": 0.2,
    "embed": 0.2,
    "split": 0.2,
    "train": 0.25,
    "isometries": 0.25,
    "keep": 0.05,
    "draw": 4.8,
    "certify": 0.4,
}
# Of loading the libraries, once for a run on one machine, once for each process of a cluster.
LOADING_SECONDS = 1.2
# Of storing and of reading a megabyte of points.
WRITE_SECONDS, READ_SECONDS = 0.003, 0.003
# Snakemake itself for few jobs, plan, evaluate, report.
END_SECONDS = 10.0
# Random walks are learnt after as many epochs, on three networks of cho2019.
EPOCHS = 35


@dataclass(frozen=True)
class Row:
    """Estimate for one method on one embedded data set; `seconds` is None if it has no law."""

    dataset: str
    embedding: str
    method: str
    jobs: int
    fits: int
    seconds: float | None
    memory_mb: float | None
    remark: str


def estimate(config, sizes, laws):
    """Rows of the estimate, one for each method on each embedded data set."""
    rows = []
    for dataset, embedding, methods in configuration.pairs(config):
        size, split = sizes[dataset, embedding], configuration.split_of(config, dataset)
        for name in methods:
            method = configuration.method_of(config, name)
            folds = config["search"]["folds"]
            kept = configuration.keep_models(config)
            fits = costs.fits_of(split, config["repeats"], method, folds, size, kept)
            found = costs.cost(size, method, fits, laws)
            count = sum(times for _, times in fits)
            rows.append(Row(dataset, embedding, name, config["repeats"], count, *found))
    return rows


def embedding_seconds(config, sizes, laws):
    """Seconds of all embeddings with a law and a size, and the names of the others."""
    total, unknown = 0.0, set()
    for (_, embedding), size in sizes.items():
        use = config["embeddings"][embedding]["use"]
        law = laws.get((use, ""))
        if law is not None and size is not None:
            params = config["embeddings"][embedding].get("params", {})
            share = min(1, params.get("max_epochs", EPOCHS) / EPOCHS)
            total += share * law.of(size.n, size.d, size.classes)
        elif use not in costs.LINEAR:
            unknown.add(embedding)
    return total, sorted(unknown)


def process_seconds(config, sizes):
    """CPU seconds that all processes spend besides fitting, and the number of processes."""
    datasets, pairs = len(config["datasets"]), configuration.pairs(config)
    counts = {
        "acquire": datasets,
        "embed": len(pairs),
        "split": datasets * config["repeats"],
        "train": config["repeats"] * sum(len(methods) for *_, methods in pairs),
        "isometries": config["repeats"] * len(configuration.isometry_runs(config)),
        "draw": len(configuration.drawn_pairs(config)),
        "keep": configuration.keep_models(config) * sum(len(methods) for *_, methods in pairs),
        "certify": len(configuration.certified_pairs(config)),
    }
    seconds = sum(PROCESS_SECONDS[stage] * count for stage, count in counts.items())
    for dataset, embedding, methods in pairs:
        size, readers = sizes[dataset, embedding], 1 + config["repeats"] * len(methods)
        megabytes = 8 * size.n * (size.d + 1) / costs.MEGABYTE if size else 0.0
        seconds += megabytes * (2 * WRITE_SECONDS + readers * READ_SECONDS)
    return seconds + END_SECONDS, sum(counts.values()) - counts["keep"] + 3


def refitting_seconds(config, size, laws, dataset, method):
    """Seconds of a job of stage isometries, a fit for each fold; None without a law or a size."""
    entry = configuration.method_of(config, method)
    fits = [costs.refits_of(configuration.split_of(config, dataset))]
    return costs.cost(size, entry, fits, laws)[0]


def isometry_seconds(config, sizes, laws):
    """Seconds of all jobs of stage isometries with a law and a size; number of the others."""
    found = [
        refitting_seconds(config, sizes[dataset, embedding], laws, dataset, method)
        for dataset, embedding, method, _ in configuration.isometry_runs(config)
    ]
    known = [seconds for seconds in found if seconds is not None]
    return config["repeats"] * sum(known), config["repeats"] * (len(found) - len(known))


def certificate_seconds(config, sizes, laws):
    """Seconds of all certificates with a law and a size; the number of the others."""
    total, unknown = 0.0, 0
    settings = configuration.certify_settings(config) if "certificates" in config else {}
    for pair in configuration.certified_pairs(config):
        for entry in settings["solvers"].values():
            chosen = {"multi_class": settings["multi_class"], **entry}
            method, fits = (
                {"use": costs.CERTIFIED, "params": chosen},
                [(1.0, len(settings["C"]))],
            )
            seconds, *_ = costs.cost(sizes[pair], method, fits, laws)
            if seconds is None:
                unknown += 1
            elif costs.problems_of(sizes[pair], chosen)[1].n <= entry.get("max_points", math.inf):
                total += seconds
    return total, unknown


def summary(config, sizes, laws):
    """Text of the estimate: a line for each method, the total, and what it leaves out."""
    rows = estimate(config, sizes, laws)
    head = ("method", "jobs", "fits", "core time", "MB of the largest job", "remarks")
    table = [
        _cells(name, [row for row in rows if row.method == name]) for name in config["methods"]
    ]
    lines = _aligned([head, *table])
    fitting = sum(row.seconds or 0.0 for row in rows)
    embedding, unknown = embedding_seconds(config, sizes, laws)
    starting, processes = process_seconds(config, sizes)
    loading = LOADING_SECONDS * processes
    lines.append(f"fits: {_hours(fitting)}")
    lines.append(f"embeddings: {_hours(embedding)}")
    certifying, uncertain = certificate_seconds(config, sizes, laws)
    if "certificates" in config:
        lines.append(f"certificates: {_hours(certifying)}")
    moving, unmeasured = isometry_seconds(config, sizes, laws)
    if "isometries" in config:
        lines.append(f"isometries: {_hours(moving)}")
    lines.append(f"other work of the {processes} processes: {_hours(starting)}")
    lines.append(f"on a cluster, where each loads the libraries: {_hours(loading)} more")
    left = _unknown(config, sizes, laws, unknown)
    missing = sum(row.jobs for row in rows if row.seconds is None)
    if missing:
        left.append(f"{missing} train jobs: see remarks")
    if unmeasured:
        left.append(f"{unmeasured} isometries jobs: see remarks")
    if uncertain:
        known = all(sizes[pair] for pair in configuration.certified_pairs(config))
        why = "" if known else "the size of their data set is unknown, or "
        left.append(f"{uncertain} certificates: {why}the cost of their solver was not measured")
    total = _hours(fitting + embedding + certifying + moving + starting)
    lines.append(f"total: {'at least ' if left else ''}{total}")
    beyond = sum(row.jobs for row in rows if row.remark.startswith(costs.EXTRAPOLATED))
    if beyond:
        jobs = wording.count(beyond, "train job")
        lines.append(
            f"uncertain: {jobs} on larger data than measured can take several times as long"
        )
    return "\n".join([*lines, *(f"not counted: {text}" for text in left)])


def _unknown(config, sizes, laws, embeddings):
    """Lines on embeddings without a law and data sets without a size, with remedies."""
    lines = []
    for name in embeddings:
        datasets = sorted(d for (d, e), size in sizes.items() if e == name and size is not None)
        if datasets and (config["embeddings"][name]["use"], "") not in laws:
            lines.append(
                f"embedding {name} of {wording.several(datasets)}: its cost was not measured; time "
                "it on a part of the rows"
            )
    unread = sorted({dataset for (dataset, _), size in sizes.items() if size is None})
    if unread:
        lines.append(
            f"{wording.several(unread)}: size unknown before the data are read; `noneuclid run "
            "acquire_all` reads them, then estimate again"
        )
    return lines


def _cells(method, rows):
    """Texts of one method, over all data sets."""
    jobs, fits = sum(row.jobs for row in rows), sum(row.fits for row in rows)
    known = [row for row in rows if row.seconds is not None]
    counts = Counter(row.remark for row in rows for _ in range(row.jobs) if row.remark)
    remarks = "; ".join(f"{count} jobs: {remark}" for remark, count in sorted(counts.items()))
    if not known:
        return method, str(jobs), str(fits), "?", "?", remarks
    least = "" if len(known) == len(rows) else "at least "
    time = f"{least}{wording.seconds(sum(row.seconds for row in known))}"
    memory = f"{least}{max(row.memory_mb for row in known):.0f}"
    return method, str(jobs), str(fits), time, memory, remarks


def _aligned(table):
    """Lines of a table of texts: the first and the last column to the left, numbers to the right.

    Examples
    --------
    >>> _aligned([("a", "b", "c"), ("x", "10", "y")])
    ['a   b  c', 'x  10  y']
    """
    *widths, _ = (max(map(len, column)) for column in zip(*table, strict=True))
    lines = []
    for first, *middle, last in table:
        cells = [text.rjust(width) for text, width in zip(middle, widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *cells, last]).rstrip())
    return lines


def _hours(seconds):
    """Core-hours, and the same time in the unit that suits it.

    Examples
    --------
    >>> _hours(90)
    '0.025 core-hours (90 s)'
    """
    return f"{seconds / 3600:.3g} core-hours ({wording.seconds(seconds)})"
