"""Readable names of methods, data sets and embeddings."""

import json
from pathlib import Path

import pandas as pd
import pytest
from cases import each_of

from noneuclid_compare.config import baselines, registry
from noneuclid_compare.report import names
from noneuclid_compare.report.names import Names
from noneuclid_compare.report.run import Run
from noneuclid_compare.report.tables import pipelines


@each_of("name", registry.CLASSIFIERS)
def test_every_public_class_has_a_readable_name(name):
    found = Names(classes={"x": f"noneuclid.{name}"}).in_text("methods", "x")
    assert found != "x"
    assert "_" not in found
    assert "classifier" not in found.lower()


def test_baselines_have_their_words_and_leave_the_other_names_alone():
    assert tuple(names.BASELINES) == baselines.NAMES
    classes = {"forest": "sklearn.ensemble.RandomForestClassifier"}
    found = Names(classes=classes | {"original_forest": "baseline_forest"})
    assert [found.method(name) for name in found.classes] == ["Random forest", "Random forest"]


@pytest.mark.parametrize(
    ("about", "found"),
    [
        (
            {"kind": "composition"},
            ["random forest on proportions", "SVM with Gaussian kernel on l"],
        ),
        ({"kind": "composition", "domain": {"polytope": "box"}}, ["random forest on logits"]),
        ({"kind": "features"}, ["random forest without embedding"]),
        ({"kind": "graph"}, ["random forest on spectral coordinates"]),
        (
            {"kind": "graph", "attributes": ["age"]},
            ["random forest on features of the nodes (no edges)"],
        ),
    ],
)
def test_methods_without_embedding_say_what_they_read(about, found):
    run = Run(pd.DataFrame(), [], [], [], Path(), facts=[{"dataset": about}])
    for method, name in zip(["original_forest", "original_svm"], found, strict=False):
        assert pipelines.in_words(("original", method), run.names).startswith(name)


def test_a_class_names_its_method_and_equal_classes_are_told_apart_by_identifiers():
    svm = "noneuclid.HyperboloidSVC"
    one = Names(classes={"first_svm": svm})
    assert one.method("first_svm") == "Hyperboloid SVM"
    two = Names(classes={"first_svm": svm, "second_svm": svm})
    assert [two.method(name) for name in two.classes] == ["First SVM", "Second SVM"]


def test_a_name_is_never_given_twice():
    classes = {"random_forest": "lab.Forest", "forest": "sklearn.ensemble.RandomForestClassifier"}
    assert [Names(classes=classes).method(name) for name in classes] == ["Random forest", "Forest"]
    labels = {"methods": {"forest": "random forest"}}
    shown = [Names(labels, classes).in_text("methods", name) for name in classes]
    assert shown == ["random_forest", "random forest"]


def test_a_label_comes_first():
    classes = {"a": "noneuclid.PoincareSVC", "b": "sklearn.svm.SVC"}
    config = {
        "methods": {name: {"use": path} for name, path in classes.items()},
        "datasets": {"d": {"label": "Mouse cells"}, "my_data": {}},
        "embeddings": {"e": {"label": "hyperbolic PCA"}},
    }
    config["methods"]["b"]["label"] = "RBF-SVM"
    found = Names.from_json(json.dumps(names.of_config(config)))
    assert found.method("b") == found.in_text("methods", "b") == "RBF-SVM"
    assert found.in_text("methods", "a") == "Poincaré SVM"
    assert found.pair("d", "e") == ("Mouse cells", "Hyperbolic PCA")
    assert found.pair("my_data", "lifted_pca") == ("My data", "Lifted PCA")


def test_a_kernel_decides_what_an_svm_is():
    found = Names(classes={"gaussian_svm": "sklearn.svm.SVC", "own": "my_file.py:SVC"})
    assert [found.method(name) for name in found.classes] == ["Gaussian SVM", "Own"]
