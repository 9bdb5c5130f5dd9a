"""Scores of one fold against slow versions and known answers."""

import warnings

import numpy as np
import pytest
from cases import each_of
from sklearn import metrics as sk

from noneuclid.errors import InputError
from noneuclid_compare.evaluation import metric_table, metrics
from noneuclid_compare.evaluation.metrics import Fold, evaluate_classes, reliability
from noneuclid_compare.records import Predictions


def fold(truth, predicted, values=None, probabilities=None):
    """Predictions of one fold."""
    truth, predicted = np.asarray(truth), np.asarray(predicted)
    rows = np.arange(len(truth))
    return Predictions(rows, np.zeros_like(rows), truth, predicted, values, probabilities)


def error_of(truth, probabilities):
    return metrics.calibration_error(Fold(truth, probabilities=probabilities))


def random_fold(n_classes, n=120, seed=0):
    """Random but informative predictions with probabilities."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_classes, n)
    logits = rng.normal(size=(n, n_classes)) + 1.5 * np.eye(n_classes)[truth]
    probabilities = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    values = logits
    if n_classes == 2:
        decision = logits[:, 1] - logits[:, 0]
        values = np.column_stack([-decision, decision])
    return fold(truth, logits.argmax(axis=1), values, probabilities)


@each_of("n_classes", [2, 4])
@each_of("seed", range(3))
def test_against_loops(n_classes, seed):
    p = random_fold(n_classes, seed=seed)
    found = evaluate_classes(p, n_classes)
    recall, f1, support, precision, trapezoid, area = [], [], [], [], [], []
    for code in range(n_classes):
        true, said = p.truth == code, p.predicted == code
        hits = (true & said).sum()
        recall.append(hits / true.sum())
        f1.append(2 * hits / (true.sum() + said.sum()))
        support.append(true.sum())
        order = np.argsort(-p.scores[:, code])
        ranked = true[order]
        curve = np.cumsum(ranked) / np.arange(1, 121)
        precision.append(np.mean(curve[ranked]))
        gains = ranked[1:] / true.sum()
        trapezoid.append(sum(gains * (curve[1:] + curve[:-1]) / 2))
        above = p.scores[true, code][:, None] > p.scores[~true, code][None, :]
        area.append(above.mean())
    positive = [1] if n_classes == 2 else list(range(n_classes))
    together = np.eye(n_classes)[p.truth][:, positive].ravel() == 1
    pooled = p.probabilities[:, positive].ravel()
    hits = together[np.argsort(-pooled)]
    above = pooled[together][:, None] > pooled[~together][None, :]
    expected = {
        "aupr_micro": np.mean((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits]),
        "auroc_micro": above.mean(),
        "accuracy": np.mean(p.truth == p.predicted),
        "balanced_accuracy": np.mean(recall),
        "f1_micro": np.mean(p.truth == p.predicted),
        "f1_macro": np.mean(f1),
        "f1_weighted": np.average(f1, weights=support),
        "aupr_macro": np.mean([precision[k] for k in positive]),
        "aupr_trapezoid_macro": np.mean([trapezoid[k] for k in positive]),
        "auroc_macro": np.mean([area[k] for k in positive]),
        "log_loss": -np.mean(np.log(p.probabilities[np.arange(120), p.truth])),
    }
    for name, value in expected.items():
        assert np.isclose(found[name], value), name
    assert found.keys() == expected.keys() | {"calibration_error"}
    assert all(type(value) is float for value in found.values())


def test_perfect_and_worst():
    truth = np.array([0, 1, 1, 0])
    values = np.array([[1.0, -1], [-2, 2], [-1, 1], [3, -3]])
    best = evaluate_classes(fold(truth, truth, values), 2)
    assert best.pop("aupr_trapezoid_macro") == 0.5  # 1 - 1 / (number of positive rows)
    assert all(value == 1.0 for value in best.values())
    worst = evaluate_classes(fold(truth, 1 - truth, -values), 2)
    assert worst["accuracy"] == worst["f1_macro"] == worst["auroc_macro"] == 0.0


def test_without_scores_no_ranking():
    found = evaluate_classes(fold([0, 1], [0, 1]), 2)
    assert found.keys() == {
        "accuracy",
        "balanced_accuracy",
        "f1_micro",
        "f1_macro",
        "f1_weighted",
    }


def test_probabilities_stand_in_for_scores():
    p = random_fold(3)
    found = evaluate_classes(fold(p.truth, p.predicted, None, p.probabilities), 3)
    expected = sk.roc_auc_score(p.truth, p.probabilities, multi_class="ovr")
    assert np.isclose(found["auroc_macro"], expected)


def test_micro_averages_are_those_of_scikit_learn():
    p = random_fold(4)
    part = Fold(p.truth, probabilities=p.probabilities)
    given = np.eye(4, dtype=int)[p.truth], p.probabilities
    assert np.isclose(metrics.aupr_micro(part), sk.average_precision_score(*given, average="micro"))
    area = sk.roc_auc_score(p.truth, p.probabilities, multi_class="ovr", average="micro")
    assert np.isclose(metrics.auroc_micro(part), area)
    # A class without rows in the fold has wrong rows only.
    keep = p.truth != 2
    part = Fold(p.truth[keep], probabilities=p.probabilities[keep])
    given = np.eye(4, dtype=int)[p.truth[keep]], p.probabilities[keep]
    assert np.isclose(metrics.auroc_micro(part), sk.roc_auc_score(*map(np.ravel, given)))
    one = Fold(np.ones(3, dtype=int), probabilities=np.full((3, 2), 0.5))
    assert np.isnan([metrics.aupr_micro(one), metrics.auroc_micro(one)]).all()


def test_class_absent_from_the_fold():
    p = random_fold(4)
    keep = p.truth != 2
    part = fold(p.truth[keep], p.predicted[keep], p.scores[keep], p.probabilities[keep])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = evaluate_classes(part, 4)
    by_hand = [
        sk.average_precision_score(part.truth == code, part.scores[:, code]) for code in (0, 1, 3)
    ]
    assert np.isclose(found["aupr_macro"], np.mean(by_hand))
    recalls = [(part.predicted[part.truth == c] == c).mean() for c in (0, 1, 3)]
    assert np.isclose(found["balanced_accuracy"], np.mean(recalls))


def test_one_class_in_the_fold():
    p = random_fold(2)
    keep = p.truth == 1
    found = evaluate_classes(fold(p.truth[keep], p.predicted[keep], p.scores[keep]), 2)
    assert np.isnan(found["aupr_macro"])
    assert np.isnan(found["auroc_macro"])


def test_class_absent_from_training_has_minus_infinity():
    p = random_fold(3)
    values = p.scores.copy()
    values[:, 2] = -np.inf
    fold_of_three = Fold(p.truth, ranking=values)
    chance = (p.truth == 2).mean()
    by_hand = [sk.average_precision_score(p.truth == c, values[:, c]) for c in (0, 1)] + [chance]
    assert np.isclose(metrics.aupr_macro(fold_of_three), np.mean(by_hand))
    area = [sk.roc_auc_score(p.truth == c, values[:, c]) for c in (0, 1)] + [0.5]
    assert np.isclose(metrics.auroc_macro(fold_of_three), np.mean(area))


def test_log_loss_of_an_impossible_class():
    probabilities = np.array([[1.0, 0.0], [1.0, 0.0]])
    found = evaluate_classes(fold([0, 1], [0, 0], None, probabilities), 2)
    assert np.isclose(found["log_loss"], 36.04 / 2, atol=0.01)


def test_nan_and_shapes_are_refused():
    values = np.array([[0.0, 1.0], [np.nan, 1.0]])
    with pytest.raises(InputError, match=r"NaN at position and class \[\[1, 0\]\]"):
        evaluate_classes(fold([0, 1], [0, 1], values), 2)
    with pytest.raises(InputError, match="2 columns for 3 classes"):
        evaluate_classes(fold([0, 1], [0, 1], np.zeros((2, 2))), 3)
    rows = np.arange(2)
    with pytest.raises(InputError, match=r"one fold at a time, found folds \[0, 1\]"):
        evaluate_classes(Predictions(rows, rows, rows, rows), 2)


def test_calibration_by_hand():
    probabilities = np.array([[0.9, 0.1]] * 10 + [[0.3, 0.7]] * 10)
    # 9 of 10 right at 0.9, which is perfect; 5 of 10 right at 0.7.
    truth = np.array([0] * 9 + [1] + [1] * 5 + [0] * 5)
    assert np.isclose(error_of(truth, probabilities), 0.5 * 0.2)


def test_calibration_of_certain_predictions():
    certain = np.eye(3)[[0, 1, 2, 0]]
    assert error_of(np.array([0, 1, 2, 0]), certain) == 0.0
    assert error_of(np.array([1, 2, 0, 1]), certain) == 1.0


@each_of("bins", [2, 7, 10, 15, 49, 100])
def test_a_probability_on_an_edge_is_in_the_bin_below(bins):
    k = np.arange(1, bins + 1)
    for edges in (k / bins, k * (1 / bins), 1 - (bins - k) / bins, np.cumsum(np.ones(bins) / bins)):
        rows, said, _ = reliability(np.zeros(bins, int), edges[:, None], bins)
        assert rows.tolist() == [1] * bins
        np.testing.assert_array_equal(said, edges)
        for shift, moved in ((-1e-9, 0), (1e-9, 1)):
            rows, _, _ = reliability(np.zeros(bins, int), edges[:, None] + shift, bins)
            place = np.minimum(k - 1 + moved, bins - 1)
            assert rows.tolist() == np.bincount(place, minlength=bins).tolist()


def test_the_ends_0_and_1_are_in_the_first_and_the_last_bin():
    certain = np.array([[0.0], [1.0], [np.nextafter(1.0, 2.0)]])
    assert reliability(np.zeros(3, int), certain, 10)[0].tolist() == [1, *[0] * 8, 2]


def test_calibrated_probabilities_have_a_small_error():
    rng = np.random.default_rng(0)
    p = rng.uniform(size=20_000)
    truth = (rng.uniform(size=20_000) < p).astype(int)
    assert error_of(truth, np.column_stack([1 - p, p])) < 0.02
    sharper = p**3 / (p**3 + (1 - p) ** 3)
    assert error_of(truth, np.column_stack([1 - sharper, sharper])) > 0.08


def test_every_metric_has_a_line_and_a_function_with_an_order():
    assert len(set(metric_table.NAMES)) == len(metric_table.NAMES)
    assert not set(metric_table.NAMES) & set(metric_table.COSTS)
    p = random_fold(3)
    right = np.eye(3)[p.truth]
    perfect = Fold(p.truth, p.truth, p.scores + 100 * right, right)
    worse = Fold(p.truth, p.predicted, p.scores, p.probabilities)
    for metric in metric_table.METRICS:
        function = getattr(metrics, metric.name)
        assert (function(perfect) > function(worse)) == metric.higher_is_better, metric.name
    assert metric_table.higher_is_better("my_metric")
    assert not metric_table.higher_is_better("fit_seconds")


def test_reliability_against_a_loop():
    rng = np.random.default_rng(0)
    p = rng.dirichlet([1, 1, 1], size=300)
    truth = rng.integers(3, size=300)
    rows, said, right = reliability(truth, p, 5)
    top, guess = p.max(axis=1), p.argmax(axis=1)
    for k in range(5):
        inside = (top > k / 5) & (top <= (k + 1) / 5)
        assert rows[k] == inside.sum()
        if rows[k]:
            assert said[k] == pytest.approx(top[inside].mean())
            assert right[k] == pytest.approx((guess == truth)[inside].mean())
