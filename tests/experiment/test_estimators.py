"""Parameters and kinds of estimators are those that scikit-learn itself finds."""

import inspect
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from cases import each_of
from sklearn.utils import all_estimators
from sklearn.utils._param_validation import (
    InvalidParameterError,
    validate_parameter_constraints,
)

import noneuclid
import noneuclid_compare
from noneuclid.errors import InputError
from noneuclid_compare.config import load_by_name, parameter_checks, registry

PREDICTORS = [n for n in noneuclid.__all__ if hasattr(getattr(noneuclid, n), "predict")]
OURS = [f"noneuclid.{n}" for n in PREDICTORS if not hasattr(getattr(noneuclid, n), "fit_predict")]
OURS.remove("noneuclid.MarginClassifier")  # a base class
OURS.remove("noneuclid.HedgedClassifier")  # wraps a classifier
OURS.remove("noneuclid.ConformalClassifier")
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
NO_METHODS = {
    "sklearn.preprocessing.StandardScaler": "a transformer",
    "sklearn.decomposition.PCA": "a transformer",
    "sklearn.cluster.KMeans": "a clustering",
    "sklearn.ensemble.IsolationForest": "a detector of outliers",
    "sklearn.neighbors.KernelDensity": "a class without predict",
    "sklearn.base.clone": "no class",
    "pathlib_of_nobody.Path": None,
}


def takes(cls, name, value):
    rules = getattr(cls, "_parameter_constraints", {}).get(name)
    if rules in (None, "no_validation"):
        return True
    try:
        validate_parameter_constraints({name: rules}, {name: value}, "class")
    except InvalidParameterError:
        return False
    return True


@each_of("use", sorted([*OURS, *THEIRS]))
def test_names_and_values_are_those_of_the_class(use):
    cls = load_by_name.estimator(use)
    known = parameter_checks.known_parameters(cls)
    assert known == tuple(inspect.signature(cls).parameters)
    for name in known:
        for value in VALUES:
            assert bool(parameter_checks.legal_values(cls, name, value)) != takes(cls, name, value)


@each_of(
    ("use", "name", "value", "legal"),
    [
        ("sklearn.linear_model.LogisticRegression", "C", -1, "a number > 0"),
        ("sklearn.linear_model.LogisticRegression", "C", "1", "a number > 0"),
        ("sklearn.linear_model.LogisticRegression", "fit_intercept", 1, "true or false"),
        ("sklearn.naive_bayes.GaussianNB", "priors", 1, "a list or null"),
        ("noneuclid.HyperboloidSVC", "tol", 1, "a number > 0 and < 1 or null"),
        ("noneuclid.HyperbolicDecisionTreeClassifier", "max_depth", "3", "an integer >= 1 or null"),
        (
            "noneuclid.HyperbolicDecisionTreeClassifier",
            "precision",
            "double",
            "one of 'float32', 'float64'",
        ),
        ("noneuclid.PoincareSVC", "margin", "soft", "one of 'exact', 'paper'"),
    ],
)
def test_legal_values_in_words(use, name, value, legal):
    assert parameter_checks.legal_values(load_by_name.estimator(use), name, value) == legal


def test_any_keyword_is_taken_where_the_constructor_takes_any():
    class Open:
        def __init__(self, **kwargs):
            pass

    assert parameter_checks.known_parameters(Open) is None
    assert parameter_checks.legal_values(Open, "anything", 1) == ""


@each_of("use", NO_METHODS)
def test_what_is_no_method_is_refused(use):
    words = f"{use} is {NO_METHODS[use]}: give a scikit-learn" if NO_METHODS[use] else "No module"
    with pytest.raises(InputError, match=words):
        load_by_name.estimator(use)


@each_of("use", ["subprocess.Popen", "os.system", "builtins.eval", "sys.argv"])
@each_of("kind", registry.KINDS)
def test_modules_of_python_are_refused_before_an_import(use, kind, monkeypatch):
    monkeypatch.setattr(load_by_name, "import_module", lambda name: pytest.fail(name))
    with pytest.raises(InputError, match=f"{use} is part of Python itself"):
        load_by_name.load(registry.path_of(use, kind))


@pytest.mark.parametrize("use", ["numpy.load", "numpy.memmap", "subprocess.Popen"])
def test_nothing_but_estimators_is_called(use, tmp_path):
    made = tmp_path / "made"
    with pytest.raises(InputError, match=r"is (no class|a class without fit|part of Python)"):
        load_by_name.build(use, {"filename": str(made), "mode": "w+", "shape": [1]})
    assert not made.exists()


def test_what_the_classes_of_scikit_learn_predict():
    kinds = {
        "ClassifierMixin": parameter_checks.CLASSES,
        "RegressorMixin": parameter_checks.NUMBERS,
    }
    found, without_arguments = {}, set()
    for name, cls in all_estimators():
        use = f"{cls.__module__}.{name}"
        expected = {kinds.get(base.__name__) for base in cls.__mro__} - {None}
        with suppress(InputError):
            found[use] = parameter_checks.predicted_kind(load_by_name.build(use, {}), use)
            assert {found[use]} == expected, use
        parameters = inspect.signature(cls).parameters.values()
        # One that wraps another estimator cannot be given in a configuration.
        if expected and not any(p.name in ("estimator", "estimators") for p in parameters):
            without_arguments.add(use)
    assert without_arguments <= set(found)
    assert len(without_arguments) > 60


@each_of("use", OURS)
def test_what_our_classes_predict(use):
    kind = (
        parameter_checks.NUMBERS
        if "Regressor" in use or "Ridge" in use
        else parameter_checks.CLASSES
    )
    assert parameter_checks.predicted_kind(load_by_name.build(use, {}), use) == kind


def test_private_names_of_scikit_learn_are_in_one_module():
    folder = Path(noneuclid_compare.__file__).parent
    users = [
        path.name
        for path in folder.rglob("*.py")
        if "sklearn.utils._" in path.read_text() or "_validate_params" in path.read_text()
    ]
    assert users == ["parameter_checks.py"]
    assert import_module("noneuclid_compare.config.parameter_checks")
