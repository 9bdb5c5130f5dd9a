import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from noneuclid import LiftedPCA
from noneuclid_compare.evaluation import baselines, verdicts
from noneuclid_compare.report.tables import league_rows, score_tables, without_embedding

METRIC = "balanced_accuracy"


def table(values, metric=METRIC, embedding="hydra", dataset="d", sizes=None):
    """Long table of {method: [[value of each fold] of each repeat]}."""
    rows = [
        (dataset, embedding, method, "", repeat, fold, metric, value)
        for method, repeats in values.items()
        for repeat, folds in enumerate(repeats)
        for fold, value in enumerate(folds)
    ]
    for name, size in (sizes or {}).items():
        rows += [(*row[:6], name, size) for row in rows if row[6] == metric]
    return pd.DataFrame(rows, columns=score_tables.COLUMNS)


def compare(ours, theirs, metric=METRIC, **options):
    scores = pd.concat([table(ours, metric, **options), original(theirs, metric, **options)])
    return without_embedding.rows(*without_embedding.parts(scores), metric)


def original(values, metric=METRIC, **options):
    return table(values, metric, "original", **options)


def test_an_embedding_that_loses_information_loses():
    # In raw units one column of wine has nearly all of the variance, and the embedding keeps two.
    X, y = load_wine(return_X_y=True)
    points = LiftedPCA(n_components=2, chart="poincare").fit_transform(X)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)

    def scored(models, rows):
        return {
            name: [cross_val_score(clone(model), rows, y, cv=folds, scoring=METRIC).tolist()]
            for name, model in models.items()
        }

    embedded = {"tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
    embedded["logistic"] = LogisticRegression(C=10)
    raw = {"original_logistic": baselines.LogisticBaseline()}
    raw["original_svm"] = baselines.SVMBaseline()
    row = compare(scored(embedded, points), scored(raw, X)).iloc[0]
    assert row["verdict"] == "worse"
    assert row["high"] < -0.05 < 0.95 < row["baseline_mean"]
    words = without_embedding.sentence(row, METRIC)
    assert "the embedding loses" in words
    assert "; difference −2" in words
    # The other way round the embedding wins by as much.
    back = compare(scored(raw, X), scored(embedded, points)).iloc[0]
    assert back["verdict"] == "better"
    assert back["low"] == pytest.approx(-row["high"])


def test_no_method_is_chosen_by_the_fold_that_it_is_scored_on():
    ours = {"a": [[1.0, 0.0, 0.0]], "b": [[0.0, 0.6, 0.5]]}
    row = compare(ours, {"original_svm": [[0.1, 0.2, 0.2]]}).iloc[0]
    # Left out fold 0: b (0.0); fold 1: a (0.0); fold 2: a (0.0).
    assert (row["mean"], row["method"], round(row["method_share"], 3)) == (0.0, "a", 0.667)
    assert row["chosen"] == "other folds"
    # A choice does not cross repeats: they share test rows.
    ours = {"a": [[0.9, 0.9], [0.1, 0.1]], "b": [[0.5, 0.5], [0.5, 0.5]]}
    row = compare(ours, {"original_svm": [[0.1, 0.2], [0.1, 0.2]]}).iloc[0]
    assert row["mean"] == pytest.approx(0.7)


def test_equal_methods_are_equal_whatever_their_number():
    rng = np.random.default_rng(0)

    def draw(prefix, count):
        return {f"{prefix}{k}": [rng.normal(0.8, 0.05, 5).tolist()] for k in range(count)}

    parts = [
        part
        for k in range(40)
        for part in (
            table(draw("m", 12), dataset=f"d{k}"),
            original(draw("original_", 3), dataset=f"d{k}"),
        )
    ]
    found = without_embedding.rows(*without_embedding.parts(pd.concat(parts)), METRIC)
    single, everything = found.iloc[:-1], found.iloc[-1]
    error = single["difference"].std() / np.sqrt(len(single))
    # The highest of 12 means would be ahead of that of 3 by 0.017 on average.
    assert abs(single["difference"].mean()) < 2 * error < 0.017
    assert (single["verdict"] != "no difference").mean() < 0.1
    assert everything["dataset"] == "all"
    assert everything["verdict"] == "no difference"
    assert everything["low"] < 0 < everything["high"]


def test_repeated_holdout_is_corrected_for_all_pairs():
    rng = np.random.default_rng(1)
    ours = {
        "a": rng.normal(0.7, 0.02, (8, 1)).tolist(),
        "b": rng.normal(0.5, 0.02, (8, 1)).tolist(),
    }
    theirs = {f"original_{k}": rng.normal(0.6, 0.02, (8, 1)).tolist() for k in range(3)}
    sizes = {"train_rows": 80, "test_rows": 20}
    row = compare(ours, theirs, sizes=sizes).iloc[0]
    assert (row["chosen"], row["method"], row["verdict"]) == ("all pairs", "a", "better")
    best = np.ravel(theirs[row["baseline"]])
    expected = verdicts.corrected_t([np.ravel(ours["a"]) - best], [0.25], level=1 - 0.05 / 6)
    assert row[["difference", "low", "high"]].tolist() == pytest.approx(expected[:3])
    assert row["p"] == pytest.approx(6 * expected[3])


def test_one_fold_is_not_tested():
    row = compare({"a": [[0.9]]}, {"original_svm": [[0.6]]}).iloc[0]
    assert (row["verdict"], row["chosen"]) == ("not tested", "same fold")
    assert row["difference"] == pytest.approx(0.3)
    assert np.isnan(row["low"])
    assert without_embedding.sentence(row, METRIC).endswith("points: not tested")


def test_a_smaller_error_is_better():
    ours, theirs = {"a": [[0.2, 0.3, 0.21]]}, {"original_svm": [[0.6, 0.71, 0.6]]}
    row = compare(ours, theirs, "log_loss").iloc[0]
    assert row["verdict"] == "better"
    assert row["difference"] == pytest.approx(0.4)
    assert (row["mean"], row["baseline_mean"]) == pytest.approx((0.71 / 3, 1.91 / 3))


def test_floors_are_left_out_and_data_without_baselines_have_no_row():
    ours = table({"majority": [[0.9, 0.9]], "tree": [[0.5, 0.6]]})
    points = table({"tree": [[0.5, 0.6]]}, dataset="points", embedding="given")
    theirs = original({"original_svm": [[0.7, 0.7]]})
    found = without_embedding.rows(pd.concat([ours, points]), theirs, METRIC)
    assert found[["dataset", "embedding", "method"]].to_numpy().tolist() == [["d", "hydra", "tree"]]
    assert without_embedding.rows(points, theirs.iloc[:0], METRIC).empty


def test_methods_without_a_value_in_some_fold_are_left_out():
    ours = {"a": [[0.9, np.nan, 0.9]], "b": [[0.5, 0.4, 0.6]]}
    theirs = {"original_svm": [[0.4, 0.3, 0.5]], "original_forest": [[np.nan] * 3]}
    row = compare(ours, theirs).iloc[0]
    assert (row["method"], row["baseline"]) == ("b", "original_svm")
    # A fold without any value says nothing of a method; no method left, no row.
    ours["b"] = [[np.nan, 0.4, 0.6]]
    ours["a"] = [[np.nan, 0.2, 0.2]]
    assert compare(ours, theirs).iloc[0]["mean"] == pytest.approx(0.5)
    assert compare({"a": [[0.9, np.nan]], "b": [[np.nan, 0.9]]}, theirs).empty


def test_a_metric_that_one_side_lacks_has_no_rows():
    ours, theirs = table({"a": [[0.9, 0.8]]}, "log_loss"), original({"s": [[0.9, 0.8]]})
    assert without_embedding.rows(ours, theirs, "log_loss").empty
    assert without_embedding.rows(ours, theirs, METRIC).empty


def test_embeddings_of_a_data_set_count_once_in_the_row_of_all():
    theirs = original({"original_svm": [[0.5, 0.5]]})
    parts = [table({"t": [[v, v]]}, embedding=e) for e, v in (("x", 0.7), ("y", 0.9))]
    more = [table({"t": [[0.4, 0.4]]}, dataset="e"), original({"s": [[0.5, 0.5]]}, dataset="e")]
    found = without_embedding.rows(
        pd.concat([*parts, more[0]]), pd.concat([theirs, more[1]]), METRIC
    )
    assert found.iloc[-1]["difference"] == pytest.approx((0.3 - 0.1) / 2)


def test_baselines_are_no_part_of_the_league():
    ours = table({"tree": [[0.5, 0.6]], "svm": [[0.7, 0.6]]})
    everything = pd.concat([ours, original({"original_svm": [[0.9, 0.9]]})])
    embedded, theirs = without_embedding.parts(everything)
    pd.testing.assert_frame_equal(embedded, ours)
    assert list(score_tables.league(embedded, METRIC).index) == ["svm", "tree"]
    assert set(theirs["method"]) == {"original_svm"}


def test_a_row_below_the_league_has_the_baselines_of_its_columns():
    ours = pd.concat([table({"tree": [[0.5, 0.6]]}), table({"tree": [[0.5, 0.6]]}, dataset="e")])
    theirs = original({"original_svm": [[0.8, 0.9]]})
    found = without_embedding.rows(ours, theirs, METRIC)
    league = league_rows.league(ours, METRIC, {}, found)
    assert [method["identifier"] for method in league["methods"]] == ["tree"]
    assert (league["without"]["mean"], league["without"]["pairs"]) == ("85.0", 1)
    first, second = league["matrices"][0]["without"]
    assert (first["mean"], first["gap"], second) == ("85.0", "−30.0", None)
    assert league_rows.league(ours, METRIC, {})["without"] is None


def test_equal_methods_seldom_differ_though_the_best_of_many_is_taken():
    rng, significant = np.random.default_rng(0), 0

    def equal(names):
        # What a method gains on a data set by chance, it gains in all folds.
        return {n: 0.7 + 0.04 * (rng.normal() + rng.normal(size=(4, 5))) for n in names}

    for _ in range(40):
        row = compare(equal(f"m{i}" for i in range(20)), equal(["a", "b", "c"])).iloc[0]
        significant += row["verdict"] in (without_embedding.BETTER, without_embedding.WORSE)
    assert significant <= 4


def test_the_row_of_several_embeddings_is_corrected_as_well():
    rng, significant = np.random.default_rng(1), 0

    def equal(names):
        return {n: 0.7 + 0.04 * (rng.normal() + rng.normal(size=(4, 5))) for n in names}

    for _ in range(40):
        ours = [table(equal(f"m{i}" for i in range(5)), embedding=e) for e in ("hydra", "pca")]
        theirs = original(equal(["a", "b", "c"]))
        row = without_embedding.rows(pd.concat(ours), theirs, METRIC).iloc[-1]
        assert row["dataset"] == "all"
        significant += row["verdict"] in (without_embedding.BETTER, without_embedding.WORSE)
    assert significant <= 4


def test_intervals_hold_for_the_best_of_several_embeddings():
    rng = np.random.default_rng(2)
    theirs = original({"original_svm": rng.normal(0.6, 0.02, (2, 5)).tolist()})
    ours = [table({"t": rng.normal(0.6, 0.02, (2, 5)).tolist()}, embedding=e) for e in "xyz"]
    alone = without_embedding.rows(ours[0], theirs, METRIC).iloc[0]
    several = without_embedding.rows(pd.concat(ours), theirs, METRIC).iloc[0]
    assert several["difference"] == alone["difference"]
    assert several["p"] == pytest.approx(min(1, 3 * alone["p"]))
    assert several["low"] < alone["low"]


def test_repeated_holdouts_of_several_embeddings_are_tested_together():
    rng = np.random.default_rng(3)
    sizes = {"train_rows": 80, "test_rows": 20}
    theirs = original({"original_svm": rng.normal(0.5, 0.01, (8, 1)).tolist()}, sizes=sizes)
    ours = [
        table({"t": rng.normal(0.7, 0.01, (8, 1)).tolist()}, embedding=e, sizes=sizes) for e in "xy"
    ]
    found = without_embedding.rows(pd.concat(ours), theirs, METRIC)
    assert found["verdict"].tolist() == ["better"] * 3
    assert found["chosen"].tolist() == ["all pairs"] * 3


@pytest.mark.parametrize(
    ("count", "embeddings", "words"),
    [
        (1, 1, "In all"),
        (1, 2, "Mean over 2 embeddings"),
        (3, 2, "Mean over 3 data sets"),
        (10, 1, "Estimate of Hodges and Lehmann over 10 data sets"),
    ],
)
def test_the_row_of_all_says_what_it_is_and_counts_data_sets(count, embeddings, words):
    rng = np.random.default_rng(0)
    gaps = rng.exponential(size=count).cumsum() / 100
    ours, theirs = [], []
    for place in range(count):
        base = 0.7 + 0.01 * rng.normal(size=5)
        for embedding in ("hydra", "pca")[:embeddings]:
            values = {"svm": [(base + gaps[place]).tolist()]}
            ours.append(table(values, embedding=embedding, dataset=f"d{place}"))
        theirs.append(original({"original_svm": [base.tolist()]}, dataset=f"d{place}"))
    found = without_embedding.rows(pd.concat(ours), pd.concat(theirs), METRIC)
    cell = without_embedding.cell_of_all(found, METRIC)
    assert (cell["over"], cell["datasets"], cell["pairs"]) == (words, count, count * embeddings)
    pairs = [(gaps[i] + gaps[j]) / 2 for i in range(count) for j in range(i + 1)]
    middle = np.median(pairs) if count >= 10 else gaps.mean()
    assert cell["effect"].startswith(f"difference +{100 * middle:.1f} points")
