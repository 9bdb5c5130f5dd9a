"""The findings at the top of the page."""

import numpy as np
import pandas as pd
from reporting_fixtures import report_input, run_of
from score_rows import folds_of

from noneuclid_compare.report.names import Names
from noneuclid_compare.report.sections import wins
from noneuclid_compare.report.tables import findings, score_tables

# logistic has the first average rank and a mean 9 points below the forests'.
FIVE = {
    "a": {"logistic": 0.85, "forest": 0.80, "hyperbolic_forest": 0.79, "svm": 0.84, "tree": 0.82},
    "b": {"logistic": 0.92, "forest": 0.90, "hyperbolic_forest": 0.89, "svm": 0.91, "tree": 0.905},
    "c": {"logistic": 0.40, "forest": 0.513, "hyperbolic_forest": 0.52, "svm": 0.37, "tree": 0.36},
    "d": {"logistic": 0.44, "forest": 0.60, "hyperbolic_forest": 0.59, "svm": 0.41, "tree": 0.40},
    "e": {"logistic": 0.30, "forest": 0.567, "hyperbolic_forest": 0.575, "svm": 0.29, "tree": 0.2},
}


def test_the_first_average_rank_is_not_called_best():
    scores = folds_of(FIVE)
    assert score_tables.league(scores, "accuracy").index[0] == "logistic"
    found = dict(findings.findings(scores, [], "accuracy"))
    assert found["Best method"].startswith(
        "No clear winner. Forest has the highest mean accuracy, 67.6\u00a0%, over 5 data sets "
        "(embeddings averaged first), but it does not differ significantly from 1 method "
        "(corrected resampled t-test over folds, Holm-corrected, 5 % level): hyperbolic forest, "
        "behind by 0.3 points (−"
    )
    assert found["Best method"].endswith(
        "It is significantly better than the other 3. The test covers these data sets only and "
        "does not generalise to others."
    )
    assert found["Average ranks"].startswith("Logistic has the best average rank, 2.20")
    shown = [text for head, text in found.items() if head != "Average ranks"]
    assert not any("ogistic ranks" in text or "ogistic is best" in text for text in shown)


def test_a_method_that_equals_the_floor_is_not_above_it():
    pairs = pd.MultiIndex.from_tuples([("a", "e"), ("b", "e")], names=["dataset", "embedding"])
    mean = pd.DataFrame([[0.5, 0.4], [0.5, 0.7], [0.6, 0.8]], ["floor", "x", "y"], pairs)
    sentence = findings._floor(
        mean, "balanced_accuracy", {"floor": "sklearn.dummy.DummyClassifier"}, Names()
    )
    assert sentence.endswith("not better on some of 2 data sets: x (on 1).")


def test_the_floor_is_compared_where_it_was_run():
    pairs = pd.MultiIndex.from_tuples([("a", "e"), ("b", "e")], names=["dataset", "embedding"])
    mean = pd.DataFrame([[0.5, np.nan], [0.6, 0.4]], ["floor", "x"], pairs)
    asked = "balanced_accuracy", {"floor": "sklearn.dummy.DummyClassifier"}, Names()
    start = "50.0\u00a0% on 1 of 2 data sets; "
    better = "every other method is better on these."
    assert findings._floor(mean, *asked).endswith(start + better)
    mean.loc["x", "a"] = 0.5
    assert findings._floor(mean, *asked).endswith(start + "not better on some of these: x (on 1).")


def test_the_floor_counts_embeddings_where_a_data_set_has_several():
    names = ["dataset", "embedding"]
    pairs = pd.MultiIndex.from_tuples([("a", "e"), ("b", "e"), ("b", "f")], names=names)
    mean = pd.DataFrame([[0.5, np.nan, np.nan], [0.6, 0.4, 0.4]], ["floor", "x"], pairs)
    asked = "balanced_accuracy", {"floor": "sklearn.dummy.DummyClassifier"}, Names()
    assert "50.0\u00a0% on 1 of 3 embeddings; " in findings._floor(mean, *asked)


def test_last_is_the_lowest_mean_that_the_leader_beats():
    # forest: worst average rank; tree: lowest mean.
    means = {
        "d": {"a": 0.9, "tree": 0.1, "forest": 0.6},
        "e": {"a": 0.9, "tree": 0.62, "forest": 0.6},
        "f": {"a": 0.9, "tree": 0.62, "forest": 0.6},
    }
    found = dict(findings.findings(folds_of(means, 0.005), [], "accuracy"))
    assert found["Lowest score"] == (
        "Among the methods significantly worse than a, tree has the lowest mean accuracy, "
        "44.7\u00a0%."
    )


def test_perceptrons_that_do_not_converge_are_counted_apart():
    def run(method, status):
        fold = {"status": status, "warnings": [], "fold": 0}
        return {"method": method, "class": f"own.{method.title()}", "folds": [fold] * 3}

    runs = [run("perceptron", "max_iter"), run("svm", "max_iter")]
    text = findings._solvers([r | {"code": "x"} for r in runs], Names())
    assert "Of 6 fits, 6 did not converge" in text
    words = "if classes overlap they never converge, and on separable classes not always."
    assert f"Of the 6, 3 are perceptrons: {words}" in text


def test_one_data_set_has_no_ranks_and_no_kinds(tmp_path):
    alone = run_of(tmp_path / "one", report_input(1, size=20))
    found = wins.SECTION.values(alone)
    assert (found["no_ranks"], found["advice"]) == (findings.NO_RANKS, [])
    assert [shown["id"] for shown in found["figures"]] == ["accuracy_time"]
    assert alone.leagues[0]["n_datasets"] == 1
    several = wins.SECTION.values(run_of(tmp_path / "two", report_input(2, size=20)))
    assert several["no_ranks"] == ""
    assert several["advice"]
    assert [shown["id"] for shown in several["figures"]] == ["league", "accuracy_time"]
