"""What a configuration leaves out: `with_defaults` fills it in.

Only `datasets` has no default. A value that is given is never changed, so a configuration that
gives all keys is unchanged.
"""

from copy import deepcopy

from noneuclid.errors import InputError
from noneuclid.geometry.spaces import is_signature
from noneuclid_compare import plugins
from noneuclid_compare.config import baselines, prediction_kinds, registry, signatures
from noneuclid_compare.config.parameter_checks import CLASSES, NUMBERS
from noneuclid_compare.evaluation import scorers
from noneuclid_compare.records import OF_GROUPS

SEED = 0
# One repeat of five folds leaves four degrees of freedom; of one data set, three decide more.
REPEATS_OF_ONE, REPEATS = 3, 2
SPLITS = {"scheme": "stratified_kfold", "folds": 5}
# Of data sets with groups, unless the configuration names a scheme.
SPLIT_OF_GROUPS, ALL_IN_ONE = {"scheme": OF_GROUPS[0]}, OF_GROUPS[1]
SEARCH_FOLDS = 3

# Kinds of the data sets that ship; the loaders of files say theirs by parameters. Boxes and papers'
# points of several kinds are not here, so their configurations name the embeddings.
KINDS = {
    **dict.fromkeys(("array_file", "array_sample", "diabetes", "table_file"), "features"),
    "nested_gaussians": "features",
    **dict.fromkeys(("branching_features", "sklearn_table"), "features"),
    **dict.fromkeys(("anndata_file", "krumsiek11", "pbmc68k_reduced"), "expression"),
    "cell_atlas": "expression",
    **dict.fromkeys(("graph_file", "karate", "random_tree"), "graph"),
    **dict.fromkeys(("hyperbolic_gaussians", "hyperbolic_position"), "points"),
    **dict.fromkeys(("lifted_gaussians", "uniform_ball", "wrapped_normal_mixture"), "points"),
    **dict.fromkeys(("digits_compositions", "pbmc68k_compositions"), "composition"),
    **dict.fromkeys(("feature_table", "simplex_mixture"), "composition"),
    **dict.fromkeys(("digits", "image_file"), "images"),
}
# One that ships needs no entry where a data set lists it: its own defaults hold.
EMBEDDINGS = {name: {"use": name} for name in registry.EMBEDDINGS}
# Measured: balanced accuracy in five folds, the best of logistic regression, forest, Gaussian SVM.
# In two dimensions lifted_pca is better for tables (wine 96 %, hydra 94; breast cancer 95 and 93),
# hydra for cells (pbmc68k_reduced 60 %, lifted_pca 56). Five dimensions keep more (99, 97 and 68),
# but a table may have fewer columns.
EMBEDDINGS["lifted_pca"] = {"use": "lifted_pca", "params": {"n_components": 2}}
EMBEDDINGS["lifted_pca_5"] = {"use": "lifted_pca", "params": {"n_components": 5}}
EMBEDDINGS["hydra"] = {"use": "hydra", "params": {"n_components": 2}}
OF_KIND = {
    "features": ("lifted_pca", "hydra"),
    "expression": ("hydra", "lifted_pca", "lifted_pca_5"),
    "images": ("lifted_pca", "hydra"),
    "graph": ("hydra",),
    "points": ("given",),
    "composition": ("log_ratio",),
}
# Flat methods read the coordinates in which they would be used without hyperbolic geometry: tangent
# vectors. In the Poincaré ball log-ratios crowd at the rim: a logistic regression lost 6 points.
METHODS = {
    "majority": {"use": "sklearn.dummy.DummyClassifier", "params": {"strategy": "prior"}},
    "logistic": {
        "use": "sklearn.linear_model.LogisticRegression",
        "chart": "tangent",
        "params": {"max_iter": 10_000},
        "grid": baselines.LOGISTIC_GRID,
    },
    "forest": {"use": "sklearn.ensemble.RandomForestClassifier", "chart": "tangent"},
    "hyperbolic_forest": {"use": "noneuclid.HyperbolicRandomForestClassifier"},
    "poincare_svm": {"use": "noneuclid.PoincareSVC", "grid": {"C": [0.1, 1, 10]}},
    "hyperboloid_svm": {"use": "noneuclid.HyperboloidSVC", "grid": {"C": [0.1, 1, 10]}},
    "wrapped_normal": {"use": "noneuclid.WrappedNormalClassifier"},
    "hyperbolic_nystroem": {"use": "noneuclid.HyperbolicNystroemClassifier"},
    "geodesic_knn": {"use": "noneuclid.GeodesicKNeighborsClassifier"},
    "knn": {"use": "sklearn.neighbors.KNeighborsClassifier", "chart": "tangent"},
    "product_forest": {"use": "noneuclid.ProductRandomForestClassifier"},
    "product_kernel_svm": {"use": "noneuclid.ProductKernelSVC", "grid": {"C": [0.1, 1, 10]}},
    "product_svm": {"use": "noneuclid.ProductSVC", "grid": {"C": [0.1, 1, 10]}},
    "ambient_forest": {"use": "sklearn.ensemble.RandomForestClassifier", "chart": "ambient"},
    "ambient_svm": {
        "use": "baseline_svm",
        "chart": "ambient",
        "grid": {"C": [0.1, 1, 10, 100]},
    },
    "hilbert_svm": {
        "use": "noneuclid.HilbertSVC",
        "chart": "simplex",
        "params": {"C": 10, "tol": 0.01},
    },
    "hilbert_nearest": {
        "use": "noneuclid.HilbertNearestClassifier",
        "chart": "simplex",
        # The other representatives are for classes that do not overlap.
        "params": {"representative": "mean"},
    },
    "mean": {"use": "sklearn.dummy.DummyRegressor"},
    "ridge": {
        "use": "sklearn.linear_model.Ridge",
        "chart": "tangent",
        "grid": baselines.RIDGE_GRID,
    },
    "forest_regressor": {"use": "sklearn.ensemble.RandomForestRegressor", "chart": "tangent"},
    "hyperbolic_forest_regressor": {"use": "noneuclid.HyperbolicRandomForestRegressor"},
    "product_forest_regressor": {"use": "noneuclid.ProductRandomForestRegressor"},
    "product_kernel_ridge": {"use": "product_kernel_ridge", "grid": {"alpha": [0.01, 0.1, 1]}},
    "geodesic_knn_regressor": {"use": "noneuclid.GeodesicKNeighborsRegressor"},
    "ambient_forest_regressor": {
        "use": "sklearn.ensemble.RandomForestRegressor",
        "chart": "ambient",
    },
}
CLASSIFIERS = (
    *("majority", "logistic", "forest"),
    *("hyperbolic_forest", "poincare_svm", "hyperboloid_svm"),
)
# Of which 100,000 rows and 60 classes take minutes.
ON_MANY_ROWS = (
    *("majority", "wrapped_normal", "hyperbolic_nystroem"),
    *("geodesic_knn", "knn", "poincare_svm", "hyperbolic_forest"),
)
ON_PRODUCTS = (
    *("majority", "ambient_forest", "ambient_svm"),
    *("product_forest", "product_kernel_svm", "product_svm", "geodesic_knn", "wrapped_normal"),
)
ON_COMPOSITIONS = ("majority", "logistic", "forest", "hilbert_svm", "hilbert_nearest")
REGRESSORS_ON_PRODUCTS = (
    *("mean", "ambient_forest_regressor", "product_forest_regressor"),
    *("product_kernel_ridge", "geodesic_knn_regressor"),
)
REGRESSORS = ("mean", "ridge", "forest_regressor", "hyperbolic_forest_regressor")


