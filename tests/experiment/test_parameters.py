"""Parameters are read from signatures, and what a function does not take is refused."""

from importlib import import_module
from pathlib import Path

import pytest

import noneuclid
from noneuclid.datasets.shipped import karate
from noneuclid.errors import InputError
from noneuclid.experiment import imports
from noneuclid.experiment.parameters import defaults, known_settings

FOLDER = Path(noneuclid.__file__).parent
CALLS = {"datasets": "load", "embeddings": "embed", "reporting/illustrations": "draw"}
MODULES = [
    (".".join(["noneuclid", *path.relative_to(FOLDER).with_suffix("").parts]), call)
    for part, call in CALLS.items()
    for path in sorted((FOLDER / part).rglob("*.py"))
    if f"\ndef {call}(" in path.read_text()
]


@pytest.mark.parametrize(("module", "call"), MODULES)
def test_an_unknown_parameter_is_refused_with_the_legal_ones(module, call):
    known = known_settings(module)
    assert known is not None
    given = [None] * len(imports.ARGUMENTS[call])
    with pytest.raises(
        InputError, match="unknown parameter 'no such'; legal parameters: "
    ) as caught:
        imports.call(f"{module}.{call}", *given, **{"no such": 1})
    legal = str(caught.value).partition("legal parameters: ")[2]
    assert legal == (", ".join(known) or "none")


@pytest.mark.parametrize("name", ["deepwalk", "nickel_kiela", "random_walk", "refined_hydra"])
def test_options_that_are_passed_on_are_not_swallowed(name):
    embedding = import_module(f"noneuclid.embeddings.{name}")
    with pytest.raises(TypeError, match="unexpected keyword argument 'walk_length'"):
        embedding.embed(karate.load({}, 0), 0, walk_length=3)


def test_parameters_of_shared_parts_are_in_the_signature():
    assert known_settings("noneuclid.embeddings.refined_hydra")[:4] == (
        "power",
        "tolerance",
        "max_iterations",
        "dimension",
    )
    assert defaults("noneuclid.datasets.own.table_file")["numeric"] is False
    assert defaults("noneuclid.evaluation.splits")["folds"] == 5


def test_a_parameter_without_a_default_is_required():
    module = "noneuclid.datasets.own.table_file"
    assert "label" in known_settings(module)
    assert "label" not in defaults(module)
    with pytest.raises(
        InputError, match=r"table_file.load: missing parameter 'label'; legal param"
    ):
        imports.call(f"{module}.load", {}, 0)


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
    assert known_settings("their_loader") == ("rows", "shift")
    assert defaults("their_loader") == {"shift": 2}
    with pytest.raises(InputError, match="unknown parameter 'row'; legal parameters: rows, shift"):
        imports.call("their_loader.load", {}, 0, row=1)
    assert imports.call("their_loader.load", {}, 0, rows=1).name == "karate"


def test_a_loader_that_takes_any_name_is_left_to_the_job(tmp_path, monkeypatch):
    own(tmp_path, monkeypatch, "rows=2, **others", "open_loader")
    assert known_settings("open_loader") is None
    assert imports.call("open_loader.load", {}, 0, colour=1).name == "karate"


def test_modules_that_cannot_be_imported_are_left_to_the_job():
    assert known_settings("somebody.elses.loader") is None
    assert known_settings("noneuclid.no_such_module") is None
