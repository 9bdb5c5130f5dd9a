import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from cases import each_of
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.preprocessing import StandardScaler

from noneuclid import Hydra, HyperboloidSVC, LiftedPCA, LogRatio, geometry
from noneuclid.embeddings.maps import Map
from noneuclid.errors import InputError
from noneuclid.geometry import charts
from noneuclid_compare import io, load_model
from noneuclid_compare.config import configuration, defaults
from noneuclid_compare.embed import given, original_features
from noneuclid_compare.embed.of_dataset import as_function
from noneuclid_compare.records import Dataset, Embedded, Predictions, Split
from noneuclid_compare.stages import predict, train
from noneuclid_compare.stages.train import (
    check_grid,
    check_task,
    check_unseen,
    kept_model,
    naming,
)


def embedded(**about):
    return Embedded(
        points=np.zeros((4, 2)),
        chart="tangent",
        labels=np.array([0, 1, 0, 1]),
        class_names=("a", "b"),
        fixed_fold=np.array([0, 0, 1, 1]),
        about={"embedding": {"name": "images", **about}},
    )


def test_rows_whose_labels_the_embedding_read_are_not_tested():
    with pytest.raises(InputError, match=r"images has used labels .*scheme: fixed"):
        check_unseen(embedded(reads_labels=True), Split(np.array([0, 1, 0, 1])))


@pytest.mark.parametrize(
    ("about", "fold"),
    [
        ({"reads_labels": True}, [-1, -1, 0, 0]),
        ({"reads_labels": True, "transductive": True}, [0, 1, 0, 1]),
        ({}, [0, 1, 0, 1]),
    ],
)
def test_other_folds_pass(about, fold):
    check_unseen(embedded(**about), Split(np.array(fold)))


@pytest.mark.parametrize(
    ("settings", "grid", "message"),
    [
        ({"solver": "optimum"}, {}, "The 'solver' parameter of HyperboloidSVC must be"),
        ({}, {"loss": ["hinge", "square"]}, "The 'loss' parameter of HyperboloidSVC must be"),
        ({}, {"cost": [1]}, "has no parameter 'cost' to search over"),
    ],
)
def test_settings_that_a_method_does_not_take(settings, grid, message):
    method = {"use": "noneuclid.HyperboloidSVC", "grid": grid}
    with pytest.raises(InputError, match=message) as caught:
        check_grid(HyperboloidSVC(**settings), method)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "kept"),
    [
        ({}, (None, None)),
        ({"features": "layers/log1p"}, ("layers/log1p", None)),
        ({"features": ["a"], "id": "cell"}, (None, "cell")),
    ],
)
def test_a_model_keeps_the_part_of_the_file_that_it_was_trained_on(tmp_path, settings, kept):
    io.write_record(tmp_path / "map.npz", Map())
    points = np.array([[0.0, 0.1], [0.2, 0.0], [0.3, 0.3], [0.1, 0.4]])
    data = replace(embedded(), points=points, about={"dataset": {"settings": settings}})
    args = SimpleNamespace(
        names=["d", "e", "m"],
        method={"use": "noneuclid.PoincareSVC", "chart": "klein"},
        code="",
        map=tmp_path / "map.npz",
    )
    model = kept_model(args, data, None, np.ones(4, bool))
    assert (model["features"], model["id"]) == kept


def test_a_kept_model_knows_the_points_it_was_trained_on(tmp_path):
    """Unused rows do not count; distances are those of the embedding's curvature."""
    io.write_record(tmp_path / "map.npz", Map())
    points = np.random.default_rng(0).uniform(-0.3, 0.3, (6, 2))
    grouped = {"grouped_by": "donor", "group_names": ["d1", "d2", "d3"]}
    about = {"dataset": {"closed": "rows"} | grouped}
    data = Embedded(points, "poincare", np.arange(6) % 2, ("a", "b"), curvature=4.0, about=about)
    args = SimpleNamespace(
        names=["d", "e", "m"],
        method={"use": "noneuclid.PoincareSVC", "chart": "klein"},
        code="c1",
        map=tmp_path / "map.npz",
    )
    used = np.array([True, True, False, True, True, False])
    model = kept_model(args, data, "fitted", used)
    names = ("names", "class_names", "chart", "curvature", "code", "closed", "estimator")
    assert [model[key] for key in names] == [
        *(["d", "e", "m"], ["a", "b"], "klein", 4.0, "c1", "rows", "fitted")
    ]
    assert (model["grouped_by"], model["group_names"]) == ("donor", ["d1", "d2", "d3"])
    model = kept_model(args, data, "fitted", used, np.array([2, 0, 0, 2]))
    assert model["group_names"] == ["d1", "d3"]
    gaps = geometry.pairwise_distances(points[used], curvature=4.0)
    farthest = (gaps + np.diag(np.full(4, np.inf))).min(axis=1).max()
    assert model["training"]["rows"] == 4
    assert model["training"]["threshold"] == pytest.approx(farthest)


