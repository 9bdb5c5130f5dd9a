from dataclasses import replace

import numpy as np
import pytest
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeRegressor

from noneuclid import HyperboloidSVC
from noneuclid.errors import InputError
from noneuclid.geometry import charts, lorentz, random_isometry
from noneuclid_compare.evaluation import cross_validation, moved_points
from noneuclid_compare.records import Embedded, Predictions, Split


@pytest.fixture(scope="module")
def embedded():
    """Two overlapping classes in the plane, at different distances from the origin."""
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 60)
    vectors = rng.standard_normal((120, 2)) + np.where(labels, 1.4, -0.4)[:, None]
    points = charts.convert(vectors, "tangent", "poincare")
    return Embedded(points, "poincare", labels, ("a", "b"))


SPLIT = Split(np.arange(120) % 3)
SHIFT = random_isometry(2, 3.0, chart="hyperboloid", random_state=1)


def refit(estimator, chart, data, k=0, best=None):
    X = charts.convert(data.points, data.chart, chart)
    return cross_validation.refit(estimator, X, data.labels, SPLIT, k, 2, best or {})[0]


def changes(estimator, chart, data):
    moved = moved_points.moved(data, SHIFT)
    return moved_points.changed(refit(estimator, chart, data), refit(estimator, chart, moved))


def test_a_flat_gaussian_svm_depends_on_isometries_and_a_hyperboloid_svm_does_not(embedded):
    assert changes(SVC(C=10), "poincare", embedded) > 2
    assert changes(HyperboloidSVC(C=1, chart="hyperboloid"), "hyperboloid", embedded) == 0


def test_a_refit_repeats_the_fold_with_the_settings_that_were_chosen(embedded):
    X = embedded.points
    search = cross_validation.Search({"C": [0.01, 100]}, folds=2)
    whole, records = cross_validation.cross_validate(SVC(), X, embedded.labels, SPLIT, 2, search)
    for k, facts in enumerate(records):
        again = refit(SVC(), "poincare", embedded, k, facts["best"])
        np.testing.assert_array_equal(again.rows, np.flatnonzero(SPLIT.fold == k))
        np.testing.assert_array_equal(again.predicted, whole.predicted[whole.fold == k])
        np.testing.assert_array_equal(again.scores, whole.scores[whole.fold == k])


def test_reference_points_move_along(embedded):
    data = replace(embedded, about={"reference_points": embedded.points[:2].tolist()})
    moved = moved_points.moved(data, SHIFT)
    np.testing.assert_allclose(moved.about["reference_points"], moved.points[:2], atol=1e-12)
    assert moved.dimension == 2
    assert data.chart == "poincare"


def test_the_distance_of_an_isometry_is_in_units_of_the_curvature():
    origin = lorentz.origin(2, 4.0)[None]
    data = Embedded(origin, "hyperboloid", np.array([0]), ("a", "b"), curvature=4.0)
    moves = [moved_points.drawn(data, 3.0, seed) for seed in ([1, 2], [1, 2], [1, 3])]
    moved = moved_points.moved(data, moves[0])
    assert moved_points.farthest(moved) == pytest.approx(3.0)
    np.testing.assert_array_equal(moves[0].rotation, moves[1].rotation)
    assert not np.allclose(moves[0].translation, moves[2].translation)


def test_the_farthest_point_in_units_of_the_curvature():
    points = lorentz.from_spatial([[0.0], [np.sinh(2.0) / 2]], 4.0)
    data = Embedded(points, "hyperboloid", np.array([0, 1]), ("a", "b"), curvature=4.0)
    assert moved_points.farthest(data) == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("about", "chart", "reason"),
    [
        ({"dataset": {"kind": "composition"}}, "poincare", "compositions"),
        ({"embedding": {"original_features": True}}, "poincare", "original features"),
        ({}, "box", "the method reads the box"),
        ({}, "klein", ""),
    ],
)
def test_what_is_not_in_hyperbolic_space_stays(embedded, about, chart, reason):
    data = replace(embedded, about=about)
    found = moved_points.refusal(data, chart)
    assert found.startswith(reason)
    assert bool(found) == bool(reason)
    if about:
        with pytest.raises(InputError, match=f"{reason}.*leave out `isometries:`"):
            moved_points.moved(data, SHIFT)


def predictions(predicted, truth=(0.0, 2.0, 4.0), rows=(0, 1, 2)):
    return Predictions(np.array(rows), np.zeros(3, int), np.array(truth), np.array(predicted))


def test_numbers_are_equal_up_to_a_share_of_their_range():
    before = predictions([0.0, 2.0, 4.0])
    assert moved_points.changed(before, predictions([3e-6, 2.0, 4.0 - 5e-6])) == 1
    classes = predictions([0, 1, 1], truth=[0, 1, 1])
    assert moved_points.changed(classes, predictions([1, 0, 1], truth=[0, 1, 1])) == 2


def test_other_rows_are_refused():
    with pytest.raises(InputError, match="folds have changed"):
        moved_points.changed(predictions([0.0] * 3), predictions([0.0] * 3, rows=(0, 2, 1)))


def test_regressors_are_refitted(embedded):
    target = embedded.points[:, 0]
    found, _ = cross_validation.refit(
        DecisionTreeRegressor(), embedded.points, target, SPLIT, 1, 2, {"max_depth": 1}
    )
    assert len(np.unique(found.predicted)) == 2
    assert found.scores is None
