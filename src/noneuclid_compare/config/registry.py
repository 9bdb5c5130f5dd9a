"""Public names of what ships, as configurations use them, and the modules behind them.

A new data set or illustration is one new file and one line here; an embedding's line is in
`noneuclid.__init__`.
"""

import re
import sys
from difflib import get_close_matches

from noneuclid import _MODULE_OF
from noneuclid.embeddings.short_names import TRANSFORMERS
from noneuclid.errors import InputError
from noneuclid_compare.config.expand_entries import short

PACKAGE, METHOD = "noneuclid", "method"

LOADERS = {
    "anndata_file": "datasets.own.anndata_file",
    "array_file": "datasets.own.array_file",
    "array_sample": "datasets.own.array_sample",
    "box_mixture": "datasets.generators.box_mixture",
    "branching_features": "datasets.generators.branching_features",
    "cell_atlas": "datasets.generators.cell_atlas",
    "chlenski2024_polblogs": "papers.chlenski2024_polblogs",
    "cho2019_gaussians": "datasets.papers.cho2019_gaussians",
    "cho2019_networks": "datasets.papers.cho2019_networks",
    "cho2019_random_networks": "datasets.papers.cho2019_random_networks",
    "diabetes": "datasets.shipped.diabetes",
    "digits": "datasets.shipped.digits",
    "digits_compositions": "datasets.shipped.digits_compositions",
    "graph_file": "datasets.own.graph_file",
    "hyperbolic_gaussians": "datasets.generators.hyperbolic_gaussians",
    "hyperbolic_position": "datasets.generators.hyperbolic_position",
    "hyperdt_mixtures": "datasets.generators.hyperdt_mixtures",
    "karate": "datasets.shipped.karate",
    "krumsiek11": "datasets.shipped.krumsiek11",
    "krumsiek11_box": "datasets.shipped.krumsiek11_box",
    "lifted_gaussians": "datasets.generators.lifted_gaussians",
    "nested_gaussians": "datasets.generators.nested_gaussians",
    "network_repository": "datasets.papers.network_repository",
    "pan2023_embeddings": "datasets.papers.pan2023_embeddings",
    "pbmc68k_compositions": "datasets.shipped.pbmc68k_compositions",
    "pbmc68k_reduced": "datasets.shipped.pbmc68k_reduced",
    "poincare_maps": "datasets.papers.poincare_maps",
    "popularity_similarity": "datasets.generators.popularity_similarity",
    "random_tree": "datasets.generators.random_tree",
    "simplex_mixture": "datasets.generators.simplex_mixture",
    "sklearn_table": "datasets.shipped.sklearn_table",
    "table_file": "datasets.own.table_file",
    "train_test_npz": "datasets.own.train_test_npz",
    "uniform_ball": "datasets.generators.uniform_ball",
    "wrapped_normal_mixture": "datasets.generators.wrapped_normal_mixture",
    "yang2024_points": "datasets.papers.yang2024_points",
}
EMBEDDINGS = {short: f"{_MODULE_OF[name]}.{name}" for short, name in TRANSFORMERS.items()} | {
    "given": "embeddings.given.embed",
    "hyperbolic_images": "embeddings.hyperbolic_images.embed",
    "original_features": "embeddings.original_features.embed",
    "spectral": "embeddings.spectral.embed",
    "tsne": "embeddings.tsne.embed",
}
ILLUSTRATIONS = {
    "boundaries": "reporting.illustrations.boundaries",
    "comparison": "reporting.illustrations.comparison",
    "hyperbolic_trees": "reporting.illustrations.hyperbolic_trees",
    "network": "reporting.illustrations.network",
    "polygon_balls": "reporting.illustrations.polygon_balls",
    "polygon_limit": "reporting.illustrations.polygon_limit",
    "polytopes": "reporting.illustrations.polytopes",
    "reference_points": "reporting.illustrations.reference_points",
    "relative_to": "reporting.illustrations.relative_to",
}
# Classes that ship without a public name of the package: baselines, and a paper's own.
METHODS = {
    "baseline_forest": "evaluation.baselines.ForestBaseline",
    "baseline_forest_regressor": "evaluation.baselines.ForestRegressionBaseline",
    "baseline_logistic": "evaluation.baselines.LogisticBaseline",
    "baseline_ridge": "evaluation.baselines.RidgeBaseline",
    "baseline_svm": "evaluation.baselines.SVMBaseline",
    "baseline_svr": "evaluation.baselines.SVRBaseline",
    "chlenski2024_horosphere_forest": "papers.chlenski2024_horospheres.HorosphereForest",
    "chlenski2024_horosphere_tree": "papers.chlenski2024_horospheres.HorosphereTree",
    "chlenski2024_generator_tree": "papers.chlenski2024_released.GeneratorTree",
    "chlenski2024_loop_trees": "papers.chlenski2024_loop.LoopTrees",
    "chlenski2024_released_logistic": "papers.chlenski2024_linear.ReleasedLogistic",
    "chlenski2024_released_svm": "papers.chlenski2024_linear.ReleasedSVM",
    "chlenski2024_released_forest": "papers.chlenski2024_released.ReleasedForest",
    "chlenski2024_released_tree": "papers.chlenski2024_released.ReleasedTree",
    "cho2019_released_pgd": "papers.cho2019.ReleasedPGD",
    "yang2024_published_pgd": "papers.yang2024.PublishedPGD",
    "yang2024_released_moment": "papers.yang2024.ReleasedMoment",
    "yang2024_released_pgd": "papers.yang2024.ReleasedPGD",
    "yang2024_released_sdp": "papers.yang2024.ReleasedSDP",
}
# Not methods: the base class and its record, parts of others, and what wraps a classifier.
_OTHERS = ("classifiers.base", "classifiers.hedged_classifier")
_PARTS = ("HyperbolicKernel", "HyperbolicNystroem")
# Public classifiers and regressors, without functions.
CLASSIFIERS = [
    name
    for name, module in _MODULE_OF.items()
    if module.startswith("classifiers.")
    and module not in _OTHERS
    and name[0].isupper()
    and name not in _PARTS
]
SHIPPED = {"load": LOADERS, "embed": EMBEDDINGS, "draw": ILLUSTRATIONS, METHOD: METHODS}
KINDS = {"load": "data set", "embed": "embedding", "draw": "illustration", METHOD: "method"}
FILE = re.compile(r"(?P<file>.+\.py):(?P<name>\w+)")