@each_of("target", [None, np.arange(4.0)])
@each_of("estimator", [DummyClassifier(), DummyRegressor(), KMeans(), StandardScaler()], ids=repr)
def test_only_what_predicts_the_target_is_trained(estimator, target):
    data = replace(embedded(), target=target)
    if type(estimator) is (DummyClassifier if target is None else DummyRegressor):
        check_task(estimator, data, ["d", "e", "m"])
        return
    with pytest.raises(InputError, match=r"data set d has .* which method m does not: list only"):
        check_task(estimator, data, ["d", "e", "m"])


class Bare(ClassifierMixin, BaseEstimator):
    """What scikit-learn asks of a classifier, and no more."""

    def __init__(self, power=1):
        self.power = power


def test_a_classifier_without_rules_for_its_settings_is_taken():
    check_grid(Bare(), {"use": "mine.Bare", "grid": {"power": [1, 2]}})
    with pytest.raises(InputError, match="has no parameter 'cost'"):
        check_grid(Bare(), {"use": "mine.Bare", "grid": {"cost": [1]}})


class ByPosition(Bare):
    def __init__(self, power=1, /):
        self.power = power


def test_a_grid_over_a_parameter_without_a_name_is_refused():
    with pytest.raises(InputError, match="has no parameter 'power'"):
        check_grid(ByPosition(), {"use": "mine.ByPosition", "grid": {"power": [1, 2]}})


def test_an_error_of_an_estimator_names_the_method(capsys):
    said = "method m on data set d, embedding e: solver lbfgs "
    with pytest.raises(InputError, match=said), naming(["d", "e", "m"]):
        raise ValueError("solver lbfgs supports only l2\nand more")
    assert "Traceback" in capsys.readouterr().err
    with pytest.raises(InputError, match="row 3"), naming(["d", "e", "m"]):
        raise InputError("row 3")


