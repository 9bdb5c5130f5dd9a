import copy
from pathlib import Path

import pytest
import yaml
from cases import each_of

from noneuclid.errors import InputError
from noneuclid_compare.config import configuration, defaults, load_by_name, registry

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"
TABLE = {"use": "table_file", "files": {"data": "mine.csv"}, "params": {"label": "class"}}
GRAPH = {"use": "graph_file", "files": {"data": "g.gml"}, "params": {"label": "class"}}
NUMBERS = TABLE | {"params": {"label": "age", "numeric": True}}
PARTS = TABLE | {"params": {"label": "site", "kind": "composition"}}


def checked(**datasets):
    config = {"datasets": datasets}
    configuration.check(config, SCHEMA)
    return configuration.filled(config)


def test_data_sets_are_a_whole_configuration():
    text = "datasets:\n  mine: {use: table_file, files: {data: mine.csv}, params: {label: class}}\n"
    given = yaml.safe_load(text)
    before = copy.deepcopy(given)
    configuration.check(given, SCHEMA)
    config = configuration.filled(given)
    assert given == before
    assert set(yaml.safe_load(SCHEMA.read_text())["required"]) <= set(config)
    assert config["datasets"]["mine"] == TABLE | {"embeddings": list(defaults.OF_KIND["features"])}
    assert list(config["methods"]) == list(defaults.CLASSIFIERS)
    assert config["report"] == {"title": "mine", "metric": "balanced_accuracy"}
    assert configuration.filled(config) == config


def test_the_recipe_shows_the_defaults():
    section = (ROOT / "config/README.md").read_text().partition("## A whole configuration\n")[2]
    given, shown = (
        yaml.safe_load(text.removeprefix("yaml")) for text in section.split("```")[1:4:2]
    )
    assert configuration.filled(given) == shown


@each_of("path", sorted(ROOT.glob("config/**/*.yaml")), ids=lambda path: path.stem)
def test_a_configuration_that_gives_all_keys_stays_as_it_is(path):
    given = configuration.expanded(yaml.safe_load(path.read_text()))
    found = configuration.filled(given)
    assert found == given
    for section in ("datasets", "embeddings", "methods"):
        assert list(found[section].items()) == list(given[section].items())


@each_of(
    ("entry", "embeddings"),
    [
        (TABLE, defaults.OF_KIND["features"]),
        (TABLE | {"params": {"chart": "klein", "label": "class"}}, ("given",)),
        (PARTS, ("log_ratio",)),
        (GRAPH, ("hydra",)),
        ({"use": "anndata_file", "params": {"label": "t"}}, defaults.OF_KIND["expression"]),
        ({"use": "train_test_npz"}, ("given",)),
        ({"use": "popularity_similarity"}, ("hydra",)),
        ({"use": "popularity_similarity", "params": {"kind": "points"}}, ("given",)),
    ],
)
def test_embeddings_follow_from_the_kind_of_data(entry, embeddings):
    config = checked(mine=entry)
    assert config["datasets"]["mine"]["embeddings"] == list(embeddings)
    assert set(config["embeddings"]) == set(embeddings)


def test_the_table_of_kinds_is_right_for_what_needs_no_file():
    slow = ("krumsiek11", "pbmc68k_reduced", "pbmc68k_compositions")
    for use, kind in defaults.KINDS.items():
        if use.endswith("_file") or use in ("array_sample", "feature_table", *slow):
            continue
        fewer = {"n_cells": 100, "n_genes": 200} if use == "cell_atlas" else {}
        assert load_by_name.call(registry.path_of(use, "load"), {}, 0, **fewer).kind == kind, use


def test_given_values_are_kept_and_the_rest_of_a_section_is_filled_in():
    config = configuration.filled(
        {
            "seed": 7,
            "datasets": {"mine": TABLE | {"methods": ["forest"]}},
            "splits": {"folds": 3},
            "search": {"folds": 2},
            "report": {"title": "T"},
            "embeddings": {"own": {"use": "hydra"}, "flat": {"use": "lifted_pca"}},
        }
    )
    assert (config["seed"], config["splits"]) == (7, {"scheme": "stratified_kfold", "folds": 3})
    assert config["search"] == {"folds": 2, "scoring": "balanced_accuracy"}
    assert config["report"] == {"title": "T", "metric": "balanced_accuracy"}
    assert config["datasets"]["mine"]["embeddings"] == ["own", "flat"]
    assert list(config["methods"]) == ["forest"]


