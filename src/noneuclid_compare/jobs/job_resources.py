"""What a job asks a scheduler for: megabytes by the size of its data, and minutes.

To ask for too little costs one more attempt, which asks for more; to ask for too much costs waiting
in the queue. Memory follows a small law for each family of methods; ``benchmarks/costs.tsv`` and
``benchmarks/atlas_classifiers.tsv`` have the measured peaks.
"""

from dataclasses import dataclass
from functools import cache
from math import ceil, prod
from pathlib import Path
from typing import NamedTuple

from noneuclid.errors import InputError
from noneuclid.geometry import spaces
from noneuclid_compare import io
from noneuclid_compare.config import configuration
from noneuclid_compare.embed import original_features
from noneuclid_compare.evaluation import baselines
from noneuclid_compare.jobs import file_sizes, finished_jobs, forests

# One process with its libraries; Snakemake itself, of which two processes surround the job.
PROCESS_MB, AROUND_MB = 330, 300
# Peaks are measured on one kind of data, and a fit is not all that a process does.
MARGIN = 2
# By a word in the class or a parameter of a method, the first that fits: copies of the data at the
# peak of a fit, and numbers for each row and class beyond two.
FAMILIES = {
    "moment": (1500, 3),
    "regular_polygon": (600, 8),
    "'box'": (160, 8),
    "'sdp'": (75, 3),
    "HilbertSVC": (26, 10),
    "HilbertNearest": (8, 8),
    "HistGradient": (15, 3),
    "ogistic": (8, 8),
    "": (12, 3),
}
# Methods that hold matrices of all pairs of rows, and how many.
MATRICES = {
    "noneuclid.HyperbolicGaussianProcessClassifier": 10,
    "noneuclid.HyperbolicGaussianProcessRegressor": 10,
    "noneuclid.HyperbolicKernelRidge": 3,
    "noneuclid.HyperbolicKernelSVC": 2,
    "noneuclid.ProductKernelSVC": 3,
    "product_kernel_ridge": 3,
}
# Baselines that approximate a kernel on many rows.
APPROXIMATED = ("baseline_svm", "baseline_svr")
# Embeddings of a few passes over the data, and copies of the data that others hold.
LINEAR, COPIES = ("given", "lifted_pca", "log_ratio", "original_features"), 8
# Matrices of all pairs of rows that an embedding holds, or MB for each row of one without.
PAIRS, SPARSE = 6, {"hyperbolic_umap": 0.004, "product_umap": 0.004, "hyperbolic_images": 0.001}
# Nodes of a graph of which the lengths of all paths are held.
PATHS = 2000
# Rows that poincare_maps embeds with all their pairs by default.
LANDMARKS = {"poincare_maps": 5000}
# Embeddings whose points have the dimension of the data, whatever their parameters.
KEEPING = ("given", "log_ratio", "original_features")
# Minutes of a start on a busy file system, of a short fit, and of anything else.
START, SHORT, LONG = 10, 15, 240
EMBED = 60
# Fits whose data and model take less than this are short.
SHORT_MB = 20


class Need(NamedTuple):
    """Memory in MB and time limit in minutes of a first attempt."""

    memory: int
    minutes: int


# Where there are no data to see yet.
UNKNOWN = Need(2000, EMBED)
SPLIT, DRAW, PAGE = Need(500, 5), Need(2000, 20), Need(2000, 20)


def acquire(paths, params, use=""):
    """Need of one acquire job on files of the user's own, or fetched before."""
    return Need(file_sizes.acquire_mb(paths, params, use), START)


def embed(dataset, entry):
    """Need of one embed job on the data set in ``results/acquire``; `entry` is the embedding's."""
    header = header_of(f"results/acquire/{dataset}.npz")
    if header is None:
        return UNKNOWN
    shapes = header[0]
    numbers = sum(map(prod, shapes.values()))
    memory = of_embedding(entry, shapes["labels"][0], numbers)
    return Need(ceil(memory), START if entry["use"] in LINEAR else EMBED)


def link_prediction(config, dataset):
    """Need of one job that fits all embeddings of a network, one after the other."""
    names = config["datasets"][dataset]["embeddings"]
    needs = [embed(dataset, config["embeddings"][name]) for name in names]
    return Need(max(need.memory for need in needs), sum(need.minutes for need in needs))


