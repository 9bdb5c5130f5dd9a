from pathlib import Path

import pytest
import yaml
from cases import each_of

from noneuclid.errors import InputError
from noneuclid_compare import provenance
from noneuclid_compare.config import baselines, configuration

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"
THREE = ["original_logistic", "original_forest", "original_svm"]
NUMBERS = ["original_ridge", "original_forest_regressor", "original_svr"]


def configured(**changes):
    return {
        "seed": 0,
        "repeats": 1,
        "splits": {"scheme": "stratified_kfold", "folds": 3},
        "search": {"folds": 2, "scoring": "balanced_accuracy"},
        "datasets": {
            "karate": {"use": "karate", "embeddings": ["hydra"]},
            "ball": {"use": "uniform_ball", "embeddings": ["given"]},
        },
        "embeddings": {"hydra": {"use": "hydra"}, "given": {"use": "given"}},
        "methods": {"tree": {"use": "sklearn.tree.DecisionTreeClassifier", "chart": "poincare"}},
        "report": {"title": "t", "metric": "balanced_accuracy"},
    } | changes


def test_baselines_run_on_original_features_and_nowhere_else():
    config = baselines.with_baselines(configured())
    assert configuration.pairs(config) == [
        ["karate", "hydra", ["tree"]],
        ["karate", "original", THREE],
        ["ball", "given", ["tree"]],
    ]
    assert configuration.drawn_pairs(config) == [("karate", "hydra"), ("ball", "given")]
    configuration.check(configured(), SCHEMA)


def test_a_list_of_methods_is_that_of_embedded_points():
    config = configured()
    config["datasets"]["karate"]["methods"] = ["tree"]
    assert configuration.pairs(baselines.with_baselines(config))[1][2] == THREE


def test_baselines_can_be_left_out():
    for config in (configured(baselines=False), configured()):
        if "baselines" not in config:
            config["datasets"]["karate"]["baselines"] = False
        configuration.check(config, SCHEMA)
        assert baselines.with_baselines(config) == config


@pytest.mark.parametrize("place", ["top", "data set"])
def test_baselines_can_be_listed(place):
    config = configured()
    (config if place == "top" else config["datasets"]["karate"])["baselines"] = THREE[:1]
    configuration.check(config, SCHEMA)
    found = baselines.with_baselines(config)
    assert configuration.pairs(found)[1] == ["karate", "original", THREE[:1]]
    assert baselines.with_baselines(found) == found
    assert not {*THREE[1:]} & {*found["methods"]}
    config["baselines"] = ["original_tree"]
    with pytest.raises(InputError, match="original_tree"):
        configuration.check(config, SCHEMA)


@pytest.mark.parametrize("place", ["top", "data set"])
def test_the_model_on_genes_runs_where_a_list_names_it(place):
    config, names = configured(), ["original_logistic", "original_celltypist"]
    (config if place == "top" else config["datasets"]["karate"])["baselines"] = names
    configuration.check(config, SCHEMA)
    found = baselines.with_baselines(config)
    assert configuration.pairs(found)[1] == ["karate", "original", names]
    assert found["methods"]["original_celltypist"]["use"] == "baseline_celltypist"
    assert "original_celltypist" not in baselines.with_baselines(configured())["methods"]


def test_points_of_a_chart_have_no_original_features():
    config = configured()
    config["embeddings"]["mine"] = {"use": "mine.py:embed"}
    config["datasets"]["ball"]["embeddings"] = ["mine", "given"]
    config["datasets"].pop("karate")
    assert baselines.with_baselines(config) == config


def test_numbers_get_regressors_and_their_own_scorer():
    datasets = {"diabetes": {"use": "diabetes", "embeddings": ["hydra"]}}
    config = baselines.with_baselines(configured(datasets=datasets))
    assert configuration.pairs(config)[1][2] == NUMBERS
    # The configuration scores classes.
    assert configuration.method_of(config, "original_ridge")["search"] == {
        "folds": 2,
        "scoring": "r2",
    }
    other = config | {"search": {"folds": 2, "scoring": "neg_mean_squared_error"}}
    assert configuration.method_of(other, "original_ridge")["search"] == other["search"]


def test_a_loader_of_the_user_has_numbers_if_the_configuration_scores_them():
    datasets = {"mine": {"use": "mine.py:load", "embeddings": ["hydra"]}}
    for scoring, expected in (("accuracy", THREE), ("r2", NUMBERS)):
        config = configured(datasets=datasets, search={"folds": 2, "scoring": scoring})
        assert configuration.pairs(baselines.with_baselines(config))[1][2] == expected


@pytest.mark.parametrize(
    ("part", "name"), [("embeddings", "original"), ("methods", "original_svm")]
)
def test_reserved_names_are_refused(part, name):
    config = configured()
    config[part][name] = {"use": "sklearn.svm.SVC"}
    with pytest.raises(InputError, match=rf"^{part}/{name}: .* baselines: false$"):
        configuration.check(config, SCHEMA)


def test_a_baseline_is_no_method_of_a_data_set():
    config = configured()
    config["datasets"]["ball"]["methods"] = ["original_svm"]
    with pytest.raises(InputError, match=r"^datasets/ball: unknown method 'original_svm'"):
        configuration.check(config, SCHEMA)


@each_of(
    "path",
    sorted([*ROOT.glob("papers/config/*20*.yaml"), *ROOT.glob("papers/config/studies/*.yaml")]),
    ids=lambda path: path.stem,
)
def test_protocols_of_papers_have_no_baselines(path):
    config = configuration.expanded(yaml.safe_load(path.read_text()))
    assert baselines.with_baselines(config) == config


@pytest.mark.parametrize("stage", ["train", "embed", "split", "evaluate", "illustrate"])
def test_stages_do_not_depend_on_the_table_of_baselines(stage):
    # Else an edit there, or of any loader, would train every method again.
    imported = provenance.imported(f"noneuclid_compare.stages.{stage}")
    assert not {
        "noneuclid_compare.config.baselines",
        "noneuclid_compare.evaluation.baselines",
    } & set(imported)
