"""Settings that an estimator takes, found in the source of its class without importing it."""

import ast
import math
from functools import cache
from importlib.machinery import PathFinder
from numbers import Integral, Real
from operator import le, lt
from pathlib import Path

from noneuclid.experiment import provenance

# Settings of the hyperbolic trees beside those of scikit-learn's class, `tree_settings.OWN`.
_OWN = ("noneuclid.classifiers.tree_settings", "OWN")
_KINDS = {"Real": (Real, "a number"), "Integral": (Integral, "an integer")}


def names(path):
    """Settings of a class, by its own `__init__` or the one it inherits.

    Parameters
    ----------
    path : str
        Dotted name of a class of any package.

    Returns
    -------
    tuple of str, or None
        None where the source does not tell, and only the job will check.

    Examples
    --------
    >>> names("noneuclid.classifiers.hyperbolic_logistic.HyperbolicLogisticRegression")
    ('C', 'max_iter', 'tol', 'class_weight', 'chart', 'curvature')
    >>> names("sklearn.naive_bayes.GaussianNB")
    ('priors', 'var_smoothing')
    >>> names("noneuclid.classifiers.hyperbolic_trees.HyperbolicDecisionTreeRegressor")[-2:]
    ('curvature', 'precision')
    """
    module, _, name = path.rpartition(".")
    return _names(module, name)


def refused(path, setting, value):
    """Why a class does not take a value, by its `_parameter_constraints`.

    Returns
    -------
    str
        What would be legal; empty if the value is, or the source does not tell.

    Examples
    --------
    >>> svc = "noneuclid.classifiers.poincare_svm.PoincareSVC"
    >>> refused(svc, "loss", "squared"), refused(svc, "C", -1), refused(svc, "C", 10)
    ("one of 'hinge', 'squared_hinge'", 'a number >= 1e-10', '')
    """
    module, _, name = path.rpartition(".")
    nodes = _constraints(module, name).get(setting)
    rules = [_rule(node) for node in nodes] if nodes else [None]
    if None in rules or any(accepts(value) for accepts, _ in rules):
        return ""
    return " or ".join(words for _, words in rules)


@cache
def source(module):
    """Parsed source of a module, and the package that relative imports in it count from."""
    if module.split(".")[0] == provenance.PACKAGE:
        file = provenance.module_file(module)
        return ast.parse(b"" if file is None else file.read_bytes()), module
    places, spec, parts = None, None, module.split(".")
    for end in range(1, len(parts) + 1):
        # Unlike importlib.util.find_spec it imports no parent.
        spec = PathFinder.find_spec(".".join(parts[:end]), places)
        if spec is None:
            return ast.parse(b""), module
        places = spec.submodule_search_locations or []
    plain = (spec.origin or "").endswith(".py")
    tree = ast.parse(Path(spec.origin).read_bytes() if plain else b"")
    return tree, module if places else module.rpartition(".")[0]


@cache
def definition(module, name):
    """Module and definition of a class, through the imports that pass its name on, or None."""
    tree, package = source(module)
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            return module, node
        for alias in node.names if isinstance(node, ast.ImportFrom) else ():
            if (alias.asname or alias.name) == name:
                parents = package.split(".")[: len(package.split(".")) + 1 - node.level]
                parts = [*(parents if node.level else []), *filter(None, [node.module])]
                return definition(".".join(parts), alias.name)
    return None


@cache
def _names(module, name):
    """As `names`, but () if neither the class nor a base has an `__init__`."""
    found = definition(module, name)
    if found is None:
        return None
    module, node = found
    grafted = _grafted(module, node)
    if grafted is not None:
        model, own, without = grafted
        return tuple(n for n in [*(_names(module, model) or ()), *own] if n not in without)
    if [keyword.arg for keyword in node.keywords] == ["own"]:  # `constructors.WithOwnParameters`
        own = (key.value for key in node.keywords[0].value.keys)
        return (*(_names(module, node.bases[0].id) or ()), *own)
    # Other keywords of a class statement may make an `__init__`, too.
    if node.keywords or node.decorator_list:
        return None
    for step in node.body:
        if getattr(step, "name", None) == "__init__":
            given = step.args
            if given.vararg or given.kwarg:
                return None
            return tuple(
                arg.arg for arg in [*given.posonlyargs, *given.args, *given.kwonlyargs][1:]
            )
    for base in node.bases:
        inherited = _names(module, base.id) if isinstance(base, ast.Name) else None
        if inherited != ():
            return inherited
    return ()


