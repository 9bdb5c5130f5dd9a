"""Configurations, documents and kept tables use public names, which can all be loaded."""

import re
from pathlib import Path

import pytest

from noneuclid import _MODULE_OF
from noneuclid.errors import InputError
from noneuclid_compare.config import load_by_name, registry

ROOT = Path(__file__).resolve().parents[1]
READ = [ROOT / "README.md", *ROOT.glob("config/**/*.*"), *ROOT.glob("docs/*.md")]
READ += [
    *ROOT.glob("workflow/schemas/*"),
    *ROOT.glob("resources/**/*.tsv"),
    *ROOT.glob("tests/config/*"),
]
READ += [ROOT / "benchmarks/costs.tsv"]
SHIPPED = [(name, kind) for kind, table in registry.SHIPPED.items() for name in table]


@pytest.mark.parametrize("path", READ, ids=lambda path: path.name)
def test_no_internal_path_is_named(path):
    # Cells and networks are modules whose functions are public.
    paths = r"\bnoneuclid\.(?!cells\.|networks\.)[a-z_]+\.\w+"
    assert re.findall(paths, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(("name", "kind"), SHIPPED)
def test_every_short_name_can_be_loaded(name, kind):
    assert callable(load_by_name.load(registry.path_of(name, kind)))


@pytest.mark.parametrize("name", registry.CLASSIFIERS)
def test_every_public_classifier_can_be_loaded(name):
    assert callable(load_by_name.load(registry.path_of(f"noneuclid.{name}", registry.METHOD)))


@pytest.mark.parametrize("folder", ["datasets", "embeddings", "reporting/illustrations"])
def test_every_function_that_ships_has_a_short_name(folder):
    kind = {"datasets": "load", "embeddings": "embed"}.get(folder, "draw")
    first = load_by_name.ARGUMENTS[kind][0]
    source = ROOT / "src/noneuclid"
    found = {
        ".".join(path.relative_to(source).with_suffix("").parts)
        for part in ((folder, "papers") if folder == "datasets" else (folder,))
        for path in (source / part).rglob("*.py")
        if re.search(rf"^def {kind}\(\s*{first}\b", path.read_text(), flags=re.M)
    }
    shipped = set(registry.SHIPPED[kind].values())
    if kind == "embed":
        shipped = {name.removesuffix(".embed") for name in shipped if name.endswith(".embed")}
    assert found == shipped


def test_every_transformer_that_ships_has_a_short_and_a_public_name():
    folder = ROOT / "src/noneuclid/embeddings"
    found = {
        f"embeddings.{path.stem}.{name}"
        for path in folder.glob("*.py")
        for name in re.findall(
            r'^class (\w+)\(\w+\):(?:(?!^class ).)*?^    name = "', path.read_text(), re.M | re.S
        )
    }
    transformers = {n for n in registry.EMBEDDINGS.values() if not n.endswith(".embed")}
    assert found == transformers
    assert found <= {f"{module}.{name}" for name, module in _MODULE_OF.items()}


@pytest.mark.parametrize("name", registry.EMBEDDINGS)
def test_a_transformer_has_the_name_of_the_configuration(name):
    found = load_by_name.load(registry.path_of(name, "embed"))
    assert getattr(found, "name", name) == name


@pytest.mark.parametrize(
    ("use", "kind", "known"),
    [
        ("noneuclid.classifiers.poincare_svm.PoincareSVC", "method", "noneuclid.PoincareSVC,"),
        ("noneuclid.PoincareSVM", "method", "noneuclid.PoincareSVC,"),
        ("noneuclid_compare.data.shipped.karate", "load", "karate, package"),
        ("karat", "load", "karate, package"),
        ("hydro", "embed", "hydra, "),
        ("noneuclid.PoincareMap", "embed", "poincare_maps, package"),
        ("PoincareSVC", "method", "noneuclid.PoincareSVC,"),
        ("noneuclid.MarginClassifier", "method", ""),
        ("noneuclid.Polytope", "method", ""),
        ("noneuclid.HyperbolicNystroem", "method", "noneuclid.HyperbolicNystroemClassifier"),
        ("noneuclid.HyperbolicKernel", "method", "noneuclid.HyperbolicKernel"),
    ],
)
def test_near_names_are_given(use, kind, known):
    with pytest.raises(InputError, match=f"unknown .* '{use}'; known: {known}"):
        registry.path_of(use, kind)
