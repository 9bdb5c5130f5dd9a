"""The default reference points: as good as those of the best rule, by training rows alone."""

import numpy as np
import pytest
from cases import each_of
from paper_mirror import MIRROR, needs_mirror
from sklearn.model_selection import StratifiedShuffleSplit

from noneuclid import PoincarePerceptron, PoincareSVC
from noneuclid.classifiers import reference_choice
from noneuclid.errors import InputError
from noneuclid.geometry.charts import convert
from noneuclid_papers.data import pan2023_embeddings

RULES = ("hulls", "midpoint of means", "best plane")


def clouds(seed, n=90, d=2):
    """Three classes that overlap, some rows far out."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    X = 1.5 * rng.normal(size=(3, d))[y] + 0.8 * rng.normal(size=(n, d))
    return X * rng.choice([1.0, 3.0], size=(n, 1)), y


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
    assert round(100 * scores["auto"][0], 2) == 88.64
    assert np.mean(scores["auto"]) > max(np.mean(scores[rule]) for rule in RULES) - 0.005


@each_of("settings", [{}, {"margin": "exact"}, {"multi_class": "ovo"}])
@each_of("seed", range(3))
def test_default_has_the_highest_training_accuracy(seed, settings):
    X, y = clouds(seed)
    scores = {
        rule: PoincareSVC(reference_point=rule, **settings).fit(X, y).score(X, y)
        for rule in ("auto", *RULES)
    }
    assert scores["auto"] >= max(scores[rule] for rule in RULES)


@pytest.mark.parametrize("seed", range(3))
def test_choice_takes_weights_as_repeated_rows_in_any_order(seed):
    X, y = clouds(seed)
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 4, size=len(y))
    points, rules = reference_choice.choose(PoincareSVC(), X, y, counts.astype(float))
    order = rng.permutation(counts.sum())
    repeated = X.repeat(counts, axis=0)[order], y.repeat(counts)[order]
    again, too = reference_choice.choose(PoincareSVC(), *repeated)
    np.testing.assert_allclose(points, again, rtol=1e-12)
    np.testing.assert_array_equal(rules, too)


def test_choice_from_a_sample_is_repeatable_and_near_that_from_all(monkeypatch):
    X, y = clouds(3, n=900)
    y[:12] = 3
    whole = PoincareSVC().fit(X, y)
    monkeypatch.setattr(reference_choice, "_ROWS", 200)
    rows, shares = reference_choice._sample(y)
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
