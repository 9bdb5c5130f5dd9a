from functools import partial
from itertools import combinations

import numpy as np
import pytest
from cases import each_of
from clouds import ring_clouds
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from noneuclid import EuclideanSVC, HyperboloidSVC, PoincarePerceptron, PoincareSVC
from noneuclid.classifiers import multiclass
from noneuclid.classifiers.calibration import fit_platt
from noneuclid.errors import InputError

QUIET = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def soft_target_likelihood(scores, signs, **settings):
    """Platt's fit by scikit-learn: each row twice, once as either class, with weights."""
    n_pos, n_neg = (signs > 0).sum(), (signs < 0).sum()
    target = np.where(signs > 0, (n_pos + 1) / (n_pos + 2), 1 / (n_neg + 2))
    model = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000, **settings)
    rows = np.r_[scores, scores][:, None]
    labels = np.r_[np.ones(len(scores)), np.zeros(len(scores))]
    model.fit(rows, labels, sample_weight=np.r_[target, 1 - target])
    return model.coef_[0, 0], np.ravel(model.intercept_)[0]


@each_of("seed", range(4))
@each_of("centred", [False, True])
def test_platt_equals_weighted_logistic_regression(seed, centred):
    rng = np.random.default_rng(seed)
    signs = np.where(rng.random(80) < 0.3, 1.0, -1.0)
    scores = signs + rng.normal(size=80) + 0.5
    slope, offset = fit_platt(scores, signs, centred)
    expected = soft_target_likelihood(scores, signs, fit_intercept=not centred)
    np.testing.assert_allclose([slope, offset], expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("scale", [1e-8, 1e6, 1e200])
def test_platt_does_not_depend_on_the_scale_of_scores(scale):
    rng = np.random.default_rng(1)
    signs = np.where(rng.random(50) < 0.5, 1.0, -1.0)
    scores = signs + rng.normal(size=50)
    slope, offset = fit_platt(scores, signs)
    scaled_slope, scaled_offset = fit_platt(scale * scores, signs)
    np.testing.assert_allclose([scaled_slope * scale, scaled_offset], [slope, offset], rtol=1e-7)


def test_platt_of_constant_scores_is_the_class_frequency():
    signs = np.array([1.0, -1.0, -1.0, -1.0])
    slope, offset = fit_platt(np.full(4, 7.0), signs)
    assert expit(7.0 * slope + offset) == pytest.approx((2 / 3 + 3 / 5) / 4)


def test_platt_through_the_hyperplane_never_turns_the_sign():
    slope, offset = fit_platt(np.array([-1.0, 1.0]), np.array([1.0, -1.0]), centred=True)
    assert 0 < slope <= 0.25
    assert offset == 0


def test_platt_of_values_that_were_held_out_never_turns_their_order():
    signs = np.array([1.0, 1.0, -1.0, -1.0, -1.0])
    values = -signs + [0.1, 0.0, 0.2, 0.0, 0.1]
    slope, offset = fit_platt(values, signs, held_out=True)
    assert fit_platt(values, signs)[0] < 0 < slope <= 0.2
    share = (2 * 3 / 4 + 3 * 1 / 5) / 5
    assert expit(slope * values.mean() + offset) == pytest.approx(share)
    rising = fit_platt(-values, signs, held_out=True)
    assert rising == fit_platt(-values, signs)


def test_one_vs_one_votes_equal_an_obvious_loop():
    rng = np.random.default_rng(0)
    n_classes, values = 5, rng.normal(size=(200, 10))
    decision = multiclass.decide(values, n_classes, "ovo")
    for row, found in zip(values, decision, strict=True):
        votes, trust = [0] * n_classes, [0.0] * n_classes
        for value, (i, j) in zip(row, combinations(range(n_classes), 2), strict=True):
            votes[j if value > 0 else i] += 1
            trust[j] += value
            trust[i] -= value
        expected = max(range(n_classes), key=lambda k: (votes[k], trust[k]))
        assert found.argmax() == expected
        np.testing.assert_array_equal(np.round(found), votes)


def test_huge_values_do_not_overturn_votes():
    values = np.array([[1e300, 1e-3, -1e-3]])  # classes 1, 2, 1 win their pairs
    assert multiclass.decide(values, 3, "ovo").argmax() == 1


def test_binary_problems_cover_pairs_and_rests():
    codes = np.array([0, 1, 2, 1])
    rests = [*multiclass.binary_problems(codes, 3, "ovr")]
    np.testing.assert_array_equal(rests[1][1], [-1, 1, -1, 1])
    pairs = [*multiclass.binary_problems(codes, 3, "ovo")]
    np.testing.assert_array_equal(codes[pairs[2][0]], [1, 2, 1])
    np.testing.assert_array_equal(pairs[2][1], [-1, 1, -1])


three_classes = partial(ring_clouds, n=90)


@QUIET
@each_of("model", [HyperboloidSVC, PoincareSVC, EuclideanSVC])
@each_of("multi_class", ["ovr", "ovo"])
@each_of("calibration", ["platt", None])
def test_several_classes_equal_a_loop_over_binary_fits(model, multi_class, calibration):
    X, codes = three_classes()
    # The default reference points are chosen for all problems together.
    fixed = {"reference_point": "hulls", "margin": "exact"} if model is PoincareSVC else {}
    whole = model(multi_class=multi_class, calibration=calibration, random_state=0, **fixed)
    whole.fit(X, codes)
    columns = []
    groups = [(k, None) for k in range(3)] if multi_class == "ovr" else combinations(range(3), 2)
    for first, second in groups:
        rows = np.full(len(X), True) if second is None else np.isin(codes, [first, second])
        positive = codes[rows] == (first if second is None else second)
        signs = np.where(positive, 1, -1)
        part = model(random_state=0, calibration=None, **fixed).fit(X[rows], signs)
        values = part._scores(part._to_points(X))[:, 0]
        if calibration:
            slope, offset = fit_platt(values[rows], signs)
            values = slope * values + offset
        columns.append(values)
    expected = multiclass.decide(np.column_stack(columns), 3, multi_class)
    np.testing.assert_allclose(whole.decision_function(X), expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(whole.predict(X), expected.argmax(axis=1))
    if calibration and multi_class == "ovr":
        sigmoid = expit(expected)
        proba = sigmoid / sigmoid.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(whole.predict_proba(X), proba, rtol=1e-9)


LABELS = {
    "uint8": np.array([0, 1, 2], dtype=np.uint8),
    "negative": np.array([-7, -1, 3]),
    "strings": np.array(["b", "a", "c"]),
    "floats": np.array([0.0, 1.0, 5.0]),
    "objects": np.array(["x", "y", "z"], dtype=object),
}


@QUIET
@each_of("labels", LABELS.values(), ids=LABELS)
@each_of("n_classes", [2, 3])
def test_labels_of_any_type(labels, n_classes):
    X, codes = three_classes()
    X, codes = X[codes < n_classes], codes[codes < n_classes]
    model = HyperboloidSVC().fit(X, labels[codes])
    order = np.argsort(labels[:n_classes])  # classes_ are sorted, codes are not
    plain = HyperboloidSVC().fit(X, np.argsort(order)[codes])
    assert model.classes_.dtype == labels.dtype
    np.testing.assert_array_equal(model.predict(X), np.sort(labels[:n_classes])[plain.predict(X)])
    assert model.score(X, labels[codes]) > 0.85


def test_booleans_are_two_classes():
    X, codes = three_classes()
    y = codes == 0
    model = EuclideanSVC().fit(X, y)
    assert model.predict(X).dtype == bool
    assert model.score(X, y) > 0.9


@QUIET
def test_swapped_labels_negate_the_decision():
    X, codes = three_classes()
    X, y = X[codes > 0], codes[codes > 0] == 1
    for model in (HyperboloidSVC(tol=1e-10), PoincareSVC(), EuclideanSVC()):
        forward, backward = (model.fit(X, labels).decision_function(X) for labels in (y, ~y))
        np.testing.assert_allclose(forward, -backward, rtol=1e-5, atol=1e-7)


@QUIET
def test_order_of_rows_does_not_matter():
    X, y = three_classes()
    order = np.random.default_rng(0).permutation(len(X))
    for model in (HyperboloidSVC(), PoincareSVC(), EuclideanSVC(multi_class="ovo")):
        plain = model.fit(X, y).decision_function(X)
        shuffled = model.fit(X[order], y[order]).decision_function(X)
        np.testing.assert_allclose(plain, shuffled, rtol=1e-4, atol=1e-6)


@QUIET
def test_cross_validated_calibration_differs_and_is_reproducible():
    X, y = three_classes()
    settings = {"calibration": "platt_cv", "random_state": 5}
    first, again = (PoincarePerceptron(**settings).fit(X, y).calibration_ for _ in range(2))
    np.testing.assert_array_equal(first, again)
    plain = PoincarePerceptron(random_state=5).fit(X, y).calibration_
    assert not np.allclose(first, plain)


def test_cross_validated_calibration_needs_two_of_each_class():
    X, y = three_classes(n=20)
    y[:] = 0
    y[0] = 1
    with pytest.raises(InputError, match=r"platt_cv.*a class has 1"):
        EuclideanSVC(calibration="platt_cv").fit(X, y)


def test_one_class_is_refused():
    with pytest.raises(InputError, match="1 class"):
        EuclideanSVC().fit([[0.0], [1.0]], [3, 3])


def test_probabilities_exist_where_documented():
    X, y = three_classes()
    assert not hasattr(EuclideanSVC(calibration=None).fit(X, y), "predict_proba")
    assert not hasattr(EuclideanSVC(multi_class="ovo").fit(X, y), "predict_proba")
    assert hasattr(EuclideanSVC(multi_class="ovo").fit(X, y > 0), "predict_proba")
    with pytest.raises(AttributeError, match=r"^EuclideanSVC: .*'ovo'.* set multi_class='ovr'$"):
        EuclideanSVC(multi_class="ovo").fit(X, y).predict_proba(X)
    with pytest.raises(AttributeError, match=r"^EuclideanSVC: .*calibration=None; set 'platt'$"):
        EuclideanSVC(calibration=None).fit(X, y).predict_proba(X)


@pytest.mark.parametrize("loss", ["squared_hinge", "hinge"])
def test_euclidean_svm_without_intercept_passes_through_zero(loss):
    X, codes = three_classes()
    X = X + 1.0
    model = EuclideanSVC(fit_intercept=False, loss=loss, random_state=0).fit(X, codes)
    np.testing.assert_array_equal(model.intercept_, np.zeros(3))
    for k, coef in enumerate(model.coef_):
        signs = np.where(codes == k, 1, -1)
        plain = LinearSVC(
            fit_intercept=False, loss=loss, tol=1e-8, max_iter=100_000, random_state=0
        )
        np.testing.assert_allclose(coef, plain.fit(X, signs).coef_[0], rtol=1e-3, atol=1e-4)
    free = EuclideanSVC(loss=loss, random_state=0).fit(X, codes)
    assert np.abs(free.intercept_).min() > 0.1
    assert (free.objective_ < 0.9 * model.objective_).all()


def test_codes_are_narrow_and_never_negative_by_overflow():
    labels = np.random.default_rng(0).permutation(np.repeat(np.arange(200), 3)).astype(np.uint8)
    classes, codes = multiclass.encode_labels(labels)
    assert codes.dtype == np.int16
    np.testing.assert_array_equal(classes[codes], labels)
    for signs in (signs for _, signs in multiclass.binary_problems(codes, 200, "ovr")):
        assert (signs.dtype, signs.sum()) == (np.int8, 3 - 597)
