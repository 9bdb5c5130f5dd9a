"""What the source says of a class's settings is what the class does with them."""

import inspect
from importlib import import_module
from pathlib import Path

import pytest
from sklearn.utils._param_validation import (
    InvalidParameterError,
    validate_parameter_constraints,
)

import noneuclid
from noneuclid.experiment import class_settings

FOLDER = Path(noneuclid.__file__).parent / "classifiers"
OURS = [
    f"{module.__name__}.{name}"
    for module in (import_module(f"noneuclid.classifiers.{p.stem}") for p in FOLDER.glob("*.py"))
    for name, cls in vars(module).items()
    if getattr(cls, "__module__", "") == module.__name__ and hasattr(cls, "fit")
]
THEIRS = [
    "sklearn.dummy.DummyClassifier",
    "sklearn.ensemble.RandomForestClassifier",
    "sklearn.linear_model.LogisticRegression",
    "sklearn.linear_model.LogisticRegressionCV",
    "sklearn.linear_model.SGDClassifier",
    "sklearn.linear_model.Ridge",
    "sklearn.neighbors.KNeighborsClassifier",
    "sklearn.neural_network.MLPClassifier",
    "sklearn.svm.SVC",
    "sklearn.tree.DecisionTreeClassifier",
]
VALUES = [None, True, 0, 1, 2, -1, 0.5, -0.5, 1.0, 1e9, float("inf"), [1], {"a": 1}]
VALUES += ["auto", "hinge", "ovr", "sqrt", "balanced", "no such"]


def takes(cls, setting, value):
    rules = getattr(cls, "_parameter_constraints", {}).get(setting)
    if rules in (None, "no_validation"):
        return True
    try:
        validate_parameter_constraints({setting: rules}, {setting: value}, "class")
    except InvalidParameterError:
        return False
    return True


def class_of(path):
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


@pytest.mark.parametrize("path", sorted({*OURS, *THEIRS}))
def test_the_source_tells_the_settings_and_refuses_no_legal_value(path):
    cls, found = class_of(path), class_settings.names(path)
    assert found == tuple(inspect.signature(cls).parameters)
    for setting in found:
        for value in VALUES:
            if class_settings.refused(path, setting, value):
                assert not takes(cls, setting, value), (setting, value)


def test_most_wrong_values_are_refused_by_the_source():
    wrong = told = 0
    for path in THEIRS:
        for setting in class_settings.names(path):
            for value in VALUES:
                if not takes(class_of(path), setting, value):
                    wrong += 1
                    told += bool(class_settings.refused(path, setting, value))
    assert told > 0.5 * wrong


@pytest.mark.parametrize(
    ("path", "setting", "value", "legal"),
    [
        ("sklearn.linear_model.LogisticRegression", "C", -1, "a number > 0"),
        ("sklearn.linear_model.LogisticRegression", "C", "1", "a number > 0"),
        ("sklearn.linear_model.LogisticRegression", "fit_intercept", 1, "true or false"),
        (
            "noneuclid.classifiers.hyperboloid_svm.HyperboloidSVC",
            "tol",
            1,
            "a number > 0 and < 1 or null",
        ),
        (
            "noneuclid.classifiers.hyperbolic_trees.HyperbolicDecisionTreeClassifier",
            "max_depth",
            "3",
            "an integer >= 1 or null",
        ),
        (
            "noneuclid.classifiers.hyperbolic_trees.HyperbolicDecisionTreeClassifier",
            "precision",
            "double",
            "one of 'float32', 'float64'",
        ),
        (
            "noneuclid.classifiers.poincare_svm.PoincareSVC",
            "margin",
            "soft",
            "one of 'exact', 'paper'",
        ),
    ],
)
def test_what_would_be_legal(path, setting, value, legal):
    assert class_settings.refused(path, setting, value) == legal


@pytest.mark.parametrize("path", ["nowhere.at.All", "os.path.join", "sys.argv", "sklearn.Nothing"])
def test_what_has_no_source_is_left_to_the_job(path):
    assert class_settings.names(path) is None
    assert class_settings.refused(path, "C", "x") == ""
