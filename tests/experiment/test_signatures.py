"""Parameters are read from signatures, and what a function does not take is refused."""

import numpy as np
import pytest
from cases import each_of

from noneuclid.errors import InputError
from noneuclid_compare.config import configuration_checks, load_by_name, registry, transformers
from noneuclid_compare.config.signatures import defaults, parameters_of
from noneuclid_compare.data.shipped import karate
from noneuclid_compare.records import Dataset

FUNCTIONS = [(use, kind) for kind in load_by_name.ARGUMENTS for use in registry.shipped(kind)]


@each_of(("use", "kind"), FUNCTIONS)
def test_an_unknown_parameter_is_refused_with_the_legal_ones(use, kind):
    known = parameters_of(use, kind)
    assert known is not None
    given = [None] * len(load_by_name.ARGUMENTS[kind])
    call = transformers.embed if kind == "embed" else load_by_name.call
    with pytest.raises(
        InputError, match="unknown parameter 'no such'; legal parameters: "
    ) as caught:
        call(registry.path_of(use, kind), *given, **{"no such": 1})
    legal = str(caught.value).partition("legal parameters: ")[2]
    assert legal == (", ".join(known) or "none")


@pytest.mark.parametrize("name", ["deepwalk", "poincare_embedding", "random_walk", "refined_hydra"])
def test_options_that_are_passed_on_are_not_swallowed(name):
    embed = transformers.function(registry.path_of(name, "embed"))
    with pytest.raises(TypeError, match="unexpected keyword argument 'walks'"):
        embed(karate.load({}, 0), 0, walks=3)


def test_parameters_of_shared_parts_are_in_the_signature():
    assert tuple(parameters_of("refined_hydra", "embed"))[:4] == (
        "n_components",
        "power",
        "tol",
        "max_iter",
    )
    assert defaults("table_file", "load")["numeric"] is False


def test_a_parameter_without_a_default_is_required():
    assert "label" in parameters_of("table_file", "load")
    assert "label" not in defaults("table_file", "load")
    entry = {"use": "table_file", "params": {"drop": ["x"]}}
    with pytest.raises(InputError, match="d/params: the parameter 'label' is missing; table_file"):
        configuration_checks.check_function(entry, "load", "d")
    with pytest.raises(
        InputError, match=r"table_file.load: missing parameter 'label'; legal param"
    ):
        load_by_name.call(registry.path_of("table_file", "load"), {}, 0)


def test_too_many_dimensions_are_refused_under_the_name_of_their_parameter():
    many = {"use": "lifted_pca", "params": {"n_components": 20_000}}
    with pytest.raises(InputError, match=r"^e/params/n_components: 20000 is more than the limit"):
        configuration_checks.check_function(many, "embed", "e")


OWN = """
from noneuclid_compare.data.shipped import karate


def load(files, seed, *, {parameters}):
    return karate.load(files, seed)
"""


def own(folder, monkeypatch, parameters, name):
    (folder / f"{name}.py").write_text(OWN.format(parameters=parameters))
    monkeypatch.syspath_prepend(folder)


def test_a_loader_of_the_user_is_checked_too(tmp_path, monkeypatch):
    own(tmp_path, monkeypatch, "rows, shift=2", "their_loader")
    assert tuple(parameters_of("their_loader.load", "load")) == ("rows", "shift")
    assert defaults("their_loader.load", "load") == {"shift": 2}
    with pytest.raises(InputError, match="unknown parameter 'row'; legal parameters: rows, shift"):
        load_by_name.call("their_loader.load", {}, 0, row=1)
    assert load_by_name.call("their_loader.load", {}, 0, rows=1).name == "karate"


def test_a_loader_that_takes_any_name_is_left_to_the_job(tmp_path, monkeypatch):
    own(tmp_path, monkeypatch, "rows=2, **others", "open_loader")
    assert parameters_of("open_loader.load", "load") is None
    assert load_by_name.call("open_loader.load", {}, 0, colour=1).name == "karate"


def test_defaults_of_what_cannot_be_imported_are_unknown():
    assert defaults("somebody.elses.load", "load") == {}
    with pytest.raises(InputError, match="cannot be imported"):
        parameters_of("somebody.elses.load", "load")


TRANSFORMER = """
from sklearn.base import BaseEstimator, TransformerMixin


class Mine(TransformerMixin, BaseEstimator):
    chart = "poincare"

    def __init__(self, {parameters}):
        self.factor = factor

    def fit(self, X, y=None):
        return self

    def fit_transform(self, X, y=None):
        return self.factor * X[:, :2]


class NoTransformer:
    pass
"""


def test_a_transformer_of_the_user_is_checked_and_called(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(TRANSFORMER.format(parameters="factor, random_state=None"))
    monkeypatch.chdir(tmp_path)
    assert tuple(parameters_of("mine.py:Mine", "embed")) == ("factor",)
    entry = {"use": "mine.py:Mine", "params": {"size": 2}}
    with pytest.raises(InputError, match="e/params: unknown parameter 'size'; known: factor"):
        configuration_checks.check_function(entry, "embed", "e")
    with pytest.raises(InputError, match=r"the parameter 'factor' is missing; mine.py:Mine needs"):
        configuration_checks.check_function({"use": "mine.py:Mine"}, "embed", "e")
    features = np.eye(6)
    data = Dataset("d", "features", np.arange(6) % 2, ("a", "b"), features=features)
    embedded = transformers.embed("mine.py:Mine", data, 0, factor=0.5)
    assert embedded.chart == "poincare"
    np.testing.assert_array_equal(embedded.points, 0.5 * features[:, :2])


def test_values_of_a_transformer_are_checked_by_its_own_rules():
    entry = {"use": "sklearn.decomposition.PCA", "params": {"n_components": -1}}
    with pytest.raises(InputError, match="e/params/n_components: -1; give "):
        configuration_checks.check_function(entry, "embed", "e")
    entry["params"] = {"n_components": 2}
    configuration_checks.check_function(entry, "embed", "e")


@pytest.mark.parametrize("use", ["sklearn.svm.SVC", "mine.py:NoTransformer"])
def test_a_class_that_does_not_embed_is_refused(use, tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(TRANSFORMER.format(parameters="factor=1"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="is a class without fit_transform: give a scikit-learn"):
        parameters_of(use, "embed")


def test_what_comes_with_the_data_is_no_parameter():
    known = {*defaults("hydra", "embed")} | {*defaults("tree_embedding", "embed")}
    known |= {*defaults("log_ratio", "embed")}
    assert not {"chart", "random_state", "edge_lengths", "low", "high"} & known
