"""Configurations, documents and kept tables use public names, which can all be loaded."""

import inspect
import re
from pathlib import Path

import pytest
import yaml

import noneuclid
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
SHIPPED = [(name, kind) for kind in registry.KINDS for name in registry.shipped(kind)]


@pytest.mark.parametrize("path", READ, ids=lambda path: path.name)
def test_no_internal_path_is_named(path):
    # Cells, geometry and networks are modules whose functions are public.
    paths = r"\bnoneuclid(_compare)?\.(?!cells\.|networks\.|geometry\.\w+\b(?!\.))[a-z_]+\.\w+"
    assert re.findall(paths, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(("name", "kind"), SHIPPED)
def test_every_short_name_can_be_loaded(name, kind):
    assert callable(load_by_name.load(registry.path_of(name, kind)))


@pytest.mark.parametrize("name", registry.CLASSIFIERS)
def test_every_public_classifier_can_be_loaded(name):
    assert callable(load_by_name.load(registry.path_of(f"noneuclid.{name}", registry.METHOD)))


@pytest.mark.parametrize("kind", ["load", "embed", "draw"])
def test_every_function_that_ships_has_a_short_name(kind):
    first = load_by_name.ARGUMENTS[kind][0]
    found = {
        ".".join(path.relative_to(source).with_suffix("").parts)
        for source in (ROOT / "src", ROOT / "papers/src")
        for path in source.rglob("*.py")
        if path.parent.name != "jobs"
        if re.search(rf"^def {kind}\(\s*{first}\b", path.read_text(), flags=re.M)
    }
    shipped = set(registry.shipped(kind).values())
    if kind == "embed":
        shipped = {name.removesuffix(".embed") for name in shipped if name.endswith(".embed")}
    assert found == shipped


def test_every_transformer_that_ships_has_a_short_and_a_public_name():
    folder = ROOT / "src/noneuclid/embeddings"
    found = {
        f"noneuclid.embeddings.{path.stem}.{name}"
        for path in folder.glob("*.py")
        for name in re.findall(
            r'^class (\w+)\([^)]+\):(?:(?!^class ).)*?^    name = "', path.read_text(), re.M | re.S
        )
    }
    transformers = {n for n in registry.shipped("embed").values() if not n.endswith(".embed")}
    assert found == transformers
    assert found <= {f"noneuclid.{module}.{name}" for name, module in _MODULE_OF.items()}


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


NAMES = yaml.safe_load((ROOT / "tests/public_parameters.yaml").read_text())
BRITISH = re.compile("centre|neighbour|normalis|standardis|colour|labelled|behaviour|_metre")


def public_callables():
    """Public classes, their methods, functions, and what configurations name; names and objects."""
    for name in noneuclid.__all__:
        found = getattr(noneuclid, name)
        yield name, found
        for key, inner in members(found):
            if not key.rpartition(".")[2].startswith("_"):
                yield f"{name}.{key}", inner
    for kind in registry.KINDS:
        for name in registry.shipped(kind):
            yield f"{kind} {name}", load_by_name.load(registry.path_of(name, kind))


def members(found):
    """Methods of a class, or the names of a public module and the methods of its classes."""
    if inspect.ismodule(found):
        for name in found.__all__:
            inner = getattr(found, name)
            yield name, inner
            yield from ((f"{name}.{key}", method) for key, method in members(inner))
    elif inspect.isclass(found):
        yield from inspect.getmembers(found, callable)


def own(found):
    return str(getattr(found, "__module__", "")).startswith("noneuclid")


def parameters():
    """Names of parameters, and who has them; a part of papers keeps words of its own."""
    found = {}
    for name, what in public_callables():
        if own(what) and not inspect.ismodule(what):
            for key in inspect.signature(what).parameters:
                found.setdefault(key, {})[name] = what.__module__.startswith("noneuclid_papers")
    return found


PARAMETERS = parameters()


def test_no_parameter_has_another_name_than_the_fields():
    assert {key: list(PARAMETERS[key]) for key in NAMES["forbidden"] if key in PARAMETERS} == {}


def test_every_parameter_has_a_meaning():
    given = {"self", "cls", *NAMES["meanings"]}
    unknown = {k: list(who) for k, who in PARAMETERS.items() if k not in given}
    assert {k: who for k, who in unknown.items() if not all(PARAMETERS[k].values())} == {}


def test_every_meaning_is_used_and_none_is_given_twice():
    assert set(NAMES["meanings"]) - set(PARAMETERS) == set()
    assert set(NAMES["meanings"]) & set(NAMES["forbidden"]) == set()
    text = (ROOT / "tests/public_parameters.yaml").read_text()
    keys = re.findall(r"^  (\w+):", text, flags=re.M)
    assert len(keys) == len(set(keys))


def test_identifiers_have_the_spelling_of_the_field():
    names = {key: list(who) for key, who in PARAMETERS.items()}
    for name in noneuclid.__all__:
        found = getattr(noneuclid, name)
        source = inspect.getsource(found)
        attributes = re.findall(r"\bself\.(\w+_)\b", source) if inspect.isclass(found) else []
        for key in (name, *attributes):
            names.setdefault(key, []).append(name)
    assert {key: who for key, who in names.items() if BRITISH.search(key)} == {}


def test_keys_of_configurations_are_not_forbidden():
    schema = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text())

    def keys(part):
        if isinstance(part, dict):
            yield from part.get("properties", {})
            for inner in part.values():
                yield from keys(inner)
        elif isinstance(part, list):
            for inner in part:
                yield from keys(inner)

    assert set(keys(schema)) & set(NAMES["forbidden"]) == set()


def test_dimensions_come_first():
    for name in noneuclid.__all__:
        found = getattr(noneuclid, name)
        if inspect.isclass(found) and found.__module__.startswith("noneuclid.embeddings."):
            first = next(iter(inspect.signature(found).parameters))
            other = {"LogRatio": "scale", "ProductEmbedding": "space", "ProductUMAP": "space"}
            assert first == other.get(name, "n_components")