def with_defaults(config):
    """Fill in every key that a configuration leaves out; what has a wrong form is unchanged.

    Entries with `each` have been written out.

    Examples
    --------
    >>> filled = with_defaults({"datasets": {"club": {"use": "karate"}}})
    >>> filled["datasets"]["club"]["embeddings"], filled["report"]
    (['hydra'], {'metric': 'balanced_accuracy', 'title': 'club'})
    """
    datasets = config.get("datasets")
    if not isinstance(datasets, dict):
        return config
    entries = {name: entry for name, entry in datasets.items() if _is_entry(entry)}
    title = ", ".join(str(name) for name in list(datasets)[:3])
    repeats = REPEATS_OF_ONE if len(datasets) == 1 else REPEATS
    schemes = [config.get("splits"), *(entry.get("split") for entry in entries.values())]
    if ALL_IN_ONE in [one.get("scheme") for one in schemes if isinstance(one, dict)]:
        repeats = 1
    filled = {"seed": SEED, "repeats": repeats, "splits": SPLITS} | config
    filled["splits"] = _first(filled["splits"], {"scheme": SPLITS["scheme"]})
    if not isinstance(config.get("splits"), dict) or "scheme" not in config["splits"]:
        grouped = {name: one for name, one in entries.items() if "groups" in one.get("params", {})}
        entries |= {
            name: one | {"split": _first(one.get("split", {}), SPLIT_OF_GROUPS)}
            for name, one in grouped.items()
        }
    filled["datasets"] = datasets | entries | _with_embeddings(config, entries)
    if "embeddings" not in config:
        filled["embeddings"] = _chosen(EMBEDDINGS, _listed(filled["datasets"], "embeddings"))
    if "methods" not in config:
        filled["datasets"] = filled["datasets"] | _with_methods(filled["datasets"], entries)
        usual = [name for e in entries.values() if "methods" not in e for name in _methods_of(e)]
        filled["methods"] = _chosen(METHODS, _listed(filled["datasets"], "methods", usual))
    metric = _metric(config, entries)
    scored = {"folds": SEARCH_FOLDS, "scoring": metric}
    filled["search"] = _first(config.get("search", {}), scored)
    filled["report"] = _first(config.get("report", {}), {"metric": metric, "title": title})
    return filled


