"""Which method is best: the corrected t-test, the rule, and how often it names a false winner."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student
from scipy.stats import ttest_1samp
from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.svm import SVC

from noneuclid_papers.statistics import verdicts
from noneuclid_papers.statistics.verdicts import corrected_t, judge, judge_scores, values_of

COLUMNS = ["dataset", "embedding", "method", "repeat", "fold", "metric", "value"]


def long_table(scores, sizes=None, metric="accuracy"):
    """Scores {data set: {method: values of the folds}}; sizes (train, test) of every fold."""
    rows = []
    for dataset, methods in scores.items():
        for method, values in methods.items():
            for fold, value in enumerate(values):
                key = (dataset, "e", method, 0, fold)
                rows.append((*key, metric, value))
                if sizes:
                    rows += [
                        (*key, name, n)
                        for name, n in zip(("train_rows", "test_rows"), sizes[fold], strict=True)
                    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def five_folds(means, sd=1.0, folds=5):
    """Values of the folds with given means, each method with a deviation of its own."""
    rng = np.random.default_rng(7)
    shapes = rng.normal(size=(len(means), folds))
    shapes = (shapes - shapes.mean(axis=1, keepdims=True)) / shapes.std(axis=1, keepdims=True)
    return {m: (means[m] + sd * shape).tolist() for m, shape in zip(means, shapes, strict=True)}


# logistic has the first average rank and a mean 9 points below the forests'.
FIVE = {
    "a": {"logistic": 0.85, "forest": 0.80, "hyperbolic_forest": 0.79, "svm": 0.84, "tree": 0.82},
    "b": {"logistic": 0.92, "forest": 0.90, "hyperbolic_forest": 0.89, "svm": 0.91, "tree": 0.905},
    "c": {"logistic": 0.40, "forest": 0.513, "hyperbolic_forest": 0.52, "svm": 0.37, "tree": 0.36},
    "d": {"logistic": 0.44, "forest": 0.60, "hyperbolic_forest": 0.59, "svm": 0.41, "tree": 0.40},
    "e": {"logistic": 0.30, "forest": 0.567, "hyperbolic_forest": 0.575, "svm": 0.29, "tree": 0.2},
}


def test_the_corrected_t_test_against_a_slow_version():
    rng = np.random.default_rng(0)
    parts = [rng.normal(0.02, 0.03, n) for n in (5, 10, 3)]
    ratio, weights = [1 / 4, 0.3, 0.5], [0.5, 0.25, 0.25]
    mean = top = bottom = 0.0
    for part, test_to_train, weight in zip(parts, ratio, weights, strict=True):
        average = sum(part) / len(part)
        variance = sum((x - average) ** 2 for x in part) / (len(part) - 1)
        share = weight**2 * variance * (1 / len(part) + test_to_train)
        mean += weight * average
        top += share
        bottom += share**2 / (len(part) - 1)
    freedom = top**2 / bottom
    half = student.ppf(0.975, freedom) * top**0.5
    p = 2 * (1 - student.cdf(abs(mean) / top**0.5, freedom))
    assert corrected_t(parts, ratio, weights) == pytest.approx((mean, mean - half, mean + half, p))
    # Without overlap it is Student's test of one sample.
    found = corrected_t(parts[:1], [0.0])
    assert found[3] == pytest.approx(ttest_1samp(parts[0], 0).pvalue)


def test_the_corrected_t_test_on_a_printed_example():
    # scikit-learn's user guide, "Statistical comparison of models using grid search": corrected t
    # 0.750, one-sided p 0.227 (uncorrected 2.611 and 0.005).
    X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    scores = {
        kernel: cross_val_score(SVC(kernel=kernel), X, y, scoring="roc_auc", cv=folds)
        for kernel in ("rbf", "linear")
    }  # fmt: skip
    difference = scores["rbf"] - scores["linear"]
    mean, low, high, p = corrected_t([difference], [10 / 90])
    assert round(p / 2, 3) == 0.227
    error = (high - low) / 2 / student.ppf(0.975, 99)
    assert round(mean / error, 3) == 0.750


def test_the_variance_factor_takes_the_sizes_of_unequal_folds():
    values = {"d": five_folds({"a": 0.8, "b": 0.7})}
    sizes = [(80, 20), (79, 21), (81, 19), (80, 20), (70, 30)]
    _, ratio = values_of(long_table(values, sizes), "accuracy")
    assert ratio.tolist() == pytest.approx([test / train for train, test in sizes])
    found = judge_scores(long_table(values, sizes), "accuracy")
    gaps = np.subtract(values["d"]["a"], values["d"]["b"])
    expected = corrected_t([gaps], [np.mean([test / train for train, test in sizes])])
    row = found.table.loc["b"]
    assert (row["difference"], row["low"], row["high"], row["p"]) == pytest.approx(expected)
    # Without sizes the folds of a repeat are parts of equal size.
    _, ratio = values_of(long_table(values), "accuracy")
    assert ratio.tolist() == pytest.approx([1 / 4] * 5)


def test_single_folds_of_unknown_size_are_not_tested():
    table = long_table({"d": {"a": [0.9], "b": [0.1]}})
    repeats = pd.concat([table, table.assign(repeat=1)])
    for scores in (table, repeats):
        found = judge_scores(scores, "accuracy")
        assert (found.test, found.best, found.group) == (None, None, ["b"])
    holdout = pd.concat([long_table({"d": {"a": [0.9 + k], "b": [k / 9]}}, [(7, 3)])
                         .assign(repeat=k) for k in range(4)])  # fmt: skip
    assert values_of(holdout, "accuracy")[1].tolist() == pytest.approx([3 / 7] * 4)
    assert judge_scores(holdout, "accuracy").test == "folds"


def test_first_average_rank_with_a_low_mean_is_not_best():
    scores = long_table({d: five_folds(means, 0.02) for d, means in FIVE.items()})
    found = judge_scores(scores, "accuracy")
    means = pd.DataFrame(FIVE)
    ranks = means.rank(ascending=False).mean(axis=1)
    assert ranks.drop("logistic").min() > ranks["logistic"]
    assert means.loc["logistic"].mean() == pytest.approx(0.582)
    assert found.leader == "forest"
    assert found.best is None
    assert found.group[0] == "hyperbolic_forest"
    assert abs(found.effect) < 0.01
    gap = means.loc["forest"] - means.loc["logistic"]
    assert ((gap > 0).sum(), gap.median()) == (3, pytest.approx(0.113))
    assert found.table.loc["logistic", ["wins", "losses"]].tolist() == [3, 2]


def test_a_tenth_of_a_point_within_the_noise_is_no_win():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=10)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    values = {"d": {"a": (0.801 + 0.037 * noise).tolist(), "b": [0.8] * 10}}
    found = judge_scores(long_table(values), "accuracy")
    assert found.effect == pytest.approx(0.001)
    assert (found.best, found.group, found.test, found.n) == (None, ["b"], "folds", 1)
    assert found.low < 0 < found.high


def test_a_method_that_is_clearly_better_is_best():
    values = {"d": five_folds({"a": 0.9, "b": 0.6, "c": 0.62}, 0.02)}
    found = judge_scores(long_table(values), "accuracy")
    assert (found.best, found.group, found.rival) == ("a", [], "c")
    rng = np.random.default_rng(1)
    many = {
        f"d{i}": {"a": [x + 0.05], "b": [x + rng.normal(0, 0.02)], "c": [x - 0.1]}
        for i, x in enumerate(rng.uniform(0.5, 0.9, 12))
    }
    found = judge_scores(long_table(many), "accuracy")
    assert (found.best, found.test, found.n) == ("a", "data sets", 12)


def test_errors_are_turned():
    values = {"d": five_folds({"a": 0.9, "b": 0.6}, 0.02)}
    found = judge_scores(long_table(values), "accuracy", larger=False)
    assert found.best == "b"
    assert found.effect == pytest.approx(0.3)


def test_wins_decide_together_with_the_test():
    # The mean of a is higher for one data set; on the other two b is ahead.
    steady = {"d": {"a": 0.9, "b": 0.3}, "e": {"a": 0.60, "b": 0.62}, "f": {"a": 0.60, "b": 0.62}}
    scores = long_table({d: five_folds(means, 0.01) for d, means in steady.items()})
    found = judge_scores(scores, "accuracy")
    assert (found.leader, found.best, found.group) == ("a", None, ["b"])
    assert found.table.loc["b", "p_holm"] < 0.05


def test_candidates_are_those_given():
    values = {"d": five_folds({"floor": 0.99, "a": 0.9, "b": 0.6}, 0.02)}
    assert judge_scores(long_table(values), "accuracy", methods=["a", "b"]).best == "a"
    assert judge_scores(long_table(values), "accuracy", methods=[]) is None
    alone = judge_scores(long_table(values), "accuracy", methods=["a"])
    assert (alone.leader, alone.best, alone.rival, alone.test) == ("a", None, None, None)


def some_scores(seed=0, datasets=4, names="abcd", folds=5):
    rng = np.random.default_rng(seed)
    gains = dict(zip("abcdefgh", (0.1, 0.09, 0.0, -0.2), strict=False))
    return {
        f"d{i}": {m: (rng.normal(0.6 + gains[m], 0.03, folds)).tolist() for m in names}
        for i in range(datasets)
    }


def facts(found):
    return (
        found.leader,
        found.best,
        found.group,
        found.table.to_numpy(dtype=float).round(9).tolist(),
    )


@pytest.mark.parametrize("datasets", [1, 4, 12])
def test_what_must_not_matter_does_not(datasets):
    scores = long_table(some_scores(datasets=datasets))
    expected = facts(judge_scores(scores, "accuracy"))
    assert facts(judge_scores(scores.sample(frac=1, random_state=1), "accuracy")) == expected
    shift = {f"d{i}": 0.05 * i for i in range(datasets)}
    moved = scores.assign(value=scores["value"] + scores["dataset"].map(shift))
    assert facts(judge_scores(moved, "accuracy")) == expected
    names = {"a": "z", "b": "y", "c": "x", "d": "w"}
    leader, best, group, numbers = facts(
        judge_scores(scores.assign(method=scores["method"].map(names)), "accuracy")
    )
    assert (leader, group) == (names[expected[0]], [names[m] for m in expected[2]])
    assert best == names.get(expected[1])
    assert numbers == expected[3]
    # Two embeddings that agree are one data set.
    twice = pd.concat([scores, scores.assign(embedding="f")])
    assert facts(judge_scores(twice, "accuracy")) == expected


@pytest.mark.parametrize("datasets", [1, 4, 12])
def test_a_copy_of_the_best_cannot_be_separated_from_it(datasets):
    values = some_scores(datasets=datasets, names="acd")
    assert judge_scores(long_table(values), "accuracy").best == "a"
    for methods in values.values():
        methods["copy"] = methods["a"]
    found = judge_scores(long_table(values), "accuracy")
    assert (found.leader, found.best, found.group) == ("a", None, ["copy"])
    assert found.table.loc["copy", ["difference", "p"]].tolist() == [0, 1]


def test_a_difference_without_variance_needs_folds():
    for folds, best in ((3, None), (5, None), (6, "a")):
        values = {"d": {"a": [1.0] * folds, "b": [0.5] * folds}}
        found = judge_scores(long_table(values), "accuracy")
        assert found.best == best
        assert found.table["p"].iloc[0] == 2.0 ** (1 - folds)


def overlapping(rng, shape, folds):
    """Differences of folds whose mean has the variance (1/n + 1/(n - 1)) that the test assumes."""
    common = rng.normal(size=(*shape, 1)) * np.sqrt(1 / folds)
    return common + rng.normal(size=(*shape, folds)) * np.sqrt(1 - 1 / folds)


def test_equal_methods_differ_in_one_of_twenty_tests():
    differences = overlapping(np.random.default_rng(0), (1000,), 10)
    p = np.array([corrected_t([row], [1 / 9])[3] for row in differences])
    assert 0.03 < (p < 0.05).mean() < 0.07
    assert (ttest_1samp(differences, 0, axis=1).pvalue < 0.05).mean() > 0.12


@pytest.mark.parametrize(
    ("datasets", "methods", "folds"), [(1, 2, 5), (1, 5, 10), (3, 3, 5), (12, 2, 2), (12, 4, 2)]
)
def test_equal_methods_seldom_have_a_winner(datasets, methods, folds):
    rng = np.random.default_rng(0)
    names = list("abcde")[:methods]
    keys = [(f"d{i}", "e", 0, k) for i in range(datasets) for k in range(folds)]
    index = pd.MultiIndex.from_tuples(keys, names=verdicts.FOLD)
    ratio = pd.Series(1 / (folds - 1), index=index)
    won = 0
    for _ in range(60):
        values = overlapping(rng, (datasets, methods), folds).transpose(0, 2, 1)
        found = judge(pd.DataFrame(values.reshape(-1, methods), index=index, columns=names), ratio)
        won += found.best is not None
    # 3 of 60 is 5 %; eight or more have a chance of 1 % at that rate.
    assert won < 8


def test_all_means_are_over_data_sets():
    # Over the three embedded data sets a is ahead, over the two data sets b.
    one = long_table({"d": five_folds({"a": 0.9, "b": 0.8}, 0.01)})
    other = long_table({"e": five_folds({"a": 0.5, "b": 0.65}, 0.01)})
    scores = pd.concat([one, one.assign(embedding="f"), other])
    found = judge_scores(scores, "accuracy")
    assert (found.leader, found.n) == ("b", 2)
    assert found.means["b"] == pytest.approx((0.8 + 0.65) / 2)
    assert found.effect == pytest.approx(found.means["b"] - found.means["a"])
    assert found.table.loc["a", ["wins", "losses"]].tolist() == [1, 1]


def test_equal_counts_leave_it_to_the_test():
    means = [(0.9, 0.7), (0.8, 0.6), (0.8, 0.5), (0.6, 0.61), (0.6, 0.61), (0.6, 0.61)]
    values = {f"d{k}": five_folds({"a": a, "b": b}, 0.01) for k, (a, b) in enumerate(means)}
    found = judge_scores(long_table(values), "accuracy")
    assert found.table.loc["b", ["wins", "losses"]].tolist() == [3, 3]
    assert found.best == "a"


@pytest.mark.parametrize("datasets", [1, 3, 9, 12, 20])
def test_intervals_agree_with_the_verdict(datasets):
    seen = set()
    for seed in range(12):
        rng = np.random.default_rng(seed)
        gains = dict(zip("abcdef", np.linspace(0, -0.06, 6), strict=True))
        values = {
            f"d{i}": {m: (0.7 + gains[m] + rng.normal(0, 0.03, 5)).round(2).tolist() for m in gains}
            for i in range(datasets)
        }
        table = judge_scores(long_table(values), "accuracy").table
        inside = ~((table["low"] > 0) | (table["high"] < 0))
        assert (inside == (table["p_holm"] >= 0.05)).all()
        assert (
            (table["low"] <= table["difference"]) & (table["difference"] <= table["high"])
        ).all()
        seen |= set(inside)
    assert seen == {True, False}


def test_wilcoxons_interval_against_a_slow_version():
    # Without ties: the order statistics of the Walsh averages; 52 of the table for n = 20.
    gaps = np.random.default_rng(0).normal(0.4, 1, 20)
    i, j = np.triu_indices(20)
    walsh = np.sort((gaps[i] + gaps[j]) / 2)
    assert verdicts._inverted(gaps, 0.05) == pytest.approx((walsh[52], walsh[-53]), abs=1e-9)
    assert np.isnan(verdicts._inverted(gaps[:5], 0.05)).all()


def test_only_the_counts_keep_a_method_and_equal_methods_share_the_lead():
    steady = {"d": {"a": 0.9, "b": 0.3}, "e": {"a": 0.60, "b": 0.62}, "f": {"a": 0.60, "b": 0.62}}
    values = {d: five_folds(means, 0.005) for d, means in steady.items()}
    found = judge_scores(long_table(values), "accuracy")
    assert (found.kept, found.leaders) == (["b"], ["a"])
    for methods in values.values():
        methods["copy"] = methods["a"]
    assert judge_scores(long_table(values), "accuracy").leaders == ["a", "copy"]


@pytest.mark.parametrize(("datasets", "test"), [(9, "folds"), (10, "data sets")])
def test_ten_data_sets_are_many(datasets, test):
    means = {f"d{k}": five_folds({"a": 0.8 + 0.01 * k, "b": 0.7}) for k in range(datasets)}
    found = judge_scores(long_table(means), "accuracy")
    assert (found.test, found.n, found.unit) == (test, datasets, "data set")
    one = judge_scores(long_table({"d": means["d1"]}), "accuracy")
    assert (one.test, one.n, one.unit) == ("folds", 1, "fold")


def test_few_data_sets_of_single_folds_are_tested_over_data_sets():
    found = judge_scores(
        long_table({f"d{k}": {"a": [0.8], "b": [0.7]} for k in range(3)}), "accuracy"
    )
    assert (found.test, found.best) == ("data sets", None)
    assert found.table["p"].iloc[0] == 0.25


def test_a_method_on_half_of_the_data_is_no_candidate():
    means = {name: five_folds({"a": 0.8, "b": 0.7}) for name in "wxyz"}
    for name in "wx":
        means[name] |= {"half": [0.9] * 5}
    assert list(judge_scores(long_table(means), "accuracy").means.index) == ["a", "b"]
    means["y"] |= {"half": [0.9] * 5}
    found = judge_scores(long_table(means), "accuracy")
    assert (found.leader, found.n) == ("half", 3)


def test_who_leads_by_a_twentieth_of_a_point_leads_alone():
    table = long_table({"d": five_folds({"a": 0.8, "b": 0.7995, "c": 0.7}, sd=0.01)})
    found = judge_scores(table, "accuracy")
    assert found.leaders == ["a"]
    wins, ties, losses = found.table.loc["c", ["wins", "ties", "losses"]]
    assert (wins, ties, losses) == (5, 0, 0)
    assert found.table.loc["c", "cliffs_delta"] == 1


def test_a_worse_method_is_not_better_because_it_wins_more_often():
    means = {"d1": {"a": 0.801, "b": 0.8}, "d2": {"a": 0.801, "b": 0.8}, "d3": {"a": 0.5, "b": 0.8}}
    table = long_table({name: five_folds(some, sd=1e-4) for name, some in means.items()})
    found = judge(*values_of(table, "accuracy"), first="a")
    row = found.table.loc["b"]
    assert (row["wins"], row["losses"]) == (2, 1)
    assert row["p_holm"] < verdicts.ALPHA
    assert row["difference"] < 0
    assert not row["beaten"]


def test_a_constant_difference_over_few_folds_has_no_interval():
    for folds, known in ((3, False), (8, True)):
        found = judge_scores(
            long_table({"d": {"a": [0.8] * folds, "b": [0.7] * folds}}), "accuracy"
        )
        assert found.effect == pytest.approx(0.1)
        assert (found.low == found.low) == known
