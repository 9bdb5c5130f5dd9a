"""Baselines on the original features: what every run trains beside the methods on embedded points.

Each data set with features, a graph or compositions gets one more embedding, `ORIGINAL`, which
hands its features through, and three methods that run there and nowhere else. Their names are
reserved. Data sets with the embedding `given` come as points of a chart: they have no original
features, and no baselines. The key ``baselines: false`` leaves them out, for all data sets at the
top of a configuration or for one in its entry; a list of names keeps these.
"""

from noneuclid.errors import InputError
from noneuclid_compare import plugins
from noneuclid_compare.config import prediction_kinds
from noneuclid_compare.config.parameter_checks import CLASSES, NUMBERS
from noneuclid_compare.evaluation import scorers
from noneuclid_compare.records import ORIGINAL

EMBEDDINGS = {ORIGINAL: {"use": "original_features"}}
# Grids of a linear model, here and among the methods that a configuration has by default: where one
# side had fewer values, a difference of scores would be one of grids. Measured on seven data sets
# (iris, wine, breast cancer, karate, krumsiek11, pbmc68k_reduced, digits), original and embedded,
# with C from 0.01 to 100 against 0.1 to 10. Inner folds by balanced accuracy: 85.7 against 85.5 %,
# log loss 0.357 against 0.345. Inner folds by log loss: 0.316 against 0.321.
LOGISTIC_GRID = {"C": [0.01, 0.1, 1, 10, 100]}
RIDGE_GRID = {"alpha": [0.01, 0.1, 1, 10, 100]}
# By what they predict.
METHODS = {
    CLASSES: {
        "original_logistic": {
            "use": "baseline_logistic",
            "chart": "tangent",
            "grid": LOGISTIC_GRID,
        },
        "original_forest": {
            "use": "baseline_forest",
            "chart": "tangent",
            "params": {"n_estimators": 100},
        },
        "original_svm": {
            "use": "baseline_svm",
            "chart": "tangent",
            "grid": {"C": [0.1, 1, 10, 100]},
        },
        "original_celltypist": {
            "use": "baseline_celltypist",
            "chart": "tangent",
            "grid": {"C": [0.01, 0.1, 1]},
        },
    },
    NUMBERS: {
        "original_ridge": {
            "use": "baseline_ridge",
            "chart": "tangent",
            "grid": RIDGE_GRID,
        },
        "original_forest_regressor": {
            "use": "baseline_forest_regressor",
            "chart": "tangent",
            "params": {"n_estimators": 100},
        },
        "original_svr": {
            "use": "baseline_svr",
            "chart": "tangent",
            "grid": {"C": [0.1, 1, 10, 100]},
        },
    },
}
# Only where a list names it: it reads genes, which most data sets do not have.
LISTED = ("original_celltypist",)
# A search of one point, for a score on training rows by which a plug-in chooses.
SCORED = {
    name: {"grid": {"n_estimators": [100]}}
    for name in ("original_forest", "original_forest_regressor")
}
ALL = {name: entry for methods in METHODS.values() for name, entry in methods.items()}
NAMES = tuple(ALL)
RESERVED = (
    "{}: this name belongs to the baselines on the original features; rename the entry, or set "
    "baselines: false"
)


def with_baselines(config):
    """Add the baselines to a configuration whose entries are written out.

    To add them twice adds nothing.

    Examples
    --------
    >>> config = {
    ...     "datasets": {
    ...         "digits": {"use": "digits", "embeddings": ["hydra"]},
    ...         "ball": {"use": "uniform_ball", "embeddings": ["given"]},
    ...     },
    ...     "embeddings": {"hydra": {"use": "hydra"}, "given": {"use": "given"}},
    ...     "methods": {},
    ...     "search": {"scoring": "balanced_accuracy"},
    ... }
    >>> full = with_baselines(config)
    >>> [dataset["embeddings"] for dataset in full["datasets"].values()]
    [['hydra', 'original'], ['given']]
    >>> list(full["methods"])
    ['original_logistic', 'original_forest', 'original_svm']
    >>> with_baselines(full) == full, with_baselines(config | {"baselines": False})["methods"]
    (True, {})
    """
    wanted = [name for name in config["datasets"] if methods_of(config, name)]
    if not wanted:
        return config
    methods = {}
    for name in wanted:
        methods |= {method: ALL[method] for method in methods_of(config, name)}
    if any(key in config for key in plugins.items("SCORED")):
        methods = {name: SCORED.get(name, {}) | method for name, method in methods.items()}
    for part, added in (("embeddings", EMBEDDINGS), ("methods", methods)):
        for name, entry in added.items():
            if config[part].get(name, entry) != entry:
                raise InputError(RESERVED.format(f"{part}/{name}"))
    datasets = dict(config["datasets"])
    for name in wanted:
        others = [e for e in datasets[name]["embeddings"] if e != ORIGINAL]
        datasets[name] = datasets[name] | {"embeddings": [*others, ORIGINAL]}
    return config | {
        "datasets": datasets,
        "embeddings": config["embeddings"] | EMBEDDINGS,
        "methods": config["methods"] | methods,
    }


def _kind(config, name):
    """What a data set has to predict: by its loader, else by the scorer of the configuration."""
    found = prediction_kinds.kind_of_data(config["datasets"][name])
    return found or scorers.compares(config["search"]["scoring"])


def methods_of(config, name):
    """Names of the baselines of a data set: none without original features."""
    dataset = config["datasets"][name]
    entries = (config["embeddings"].get(name, {}) for name in dataset["embeddings"])
    if any(entry.get("use") == "given" for entry in entries):
        return []
    asked = [part.get("baselines", True) for part in (config, dataset)]
    named = {method for part in asked if isinstance(part, list) for method in part}
    found = [m for m in METHODS[_kind(config, name)] if m not in LISTED or m in named]
    return [method for method in found if all(a is True or (a and method in a) for a in asked)]


def search_of(config, method):
    """The search of a method; a baseline has a scorer of its own kind."""
    search = config["search"]
    for kind, methods in METHODS.items():
        if method in methods and scorers.compares(search["scoring"]) != kind:
            return search | {"scoring": scorers.USUAL[kind]}
    return search
