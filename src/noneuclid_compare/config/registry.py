"""Public names of what ships, as configurations use them, and the modules behind them.

A new data set is one new file and one line here; the line of a classifier or an embedding is in
`noneuclid.__init__`. Plug-ins add their own names.
"""

import re
import sys
from difflib import get_close_matches

from noneuclid import _MODULE_OF
from noneuclid.embeddings.short_names import TRANSFORMERS
from noneuclid.errors import InputError
from noneuclid_compare import plugins
from noneuclid_compare.config.expand_entries import short

PACKAGE, METHOD = "noneuclid", "method"

LOADERS = {
    "anndata_file": "noneuclid_compare.data.own.anndata_file",
    "array_file": "noneuclid_compare.data.own.array_file",
    "array_sample": "noneuclid_compare.data.own.array_sample",
    "box_mixture": "noneuclid_compare.data.generators.box_mixture",
    "branching_features": "noneuclid_compare.data.generators.branching_features",
    "cell_atlas": "noneuclid_compare.data.generators.cell_atlas",
    "diabetes": "noneuclid_compare.data.shipped.diabetes",
    "digits": "noneuclid_compare.data.shipped.digits",
    "digits_compositions": "noneuclid_compare.data.shipped.digits_compositions",
    "feature_table": "noneuclid_compare.data.own.feature_table",
    "graph_file": "noneuclid_compare.data.own.graph_file",
    "hyperbolic_gaussians": "noneuclid_compare.data.generators.hyperbolic_gaussians",
    "hyperbolic_position": "noneuclid_compare.data.generators.hyperbolic_position",
    "image_file": "noneuclid_compare.data.own.image_file",
    "karate": "noneuclid_compare.data.shipped.karate",
    "krumsiek11": "noneuclid_compare.data.shipped.krumsiek11",
    "krumsiek11_box": "noneuclid_compare.data.shipped.krumsiek11_box",
    "lifted_gaussians": "noneuclid_compare.data.generators.lifted_gaussians",
    "nested_gaussians": "noneuclid_compare.data.generators.nested_gaussians",
    "pbmc68k_compositions": "noneuclid_compare.data.shipped.pbmc68k_compositions",
    "pbmc68k_reduced": "noneuclid_compare.data.shipped.pbmc68k_reduced",
    "popularity_similarity": "noneuclid_compare.data.generators.popularity_similarity",
    "random_tree": "noneuclid_compare.data.generators.random_tree",
    "simplex_mixture": "noneuclid_compare.data.generators.simplex_mixture",
    "sklearn_table": "noneuclid_compare.data.shipped.sklearn_table",
    "table_file": "noneuclid_compare.data.own.table_file",
    "train_test_npz": "noneuclid_compare.data.own.train_test_npz",
    "uniform_ball": "noneuclid_compare.data.generators.uniform_ball",
    "wrapped_normal_mixture": "noneuclid_compare.data.generators.wrapped_normal_mixture",
}
# Loaders of files that also read folders.
OF_FOLDERS = ("image_file",)
EMBEDDINGS = {
    short: f"noneuclid.{_MODULE_OF[name]}.{name}" for short, name in TRANSFORMERS.items()
} | {
    "given": "noneuclid_compare.embed.given.embed",
    "hyperbolic_images": "noneuclid_compare.embed.hyperbolic_images.embed",
    "original_features": "noneuclid_compare.embed.original_features.embed",
    "spectral": "noneuclid_compare.embed.spectral.embed",
    "tsne": "noneuclid_compare.embed.tsne.embed",
}
# Classes that ship without a public name of the package.
METHODS = {
    "baseline_celltypist": "noneuclid_compare.evaluation.celltypist.CellTypistBaseline",
    "baseline_forest": "noneuclid_compare.evaluation.baselines.ForestBaseline",
    "baseline_forest_regressor": "noneuclid_compare.evaluation.baselines.ForestRegressionBaseline",
    "baseline_logistic": "noneuclid_compare.evaluation.baselines.LogisticBaseline",
    "baseline_ridge": "noneuclid_compare.evaluation.baselines.RidgeBaseline",
    "baseline_svm": "noneuclid_compare.evaluation.baselines.SVMBaseline",
    "baseline_svr": "noneuclid_compare.evaluation.baselines.SVRBaseline",
    "product_kernel_ridge": "noneuclid_compare.evaluation.product_kernel_ridge.ProductKernelRidge",
}
# Not methods: the base class and its record, parts of others, and what wraps a classifier.
_OTHERS = ("classifiers.base", "classifiers.hedged_classifier")
_PARTS = ("HyperbolicKernel", "HyperbolicNystroem", "ProductKernel")
# Public classifiers and regressors, without functions.
CLASSIFIERS = [
    name
    for name, module in _MODULE_OF.items()
    if module.startswith("classifiers.")
    and module not in _OTHERS
    and name[0].isupper()
    and name not in _PARTS
]
_TABLES = {
    "load": ("LOADERS", LOADERS),
    "embed": ("EMBEDDINGS", EMBEDDINGS),
    "draw": ("ILLUSTRATIONS", {}),
    METHOD: ("METHODS", METHODS),
}
KINDS = {"load": "data set", "embed": "embedding", "draw": "illustration", METHOD: "method"}
FILE = re.compile(r"(?P<file>.+\.py):(?P<name>\w+)")


def shipped(kind):
    """Path behind each name of a kind, a key of `KINDS`: those of the plug-ins too."""
    return plugins.tables(*_TABLES[kind])


def own_packages():
    """Packages of the project: the library, the comparison, and what plugs in."""
    return (PACKAGE, "noneuclid_compare", *plugins.packages())


def path_of(use, kind):
    """Path of the function or class that `use:` names, for `load_by_name.load`; imports nothing.

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
    known = shipped(kind)
    if use in known:
        return f"{known[use]}.{kind}" if kind in ("load", "draw") else known[use]
    if kind == METHOD and root == PACKAGE and name in CLASSIFIERS:
        return f"{PACKAGE}.{_MODULE_OF[name]}.{name}"
    if root in sys.stdlib_module_names:
        raise InputError(
            f"{use} is part of Python itself and cannot be used here; give a name of noneuclid, "
            "scikit-learn or your own file"
        )
    if root in own_packages() or not name:
        raise InputError(f"unknown {KINDS[kind]} {short(repr(use))}; known: {_known(use, kind)}")
    return use


def _known(use, kind):
    """Names that `use` may have meant: near ones, else all, and how to name one's own."""
    named = [f"{PACKAGE}.{name}" for name in CLASSIFIERS]
    known = [*(named if kind == METHOD else ()), *shipped(kind)]
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