def test_a_kept_baseline_labels_new_rows_of_the_original_features(tmp_path, monkeypatch):
    monkeypatch.setattr(train.preload, "load", lambda: None)
    rng = np.random.default_rng(0)
    labels = np.arange(40) % 2
    features = rng.normal(size=(40, 2)) * [1, 1e4] + np.column_stack([5 * labels, np.zeros(40)])
    about = {"columns": ["length", "mass"], "citation": "", "licence": ""}
    data = Dataset("d", "features", labels, ("a", "b"), features=features, about=about)
    kept = original_features.embed(data, 0)
    kept = replace(kept, about=kept.about | {"dataset": {"kind": "features"}})
    io.write_record(tmp_path / "points.npz", replace(kept, rule=None))
    io.write_record(tmp_path / "map.npz", replace(kept.rule, columns=["length", "mass"]))
    io.write_record(tmp_path / "split.npz", Split(np.arange(40) // 2 % 2))
    method = {"use": "baseline_svm", "chart": "tangent", "params": {}, "grid": {}, "search": {}}
    paths = {name: str(tmp_path / name) for name in ("points.npz", "split.npz", "map.npz")}
    model = tmp_path / "model.skops"
    train.main(
        [
            *("--points", paths["points.npz"], "--split", paths["split.npz"], "--repeat", "0"),
            *("--names", "d", "original", "original_svm", "--method", json.dumps(method)),
            *("--seed", "0", "--predictions", str(tmp_path / "p.npz"), "--model", str(model)),
            *("--record", str(tmp_path / "r.json"), "--map", paths["map.npz"]),
        ]
    )
    found = io.read_record(tmp_path / "p.npz", Predictions)
    # A column of large numbers does not drown the one that tells the classes apart.
    assert (found.predicted == found.truth).mean() > 0.9
    # Columns are found by name.
    new = pd.DataFrame({"mass": [0.0, 0.0, 0.0], "length": [0.0, 5.0, 5000.0]})
    new.to_csv(tmp_path / "new.csv", index=False)
    predict.main([str(model), str(tmp_path / "new.csv"), "--output", str(tmp_path / "out.tsv")])
    labelled = pd.read_csv(tmp_path / "out.tsv", sep="\t")
    assert labelled["predicted"].tolist()[:2] == ["a", "b"]
    # A wrong unit is far from all training rows.
    assert labelled["far"].tolist() == [False, False, True]
    loaded = load_model(model)
    assert loaded.predict(new[["length", "mass"]])[:2].tolist() == ["a", "b"]
    assert loaded.predict(new)[:2].tolist() == ["a", "b"]
    assert loaded.far(new).tolist() == [False, False, True]
    with pytest.raises(InputError, match="no column mass"):
        loaded.predict(new[["length"]])


PARTS = np.random.default_rng(0).dirichlet([0.1, 1, 9], size=12)


@each_of(
    ("embed", "kind", "chart", "expected"),
    [
        (
            as_function(LogRatio),
            "composition",
            None,
            LogRatio(chart="tangent").fit_transform(PARTS),
        ),
        (as_function(LiftedPCA), "features", None, None),
        (as_function(Hydra), "features", None, None),
        (original_features.embed, "features", None, PARTS),
        (given.embed, "points", "tangent", PARTS),
        (given.embed, "points", "klein", charts.convert(0.9 * PARTS, "klein", "tangent")),
    ],
)
@each_of("method", ["logistic", "forest", "knn"])
def test_flat_methods_get_the_coordinates_that_are_used_without_curvature(
    embed, kind, chart, expected, method
):
    """Log-ratios themselves, principal components up to one factor, log at the origin."""
    features = 0.9 * PARTS if chart == "klein" else PARTS
    data = Dataset("d", kind, np.arange(12) % 2, ("a", "b"), features=features, chart=chart)
    found = embed(data, 0)
    config = {"methods": defaults.METHODS, "search": {}}
    _, X, _ = train.prepare(configuration.method_of(config, method), found, 0)
    if expected is None:
        expected = charts.convert(found.points, found.chart, "tangent")
    np.testing.assert_allclose(X, expected, rtol=1e-12)
    if embed(data, 0).about["embedding"]["name"] == "lifted_pca":
        scores = np.abs(PCA(2).fit_transform(StandardScaler().fit_transform(PARTS)))
        np.testing.assert_allclose(
            np.abs(X) / scores, np.full((12, 2), abs(X[0, 0]) / scores[0, 0])
        )


@pytest.mark.parametrize("steps", [2, 10_000])
def test_the_record_and_the_model_say_whether_the_model_converged(tmp_path, steps):
    rng = np.random.default_rng(0)
    points = rng.normal(size=(40, 3)) * [1, 10, 100]
    about = {"embedding": {"name": "e"}, "dataset": {"name": "d", "kind": "features"}}
    data = Embedded(points, "tangent", (points[:, 0] > rng.normal(size=40)).astype(int), ("a", "b"))
    io.write_record(tmp_path / "points.npz", replace(data, about=about))
    io.write_record(tmp_path / "split.npz", Split(np.arange(40) % 2))
    io.write_record(tmp_path / "map.npz", Map())
    method = {"use": "sklearn.linear_model.LogisticRegression", "chart": "tangent", "grid": {}}
    method |= {"params": {"max_iter": steps}, "search": {}}
    words = {"points": "points.npz", "split": "split.npz", "map": "map.npz"}
    words |= {"predictions": "out.npz", "record": "out.json", "model": "model.skops"}
    argv = [
        "--names",
        "d",
        "e",
        "m",
        "--method",
        json.dumps(method),
        "--repeat",
        "0",
        "--seed",
        "0",
    ]
    for name, path in words.items():
        argv += [f"--{name}", str(tmp_path / path)]
    train.main(argv)
    record = io.read_json(tmp_path / "out.json")
    expected = "not converged" if steps == 2 else None
    assert [fit["status"] for fit in (*record["folds"], record["model"])] == [expected] * 3
    assert bool(record["model"]["warnings"]) == (steps == 2)
    model = load_model(tmp_path / "model.skops")
    assert model.converged == (steps != 2)
    np.savez(tmp_path / "new.npz", X=points)
    if steps == 2:
        with pytest.warns(UserWarning, match="solver of this model did not converge"):
            model.predict_file(tmp_path / "new.npz")
