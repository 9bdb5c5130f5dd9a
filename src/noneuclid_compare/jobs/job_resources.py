"""What a job asks a scheduler for: megabytes and minutes, from the size of the data that it reads.

Laws of `noneuclid_compare.jobs.costs`. To ask for too little costs one more attempt, which asks for
twice as much; to ask for too much costs waiting in the queue.
"""

from functools import cache
from math import ceil
from pathlib import Path
from typing import NamedTuple

import numpy as np

from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.config import configuration
from noneuclid_compare.jobs import costs, file_sizes

# Snakemake itself, of which two processes surround the job.
AROUND_MB = 300
# Laws are measured on one kind of data, and a fit is not all that a process does.
MARGIN = 2
# A start on a busy file system, and the first compilation.
START_MINUTES = 10
# Copies of a data set and of its distances that an embedding holds at its peak.
COPIES, PAIRS = 8, 6
# Methods that fit longer than this are worth a job of their own.
SMALL_SECONDS = 300.0


class Need(NamedTuple):
    """Memory in MB and time limit in minutes of a first attempt."""

    memory: int
    minutes: int


# Where there is no law, or no data to see yet.
UNKNOWN = Need(2000, 60)


def size_of(path):
    """Rows, dimension and classes of the points in ``results/embed``, or None before they exist."""
    header = header_of(path)
    if header is None:
        return None
    shapes, values = header
    n, columns = shapes["points"]
    dimension = columns - (values["chart"] in ("hyperboloid", "simplex"))
    return costs.Size(n, dimension, len(values["class_names"]))


def header_of(path):
    """Header of a file as it is now; None for one that the job itself will complain of."""
    try:
        return _read_header(path, Path(path).stat().st_mtime_ns)
    except (FileNotFoundError, InputError):
        return None


@cache
def _read_header(path, _time):
    return io.read_header(path)


def acquire(paths, params, use=""):
    """Need of one acquire job on files of the user's own, or fetched before."""
    return Need(file_sizes.acquire_mb(paths, params, use), START_MINUTES)


def train(config, laws, method, dataset, size):
    """Need of one train job, all folds, inner search and a kept model included."""
    seconds, memory = _fitting(config, laws, method, dataset, size)
    if seconds is None:
        return UNKNOWN
    return Need(ceil(AROUND_MB + MARGIN * memory), START_MINUTES + ceil(MARGIN * seconds / 60))


def train_group(config, laws, dataset, embedding, method, size):
    """Name of the job that this fit shares with others where jobs are submitted.

    Small fits on one data set share a job; a long one stays alone.
    """
    if is_small(config, laws, method, dataset, size):
        return f"fits_{dataset}"
    return "_".join(["fit", dataset, embedding, method])


def is_small(config, laws, method, dataset, size):
    """Whether a train job shares one with others: its law says minutes, on these data if known."""
    seconds, _ = _fitting(config, laws, method, dataset, size or costs.Size(2000, 2, 10))
    return seconds is not None and seconds < SMALL_SECONDS


def _fitting(config, laws, method, dataset, size):
    """Seconds of all fits of a job and its memory in MB, or None without a law or a size."""
    entry = configuration.method_of(config, method)
    split = configuration.split_of(config, dataset)
    kept = configuration.keep_models(config)
    fits = costs.fits_of(split, 1, entry, config["search"]["folds"], keep_model=kept)
    seconds, memory, _ = costs.cost(size, entry, fits, laws)
    return seconds, memory


def embed(laws, entry, path):
    """Need of one embed job on the data set in ``results/acquire``; `entry` is the embedding's."""
    header = header_of(path)
    if header is None:
        return UNKNOWN
    shapes, values = header
    n, classes = shapes["labels"][0], len(values["class_names"])
    numbers = COPIES * sum(np.prod(shape, dtype=float) for shape in shapes.values())
    use, params = entry["use"], entry.get("params", {})
    linear = use in costs.LINEAR
    if not linear and use not in costs.SPARSE:
        numbers += PAIRS * float(costs.embedded_together(use, params, n)) ** 2
    law = laws.get((use, ""))
    seconds = law.of(n, 2, classes) if law else 0.0
    minutes = START_MINUTES if linear or law else UNKNOWN.minutes
    memory = AROUND_MB + MARGIN * costs.PROCESS_MB + 8 * numbers / costs.MEGABYTE
    memory += MARGIN * n * costs.SPARSE.get(use, 0.0)
    return Need(ceil(memory), minutes + ceil(MARGIN * seconds / 60))
