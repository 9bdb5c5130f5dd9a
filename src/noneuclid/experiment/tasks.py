"""What a method predicts, classes or numbers, found in its source without importing it."""

import ast
import sys
from functools import cache

from noneuclid.errors import InputError
from noneuclid.experiment import class_settings, parameters, provenance
from noneuclid.experiment.imports import NO_ESTIMATOR

CLASSES, NUMBERS = "classes", "numbers"
# Base classes of scikit-learn by which an estimator is known.
PREDICTS = {"ClassifierMixin": CLASSES, "RegressorMixin": NUMBERS}
OTHERS = {
    "ClusterMixin": "a clustering",
    "OutlierMixin": "a detector of outliers",
    "TransformerMixin": "a transformer",
}
# Imported by loaders whose data sets have numbers to predict and no setting for it.
TARGETS = "noneuclid.datasets.targets"


def of_method(path):
    """What the estimators of a class predict.

    Parameters
    ----------
    path : str
        Dotted name of a class of any package.

    Returns
    -------
    str or None
        "classes" or "numbers"; None where the source does not tell, and only the job will check.

    Raises
    ------
    InputError
        If it is no class with `fit` and `predict`, or predicts something else.

    Examples
    --------
    >>> of_method("sklearn.svm.SVC"), of_method("sklearn.svm.SVR"), of_method("nowhere.at.All")
    ('classes', 'numbers', None)
    >>> of_method("sklearn.preprocessing.StandardScaler")
    Traceback (most recent call last):
    noneuclid.errors.InputError: sklearn.preprocessing.StandardScaler is a transformer: ...
    """
    module, _, name = path.rpartition(".")
    traits, all_known = _traits(module, name)
    for base, found in PREDICTS.items():
        if base in traits:
            return found
    what = next((OTHERS[base] for base in OTHERS if base in traits), None)
    if what is None and all_known:
        missing = [call for call in ("fit", "predict") if call not in traits]
        what = f"a class without {missing[0]}" if missing else None
    if what is None and not traits:
        what = _no_class(module, name)
    if what is not None:
        raise InputError(f"{path} is {NO_ESTIMATOR.format(what)}")
    return None


def _no_class(module, name):
    """What a name is that stands for no class, as far as the source tells, else None."""
    if module.split(".")[0] in sys.stdlib_module_names:
        return "part of Python itself"
    body = class_settings.source(module)[0].body
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = any(isinstance(step, functions) and step.name == name for step in body)
    return "a function" if found else None


@cache
def _traits(module, name):
    """Names of a class, its bases, and what all of them define; whether all bases were found."""
    found = class_settings.definition(module, name)
    if found is None:
        return frozenset(), name == "object"
    module, node = found
    traits, all_known = {name}, not node.decorator_list
    for step in node.body:
        traits.add(getattr(step, "name", None))
        traits.update(getattr(target, "id", None) for target in getattr(step, "targets", ()))
    for base in node.bases:
        theirs, known = _traits(module, base.id) if isinstance(base, ast.Name) else ((), False)
        traits |= set(theirs)
        all_known &= known
    return frozenset(traits), all_known


def of_data(entry):
    """What there is to predict in a data set, by its entry; None for a loader of another package.

    Examples
    --------
    >>> of_data({"loader": "noneuclid.datasets.own.table_file", "settings": {"numeric": True}})
    'numbers'
    >>> of_data({"loader": "noneuclid.datasets.shipped.karate"}), of_data({"loader": "my.own"})
    ('classes', None)
    """
    loader = entry["loader"]
    if provenance.module_file(loader) is None:
        return None
    own = parameters.defaults(loader).get("numeric")
    numeric = TARGETS in provenance.imported(loader) if own is None else own
    return NUMBERS if entry.get("settings", {}).get("numeric", numeric) else CLASSES


def check(path, datasets):
    """Refuse a class that is no estimator, or predicts something else than its data sets ask for.

    Parameters
    ----------
    path : str
        Dotted name of the class.
    datasets : dict
        Name of a data set that the method runs on to its entry.

    Raises
    ------
    InputError
    """
    predicts = of_method(path)
    others = [name for name, entry in datasets.items() if of_data(entry) not in (predicts, None)]
    if predicts is not None and others:
        more = f" and {len(others) - 3} more" if len(others) > 3 else ""
        wanted, cure = (NUMBERS, "regressors") if predicts == CLASSES else (CLASSES, "classifiers")
        raise InputError(
            f"{path} predicts {predicts}, but data set {', '.join(others[:3])}{more} has {wanted} "
            f"to predict: list only {cure} under `methods:` of this data set"
        )
