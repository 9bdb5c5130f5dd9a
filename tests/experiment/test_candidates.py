"""Class weights for every method that takes them, and the same number of candidates for each."""

import json
from pathlib import Path

import numpy as np
import pytest
import yaml

from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.config import candidates, configuration, configuration_checks
from noneuclid_compare.evaluation import baselines
from noneuclid_compare.records import Embedded, Predictions, Split
from noneuclid_compare.stages import train

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"
TREE = {"use": "sklearn.tree.DecisionTreeClassifier", "chart": "poincare"}


def configured(method, **keys):
    return {
        "datasets": {"ball": {"use": "uniform_ball", "embeddings": ["given"]}},
        "embeddings": {"given": {"use": "given"}},
        "methods": {"tree": TREE | method},
        **keys,
    }


def message(config):
    with pytest.raises(InputError) as caught:
        configuration.check(config, SCHEMA)
    return str(caught.value)


@pytest.mark.parametrize(
    ("depths", "reason", "said"),
    [
        ([1, 2], None, "tree/grid: 2 candidate settings, but `candidates` asks for 3: add values"),
        ([1, 2, 3, 4], None, "4 candidate settings, but `candidates` asks for 3: leave out values"),
        ([1, 2, 3], "none", "methods/tree/fewer: it has 3 candidate settings; remove this key"),
    ],
)
def test_another_number_of_candidates_is_refused(depths, reason, said):
    method = {"grid": {"max_depth": depths}} | ({"fewer": reason} if reason else {})
    assert said in message(configured(method, candidates=3))


def test_a_reason_needs_a_number_of_candidates():
    assert message(configured({"fewer": "it has no setting"})) == (
        "methods/tree/fewer: there is no key `candidates`; remove this key"
    )


@pytest.mark.parametrize("method", [{"grid": {"max_depth": [1, 2, 3]}}, {"fewer": "no setting"}])
def test_the_same_number_or_a_reason_is_enough(method):
    configuration.check(configured(method, candidates=3), SCHEMA)
    assert candidates.count(method) == (3 if "grid" in method else 1)


def test_baselines_keep_their_own_grids():
    config = configured({"grid": {"max_depth": [1, 2, 3]}}, candidates=3)
    config["datasets"]["karate"] = {"use": "karate", "embeddings": ["hydra"]}
    config["embeddings"]["hydra"] = {"use": "hydra"}
    configuration.check(config, SCHEMA)


def test_scores_are_kept_unless_the_configuration_says_otherwise():
    config = configuration.completed(configured({}, keep_scores=False))
    assert configuration.method_of(config, "tree")["keep_scores"] is False
    configuration_checks.check_kept_scores(config)
    config["report"]["metric"] = "auroc_macro"
    with pytest.raises(InputError, match=r"auroc_macro needs decision values.*keep_scores: true"):
        configuration_checks.check_kept_scores(config)


def test_class_weights_are_a_setting_of_all_methods_and_of_no_method_without_it():
    config = configuration.completed(configured({}, class_weight="balanced"))
    assert configuration.method_of(config, "tree")["class_weight"] == "balanced"
    plain = configuration.completed(configured({}))
    assert "class_weight" not in configuration.method_of(plain, "tree")
    assert "'balanced' was expected" in message(configured({}, class_weight="equal"))


@pytest.fixture
def trained(tmp_path, monkeypatch):
    """Function that trains a method on 60 rows, 50 of them of the class left of 0.4."""
    monkeypatch.setattr(train.preload, "load", lambda: None)
    x = np.concatenate([np.linspace(-0.5, 0.5, 50), np.linspace(0.3, 0.6, 10)])
    labels = np.repeat([0, 1], [50, 10])
    about = {"embedding": {"name": "given"}, "dataset": {}}
    points = np.column_stack([x, 0 * x])
    rows = Embedded(points, "poincare", labels, ("a", "b"), about=about)
    io.write_record(tmp_path / "points.npz", rows)

    def run(seed=0, seed_of_split=0, **method):
        split = Split(np.arange(60) % 2, {"seed": seed_of_split})
        io.write_record(tmp_path / "split.npz", split)
        method = {"chart": "poincare", "params": {}, "grid": {}, "search": {}} | method
        files = {"points": "points.npz", "split": "split.npz", "predictions": "p.npz"}
        options = [f"--{name}={tmp_path / file}" for name, file in files.items()]
        options += ["--names", "d", "given", "m", "--repeat=0", f"--seed={seed}", "--method"]
        train.main([*options, json.dumps(method), f"--record={tmp_path / 'r.json'}"])
        found = io.read_record(tmp_path / "p.npz", Predictions)
        return io.read_json(tmp_path / "r.json"), (found.predicted == 1).sum()

    return run


SVM = {"use": "sklearn.svm.SVC", "params": {"kernel": "linear"}}


def test_weights_are_used_in_training_and_recorded(trained):
    plain, few = trained(**SVM)
    weighted, more = trained(**SVM, class_weight="balanced")
    assert more > few
    assert (plain["class_weight"], weighted["class_weight"]) == ("none", "balanced")
    assert weighted["dimension"] == 2
    assert weighted["settings"] == {"kernel": "linear"}


def test_weights_are_used_in_the_search(trained):
    search = {"folds": 2, "scoring": "balanced_accuracy"}
    scores = [
        trained(**SVM, grid={"C": [1.0]}, search=search, **weights)[0]["folds"][0]["inner_score"]
        for weights in ({}, {"class_weight": "balanced"})
    ]
    assert scores[1] > scores[0]


def test_inner_folds_are_those_of_the_split_for_all_methods_and_embeddings(trained):
    search = {"folds": 3, "scoring": "balanced_accuracy"}
    settings = {"grid": {"C": [1.0]}, "search": search, "class_weight": "balanced"}

    def score(*seeds):
        return trained(*seeds, **SVM, **settings)[0]["folds"][0]["inner_score"]

    # The seed of the job is a function of the names of embedding and method.
    assert score(0, 5) == score(1, 5) == score(2, 5)
    assert len({score(0, seed) for seed in range(4)}) > 1


def test_the_entry_of_a_method_decides_against_the_setting(trained):
    params = {"kernel": "linear", "class_weight": None}
    own, few = trained(use="sklearn.svm.SVC", params=params, class_weight="balanced")
    assert own["class_weight"] == "none"
    assert few == trained(**SVM)[1]


def test_a_method_without_weights_is_marked(trained):
    found, _ = trained(use="sklearn.neighbors.KNeighborsClassifier", class_weight="balanced")
    assert found["class_weight"] == "not available"


@pytest.mark.parametrize("name", ["baseline_logistic", "baseline_svm"])
def test_baselines_take_weights(trained, name):
    _, few = trained(use=name)
    found, more = trained(use=name, class_weight="balanced")
    assert found["class_weight"] == "balanced"
    assert more > few


def test_a_forest_on_original_features_has_weights_in_its_trees():
    model = baselines.ForestBaseline(n_estimators=1, class_weight="balanced")
    assert model.fit([[0.0], [1.0], [2.0]], [0, 1, 1]).model_.class_weight == "balanced"


def test_records_follow_their_schema(trained):
    record, _ = trained(**SVM, grid={"C": [1.0]}, search={"folds": 2, "scoring": "accuracy"})
    known = yaml.safe_load((ROOT / "workflow/schemas/train.schema.yaml").read_text())
    known = known["properties"]["record"]
    assert set(record) == set(known["properties"]) == set(known["required"])
    assert set(record["folds"][0]) <= set(known["properties"]["folds"]["items"]["properties"])
