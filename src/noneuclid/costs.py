"""How long a configuration will take and how much memory its jobs need, before it runs.

The laws of the methods stand in ``resources/costs.tsv``; ``benchmarks/costs.py`` measured them.
"""

import csv
from collections import Counter
from dataclasses import dataclass

from noneuclid import configuration

# Measured: CPU seconds of one process on little data, which are imports above all; numba's
# compiled code is in its cache. `keep`: what the first repeat adds by keeping a model.
PROCESS_SECONDS = {
    "acquire": 0.5,
    "embed": 0.4,
    "split": 1.3,
    "train": 1.3,
    "keep": 0.9,
    "draw": 4.8,
}
# Snakemake itself for few jobs, plan, evaluate, report.
END_SECONDS = 10.0
PROCESS_MB = 330.0
MEGABYTE = 1e6


@dataclass(frozen=True)
class Law:
    """Seconds of one fit: p^problems (start + seconds n^n d^d), p the number of binary problems.

    `copies` of the data are the memory; the law was off by a factor `error` at most, on up to
    `largest_n` rows in `largest_d` dimensions. For an ensemble it holds for one tree.
    """

    start: float
    seconds: float
    n: float
    d: float
    problems: float
    copies: float
    error: float
    largest_n: float
    largest_d: float
    source: str

    def of(self, n, d, classes):
        """Seconds of one fit on n rows in d dimensions.

        Examples
        --------
        >>> Law(0.5, 1e-3, 1.0, 0.0, 1.0, 2.0, 1.0, 1e4, 2, "").of(1000, 2, 3)
        4.5
        """
        problems = classes if classes > 2 else 1
        return problems**self.problems * (self.start + self.seconds * n**self.n * d**self.d)


@dataclass(frozen=True)
class Size:
    """Rows, dimension and classes of an embedded data set."""

    n: int
    d: int
    classes: int


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


