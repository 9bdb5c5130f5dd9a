"""Methods of a data set and of an embedding: those in both lists run."""

from pathlib import Path

import pytest

from noneuclid.errors import InputError
from noneuclid_compare.config import configuration

SCHEMA = Path(__file__).resolve().parents[2] / "workflow/schemas/config.schema.yaml"


def configured(of_dataset=None, of_embedding=None):
    methods = {name: {"use": f"noneuclid.{name}"} for name in ("HyperboloidSVC", "PoincareSVC")}
    dataset = {"use": "karate", "embeddings": ["hydra", "lifted_pca"]}
    embeddings = {name: {"use": name} for name in dataset["embeddings"]}
    if of_dataset:
        dataset["methods"] = of_dataset
    if of_embedding:
        embeddings["hydra"]["methods"] = of_embedding
    return {
        "seed": 0,
        "repeats": 1,
        "splits": {"scheme": "stratified_kfold", "folds": 3},
        "search": {"folds": 2, "scoring": "balanced_accuracy"},
        "baselines": False,
        "datasets": {"karate": dataset},
        "embeddings": embeddings,
        "methods": methods,
        "report": {"title": "t", "metric": "balanced_accuracy"},
    }


@pytest.mark.parametrize(
    ("of_dataset", "of_embedding", "expected"),
    [
        (None, None, ["HyperboloidSVC", "PoincareSVC"]),
        (None, ["PoincareSVC"], ["PoincareSVC"]),
        (None, ["PoincareSVC", "HyperboloidSVC"], ["HyperboloidSVC", "PoincareSVC"]),
        (["HyperboloidSVC"], ["PoincareSVC", "HyperboloidSVC"], ["HyperboloidSVC"]),
    ],
)
def test_methods_in_both_lists_run(of_dataset, of_embedding, expected):
    config = configured(of_dataset, of_embedding)
    configuration.check(config, SCHEMA)
    found = {embedding: methods for _, embedding, methods in configuration.pairs(config)}
    assert found["hydra"] == expected
    assert found["lifted_pca"] == (of_dataset or list(config["methods"]))
    assert configuration.methods_of(config, "karate") == (of_dataset or list(config["methods"]))


def test_an_unknown_method_of_an_embedding_is_refused():
    with pytest.raises(InputError, match=r"(?m)^embeddings/hydra: unknown method 'svm'; known"):
        configuration.check(configured(of_embedding=["svm"]), SCHEMA)


def test_methods_of_hyperbolic_points_are_refused_on_a_product():
    config = configured()
    config["embeddings"]["hydra"] = {"use": "product_embedding", "params": {"space": "H2 S2"}}
    refused = "embeddings/hydra: {} reads hyperbolic points alone; under methods of this embedding"
    with pytest.raises(InputError, match=refused.format("HyperboloidSVC")):
        configuration.check(config, SCHEMA)
    config["methods"] |= {
        "forest": {"use": "noneuclid.ProductRandomForestClassifier"},
        "flat": {"use": "sklearn.svm.SVC"},
        "ambient": {"use": "noneuclid.EuclideanSVC", "chart": "ambient"},
        "ball": {"use": "sklearn.svm.SVC", "chart": "poincare"},
    }
    config["embeddings"]["hydra"]["methods"] = ["forest", "flat", "ambient"]
    configuration.check(config, SCHEMA)
    config["embeddings"]["hydra"]["methods"] += ["ball"]
    with pytest.raises(InputError, match=refused.format("ball")):
        configuration.check(config, SCHEMA)


def test_a_baseline_is_no_method_of_an_embedding():
    config = configured(of_embedding=["PoincareSVC", "original_svm"])
    with pytest.raises(InputError, match=r"embeddings/hydra: unknown method 'original_svm'"):
        configuration.check(config, SCHEMA)


def test_an_embedding_without_methods_is_refused():
    config = configured(["HyperboloidSVC"], ["PoincareSVC"])
    with pytest.raises(InputError, match=r"^datasets/karate: none of its methods .*/hydra/methods"):
        configuration.check(config, SCHEMA)
