import sys

import pytest

from noneuclid.errors import InputError
from noneuclid_compare.config import load_by_name
from noneuclid_compare.provenance import SOURCE

SVC = "noneuclid.PoincareSVC"


@pytest.mark.parametrize("name", ["chart", "curvature"])
def test_how_the_data_are_written_is_no_parameter(name):
    with pytest.raises(InputError, match=f"{name} is a property of the data, not a parameter"):
        load_by_name.build(SVC, {name: "tangent"}, chart="hyperboloid", curvature=1.0)


def test_context_reaches_the_classes_that_know_it():
    assert load_by_name.build(SVC, {}, chart="klein", curvature=2.0).chart == "klein"
    load_by_name.build("sklearn.dummy.DummyClassifier", {}, chart="klein", curvature=2.0)


def test_unknown_names_are_refused():
    with pytest.raises(InputError, match="cannot be imported"):
        load_by_name.load("noneuclid.classifiers.poincare_svm.Nothing")
    with pytest.raises(InputError, match="has no parameter 'c'"):
        load_by_name.build(SVC, {"c": 1})


def test_a_parameter_without_a_value_is_named():
    with pytest.raises(InputError, match=r"missing a required argument: 'estimator'; give it"):
        load_by_name.build("sklearn.model_selection.GridSearchCV", {})


def test_a_class_that_scikit_learn_cannot_clone_is_refused(tmp_path, monkeypatch):
    text = "class Bare:\n    def fit(self, X, y): ...\n    def predict(self, X): ...\n"
    (tmp_path / "bare_class.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match="a class without get_params: give a scikit-learn"):
        load_by_name.build("bare_class.Bare", {})


FUNCTIONS = {
    "no function": "load = 3",
    "a class": "class load:\n    pass",
    "too few arguments": "def load(files): ...",
    "too many": "def load(settings, files, seed): ...",
}


@pytest.mark.parametrize("text", FUNCTIONS.values(), ids=FUNCTIONS)
def test_what_is_no_loader_is_refused_and_not_called(text, tmp_path, monkeypatch):
    (tmp_path / "odd_loader.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "odd_loader", raising=False)
    with pytest.raises(InputError, match=r"odd_loader\.load.* load\(files, seed, \*, \.\.\.\)"):
        load_by_name.function("odd_loader.load", *load_by_name.LOAD)


def test_a_function_of_a_library_is_no_loader():
    with pytest.raises(InputError, match=r"pickle\.load is not a function: .*"):
        load_by_name.function("pickle.load", *load_by_name.LOAD)


@pytest.mark.parametrize(
    ("folder", "name", "arguments"),
    [("data", "load", load_by_name.LOAD), ("embed", "embed", load_by_name.EMBED)],
)
def test_every_module_that_ships_has_the_function(folder, name, arguments):
    text = f"\ndef {name}({', '.join(arguments[:2])}"
    paths = [path for path in (SOURCE / folder).rglob("*.py") if text in path.read_text()]
    assert paths
    for path in paths:
        module = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
        load_by_name.function(f"{module}.{name}", *arguments)