def read_laws(table):
    """Read ``costs.tsv``: a dictionary from (class, solver) to `Law`."""
    with open(table, newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    keys = [(row.pop("class"), row.pop("solver")) for row in rows]
    laws = [
        Law(**{k: v if k == "source" else float(v or "nan") for k, v in r.items()}) for r in rows
    ]
    return dict(zip(keys, laws, strict=True))


def law_of(laws, method):
    """Law of a method as `configuration.method_of` gives it, and how often it counts; or None."""
    settings = method["settings"]
    law = laws.get((method["class"], settings.get("solver", "")))
    return law, settings.get("n_estimators", 1)


def fits_of(split, repeats, method, folds_of_search):
    """Rows and number of the fits of one method on one data set, all repeats.

    Returns
    -------
    list of (float, int)
        Share of the rows that is fitted on, and how often.

    Examples
    --------
    >>> fits_of({"scheme": "stratified_kfold", "folds": 5}, 1, {"grid": {"C": [1, 10]}}, 2)
    [(0.8, 5), (0.4, 20), (1.0, 1), (0.5, 4)]
    """
    if split["scheme"] == "stratified_kfold":
        folds = split.get("folds", 10)
        share = 1 - 1 / folds
    else:
        folds, share = 1, 1 - split.get("test_fraction", 0.0)
    points = 1
    for values in method["grid"].values():
        points *= len(values)
    inner = points * folds_of_search if method["grid"] else 0
    searched = 1 - 1 / folds_of_search
    found = [(share, repeats * folds), (share * searched, repeats * folds * inner)]
    found += [(1.0, 1), (searched, inner)]  # the kept model
    return [(part, count) for part, count in found if count]


def estimate(config, sizes, laws):
    """Rows of the estimate, one for each method on each embedded data set.

    Parameters
    ----------
    config : dict
        A checked configuration, without `each`.
    sizes : dict
        Name of a data set and of an embedding to `Size`, or None where it is unknown.
    laws : dict
        See `read_laws`.

    Returns
    -------
    list of Row
    """
    rows = []
    for dataset, embedding, methods in configuration.pairs(config):
        size, split = sizes[dataset, embedding], configuration.split_of(config, dataset)
        for name in methods:
            method = configuration.method_of(config, name)
            fits = fits_of(split, config["repeats"], method, config["search"]["folds"])
            found = cost(size, method, fits, laws)
            count = sum(times for _, times in fits)
            rows.append(Row(dataset, embedding, name, config["repeats"], count, *found))
    return rows


def cost(size, method, fits, laws):
    """Seconds of all fits, memory of a job in MB (None if unknown), and what is to be said."""
    law, times = law_of(laws, method)
    if size is None:
        return None, None, "size unknown"
    if law is None:
        return None, None, "method not measured"
    seconds = sum(c * times * law.of(size.n * part, size.d, size.classes) for part, c in fits)
    data = 8 * size.n * (size.d + 1) / MEGABYTE
    memory = PROCESS_MB + (2 + law.copies) * data
    beyond = size.n > law.largest_n or size.d > law.largest_d
    measured = f"measured up to n = {law.largest_n:.0f}, d = {law.largest_d:.0f}"
    return seconds, memory, measured if beyond else ""


def embedding_seconds(config, sizes, laws):
    """Seconds of all embeddings with a law and a size, and the names of the others."""
    total, unknown = 0.0, set()
    for (_, embedding), size in sizes.items():
        module = config["embeddings"][embedding]["module"]
        law = laws.get((module, ""))
        if law is not None and size is not None:
            total += law.of(size.n, size.d, size.classes)
        elif not module.endswith(".given"):
            unknown.add(embedding)
    return total, sorted(unknown)


def process_seconds(config):
    """CPU seconds that all processes spend besides fitting, and the number of processes."""
    datasets, pairs = len(config["datasets"]), configuration.pairs(config)
    counts = {
        "acquire": datasets,
        "embed": len(pairs),
        "split": datasets * config["repeats"],
        "train": config["repeats"] * sum(len(methods) for *_, methods in pairs),
        "draw": len(configuration.drawn_pairs(config)),
        "keep": sum(len(methods) for *_, methods in pairs),
    }
    seconds = sum(PROCESS_SECONDS[stage] * count for stage, count in counts.items())
    return seconds + END_SECONDS, sum(counts.values()) - counts["keep"] + 3


def size_of_generator(settings, dimension):
    """Size that the settings of a generator promise; None if they do not say.

    Examples
    --------
    >>> size_of_generator({"classes": 3, "per_class": 20, "dimension": 5}, 2)
    Size(n=60, d=5, classes=3)
    >>> size_of_generator({"label": "kind"}, 2)
    """
    classes = settings.get("classes", 2)
    n = settings.get("points", settings.get("nodes"))
    n = settings["per_class"] * classes if "per_class" in settings else n
    if not isinstance(n, int) or not isinstance(classes, int):
        return None
    return Size(n, settings.get("dimension", dimension), classes)


def summary(config, sizes, laws):
    """Text of the estimate: a line for each method, the total, and what it leaves out."""
    rows = estimate(config, sizes, laws)
    lines = ["method\tjobs\tfits\tcore-hours\tMB of the largest job\tremarks"]
    for method in config["methods"]:
        lines.append(_line(method, [row for row in rows if row.method == method]))
    fitting = sum(row.seconds or 0.0 for row in rows)
    embedding, unknown = embedding_seconds(config, sizes, laws)
    starting, processes = process_seconds(config)
    lines.append(f"fits: {fitting / 3600:.3g} core-hours")
    lines.append(f"embeddings: {embedding / 3600:.3g} core-hours")
    lines.append(f"{processes} processes, all else that they do: {starting / 3600:.3g} core-hours")
    left = [f"embedding {name}: size unknown or not measured" for name in unknown]
    missing = sum(row.jobs for row in rows if row.seconds is None)
    if missing:
        left.append(f"{missing} train jobs: see remarks")
    if "certificates" in config:
        left.append("certificates")
    total = f"{(fitting + embedding + starting) / 3600:.3g} core-hours"
    lines.append(f"total: {'at least ' if left else ''}{total}")
    return "\n".join([*lines, *(f"not counted: {text}" for text in left)])


def _line(method, rows):
    """Line of the table for one method, over all data sets."""
    jobs, fits = sum(row.jobs for row in rows), sum(row.fits for row in rows)
    known = [row for row in rows if row.seconds is not None]
    counts = Counter(row.remark for row in rows for _ in range(row.jobs) if row.remark)
    remarks = "; ".join(f"{count} jobs: {remark}" for remark, count in sorted(counts.items()))
    if not known:
        return f"{method}\t{jobs}\t{fits}\t?\t?\t{remarks}"
    least = "" if len(known) == len(rows) else "at least "
    hours = f"{least}{sum(row.seconds for row in known) / 3600:.3g}"
    memory = f"{least}{max(row.memory_mb for row in known):.0f}"
    return f"{method}\t{jobs}\t{fits}\t{hours}\t{memory}\t{remarks}"
