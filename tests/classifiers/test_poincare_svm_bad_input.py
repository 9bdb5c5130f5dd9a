import numpy as np
import pytest
from cases import each_of
from sklearn.exceptions import ConvergenceWarning

import noneuclid
from noneuclid.classifiers.calibration import fit_platt
from noneuclid.errors import InputError
from noneuclid.solvers.linear.hard_margin import hard_margin_svm
from noneuclid_compare.data.generators import uniform_ball

X = np.array([[0.1, 0.2], [0.5, 0.0], [-0.5, 0.0], [0.1, 0.2], [0.0, -0.5]])
Y = np.array(["a", "b", "a", "b", "c"])  # rows 0 and 3 are one point
WITH_P = [
    noneuclid.PoincareSVC,
    noneuclid.PoincarePerceptron,
    noneuclid.PoincareSecondOrderPerceptron,
    noneuclid.PoincareStrategicPerceptron,
]
PERCEPTRONS = [*WITH_P[1:], noneuclid.HyperboloidPerceptron, noneuclid.WeberPerceptron]
HARD = {"C": np.inf, "chart": "poincare"}


def refuse(call, *data, match, **more):
    with pytest.raises(InputError, match=match) as caught:
        call(*data, **more)
    assert "\n" not in str(caught.value)


@each_of("kind", [noneuclid.PoincareSVC, *PERCEPTRONS])
@each_of(("edge", "square"), [(1.0, "1, on the rim;"), (2.0, "4;")])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_points_on_or_outside_the_ball_are_named(kind, edge, square):
    wrong = np.vstack([X[:3], [[0.0, edge]]])
    said = r"row 3 lies outside the Poincaré ball: K\*\|x\|\^2 = " + square
    model = kind(chart="poincare")
    refuse(model.fit, wrong, Y[:4], match=said)
    refuse(model.fit(X, Y).predict, wrong, match=said)
    if hasattr(kind, "partial_fit"):
        refuse(kind(chart="poincare").partial_fit, wrong, Y[:4], classes=["a", "b"], match=said)


def test_a_row_too_far_out_is_named_in_the_whole_table():
    far = np.vstack([np.tile(X, (20_000, 1)), [[0.0, 800.0]]])
    labels = np.append(np.tile(Y, 20_000), "a")
    refuse(noneuclid.PoincarePerceptron().fit, far, labels, match="row 100000 is 800 from")


@each_of("kind", WITH_P)
@each_of(
    ("p", "said"),
    [
        ([1.0, 0.0], "outside the Poincaré ball"),
        ([0.0, -3.0], "outside the Poincaré ball"),
        ([np.nan, 0.0], "is NaN"),
        ([0.1, 0.2, 0.3], r"shape \(3,\)"),
        ([[0.1, 0.2]] * 2, r"shape \(2, 2\)"),
    ],
)
def test_reference_points_that_are_none(kind, p, said):
    refuse(kind(chart="poincare", reference_point=p).fit, X, Y, match=f"^reference_point.*{said}")


@each_of("kind", WITH_P[1:])
@each_of(("multi_class", "labels"), [("ovr", "ab"), ("ovr", "abc"), ("ovo", "abc")])
def test_a_first_batch_without_a_class_is_told(kind, multi_class, labels):
    model = kind(chart="poincare", multi_class=multi_class)
    lost = labels[-1]
    seen = Y[lost != Y] if len(labels) == 3 else np.array(["a"] * 4)
    said = f"first rows have no row of class '{lost}', .*'auto'.*'origin'"
    refuse(model.partial_fit, X[:4], seen, classes=[*labels], match=said)
    model.set_params(reference_point="origin").partial_fit(X[:4], seen, classes=[*labels])


@pytest.mark.parametrize("multi_class", ["ovr", "ovo"])
def test_a_hard_margin_refuses_a_point_with_two_labels(multi_class):
    model = noneuclid.PoincareSVC(multi_class=multi_class, **HARD)
    said = "^rows 0 and 3 are the same point with labels 'a' and 'b'.*finite C"
    refuse(model.fit, X, Y, match=said)
    refuse(model.fit, X[[4, 0, 1, 2, 3]], Y[[4, 0, 1, 2, 3]], match="^rows 1 and 4 ")
    assert model.set_params(C=1.0).fit(X, Y).status_.tolist() == ["optimal"] * 3


def test_a_hard_margin_bears_a_point_twice_with_one_label():
    twice = X[[1, 1, 2, 2]]
    model = noneuclid.PoincareSVC(**HARD).fit(twice, [1, 1, 0, 0])
    assert model.status_ == "optimal"


def test_a_hard_margin_that_p_forbids_is_told():
    model = noneuclid.PoincareSVC(reference_point="origin", **HARD)
    refuse(model.fit, X[[1, 2, 4]], [1, 1, 0], match="no hyperplane through the reference point")


@pytest.mark.parametrize("kind", PERCEPTRONS)
def test_perceptrons_blame_two_labels_only_where_they_are(kind):
    model = kind(chart="poincare", max_iter=3, random_state=0)
    with pytest.warns(ConvergenceWarning, match="rows 0 and 3 are the same point with labels 'a'"):
        model.fit(X, Y)
    corners = np.array([[0.5, 0.5], [-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5]])
    with pytest.warns(ConvergenceWarning, match="raise max_iter or max_updates"):
        model.fit(corners, [0, 0, 1, 1])


def test_a_ball_without_a_margin_is_refused():
    refuse(uniform_ball.load, {}, 0, margin=0.0, match="margin = 0 .*give a number > 0")
    refuse(uniform_ball.load, {}, 0, margin=-1.0, match="margin = -1.0")


def test_a_hard_margin_far_below_the_longest_row_is_found():
    fit = hard_margin_svm(np.array([[1.0, 0.0], [1e-9, 0.0]]), np.ones(2))
    assert fit.status == "optimal"
    assert fit.w == pytest.approx([1e9, 0.0])
    table = np.array([[17.0, 0.0], [0.1, 0.0], [-0.1, 0.0], [-17.0, 0.0]])
    model = noneuclid.PoincareSVC(C=np.inf, margin="exact", reference_point="origin")
    assert model.fit(table, [1, 1, 0, 0]).status_ == "optimal"


def test_decision_values_that_are_no_numbers_are_not_calibrated():
    for value in (np.nan, -np.inf):
        with pytest.raises(InputError, match=r"value is (nan|inf).*set calibration=None"):
            fit_platt(np.array([0.0, value, 1.0]), np.array([-1, 1, 1]), centred=True)


@pytest.mark.parametrize("centred", [False, True])
def test_decision_values_whose_slope_overflows_are_refused(centred):
    signs = np.array([1, -1, 1])
    with pytest.raises(InputError, match=r"no decision value is above 2e-310.*multiply all"):
        fit_platt(np.array([1e-310, -1e-310, 2e-310]), signs, centred)
    slope, _ = fit_platt(np.array([1e-300, -1e-300, 2e-300]), signs, centred)
    assert np.isfinite(slope)


def test_a_limit_set_below_the_updates_made_is_told():
    model = noneuclid.PoincarePerceptron(chart="poincare", reference_point="origin", average=False)
    model.partial_fit(X, Y == "b", classes=[False, True])
    assert model.n_updates_ > 1
    with pytest.warns(ConvergenceWarning, match="max_updates=1 is reached"):
        model.set_params(max_updates=1).partial_fit(X, Y == "b")
