"""Rows for which no chart is given: read as tangent vectors, with a warning if that is unlikely."""

import warnings

import numpy as np
import pytest
from cases import each_of
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from noneuclid import (
    EuclideanSVC,
    GeodesicKNeighborsClassifier,
    GeodesicKNeighborsRegressor,
    HorosphereDecisionTreeClassifier,
    HyperbolicDecisionTreeClassifier,
    HyperbolicDecisionTreeRegressor,
    HyperbolicHistGradientBoostingClassifier,
    HyperbolicLogisticRegression,
    HyperboloidPerceptron,
    HyperboloidSVC,
    LiftedPCA,
    PoincareDiskDisplay,
    PoincareSVC,
    WrappedNormalClassifier,
)
from noneuclid.classifiers.default_chart import likely_chart
from noneuclid.geometry.charts import convert

READERS = (
    GeodesicKNeighborsClassifier,
    GeodesicKNeighborsRegressor,
    HorosphereDecisionTreeClassifier,
    HyperbolicDecisionTreeClassifier,
    HyperbolicDecisionTreeRegressor,
    HyperbolicHistGradientBoostingClassifier,
    HyperbolicLogisticRegression,
    HyperboloidPerceptron,
    HyperboloidSVC,
    PoincareSVC,
    WrappedNormalClassifier,
)
WARNING = "reads tangent vectors by default"
RNG = np.random.default_rng(0)
Y = np.arange(40) % 2
TABLE = RNG.normal(size=(40, 2)) + 2.0 * Y[:, None]
DISK = convert(TABLE, "tangent", "poincare")


def values(model, X):
    """Decision values, or the predicted numbers."""
    found = getattr(model, "decision_function", None) or getattr(model, "predict_proba", None)
    return (found or model.predict)(X)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@each_of("reader", READERS)
def test_points_of_the_disk_are_questioned_and_tables_are_not(reader):
    with pytest.warns(UserWarning, match=rf"{reader.__name__} {WARNING}.*all 40 rows") as caught:
        reader().fit(DISK, Y)
    assert [warning.filename for warning in caught if WARNING in str(warning.message)] == [__file__]
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=f".*{WARNING}")
        reader(chart="tangent").fit(DISK, Y)
        reader(chart="poincare").fit(DISK, Y)
        state = {"random_state": 0} if "random_state" in reader().get_params() else {}
        default = reader(**state).fit(TABLE, Y)
        assert default.get_params()["chart"] is clone(default).chart is None
        explicit = reader(chart="tangent", **state).fit(TABLE, Y)
    np.testing.assert_array_equal(values(default, TABLE), values(explicit, TABLE))


@pytest.mark.parametrize("curvature", [1.0, 4.0])
def test_places_of_all_rows_decide(curvature):
    radius = 1 / np.sqrt(curvature)
    ball = np.array([[0.2, -0.4], [0.0, 0.99], [0.3, 0.0]]) * radius
    assert likely_chart(ball, curvature)[0] == ("poincare", "klein")
    assert f"radius {radius:g}" in likely_chart(ball, curvature)[1]
    hyperboloid = convert(ball, "poincare", "hyperboloid", curvature)
    assert likely_chart(hyperboloid, curvature)[0] == ("hyperboloid",)
    assert likely_chart(hyperboloid, 2 * curvature) is None
    rim = np.vstack([ball, [[radius, 0.0], [0.0, radius * (1 + 5e-7)]]])
    assert likely_chart(rim, curvature)[0] == ("poincare", "klein")
    assert ", 2 at its rim (norms up to " in likely_chart(rim, curvature)[1]
    assert f"{radius * (1 + 5e-7):.9g}" in likely_chart(rim, curvature)[1]
    for other in (
        np.vstack([ball, [[radius * (1 + 5e-6), 0.0]]]),  # a row farther out than rounding
        np.abs(rim),  # parts of a whole
        ball / np.linalg.norm(ball, axis=1, keepdims=True) * radius,  # all at the rim
        0.5 * ball,  # all near the origin
        ball[:, 1:],  # one column
        hyperboloid[:, ::-1],  # time last
    ):
        assert likely_chart(other, curvature) is None