def kind_of(entry):
    """Kind of the data of an entry under `datasets`, one of `OF_KIND`; None where nothing says it.

    Examples
    --------
    >>> kind_of({"use": "table_file"}), kind_of({"use": "table_file", "params": {"chart": "klein"}})
    ('features', 'points')
    """
    use = entry["use"]
    if use not in registry.shipped("load"):
        return None
    known = signatures.defaults(use, "load") | entry.get("params", {})
    kind = known.get("kind") or (
        "points" if known.get("chart") else plugins.tables("KINDS", KINDS).get(use)
    )
    return kind if isinstance(kind, str) and kind in OF_KIND else None


def _is_entry(entry):
    """Whether an entry under `datasets` has the form by which its kind can be known."""
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("use"), str)
        and isinstance(entry.get("params", {}), dict)
    )


def _first(given, others):
    """A mapping with the keys of another that it lacks."""
    return others | given if isinstance(given, dict) else given


def _with_embeddings(config, entries):
    """Entries with their embeddings: all that the configuration gives, or those of the kind."""
    given = config.get("embeddings")
    found = {}
    for name, entry in entries.items():
        if "embeddings" in entry:
            continue
        names = list(given if isinstance(given, dict) else OF_KIND.get(kind_of(entry), ()))
        if not names:
            raise InputError(
                f"datasets/{name}: {entry['use']} does not say what kind of data it loads; give "
                "the embeddings, such as embeddings: [lifted_pca] for features, [hydra] for a "
                "graph, [given] for points"
            )
        found[name] = entry | {"embeddings": names}
    return found


def _with_methods(datasets, entries):
    """Entries with their methods, if those of several data sets differ; else all run on all."""
    found = {name: _methods_of(entry) for name, entry in entries.items() if "methods" not in entry}
    if len(set(found.values())) < 2:
        return {}
    return {name: datasets[name] | {"methods": list(names)} for name, names in found.items()}


def _methods_of(entry):
    """Names of the methods for the kind of a data set and for what it has to predict."""
    product = is_signature(entry.get("params", {}).get("chart"))
    if prediction_kinds.kind_of_data(entry) == NUMBERS:
        return REGRESSORS_ON_PRODUCTS if product else REGRESSORS
    if product:
        return ON_PRODUCTS
    return ON_COMPOSITIONS if kind_of(entry) == "composition" else CLASSIFIERS


def _chosen(known, listed):
    """Those of the known entries that are listed, copied; all if a name is not known."""
    chosen = known if set(listed) - set(known) else dict.fromkeys(listed)
    return {name: deepcopy(known[name]) for name in chosen}


def _listed(datasets, key, others=()):
    """Names that the entries under `datasets` list, then others, each once."""
    entries = [entry for entry in datasets.values() if isinstance(entry, dict)]
    lists = [entry[key] for entry in entries if isinstance(entry.get(key), list)]
    names = [name for names in [*lists, others] for name in names if isinstance(name, str)]
    return list(dict.fromkeys(names))


def _metric(config, entries):
    """Metric for what is to be predicted; data sets with classes and with numbers share none."""
    found = {prediction_kinds.kind_of_data(entry) or CLASSES for entry in entries.values()}
    if len(found) < 2:
        return scorers.USUAL[found.pop() if found else CLASSES]
    for section, key in (("search", "scoring"), ("report", "metric")):
        given = config.get(section)
        if not isinstance(given, dict) or key not in given:
            raise InputError(
                f"{section}: some data sets have classes and some have numbers to predict, which "
                f"share no score: give `{section}: {{{key}: ...}}`, or make two configurations"
            )
    return scorers.USUAL[CLASSES]
