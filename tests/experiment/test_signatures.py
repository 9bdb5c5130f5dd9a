"""Parameters are read from signatures, and what a function does not take is refused."""

from importlib import import_module

import pytest

from noneuclid.datasets.shipped import karate
from noneuclid.errors import InputError
from noneuclid.experiment import configuration_checks, imports, public_names
from noneuclid.experiment.signatures import defaults, parameters_of

FUNCTIONS = [(use, kind) for kind in imports.ARGUMENTS for use in public_names.SHIPPED[kind]]


@pytest.mark.parametrize(("use", "kind"), FUNCTIONS)
def test_an_unknown_parameter_is_refused_with_the_legal_ones(use, kind):
    known = parameters_of(use, kind)
    assert known is not None
    given = [None] * len(imports.ARGUMENTS[kind])
    with pytest.raises(
        InputError, match="unknown parameter 'no such'; legal parameters: "
    ) as caught:
        imports.call(public_names.path_of(use, kind), *given, **{"no such": 1})
    legal = str(caught.value).partition("legal parameters: ")[2]
    assert legal == (", ".join(known) or "none")


@pytest.mark.parametrize("name", ["deepwalk", "nickel_kiela", "random_walk", "refined_hydra"])
def test_options_that_are_passed_on_are_not_swallowed(name):
    embedding = import_module(f"noneuclid.embeddings.{name}")
    with pytest.raises(TypeError, match="unexpected keyword argument 'walk_length'"):
        embedding.embed(karate.load({}, 0), 0, walk_length=3)


def test_parameters_of_shared_parts_are_in_the_signature():
    assert tuple(parameters_of("refined_hydra", "embed"))[:4] == (
        "power",
        "tolerance",
        "max_iterations",
        "dimension",
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
        imports.call(public_names.path_of("table_file", "load"), {}, 0)


OWN = """
from noneuclid.datasets.shipped import karate


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
        imports.call("their_loader.load", {}, 0, row=1)
    assert imports.call("their_loader.load", {}, 0, rows=1).name == "karate"


def test_a_loader_that_takes_any_name_is_left_to_the_job(tmp_path, monkeypatch):
    own(tmp_path, monkeypatch, "rows=2, **others", "open_loader")
    assert parameters_of("open_loader.load", "load") is None
    assert imports.call("open_loader.load", {}, 0, colour=1).name == "karate"


def test_defaults_of_what_cannot_be_imported_are_unknown():
    assert defaults("somebody.elses.load", "load") == {}
    with pytest.raises(InputError, match="cannot be imported"):
        parameters_of("somebody.elses.load", "load")