def test_rows_divided_by_the_largest_norm_are_a_table():
    table = TABLE / np.linalg.norm(TABLE, axis=1).max()
    far = np.linalg.norm(table, axis=1).argmax()
    table[far] = np.copysign([0.6, 0.8], table[far])  # norm 1, by every order of sums
    assert likely_chart(table) is None
    for size, place in (
        (1 - 1e-8, "radius 1"),
        (1 + 1e-8, "1 at its rim (norms up to 1.00000001)"),
    ):
        rim = table.copy()
        rim[far] *= size
        assert likely_chart(rim)[1].endswith(place)
    table[far - 1] = [-1.0, 0.0]
    assert "2 at its rim" in likely_chart(table)[1]


@pytest.mark.parametrize("reader", READERS[:3])
def test_rows_at_the_rim_do_not_silence_the_question(reader):
    rim = DISK.copy()
    rim[:3] *= (1 + 2e-7) / np.linalg.norm(rim[:3], axis=1, keepdims=True)
    with pytest.warns(UserWarning, match=r"3 at its rim .*project_to_ball if they are such points"):
        reader().fit(rim.astype(np.float32), Y)


@each_of("reader", [*READERS, EuclideanSVC])
def test_names_and_signs_of_other_libraries_are_explained(reader):
    for chart in ("lorentz", "ball"):
        with pytest.raises(ValueError, match="'poincare': the ball, 'hyperboloid': the Lorentz mo"):
            reader(chart=chart).fit(TABLE, Y)
    with pytest.raises(ValueError, match="K, of a space of curvature -K, so 1 for curvature -1"):
        reader(curvature=-1).fit(TABLE, Y)


@pytest.mark.parametrize("reader", [GeodesicKNeighborsClassifier, GeodesicKNeighborsRegressor])
def test_neighbours_of_far_rows_are_questioned(reader):
    X = RNG.normal(size=(40, 30))
    with pytest.warns(
        UserWarning, match=r"half of the rows lie beyond 5\.. radii .*X by 0.2,"
    ) as w:
        reader().fit(X, Y)
    assert [one.filename for one in w] == [__file__]
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=f".*{WARNING}")
        reader().fit(0.2 * X, Y)
        reader(curvature=0.04).fit(X, Y)
        reader(chart="tangent").fit(X, Y)


def test_the_first_batch_is_questioned_once():
    model = HyperboloidPerceptron()
    with pytest.warns(UserWarning, match=WARNING):
        model.partial_fit(DISK, Y, classes=[0, 1])
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=f".*{WARNING}")
        model.partial_fit(DISK, Y)
        assert model.predict(DISK).shape == (40,)


def test_a_pipeline_with_an_embedding_says_what_to_pass():
    with pytest.warns(UserWarning, match="chart='poincare' or chart='klein'"):
        make_pipeline(LiftedPCA(), HyperboloidSVC()).fit(TABLE, Y)
    with pytest.warns(UserWarning, match="pass chart='hyperboloid' if"):
        make_pipeline(LiftedPCA(chart="hyperboloid"), HyperboloidSVC()).fit(TABLE, Y)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=f".*{WARNING}")
        make_pipeline(LiftedPCA(), HyperboloidSVC(chart="poincare")).fit(TABLE, Y)
        make_pipeline(LiftedPCA(chart="tangent"), HyperboloidSVC()).fit(TABLE, Y)
        EuclideanSVC().fit(DISK, Y)  # takes coordinates as they are


def test_a_display_reads_the_default_as_tangent():
    model = HyperboloidSVC().fit(TABLE, Y)
    shown = PoincareDiskDisplay.from_estimator(model, TABLE, Y, grid_resolution=9)
    np.testing.assert_allclose(shown.points, DISK, rtol=1e-14)