def signatures(dataset):
    """Need of one job that compares signatures on a sample of rows.

    It holds the data; of a small graph also the lengths of all paths.
    """
    header = header_of(f"results/acquire/{dataset}.npz")
    if header is None:
        return UNKNOWN
    shapes = header[0]
    n, numbers = shapes["labels"][0], sum(map(prod, shapes.values()))
    numbers = COPIES * numbers + PAIRS * min(n, PATHS) ** 2 * ("edges" in shapes)
    return Need(ceil(_asked(8e-6 * numbers / MARGIN)), EMBED)


def train(config, dataset, embedding, method):
    """Need of one train job: a default, and twice what finished jobs of the method took."""
    size = size_of(config, dataset, embedding)
    if size is None:
        return UNKNOWN
    memory = of_fit(configuration.method_of(config, method), size)
    minutes = SHORT if is_short(memory) else LONG
    taken = finished_jobs.seconds_of(dataset, embedding, method) or 0.0
    return Need(ceil(memory), minutes + ceil(MARGIN * taken / 60))


def train_group(config, dataset, embedding, method):
    """Name of the job that this fit shares with others where jobs are submitted.

    Short fits on one data set share a job; a long one stays alone. Fits whose size is not known
    count as short.
    """
    size = size_of(config, dataset, embedding)
    if size is None or is_short(of_fit(configuration.method_of(config, method), size)):
        return f"fits_{dataset}"
    return "_".join(["fit", dataset, embedding, method])


def size_of(config, dataset, embedding):
    """Size of an embedded data set, or None before its data set is acquired."""
    return of_pair(dataset, embedding, config["embeddings"][embedding])


def is_short(memory):
    """Whether a fit takes minutes at most, by the memory of its job."""
    return memory < AROUND_MB + MARGIN * (PROCESS_MB + SHORT_MB)


@dataclass(frozen=True)
class Size:
    """Rows, dimension and classes of an embedded data set."""

    n: int
    d: int
    classes: int


def of_pair(dataset, name, embedding):
    """Size of the points in ``results/embed``, else of those to come, else None.

    `embedding` is the entry of the embedding `name`.
    """
    if header := header_of(f"results/embed/{dataset}/{name}.npz"):
        shapes, values = header
        n, columns = shapes["points"]
        d = spaces.dimension(columns, values["chart"])
    elif header := header_of(f"results/acquire/{dataset}.npz"):
        shapes, values = header
        (n,), (_, d) = shapes["labels"], shapes.get("features", (0, 0))
        if embedding["use"] not in KEEPING:
            d = embedding.get("params", {}).get("n_components", 2)
        elif d == 0:  # a graph, of which the eigenvectors are taken
            d = min(original_features.COMPONENTS, n - 2)
    else:
        return None
    return Size(n, d, len(values["class_names"]))


def header_of(path):
    """Header of a file as it is now; None for one that the job itself will complain of."""
    try:
        path = Path(path).absolute()
        return _read_header(path, path.stat().st_mtime_ns)
    except (FileNotFoundError, InputError):
        return None


@cache
def _read_header(path, _time):
    return io.read_header(path)


def of_fit(method, size):
    """Megabytes that a train job asks for; `method` as `configuration.method_of` gives it."""
    n, name = size.n, method["use"]
    copies, held = next(numbers for word, numbers in FAMILIES.items() if word in str(method))
    numbers = n * (copies * (size.d + 1) + held * max(0, size.classes - 2))
    numbers += MATRICES.get(name, 0) * n**2
    if name in APPROXIMATED and n > baselines.EXACT_ROWS:
        numbers += 2 * n * baselines.LANDMARKS
    return _asked(8e-6 * numbers + forests.memory_mb(method, n, size.classes))


def of_embedding(entry, n, numbers):
    """Megabytes that an embed job asks for, for n rows and the numbers of their data set."""
    use, params = entry["use"], entry.get("params", {})
    total = COPIES * numbers
    if use not in LINEAR and use not in SPARSE:
        # The other rows follow in closed form.
        total += PAIRS * min(n, params.get("n_landmarks") or LANDMARKS.get(use, n)) ** 2
    return _asked(8e-6 * total / MARGIN + SPARSE.get(use, 0.0) * n)


def _asked(megabytes):
    return AROUND_MB + MARGIN * (PROCESS_MB + megabytes)