@cache
def _constraints(module, name):
    """Nodes of the rules for each setting, as far as they are written out in the class."""
    found = definition(module, name)
    if found is None:
        return {}
    module, node = found
    grafted = _grafted(module, node)
    if grafted is not None:
        model, own, without = grafted
        rules = _constraints(module, model) | own
        return {setting: nodes for setting, nodes in rules.items() if setting not in without}
    for step in node.body:
        if ast.unparse(step).startswith(
            ("_parameter_constraints.update", "_parameter_constraints[")
        ):
            return {}
        target = step.targets[0] if isinstance(step, ast.Assign) else getattr(step, "target", None)
        if getattr(target, "id", None) == "_parameter_constraints":
            return _rules_of(step.value, module)
    bases = [_constraints(module, base.id) for base in node.bases if isinstance(base, ast.Name)]
    return next(filter(None, bases), {})


def _grafted(module, node):
    """What a hyperbolic tree is made of: scikit-learn's class, own rules, settings left out."""
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    if "model" not in given or module.split(".")[0] != provenance.PACKAGE:
        return None
    own = _assigned(*_OWN)
    rules = {key.value: value.elts[1].elts for key, value in zip(own.keys, own.values, strict=True)}
    return given["model"].id, rules, _texts(given.get("without"), module)


def _assigned(module, name):
    """Expression that a module gives a name."""
    steps = (step for step in source(module)[0].body if isinstance(step, ast.Assign))
    return next(step.value for step in steps if step.targets[0].id == name)


def _texts(node, module):
    """Texts of a tuple that is written out, in part by names of other such tuples."""
    if isinstance(node, ast.Name):
        return _texts(_assigned(module, node.id), module)
    if isinstance(node, ast.Starred):
        return _texts(node.value, module)
    if isinstance(node, ast.Tuple):
        return [text for part in node.elts for text in _texts(part, module)]
    return [] if node is None else [node.value]


def _rules_of(node, module):
    """Setting to list of nodes, from a dictionary that may begin with a base's."""
    rules = {}
    for key, value in (
        zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else ()
    ):
        if key is None and isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name):
            rules |= _constraints(module, value.value.id)
        elif key is None:
            return {}
        elif isinstance(key, ast.Constant):
            rules[key.value] = value.elts if isinstance(value, ast.List) else [value]
    return rules


def _rule(node):
    """Test and words of one rule of scikit-learn; None for a kind that is left to the job."""
    if isinstance(node, ast.Constant) and node.value is None:
        return (lambda value: value is None), "null"
    if isinstance(node, ast.Constant) and node.value == "boolean":
        return (lambda value: isinstance(value, bool)), "true or false"
    try:
        name, given = node.func.id, [ast.literal_eval(part) for part in node.args[-2:]]
    except (AttributeError, ValueError):
        return None
    if name == "StrOptions":
        (texts,) = given
        return (lambda value: isinstance(value, str) and value in texts), (
            f"one of {', '.join(map(repr, sorted(texts)))}"
        )
    kind = getattr(node.args[0], "id", None) if name == "Interval" else None
    return _interval(kind, *given, node.keywords[0].value.value) if kind in _KINDS else None


def _interval(kind, low, high, closed):
    """Test and words of an interval; a missing end is infinite."""
    number, words = _KINDS[kind]
    ends = [-math.inf if low is None else low, math.inf if high is None else high]
    inside = [
        lt if closed in ("right", "neither") else le,
        lt if closed in ("left", "neither") else le,
    ]

    def accepts(value):
        held = isinstance(value, number)
        return held and inside[0](ends[0], value) and inside[1](value, ends[1])

    signs = ((">", ">="), ("<", "<="))
    limits = [
        f"{sign[test is le]} {end}"
        for sign, test, end, given in zip(signs, inside, ends, (low, high), strict=True)
        if given is not None
    ]
    return accepts, " ".join([words, " and ".join(limits)]).strip()