def test_an_embedding_that_ships_needs_no_entry():
    config = checked(mine=TABLE | {"embeddings": ["refined_hydra"]})
    assert config["embeddings"] == {"refined_hydra": {"use": "refined_hydra"}}
    with pytest.raises(InputError, match=r"unknown embedding 'hydrra'; known: .*poincare_maps"):
        checked(mine=TABLE | {"embeddings": ["hydrra"]})


def test_numbers_are_predicted_by_regressors():
    config = checked(mine=NUMBERS)
    assert list(config["methods"]) == list(defaults.REGRESSORS)
    assert config["search"]["scoring"] == config["report"]["metric"] == "r2"


def test_data_sets_of_several_kinds_get_their_own_methods():
    config = checked(mine=TABLE, parts=PARTS)
    assert config["datasets"]["mine"]["methods"] == list(defaults.CLASSIFIERS)
    assert config["datasets"]["parts"]["methods"] == list(defaults.ON_COMPOSITIONS)
    with pytest.raises(InputError, match=r"search: some data sets have classes.*scoring"):
        checked(mine=TABLE, age=NUMBERS)
    scored = {"search": {"scoring": "r2"}, "report": {"metric": "accuracy"}}
    config = configuration.filled({"datasets": {"mine": TABLE, "age": NUMBERS}} | scored)
    assert config["datasets"]["age"]["methods"] == list(defaults.REGRESSORS)


def test_a_loader_that_does_not_say_its_kind_needs_embeddings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("my_data.py").write_text("def load(files, seed): ...\n")
    with pytest.raises(InputError, match=r"^datasets/mine: my_data.py:load does not say"):
        checked(mine={"use": "my_data.py:load"})
    assert "methods" in checked(mine={"use": "my_data.py:load", "embeddings": ["hydra"]})


@each_of(
    ("config", "message"),
    [
        ({}, "top level: 'datasets' is a required property"),
        ({"datasets": None}, "datasets: None is not of type 'object'"),
        ({"datasets": {"a": None}}, "datasets/a: None is not of type"),
        ({"datasets": {"a": {"use": 3}}}, "datasets/a/use: 3 is not of type"),
        ({"datasets": {"a": TABLE | {"params": []}}}, r"datasets/a/params: \[\] is not of type"),
        ({"datasets": {"a": TABLE | {"methods": [[]]}}}, r"methods/0: \[\] is not of type"),
        ({"datasets": {"a": TABLE}, "embeddings": None}, "embeddings: None is not of type"),
        ({"datasets": {"a": TABLE}, "methods": []}, r"methods: \[\] is not of type"),
        ({"datasets": {"a": TABLE}, "search": 3}, "search: 3 is not of type"),
        ({"datasets": {"a": TABLE | {"params": {"kind": ["x"]}}}}, "give the embeddings"),
    ],
)
def test_wrong_forms_are_reported_as_before(config, message):
    with pytest.raises(InputError, match=message):
        configuration.check(config, SCHEMA)


def test_every_default_is_legal():
    kinds = {"features": TABLE, "graph": GRAPH, "composition": PARTS, "numbers": NUMBERS}
    for entry in kinds.values():
        checked(mine=entry)
    entries = {"points": {"use": "train_test_npz"}, "images": {"use": "digits"}}
    checked(**entries)


FLAT = ("sklearn.", "noneuclid.EuclideanSVC")


@pytest.mark.parametrize("name", ["defaults", "config", "start", "regression"])
def test_flat_methods_read_plain_vectors(name):
    if name == "defaults":
        config = {"methods": defaults.METHODS, "search": {}}
    else:
        config = yaml.safe_load((ROOT / f"config/{name}.yaml").read_text())
    methods = {key: configuration.method_of(config, key) for key in config["methods"]}
    flat = {
        key: method["chart"] for key, method in methods.items() if method["use"].startswith(FLAT)
    }
    assert len(flat) > 2
    on_products = {"ambient_forest", "ambient_forest_regressor"} & set(flat)
    assert flat == dict.fromkeys(flat, "tangent") | dict.fromkeys(on_products, "ambient")


@pytest.mark.parametrize(
    ("use", "chart"),
    [
        ("sklearn.svm.SVC", "tangent"),
        ("xgboost.XGBClassifier", "tangent"),
        ("noneuclid.PoincareSVC", "hyperboloid"),
        ("chlenski2024_released_tree", "hyperboloid"),
        ("my_method.py:Mine", "hyperboloid"),
    ],
)
def test_charts_of_methods_that_name_none(use, chart):
    config = {"methods": {"m": {"use": use}, "n": {"use": use, "chart": "klein"}}}
    charts = [configuration.method_of(config, name)["chart"] for name in "mn"]
    assert charts == [chart, "klein"]
