"""What fits of a method cost in time and memory.

The laws of the methods are in ``resources/costs.tsv``; ``benchmarks/costs.py`` measured them.
"""

import csv
from dataclasses import dataclass
from itertools import product

from noneuclid_compare.evaluation import baselines, few_labels
from noneuclid_compare.evaluation.splits import make_split
from noneuclid_compare.jobs import forests
from noneuclid_compare.records import collect_parameters

PROCESS_MB = 330.0
MEGABYTE = 1e6
# Parameters that choose the algorithm, and their values without a word: defaults, or equal in cost.
ALGORITHM = ("solver", "loss", "polytope", "metric")
PLAIN = ("optimal", "hinge", "squared_hinge", "simplex", "hilbert")
# Parameters that a fit takes longer with by a law, or by how often the law counts.
COUNTED = (*ALGORITHM, "n_estimators", "multi_class")
# Embeddings of a few passes over the data: less than starting the process takes.
LINEAR = ("given", "lifted_pca", "log_ratio", "original_features")
# Embeddings that hold no matrix of all pairs of rows, and MB for each row.
SPARSE = {"hyperbolic_umap": 0.004}
# Rows that poincare_maps embeds with all their pairs, unless it is told otherwise.
LANDMARKS = {"poincare_maps": 5000}
# Copies of the decision values of all rows, in a job that keeps them.
PREDICTED = 3
# What goes with every fit: a copy of the estimator, checks, predictions and their score.
FIT_SECONDS = 0.004
# Baselines that approximate a kernel on many rows, and the algorithm of the law for these.
APPROXIMATED, LANDMARKS_WORD = ("baseline_svm", "baseline_svr"), "landmarks"
# Methods that hold matrices of all pairs of rows, and how many.
MATRICES = {
    "HyperbolicGaussianProcessClassifier": 10,
    "HyperbolicKernelRidge": 3,
    "HyperbolicKernelSVC": 2,
}
# What the stage certify solves with.
CERTIFIED = "noneuclid.HyperboloidSVC"
# The moment relaxation as published has no bounded region and takes much longer.
RELEASED_MOMENT, UNBOUNDED = "yang2024_released_moment", "moment published"
# Programs of the papers, by class or solver: they cost what this algorithm of HyperboloidSVC does.
PROGRAMS = {
    "cho2019_released_pgd": "pgd",
    "yang2024_published_pgd": "pgd yang2024",
    "yang2024_released_pgd": "pgd yang2024",
    "yang2024_released_sdp": "sdp",
    RELEASED_MOMENT: "moment",
    "published_pgd": "pgd yang2024",
    "released_pgd": "pgd yang2024",
}
# Trees of two classes by the rules of a program take about as long, drawn from a generator up to
# 0.1 s.
_RULES = (
    "released_tree",
    "released_forest",
    "generator_tree",
    "horosphere_tree",
    "horosphere_forest",
    "loop_trees",
)
ALIKE = {f"chlenski2024_{name}": "noneuclid.HyperbolicDecisionTreeClassifier" for name in _RULES}
# For 640 rows both take at most 0.1 s more.
_LINEAR = ("chlenski2024_released_svm", "chlenski2024_released_logistic")
ALIKE |= dict.fromkeys(_LINEAR, "noneuclid.HyperbolicLogisticRegression")


# Remark on data larger than those that were measured.
EXTRAPOLATED = "extrapolated"


