import numpy as np
import pytest
from cases import each_of
from sklearn.base import clone
from sklearn.dummy import DummyRegressor
from sklearn.metrics import r2_score
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeRegressor

import noneuclid
from noneuclid.errors import InputError
from noneuclid.plots import disk_regions
from noneuclid_compare import io
from noneuclid_compare.data import targets
from noneuclid_compare.data.generators import hyperbolic_position
from noneuclid_compare.evaluation import cross_validation, metrics
from noneuclid_compare.records import Dataset, Embedded, Predictions, Split
from noneuclid_compare.report.tables import dataset_cards
from noneuclid_compare.stages import draw, embed, evaluate, report
from noneuclid_compare.stages.train import check_task

NO_SEARCH = cross_validation.Search({})


def depths(curvature=1.0):
    settings = {"n_samples": 300, "n_classes": 3, "n_features": 3, "curvature": curvature}
    data = hyperbolic_position.load({}, 1, **(settings | {"target": "depth", "noise": 0.0}))
    return data.features, data.target


def scored(model, X, target, split):
    predictions, _ = cross_validation.cross_validate(model, X, target, split, 4, NO_SEARCH)
    parts = [evaluate.fold_of(predictions, k) for k in range(split.n_folds)]
    return [metrics.evaluate_numbers(part.truth, part.predicted) for part in parts]


@each_of("name", ["DecisionTree", "RandomForest", "ExtraTrees", "HistGradientBoosting"])
@each_of("curvature", [1.0, 2.0])
def test_trees_learn_the_depth(name, curvature):
    X, target = depths(curvature)
    split = Split(np.arange(len(X)) % 3)
    model = getattr(noneuclid, f"Hyperbolic{name}Regressor")(
        chart="hyperboloid", curvature=curvature, random_state=0
    )
    if "n_estimators" in model.get_params():
        model.set_params(n_estimators=20)
    found = scored(model, X, target, split)
    floor = scored(DummyRegressor(), X, target, split)
    assert np.mean([fold["r2"] for fold in found]) > 0.2
    assert max(fold["rmse"] for fold in found) < min(fold["rmse"] for fold in floor)


def test_scores_by_hand():
    found = metrics.evaluate_numbers(np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 2.0]))
    assert found["mae"] == 1
    assert found["rmse"] == pytest.approx(np.sqrt(5 / 3))
    assert found["r2"] == pytest.approx(1 - 5 / (14 / 3))
    assert np.isnan(metrics.evaluate_numbers(np.ones(3), np.zeros(3))["r2"])


def test_numbers_are_asked_for():
    with pytest.raises(InputError, match="position 1 is nan"):
        metrics.evaluate_numbers(np.zeros(2), np.array([0, np.nan]))


def test_predictions_are_those_of_fits_without_the_rows():
    X, target = depths()
    fold = np.where(np.arange(300) < 100, 0, np.where(np.arange(300) < 200, 1, Split.TRAIN_ONLY))
    fold[-50:] = Split.UNUSED
    model = DecisionTreeRegressor(max_depth=3, random_state=0)
    found, records = cross_validation.cross_validate(model, X, target, Split(fold), 4, NO_SEARCH)
    assert found.scores is None
    assert found.probabilities is None
    for k in (0, 1):
        train = (fold != k) & (fold != Split.UNUSED)
        expected = clone(model).fit(X[train], target[train]).predict(X[fold == k])
        np.testing.assert_array_equal(found.predicted[found.fold == k], expected)
        np.testing.assert_array_equal(found.truth[found.fold == k], target[fold == k])
    assert [record["fold"] for record in records] == [0, 1]


def test_the_search_takes_the_best_mean_r2_of_inner_folds():
    X, target = depths()
    target = target + np.random.default_rng(0).normal(size=300)
    values = [1, 2, 4, None]
    inner = list(KFold(3, shuffle=True, random_state=7).split(X))

    def mean_r2(depth):
        model = DecisionTreeRegressor(max_depth=depth, random_state=0)
        fits = [
            r2_score(target[test], clone(model).fit(X[rows], target[rows]).predict(X[test]))
            for rows, test in inner
        ]
        return np.mean(fits)

    search = cross_validation.Search({"max_depth": values}, scoring="r2", seed=7)
    best, score = search.best(DecisionTreeRegressor(random_state=0), X, target)
    assert best == {"max_depth": max(values, key=mean_r2)}
    assert score == pytest.approx(max(map(mean_r2, values)), abs=1e-12)
    assert best["max_depth"] not in (1, None)


