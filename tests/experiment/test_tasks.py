"""Only classifiers and regressors are methods, and the source says which a class is."""

import inspect
from importlib import import_module
from pathlib import Path

import pytest
from sklearn.utils import all_estimators

import noneuclid
from noneuclid.errors import InputError
from noneuclid.experiment import imports, tasks
from noneuclid.experiment.names import LOADERS

FOLDER = Path(noneuclid.__file__).parent
NO_METHODS = {
    "subprocess.Popen": "a class without fit",
    "os.system": "part of Python itself",
    "builtins.eval": "part of Python itself",
    "sklearn.preprocessing.StandardScaler": "a transformer",
    "sklearn.decomposition.PCA": "a transformer",
    "sklearn.cluster.KMeans": "a clustering",
    "sklearn.ensemble.IsolationForest": "a detector of outliers",
    "sklearn.neighbors.KernelDensity": "a class without predict",
    "sklearn.base.clone": "a function",
    "noneuclid.experiment.io.write_json": "a function",
    "noneuclid.contracts.Split": None,
}


@pytest.mark.parametrize("path", NO_METHODS)
def test_what_is_no_method_is_refused_unread(path, monkeypatch):
    monkeypatch.setattr(imports, "import_module", lambda name: pytest.fail(name))
    if NO_METHODS[path] is None:  # a decorator may add anything
        assert tasks.of_method(path) is None
        return
    with pytest.raises(InputError, match=f"{path} is {NO_METHODS[path]}: give a scikit-learn"):
        tasks.of_method(path)


@pytest.mark.parametrize("path", ["subprocess.Popen", "os.system", "builtins.eval", "numpy.load"])
def test_a_job_calls_nothing_but_estimators(path, tmp_path):
    made = tmp_path / "made"
    settings = {"args": ["touch", str(made)]} if path.endswith("Popen") else {}
    with pytest.raises(InputError, match=r"is (no class|a class without fit): give a scikit-learn"):
        imports.build(path, settings)
    assert not made.exists()


def test_what_the_classes_of_scikit_learn_predict():
    for name, cls in all_estimators():
        bases = {base.__name__ for base in cls.__mro__}
        path = f"{cls.__module__}.{name}"
        expected = {
            tasks.CLASSES: "ClassifierMixin" in bases,
            tasks.NUMBERS: "RegressorMixin" in bases,
        }
        try:
            found = tasks.of_method(path)
        except InputError:
            assert not any(expected.values()), path
        else:
            assert expected.get(found, not any(expected.values())), path


def test_what_our_classes_predict():
    for path in sorted((FOLDER / "classifiers").glob("*.py")):
        module = import_module(f"noneuclid.classifiers.{path.stem}")
        for name, cls in vars(module).items():
            own = inspect.isclass(cls) and cls.__module__ == module.__name__
            if own and callable(getattr(cls, "predict", None)):
                numbers = "Regressor" in name
                assert tasks.of_method(f"{module.__name__}.{name}") == (
                    tasks.NUMBERS if numbers else tasks.CLASSES
                )


@pytest.mark.parametrize(
    ("loader", "settings", "target"),
    [
        ("karate", {}, "classes"),
        ("diabetes", {}, "numbers"),
        ("hyperbolic_position", {}, "numbers"),
        ("table_file", {"label": "y"}, "classes"),
        ("table_file", {"label": "y", "numeric": True}, "numbers"),
        ("array_sample", {"numeric": True}, "numbers"),
        ("graph_file", {}, "classes"),
    ],
)
def test_what_a_data_set_asks_for(loader, settings, target):
    entry = {"loader": f"noneuclid.{LOADERS[loader]}", "settings": settings}
    assert tasks.of_data(entry) == target


def test_a_method_must_predict_what_its_data_sets_have():
    classes = {f"d{k}": {"loader": "noneuclid.datasets.shipped.karate"} for k in range(5)}
    numbers = {"n": {"loader": "noneuclid.datasets.shipped.diabetes"}}
    own = {"own": {"loader": "my.loader"}}
    svc, ridge = "sklearn.svm.SVC", "sklearn.linear_model.Ridge"
    tasks.check(svc, classes | own)
    tasks.check(ridge, numbers | own)
    with pytest.raises(
        InputError, match="d0, d1, d2 and 2 more has classes to predict: list only classi"
    ):
        tasks.check(ridge, numbers | classes)
    with pytest.raises(InputError, match=r"SVC predicts classes, but data set n has numbers"):
        tasks.check(svc, numbers | classes)