@dataclass(frozen=True)
class Law:
    """Seconds of one fit: p^start_problems start + p^problems seconds n^n d^d.

    p is the number of binary problems. `copies` of the data and, for more than two classes,
    `decisions` numbers for each row and class are the memory; the law was off by a factor `error`
    at most, on up to `largest_n` rows in `largest_d` dimensions. Beyond these dimensions time grows
    at least linearly with d, except where the exponent of d is exactly 0. For an ensemble the law
    holds for one tree.
    """

    start: float
    seconds: float
    n: float
    d: float
    problems: float
    start_problems: float
    copies: float
    decisions: float
    error: float
    largest_n: float
    largest_d: float
    source: str

    def of(self, n, d, classes):
        """Seconds of one fit on n rows in d dimensions."""
        problems = classes if classes > 2 else 1
        growing = self.seconds * n**self.n * d**self.d
        if self.d and d > self.largest_d:
            growing *= (d / self.largest_d) ** max(1.0 - self.d, 0.0)
        return problems**self.start_problems * self.start + problems**self.problems * growing


@dataclass(frozen=True)
class Size:
    """Rows, dimension and classes of an embedded data set."""

    n: int
    d: int
    classes: int


def read_laws(table):
    """Read ``costs.tsv``: a dictionary from (use, algorithm) to `Law`."""
    with open(table, newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    keys = [(row.pop("use"), row.pop("algorithm")) for row in rows]
    laws = [
        Law(**{k: v if k == "source" else float(v or "nan") for k, v in r.items()}) for r in rows
    ]
    return dict(zip(keys, laws, strict=True))


def algorithm_of(params):
    """Algorithm that the parameters of a method choose, in words; empty for the default.

    Examples
    --------
    >>> algorithm_of({"solver": "pgd", "loss": "arcsinh", "C": 1})
    'pgd arcsinh'
    """
    values = [params[key] for key in ALGORITHM if params.get(key) is not None]
    words = [" ".join(v) if isinstance(v, dict) else str(v) for v in values if v not in PLAIN]
    return " ".join(PROGRAMS.get(word, word) for word in words)


def key_of(method):
    """Class and algorithm whose law a method has.

    Examples
    --------
    >>> program = {"use": "yang2024_released_sdp", "params": {"C": 1}}
    >>> key_of(program) == (CERTIFIED, "sdp")
    True
    """
    name, algorithm = method["use"], algorithm_of(method["params"])
    name = ALIKE.get(name, name)
    if name not in PROGRAMS:
        return name, algorithm
    unbounded = name == RELEASED_MOMENT and not method["params"].get("ball")
    # With labels as bytes both classes are positive, which is quick.
    if unbounded and not method["params"].get("byte_labels"):
        return CERTIFIED, UNBOUNDED
    return CERTIFIED, f"{PROGRAMS[name]} {algorithm}".strip()


def embedded_together(use, params, n):
    """Rows of n that an embedding places by all their pairs; others follow in closed form.

    Examples
    --------
    >>> embedded_together("hydra", {"landmarks": 1000}, 10**6)
    1000
    >>> embedded_together("hydra", {}, 10**4), embedded_together("poincare_maps", {}, 10**6)
    (10000, 5000)
    """
    return min(n, params.get("landmarks") or LANDMARKS.get(use, n))


def law_of(laws, method, n):
    """Law for n rows of a method as `configuration.method_of` gives it, or None."""
    if method["use"] in APPROXIMATED and n > baselines.EXACT_ROWS:
        return laws.get((method["use"], LANDMARKS_WORD))
    return laws.get(key_of(method))


def problems_of(size, params):
    """How often a fit of what size the law of a method counts: once a tree, once a pair of classes.

    Examples
    --------
    >>> problems_of(Size(100, 2, 5), {"multi_class": "ovo"})
    (10, Size(n=40.0, d=2, classes=2))
    """
    times, k = params.get("n_estimators", 1), size.classes
    if params.get("multi_class") != "ovo" or k < 3:
        return times, size
    return times * k * (k - 1) // 2, Size(2 * size.n / k, size.d, 2)


def fits_of(split, repeats, method, folds_of_search, size=None, keep_model=True):
    """Share of the rows and number of the fits of one method on one data set, all repeats.

    The share of a few labels depends on the size.
    """
    share, folds = refits_of(split)
    split = collect_parameters(make_split, {}) | split
    if split["scheme"] == few_labels.SCHEME and size is not None:
        values = [few_labels.number_of(split["labels_per_class"], k) for k in range(repeats)]
        few = [share if v == few_labels.ALL else v * size.classes / size.n for v in values]
        share = sum(min(share, one) for one in few) / repeats
    points = 1
    for values in method["grid"].values():
        points *= len(values)
    inner = points * folds_of_search if method["grid"] else 0
    searched = 1 - 1 / folds_of_search
    found = [(share, repeats * folds), (share * searched, repeats * folds * inner)]
    if keep_model:
        found += [(1.0, 1), (searched, inner)]
    return [(part, count) for part, count in found if count]


def refits_of(split):
    """Share of the rows and number of the fits of one repeat without a search."""
    split = collect_parameters(make_split, {}) | split
    if split["scheme"] in ("stratified_kfold", "kfold"):
        return 1 - 1 / split["folds"], split["folds"]
    return 1 - split["test_fraction"], 1


def variants(method):
    """A method with each choice of its grid that changes what a fit costs."""
    params = {"n_estimators": forests.TREES} if forests.is_forest(method) else {}
    params |= method["params"]
    counted = (*COUNTED, *forests.LIMITS) if forests.is_forest(method) else COUNTED
    grid = {key: values for key, values in method.get("grid", {}).items() if key in counted}
    return [
        {"use": method["use"], "params": params | dict(zip(grid, values, strict=True))}
        for values in product(*grid.values())
    ]


def matrices_of(method):
    """How many matrices of all pairs of rows a method holds.

    Examples
    --------
    >>> [matrices_of({"use": use}) for use in ("noneuclid.HyperbolicKernelSVC", "sklearn.svm.SVC")]
    [2, 0]
    """
    return MATRICES.get(method["use"].removeprefix("noneuclid."), 0)


def cost(size, method, fits, laws, predicted=None):
    """Seconds of all fits, memory of a job in MB (None if unknown), and a remark.

    The choices of a grid are tried equally often, and each may be the one that is refitted. The job
    keeps decision values of `predicted` rows, None for all.
    """
    if size is None:
        return None, None, "size unknown"
    found = [(variant, law_of(laws, variant, size.n)) for variant in variants(method)]
    if any(law is None for _, law in found):
        return None, None, "method not measured"
    seconds = 0.0
    for variant, _ in found:
        times, one = problems_of(size, variant["params"])
        for part, count in fits:
            law, n = law_of(laws, variant, part * one.n), part * one.n
            each = FIT_SECONDS + times * law.of(n, one.d, one.classes)
            seconds += count * each / len(found)
    data = 8 * size.n * (size.d + 1) / MEGABYTE
    memory = PROCESS_MB + (2 + max(law.copies for _, law in found)) * data
    # Decision values and probabilities of held-out rows, where two classes are in the copies.
    kept = PREDICTED * (size.n if predicted is None else predicted)
    kept += size.n * max(law.decisions for _, law in found)
    memory += 8 * kept * max(0, size.classes - 2) / MEGABYTE
    numeric = "Regressor" in method["use"] or method["use"].endswith("regressor")
    memory += max(
        forests.memory_mb(variant, size.n, 1 if numeric else size.classes) for variant, _ in found
    )
    if method["use"] in APPROXIMATED and size.n > baselines.EXACT_ROWS:
        # Features of the approximation and a copy, whatever the dimension of the data.
        memory += 2 * 8 * size.n * baselines.LANDMARKS / MEGABYTE
    memory += matrices_of(method) * 8 * size.n**2 / MEGABYTE
    largest_n, largest_d = (min(getattr(law, f"largest_{k}") for _, law in found) for k in "nd")
    beyond = size.n > largest_n or size.d > largest_d
    measured = f"{EXTRAPOLATED}; measured up to n = {largest_n:.0f}, d = {largest_d:.0f}"
    return seconds, memory, measured if beyond else ""