def test_a_search_needs_a_score_of_numbers():
    search = cross_validation.Search({"max_depth": [1, 2]})
    with pytest.raises(
        InputError, match=r"'balanced_accuracy' does not compare numbers, .* give r2"
    ):
        search.best(DecisionTreeRegressor(), np.zeros((4, 1)), np.arange(4.0))


def record(**more):
    times = {"fit_seconds": 1.0, "search_seconds": 0.0, "predict_seconds": 0.5, "n_updates": None}
    times |= {"train_rows": 9, "test_rows": 3}
    return {
        "dataset": "d", "embedding": "e", "method": "m", "settings": {}, "grid": {}, "repeat": 0,
        "peak_memory_mb": 1.0, "class_names": ["0", "1"], "folds": [{"fold": 0, **times}], **more,
    }  # fmt: skip


@pytest.mark.parametrize(("kind", "metric"), [(float, "r2"), (int, "accuracy")])
def test_numbers_and_classes_have_their_own_scores(kind, metric):
    truth, predicted = np.array([0, 1, 1], dtype=kind), np.array([0, 1, 0], dtype=kind)
    rows = evaluate.score(record(), Predictions(np.arange(3), np.zeros(3, int), truth, predicted))
    names = {row[-2] for row in rows}
    assert {metric, "fit_seconds"} <= names
    assert len({"r2", "accuracy"} & names) == 1


@pytest.mark.parametrize(
    ("model", "target", "message"),
    [
        (DummyRegressor(), None, "d has classes to predict, .* method m does not: .* classifiers"),
        (noneuclid.HyperboloidSVC(), np.arange(2.0), "d has numbers .* only regressors under"),
    ],
)
def test_methods_that_do_not_fit_the_data(model, target, message):
    data = Embedded(np.zeros((2, 2)), "tangent", np.array([0, 1]), ("a", "b"), target=target)
    with pytest.raises(InputError, match=message) as caught:
        check_task(model, data, ["d", "e", "m"])
    assert "\n" not in str(caught.value)


def test_pictures_show_the_interval_of_a_predicted_number():
    centres, inside = disk_regions.grid(20)
    X, target = centres[inside], centres[inside][:, 0]
    model = DecisionTreeRegressor(random_state=0).fit(X, target)
    codes, names = targets.intervals(target)
    ends = targets.edges(target, codes)
    shown = disk_regions.regions(model, names, "poincare", size=20, edges=ends)
    np.testing.assert_array_equal(shown.ravel()[inside], codes)
    assert (shown.ravel()[~inside] == disk_regions.NOTHING).all()
    numbers = Predictions(np.array([3, 0]), np.zeros(2, int), np.zeros(2), np.array([-9.0, 9.0]))
    assert draw.held_out(numbers, 4, ends).tolist() == [3, -1, -1, 0]


def test_a_card_lists_intervals_in_the_order_of_the_disk(tmp_path):
    target = np.array([300.0, 20.0, 100.0, 5.0, 100.0])
    codes, names = targets.intervals(target)
    rows = Dataset("d", "features", codes, names, features=np.zeros((5, 1)), target=target)
    about = embed.describe(rows) | {"embedding": {"name": "e"}}
    points = Embedded(np.zeros((5, 2)), "tangent", codes, names, about=about, target=target)
    io.write_json(tmp_path / "embed/d/e.json", embed.card(points))
    io.write_record(tmp_path / "split/d/0.npz", Split(np.zeros(5, int)))
    card = dataset_cards.cards([report.card(tmp_path, "d", "e", 1)])[0]
    assert [name for name, *_ in card["classes"]] == list(names) != sorted(names)
    assert card["target"] == "5 to 300"