def path_of(use, kind):
    """Path of the function or class that `use:` names, for `imports.load`; nothing is imported.

    A `use` is a short name of the tables above, ``noneuclid.NAME``, a dotted name of another
    package or ``FILE.py:NAME``; `kind` is a key of `KINDS`.

    Examples
    --------
    >>> path_of("karate", "load"), path_of("my_data.py:load", "load")
    ('noneuclid_compare.data.shipped.karate.load', 'my_data.py:load')
    >>> path_of("noneuclid.PoincareSVC", "method"), path_of("sklearn.svm.SVC", "method")
    ('noneuclid.classifiers.poincare_svm.PoincareSVC', 'sklearn.svm.SVC')
    """
    if FILE.fullmatch(use):
        return use
    root, _, name = use.partition(".")
    if use in SHIPPED[kind]:
        end = f".{kind}" if kind in ("load", "draw") else ""
        return f"{PACKAGE}.{SHIPPED[kind][use]}{end}"
    if kind == METHOD and root == PACKAGE and name in CLASSIFIERS:
        return f"{PACKAGE}.{_MODULE_OF[name]}.{name}"
    if root in sys.stdlib_module_names:
        raise InputError(
            f"{use} is part of Python itself and cannot be used here; give a name of noneuclid, "
            "scikit-learn or your own file"
        )
    if root == PACKAGE or not name:
        raise InputError(f"unknown {KINDS[kind]} {short(repr(use))}; known: {_known(use, kind)}")
    return use


def _known(use, kind):
    """Names that `use` may have meant: near ones, else all, and how to name one's own."""
    named = [f"{PACKAGE}.{name}" for name in CLASSIFIERS]
    known = [*(named if kind == METHOD else ()), *SHIPPED[kind]]
    # An internal path ends in the name, or in the module of a function.
    meant = [*use.split("."), *(s for s, n in TRANSFORMERS.items() if n in use.split("."))]
    near = [name for name in known if name.rpartition(".")[2] in meant]
    near = near or get_close_matches(use, known)
    return f"{', '.join(near or sorted(known))}, package.NAME and FILE.py:NAME"


def origin_of(path):
    """Module or file in which a path is defined.

    Examples
    --------
    >>> origin_of("sklearn.svm.SVC"), origin_of("my_data.py:load")
    ('sklearn.svm', 'my_data.py')
    """
    own = FILE.fullmatch(path)
    return own["file"] if own else path.rpartition(".")[0]
