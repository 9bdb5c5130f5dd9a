"""Methods must predict what their data sets have: classes or numbers."""

import pytest
from cases import each_of
from sklearn.svm import SVC

from noneuclid.errors import InputError
from noneuclid_compare.config import configuration, prediction_kinds
from noneuclid_compare.evaluation import cross_validation
from noneuclid_compare.jobs import locations

SCHEMA = locations.root() / "workflow/schemas/config.schema.yaml"
CLASSES = {"use": "table_file", "files": {"table": "t.csv"}, "params": {"label": "y"}}
NUMBERS = CLASSES | {"params": {"label": "y", "numeric": True}}
RIDGE = {"use": "sklearn.linear_model.Ridge", "chart": "poincare", "grid": {"alpha": [1, 10]}}
BLOCK = {"forest": "a", "logistic": "b"}
KNN = {"use": "sklearn.neighbors.KNeighborsClassifier", "chart": "poincare"}


@each_of(
    ("use", "params", "kind"),
    [
        ("karate", {}, "classes"),
        ("diabetes", {}, "numbers"),
        ("hyperbolic_position", {}, "numbers"),
        ("table_file", {"label": "y"}, "classes"),
        ("table_file", {"label": "y", "numeric": True}, "numbers"),
        ("array_sample", {"numeric": True}, "numbers"),
        ("graph_file", {}, "classes"),
        ("my_data.py:load", {}, None),
    ],
)
def test_what_a_data_set_asks_for(use, params, kind):
    assert prediction_kinds.kind_of_data({"use": use, "params": params}) == kind


def test_a_method_must_predict_what_its_data_sets_have():
    classes = {f"d{k}": {"use": "karate"} for k in range(5)}
    numbers = {"n": {"use": "diabetes"}}
    own = {"own": {"use": "my.loader"}}
    prediction_kinds.check_kinds("a.SVC", prediction_kinds.CLASSES, classes | own)
    prediction_kinds.check_kinds("a.Ridge", prediction_kinds.NUMBERS, numbers | own)
    with pytest.raises(
        InputError, match="d0, d1, d2 and 2 more has classes to predict: list only classi"
    ):
        prediction_kinds.check_kinds("a.Ridge", prediction_kinds.NUMBERS, numbers | classes)
    with pytest.raises(InputError, match=r"SVC predicts classes, but data set n has numbers"):
        prediction_kinds.check_kinds("a.SVC", prediction_kinds.CLASSES, numbers | classes)


def mistakes(**parts):
    try:
        configuration.check(parts, SCHEMA)
    except InputError as error:
        return str(error)
    return ""


@each_of(
    ("dataset", "parts", "message"),
    [
        (CLASSES, {"report": {"metric": "r2"}}, "report/metric: r2 compares numbers"),
        (NUMBERS, {"report": {"metric": "f1_macro"}}, "have numbers to predict; give r2"),
        (NUMBERS, {"search": {"scoring": "balanced_accuracy"}}, "predict numbers; give r2, or"),
        (CLASSES, {"search": {"scoring": "neg_mean_squared_error"}}, "give balanced_accuracy, or"),
        (
            CLASSES,
            {"study": {"first": "forest", "second": "logistic", "metrics": ["r2"], "group": "."}},
            "study/metrics: r2 compares numbers",
        ),
        (
            CLASSES,
            {"paired_tests": {"metric": "r2", "group": ".", "blocks": {"b": BLOCK}}},
            "paired_tests/metric: r2 compares",
        ),
    ],
)
def test_a_score_must_compare_what_is_predicted(dataset, parts, message):
    assert message in mistakes(datasets={"mine": dataset}, **parts)
    assert not mistakes(datasets={"mine": dataset})


def test_the_advised_metrics_are_accepted():
    line = mistakes(datasets={"mine": CLASSES}, report={"metric": "r2"})
    legal = line.rpartition("; give ")[2].split(" or ")
    assert len(legal) > 5
    for name in legal:
        assert not mistakes(datasets={"mine": CLASSES}, report={"metric": name})


def test_the_methods_say_what_a_loader_of_unknown_kind_has(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kinds_of_mine.py").write_text("def load(files, seed): ...\n")
    own = {"use": "kinds_of_mine.py:load", "embeddings": ["hydra"]}
    numbers = {"datasets": {"own": own}, "methods": {"ridge": RIDGE}}
    said = mistakes(**numbers)
    assert "report/metric: balanced_accuracy compares classes" in said
    assert "methods of data set own predict numbers; give r2" in said
    r2 = {"report": {"metric": "r2"}, "search": {"scoring": "r2"}}
    assert not mistakes(**numbers, **r2)
    # Baselines without a search by the scorer are chosen by it too.
    assert "data set own predict classes" in mistakes(
        datasets={"own": own}, methods={"knn": KNN}, search={"scoring": "r2"}
    )


def test_data_sets_of_both_kinds_may_share_a_run():
    mixed = {"datasets": {"mine": CLASSES, "age": NUMBERS}, "report": {"metric": "accuracy"}}
    assert "data set age predict numbers" in mistakes(**mixed, search={"scoring": "accuracy"})


def test_a_search_of_a_classifier_needs_a_score_of_classes():
    search = cross_validation.Search({"C": [1, 10]}, scoring="r2")
    with pytest.raises(InputError, match="'r2' does not compare classes, which SVC predicts"):
        search.best(SVC(), [[0.0], [1.0]] * 4, [0, 1] * 4)
