import numpy as np
import pytest
from sklearn.dummy import DummyRegressor

import noneuclid
from noneuclid.contracts import InputError, Split
from noneuclid.datasets import wrapped_normal_mixture
from noneuclid.evaluation import regression


def depths(curvature=1.0):
    settings = {"points": 300, "classes": 3, "dimension": 3, "curvature": curvature}
    data = wrapped_normal_mixture.load(settings, {}, 1)
    return data.features, regression.depth(data.features, "hyperboloid", curvature)


@pytest.mark.parametrize(
    "name", ["DecisionTree", "RandomForest", "ExtraTrees", "HistGradientBoosting"]
)
@pytest.mark.parametrize("curvature", [1.0, 2.0])
def test_trees_learn_the_depth(name, curvature):
    X, target = depths(curvature)
    split = Split(np.arange(len(X)) % 3)
    model = getattr(noneuclid, f"Hyperbolic{name}Regressor")(
        chart="hyperboloid", curvature=curvature, random_state=0
    )
    if "n_estimators" in model.get_params():
        model.set_params(n_estimators=20)
    found = regression.cross_validate(model, X, target, split)
    floor = regression.cross_validate(DummyRegressor(), X, target, split)
    assert np.mean([fold["r2"] for fold in found]) > 0.2
    assert max(fold["rmse"] for fold in found) < min(fold["rmse"] for fold in floor)


def test_scores_by_hand():
    found = regression.scores(np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 2.0]))
    assert found["mae"] == 1
    assert found["rmse"] == pytest.approx(np.sqrt(5 / 3))
    assert found["r2"] == pytest.approx(1 - 5 / (14 / 3))
    assert np.isnan(regression.scores(np.ones(3), np.zeros(3))["r2"])


def test_numbers_are_asked_for():
    with pytest.raises(InputError, match="position 1 is nan"):
        regression.scores(np.zeros(2), np.array([0, np.nan]))


def test_left_out_rows_are_unseen():
    X, target = depths()
    split = Split(np.where(np.arange(len(X)) < 100, 0, np.where(np.arange(len(X)) < 200, 1, -2)))
    clean = regression.cross_validate(DummyRegressor(), X, target, split)
    target = np.where(split.fold == Split.UNUSED, 1e9, target)
    assert regression.cross_validate(DummyRegressor(), X, target, split) == clean
