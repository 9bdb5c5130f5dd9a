"""The default reference points: as good as those of the best rule, by training rows alone."""

import numpy as np
import pytest
from cases import each_of
from paper_mirror import MIRROR, needs_mirror
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.svm import LinearSVC

from noneuclid import PoincarePerceptron, PoincareSVC
from noneuclid.classifiers import reference_choice, reference_rules
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import convert
from noneuclid_papers.data import pan2023_embeddings

RULES = ("hulls", "midpoint of means", "best plane")


def clouds(seed, n=90, d=2):
    """Three classes that overlap, some rows far out."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    X = 1.5 * rng.normal(size=(3, d))[y] + 0.8 * rng.normal(size=(n, d))
    return X * rng.choice([1.0, 3.0], size=(n, 1)), y


@pytest.mark.slow
@needs_mirror
def test_default_is_as_good_as_the_best_rule_on_blood_cells():
    files = {"embedding": MIRROR / "PoincareLinearClassification/olsson_poincare_embedding.npz"}
    data = pan2023_embeddings.load(files, 0, name="olsson")
    X, y = data.features, data.labels
    anew = StratifiedShuffleSplit(4, test_size=0.3, random_state=0).split(X, y)
    splits = [(data.fixed_fold == 0, data.fixed_fold != 0), *anew]
    scores = {
        rule: [
            PoincareSVC(C=5, chart="poincare", reference_point=rule)
            .fit(X[train], y[train])
            .score(X[test], y[test])
            for train, test in splits
        ]
        for rule in ("auto", *RULES)
    }
    assert np.mean(scores["auto"]) > max(np.mean(scores[rule]) for rule in RULES) - 0.005


@pytest.mark.slow
@each_of("settings", [{}, {"margin": "exact"}, {"multi_class": "ovo"}, {"calibration": "distance"}])
@each_of("seed", range(3))
def test_default_is_as_accurate_as_each_rule(seed, settings):
    X, y = clouds(seed)
    scores = {
        rule: PoincareSVC(reference_point=rule, **settings).fit(X, y).score(X, y)
        for rule in ("auto", *RULES)
    }
    assert scores["auto"] >= max(scores[rule] for rule in RULES) - 0.015


@each_of("squeezed", [False, True])
@each_of("exact", [False, True])
@each_of("k", [2, 3])
def test_trials_are_the_classifiers_through_their_points(k, exact, squeezed):
    X, y = clouds(2)
    y = y % k
    margin, calibration = "exact" if exact else "paper", "distance" if squeezed else "platt"
    model = PoincareSVC(margin=margin, calibration=calibration).fit(X, y)
    points = convert(X, "tangent", "hyperboloid")
    tried, normals, log_odds, losses = reference_choice._try(model, points, y, np.ones(len(y)), 5)
    for c in range(5):
        places = convert(tried[c], "hyperboloid", "tangent")
        model.set_params(reference_point=places).fit(X, y)
        np.testing.assert_allclose(
            normals[c], [back(model, i) for i in range(len(places))], rtol=0.1
        )
        found = model._to_log_odds(model._scores(points)).T
        if k == 3:  # of two classes, scores are those of the exact margin
            np.testing.assert_allclose(log_odds[c], found, rtol=0.02, atol=0.2)
            signs = np.where(y == np.arange(3)[:, None], 1, -1)
            np.testing.assert_allclose(
                losses[c], np.logaddexp(0, -signs * found).mean(1), atol=0.01
            )


def back(model, i):
    """w of a binary problem, from its Lorentz normal."""
    return reference_rules.seen_from(model.coef_[i][None], model.reference_points_[i])[0]


def test_the_second_point_is_the_foot_on_the_plane_of_an_svm_with_intercept():
    X, y = clouds(4, d=3)
    y = (y == 0).astype(int)
    points = convert(X, "tangent", "hyperboloid")
    model = PoincareSVC(margin="exact").fit(X, y)
    tried, *_ = reference_choice._try(model, points, y, np.ones(len(y)), 4)
    p = tried[0, 0]
    seen = reference_rules.seen_from(points, p)
    svm = LinearSVC(dual=False, tol=1e-8, intercept_scaling=1e3, max_iter=10_000).fit(seen, y)
    w, b = svm.coef_[0], svm.intercept_[0]
    foot = -b * w / (w @ w)  # of the origin, where p is
    expected = lorentz.boost(p) @ lorentz.from_spatial(foot)
    np.testing.assert_allclose(tried[1, 0], expected, rtol=2e-2, atol=2e-2)


def test_a_problem_takes_another_point_where_more_rows_are_right():
    codes, weights = np.repeat([0, 1, 2], 10), np.ones(30)
    good = np.where(codes == np.arange(3)[:, None], 1.0, -1.0)
    bad = good.copy()
    bad[1] = -3.0  # class 1 is never predicted
    log_odds = np.array([bad, np.where(np.arange(3)[:, None] == 1, good, -good)])
    pick = reference_choice._climb(log_odds, np.zeros(3, dtype=int), codes, weights, 2)
    assert pick.tolist() == [0, 1, 0]
    losses = np.array([[0.1, 9.0, 0.1], [9.0, 0.1, 9.0]])
    assert reference_choice._pick(log_odds, losses, codes, weights, "ovr").tolist() == [0, 1, 0]


@pytest.mark.parametrize("seed", range(3))
def test_choice_takes_weights_as_repeated_rows_in_any_order(seed):
    X, y = clouds(seed)
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 4, size=len(y))
    model = PoincareSVC().fit(X, y)
    points, rules, _ = reference_choice.choose(model, X, y, counts.astype(float))
    order = rng.permutation(counts.sum())
    repeated = X.repeat(counts, axis=0)[order], y.repeat(counts)[order]
    again, too, _ = reference_choice.choose(model, *repeated)
    np.testing.assert_allclose(points, again, rtol=1e-9)
    np.testing.assert_array_equal(rules, too)


def test_choice_from_a_sample_is_repeatable_and_near_that_from_all(monkeypatch):
    X, y = clouds(3, n=900)
    y[:12] = 3
    whole = PoincareSVC().fit(X, y)
    monkeypatch.setattr(reference_choice, "_ROWS", 200)
    rows, shares = reference_choice._sample(y, 200)
    assert 200 <= len(rows) < 220
    np.testing.assert_allclose(np.bincount(y[rows], shares), np.bincount(y))
    np.testing.assert_array_equal(np.bincount(y[rows])[3], 12)  # a small class stays whole
    part, again = PoincareSVC().fit(X, y), PoincareSVC().fit(X, y)
    np.testing.assert_array_equal(part.reference_points_, again.reference_points_)
    assert not np.array_equal(part.reference_points_, whole.reference_points_)
    assert part.score(X, y) > whole.score(X, y) - 0.05


def test_choice_does_without_rules_that_have_no_point():
    X, y = clouds(0)
    apart = np.where(y == 0, -4.0, 4.0)[:, None] + X / 10
    hard = PoincareSVC(C=np.inf).fit(apart, y == 0)  # no best plane
    assert hard.score(apart, y == 0) == 1
    deep, codes = clouds(0, d=17)
    rules = PoincareSVC().fit(deep, codes).reference_rules_
    assert set(rules) == {"midpoint of means"}


def test_a_row_too_far_out_is_named_with_its_own_number():
    X, y = clouds(0)
    X[50] = 900.0
    with pytest.raises(InputError, match=r"row 50 is 1272\.79 from the origin, beyond the 350"):
        PoincareSVC().fit(X, y)


def test_perceptrons_take_the_same_points():
    X, y = clouds(1)
    ball = convert(X, "tangent", "poincare")
    machine = PoincareSVC(margin="exact", chart="poincare").fit(ball, y)
    learner = PoincarePerceptron(chart="poincare", max_iter=2, random_state=0)
    with pytest.warns(match="did not converge"):
        learner.fit(ball, y)
    np.testing.assert_array_equal(learner.reference_points_, machine.reference_points_)
    batch = PoincarePerceptron(chart="poincare").partial_fit(ball, y, classes=[0, 1, 2])
    np.testing.assert_array_equal(batch.reference_points_, machine.reference_points_)


def test_a_choice_no_better_than_the_largest_class_is_said():
    corners = np.array([[0.5, 0.0], [0.0, 0.5], [-0.5, -0.5]])  # each holds both classes alike
    X, y = np.repeat(corners, 3, axis=0), np.arange(9) % 3 == 0
    with pytest.warns(UserWarning, match="than predicting the largest class; if rows lie far"):
        PoincareSVC().fit(X, y)
