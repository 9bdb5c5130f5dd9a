"""The verdict in one sentence, its remarks, and the plot of effects."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from noneuclid_compare import plugins
from noneuclid_compare.report import style
from noneuclid_compare.report.figures import effects
from noneuclid_compare.report.tables import (
    headline,
    leader_comparisons,
    score_tables,
    without_embedding,
)


def folds_of(means, sd=0.02, folds=5, metric="accuracy", seconds=None):
    """Scores of five folds around the means, and times of methods."""
    rng, rows = np.random.default_rng(0), []
    for dataset, methods in means.items():
        for method, value in methods.items():
            noise = rng.normal(size=folds)
            noise = sd * (noise - noise.mean()) / noise.std(ddof=1)
            place = (dataset, "e", method, "", 0)
            rows += [(*place, k, metric, value + noise[k]) for k in range(folds)]
            cost = (seconds or {}).get(method, 0.1)
            rows += [(*place, k, "fit_seconds", cost) for k in range(folds)]
    return pd.DataFrame(rows, columns=score_tables.COLUMNS)


FLAT = {"logistic": 0.80, "forest": 0.90}
CURVED = {"hyperbolic_forest": 0.901, "poincare_svm": 0.6}
THREE = {name: FLAT | CURVED | {"majority": 0.5} for name in "abc"}


def test_no_clear_winner_is_said_with_the_lead_its_interval_and_curvature():
    text = headline.sentence(folds_of(THREE), "accuracy")
    assert text.startswith(
        "No clear winner on 3 data sets: hyperbolic forest leads forest by 0.1 points (−"
    )
    assert text.endswith("). Curvature brings no significant gain on these data.")
    assert text.count(". ") == 1
    assert text.count(" to ") == 1


def test_a_single_data_set_is_named_as_such_in_the_same_sentence():
    text = headline.sentence(folds_of({"a": THREE["a"]}), "accuracy")
    assert text.startswith("No clear winner on this one data set: ")
    practice = dict(headline.remarks(folds_of({"a": THREE["a"]}), "accuracy"))["What to use"]
    assert practice.startswith("On this single data set, use ")
    assert practice.endswith("; test more data before you generalise.")


@pytest.mark.parametrize(
    ("gain", "words"),
    [
        (
            0.1,
            "hyperbolic tree is best on average over 3 data sets: it leads forest by 10.0 points",
        ),
        (
            -0.1,
            "forest is best on average over 3 data sets: it leads hyperbolic tree by 10.0 points",
        ),
    ],
)
def test_a_clear_winner_decides_what_curvature_gives(gain, words):
    scores = folds_of({d: {"forest": 0.8, "hyperbolic_tree": 0.8 + gain} for d in "abc"}, sd=0.005)
    text = headline.sentence(scores, "accuracy")
    assert text.lower().startswith(words)
    if gain > 0:
        assert ". Curvature brings a gain of 10.0 points (" in text
        assert ") over the best Euclidean method, " in text
    else:
        assert (
            ". Curvature brings no gain: the best Euclidean method leads by 10.0 points (" in text
        )
    matters = dict(headline.remarks(scores, "accuracy"))["Does it matter?"]
    assert matters.startswith("First method: ")
    assert "and its lead over " in matters
    assert matters.endswith("is more than 1 point. No other is within 1 point of the best mean.")


def test_a_gain_counts_where_a_third_method_ties_for_the_lead():
    means = {"forest": 0.7, "hyperbolic_tree": 0.9, "poincare_svm": 0.9}
    text = headline.sentence(folds_of(dict.fromkeys("abc", means)), "accuracy")
    assert "have the same mean accuracy of 90.0\u00a0%. Curvature brings a gain of" in text
    found = dict(headline.remarks(folds_of(dict.fromkeys("abc", means)), "accuracy"))
    assert found["Does it matter?"].startswith(
        "First method: none, 2 methods have the best mean. 2 of 3"
    )


@pytest.mark.parametrize("program", [0.9, 0.95])
def test_what_repeats_a_program_is_not_recommended(program, monkeypatch):
    plugin = SimpleNamespace(PROGRAMS=("released_pgd",))
    monkeypatch.setattr(plugins, "installed", lambda: (plugin,))
    means = {"hyperbolic_tree": 0.945, "forest": 0.944, "cut": program}
    seconds = {"hyperbolic_tree": 0.1, "forest": 0.05, "cut": 0.001}
    scores = folds_of(dict.fromkeys("abc", means), seconds=seconds)
    classes = {name: "sklearn.svm.SVC" for name in means}
    texts = [
        dict(headline.remarks(scores, "accuracy", classes | {"cut": use}))["What to use"]
        for use in ("released_pgd", "sklearn.tree.DecisionTreeClassifier")
    ]
    assert ["use forest:" in text for text in texts] == [True, program < 0.94]


def test_errors_lead_from_below():
    means = {"forest": 0.5, "hyperbolic_tree": 0.4}
    scores = folds_of(dict.fromkeys("abc", means), sd=0.001, metric="rmse")
    text = headline.sentence(scores, "rmse")
    assert text.startswith(
        "Hyperbolic tree is best on average over 3 data sets: it leads forest by 0.100 in "
        "root mean squared"
    )
    table = effects.tabulate_effects(scores, "rmse")
    assert table.loc["hyperbolic_tree", "difference"] == pytest.approx(0.1)


def test_what_cannot_be_compared_is_said():
    alone = folds_of({"a": {"forest": 0.9}, "b": {"forest": 0.8}})
    assert headline.sentence(alone, "accuracy") == (
        "Nothing to compare on 2 data sets: forest is the only method (mean accuracy 85.0\u00a0%)."
    )
    once = folds_of({"a": FLAT}, sd=0, folds=2).query("fold == 0")
    assert "the best score, but single values cannot be tested" in headline.sentence(
        once, "accuracy"
    )
    both = folds_of({"a": FLAT | {"hyperbolic_forest": 0.95}}, sd=0, folds=2).query("fold == 0")
    assert headline.sentence(both, "accuracy").endswith(
        "Best non-Euclidean minus best Euclidean method: 5.0 points, not tested."
    )
    apart = folds_of({"a": {"forest": 0.9, "tree": 0.9}, "b": {"svm": 0.8, "x": 0.8}})
    assert headline.sentence(apart, "accuracy").startswith("No verdict: ")
    assert headline.remarks(apart, "accuracy") == []
    classes = {"floor": "sklearn.dummy.DummyClassifier"}
    some = folds_of({"a": FLAT, "b": FLAT, "c": {"floor": 0.5, "x": 0.6}})
    assert "baseline" not in dict(headline.remarks(some, "accuracy", classes))[headline.LEVEL]
    some = folds_of({"a": FLAT | {"floor": 0.4}, "b": FLAT | {"floor": 0.3}, "c": {"floor": 0.9}})
    level = dict(headline.remarks(some, "accuracy", classes))[headline.LEVEL]
    assert level.endswith("floor, a trivial baseline, 35.0\u00a0%.")
    flat = headline.sentence(folds_of(dict.fromkeys("ab", FLAT)), "accuracy")
    assert "Curvature was not assessed" in flat


def test_the_lead_over_many_data_sets():
    rng = np.random.default_rng(1)
    means = {f"d{k}": {"forest": 0.8, "poincare_svm": 0.8 + rng.normal(0.05, 0.01)}
             for k in range(12)}  # fmt: skip
    text = headline.sentence(folds_of(means), "accuracy")
    assert text.startswith(
        "Poincaré SVM is best on average over 12 data sets: it leads forest by 5."
    )


def test_no_difference_is_no_lead():
    means = {f"d{k}": {"forest": 1.0, "poincare_svm": 1.0 - 0.01 * (k == 3)} for k in range(12)}
    text = headline.sentence(folds_of(means, sd=0), "accuracy")
    assert text.startswith(
        "No clear winner on 12 data sets: forest has the best mean; its difference from "
        "Poincaré SVM is 0.0 points"
    )
    near = {"forest": 0.9, "poincare_svm": 0.8996}
    text = headline.sentence(folds_of(dict.fromkeys("abc", near), sd=0.001), "accuracy")
    assert "forest leads poincaré svm by 0.04 points (" in text.lower()


def test_one_pair_has_one_interval():
    means = {"forest": 0.85, "logistic": 0.849, "hyperbolic_forest": 0.9, "poincare_svm": 0.2}
    scores = folds_of(dict.fromkeys("abc", means))
    verdict = leader_comparisons.judge(scores, "accuracy")
    found = effects.tabulate_effects(scores, "accuracy").loc[verdict.leader]
    assert verdict.leader == "hyperbolic_forest"
    for name in ("difference", "low", "high", "p_holm"):
        assert found[name] == pytest.approx(verdict.table.loc["forest", name], rel=1e-12)


def test_the_fastest_method_within_a_point_is_used():
    means = {"forest": 0.9, "logistic": 0.895, "hyperbolic_tree": 0.7}
    means = dict.fromkeys("abc", means)
    seconds = {"forest": 1.0, "logistic": 0.01, "hyperbolic_tree": 0.001}
    found = dict(headline.remarks(folds_of(means, seconds=seconds), "accuracy"))
    assert found["What to use"] == (
        "On data like these, use logistic: its mean is within 1 point of the best (forest), and it "
        "fits in 10 ms instead of 1.0 s."
    )
    assert found["Level"] == "Forest reaches a mean accuracy of 90.0\u00a0%."


def test_effects_are_the_leaders_contrasts_turned_where_the_leader_is_the_baseline():
    means = {"forest": 0.9, "logistic": 0.85, "poincare_svm": 0.8}
    scores = folds_of(dict.fromkeys("abc", means))
    table = effects.tabulate_effects(scores, "accuracy")
    verdict = leader_comparisons.judge(scores, "accuracy")
    assert set(table["baseline"]) == {"forest"}
    assert table.index.tolist() == ["forest", "logistic", "poincare_svm"]
    others = verdict.table.index
    assert (table.loc[others, "difference"] == -verdict.table["difference"]).all()
    assert (table.loc[others, "low"] == -verdict.table["high"]).all()
    assert table.loc["forest", "difference"] == 0


def test_the_baseline_is_the_best_euclidean_method_and_else_the_leader():
    assert set(effects.tabulate_effects(folds_of(THREE), "accuracy")["baseline"]) == {"forest"}
    curved = folds_of(dict.fromkeys("abc", CURVED))
    assert set(effects.tabulate_effects(curved, "accuracy")["baseline"]) == {"hyperbolic_forest"}
    assert "the method with the best mean" in effects.write_caption(curved, "accuracy")


@pytest.mark.parametrize("narrow", [False, True])
def test_the_plot_has_a_row_for_each_method_and_a_band(narrow):
    ax = effects.draw_effects(folds_of(THREE), "accuracy", narrow=narrow).axes[0]
    written = {text.get_text() for text in [*ax.texts, *ax.get_yticklabels()]}
    assert {"Hyperbolic forest", "Forest", "Logistic", "Poincaré SVM"} <= written
    assert ("baseline" in written) != narrow
    assert "Majority class" not in written
    (band,) = [patch for patch in ax.patches if patch.get_width() == pytest.approx(2)]
    assert band.get_x() == pytest.approx(-1)
    markers = np.vstack([part.get_offsets() for part in ax.collections if len(part.get_offsets())])
    assert [0.1, 0.0] in markers.round(6).tolist()


def test_a_method_far_below_is_at_the_edge_with_its_value():
    means = {f"hyperbolic_{k}": 0.9 - k / 100 for k in range(6)} | {"forest": 0.9, "tree": 0.1}
    scores = folds_of(dict.fromkeys("abc", means))
    ax = effects.draw_effects(scores, "accuracy").axes[0]
    low, high = ax.get_xlim()
    assert low > -40
    markers = np.vstack([part.get_offsets() for part in ax.collections if len(part.get_offsets())])
    assert markers[:, 0].min() == pytest.approx(low + 0.05 * (high - low))
    assert any(text.get_text().startswith("−80.0 (") for text in ax.texts)
    assert effects.write_caption(scores, "accuracy").endswith("Arrows: methods beyond the axis.")


def test_an_interval_that_no_difference_can_have_is_not_drawn():
    scores = folds_of({"a": {"forest": 0.9, "logistic": 0.8}}, sd=0.8, folds=3)
    assert effects.tabulate_effects(scores, "accuracy")["low"].min() < -1
    ax = effects.draw_effects(scores, "accuracy").axes[0]
    assert ax.get_xlim()[0] > -20
    assert any("no interval: too few folds" in text.get_text() for text in ax.texts)


def test_one_method_alone_is_drawn_as_a_sentence():
    alone = folds_of({"a": {"forest": 0.9}})
    (text,) = effects.draw_effects(alone, "accuracy").texts
    assert text.get_text() == "fewer than two methods to compare"
    assert effects.tabulate_effects(alone, "accuracy").empty
    assert effects.write_caption(alone, "accuracy").startswith("Nothing is drawn")


def baselines_of(means, sd=0.006):
    """Scores of a baseline that differ from those of `folds_of` in their noise."""
    found = folds_of({name: {"original_svm": value} for name, value in means.items()}, sd=sd)
    found["value"] += np.where(found["fold"] % 2, 0.001, -0.001)
    return found.assign(embedding="original")


def matters_of(scores, baselines):
    without = without_embedding.rows(scores, baselines, "accuracy")
    return dict(headline.remarks(scores, "accuracy", without=without))


@pytest.mark.parametrize(
    ("original", "words"),
    [
        (0.95, "no. The best method on the original features (one of three) leads by 10.0 points"),
        (0.75, "yes. It leads the best method on the original features (one of three) by 10.0"),
        (0.85, "no significant difference from the best method on the original features (one of "),
    ],
)
def test_whether_it_matters_answers_embed_or_not_first(original, words):
    means = {"tree": 0.85, "hyperbolic_tree": 0.5}
    scores = folds_of(dict.fromkeys("abc", means), sd=0.005)
    baselines = baselines_of(dict.fromkeys("abc", original))
    found = matters_of(scores, baselines)
    assert found["Does it matter?"].startswith(f"Embedding: {words}")
    assert " First method: " in found["Does it matter?"]
    assert ("use no embedding: " in found["What to use"]) == (original > 0.9)
    without = without_embedding.rows(scores, baselines, "accuracy")
    text = headline.sentence(scores, "accuracy", without=without)
    assert " over 3 data sets, with embedding: " in text
    assert "with embedding" not in headline.sentence(scores, "accuracy", without=without[:0])


def test_what_to_use_names_methods_that_did_not_converge():
    bad, good = ({"status": status, "warnings": []} for status in ("not converged", None))
    runs = [{"method": "hyperbolic_forest", "folds": [good, bad, good], "model": bad}]
    runs.append({"method": "logistic", "folds": [bad]})
    use = dict(headline.remarks(folds_of(THREE), "accuracy", runs=runs))["What to use"]
    assert use.endswith(
        "Hyperbolic forest: 2 of 4 fits did not converge, the kept model among them."
    )
    use = dict(headline.remarks(folds_of(THREE), "accuracy", runs=runs[1:]))["What to use"]
    assert "converge" not in use


def test_a_run_without_baselines_says_that_they_are_off():
    found = [
        dict(headline.remarks(folds_of({"a": THREE["a"]}), "accuracy", embedded=embedded))
        for embedded in (True, False)
    ]
    assert found[0]["Does it matter?"].startswith(headline.NOT_COMPARED)
    assert "Embedding" not in found[1]["Does it matter?"]


def test_the_best_of_several_embeddings_is_named():
    low = folds_of({"a": {"tree": 0.70, "hyperbolic_tree": 0.5}}, sd=0.005)
    high = folds_of({"a": {"tree": 0.85, "hyperbolic_tree": 0.5}}, sd=0.005)
    both = pd.concat([low.assign(embedding="hydra"), high.assign(embedding="lifted_pca")])
    text = matters_of(both, baselines_of({"a": 0.85}))["Does it matter?"]
    assert text.startswith("Embedding: no, on average over 2 embeddings. The best method on the ")
    assert "(SVM with Gaussian kernel) leads by 7.5 points (" in text
    assert "The best embedding is lifted PCA: no significant difference, " in text
    assert "best embedding" not in matters_of(high, baselines_of({"a": 0.85}))["Does it matter?"]


def test_the_plot_has_a_row_without_embedding():
    scores = folds_of(THREE)
    baselines = baselines_of(dict.fromkeys("abc", 0.93))
    table = effects.tabulate_effects(scores, "accuracy", baselines=baselines)
    row = table.loc["without embedding"]
    assert row["difference"] == pytest.approx(0.93 - 0.9 - 0.0002)
    assert row["low"] < row["difference"] < row["high"]
    assert (row["ahead"], row["behind"]) == (3, 0)
    assert table.index[0] == "without embedding"
    others = effects.tabulate_effects(scores, "accuracy")
    assert table.drop(index="without embedding").equals(others)
    ax = effects.draw_effects(scores, "accuracy", baselines=baselines).axes[0]
    written = [text.get_text() for text in ax.get_yticklabels()]
    assert written[0] == "Without embedding: SVM with Gaussian kernel"
    assert "Open square" in effects.write_caption(scores, "accuracy", baselines=baselines)
    some = baselines[baselines["dataset"] != "a"]
    caption = effects.write_caption(scores, "accuracy", baselines=some)
    assert caption.endswith("It has values on 2 of 3 data sets.")
    assert "Open square" not in effects.write_caption(scores, "accuracy", baselines=baselines[:0])


def test_a_baseline_that_was_chosen_in_some_folds_is_not_named_as_the_only_one():
    scores = folds_of({"a": THREE["a"]})
    two = baselines_of({"a": 0.9}, sd=0.05)
    two = pd.concat([two, two.assign(method="original_logistic", value=1.8 - two["value"])])
    ax = effects.draw_effects(scores, "accuracy", baselines=two).axes[0]
    written = [text.get_text() for text in ax.get_yticklabels()]
    chosen = "logistic regression in 60\u00a0% of the folds"
    assert f"Without embedding:\n{chosen}" in written
    ax = effects.draw_effects(scores, "accuracy", baselines=two, narrow=True).axes[0]
    assert f"Without embedding: {chosen}" in [text.get_text() for text in ax.texts]
    without = without_embedding.rows(scores, two, "accuracy")
    said = dict(headline.remarks(scores, "accuracy", without=without))["Does it matter?"]
    assert f"the best method on the original features ({chosen})" in said
    assert without_embedding.cells(without, "accuracy")["a", "e"]["title"].startswith(f"{chosen}; ")


def test_families_have_words_for_the_legend():
    assert len({look["label"] for look in style.FAMILIES.values()}) == len(style.FAMILIES)


def test_a_difference_of_curvature_that_is_not_that_of_the_leaders_is_stated():
    means = {
        name: {"hyperbolic_forest": 0.9, "poincare_svm": 0.899, "forest": 0.893} for name in "abc"
    }
    text = headline.sentence(folds_of(means), "accuracy")
    words = "best non-Euclidean minus best Euclidean method, 0.7 points (−"
    assert words in text


MOSTLY = {f"d{k:02}": {"forest": 0.796 - 1e-4 * k, "logistic": 0.8} for k in range(11)}
MOSTLY |= {name: {"forest": 1.0, "logistic": 0.8} for name in ("d00", "d01")}
SPLIT_FORESTS = {
    "a": {"hyperbolic_forest": 0.9, "poincare_svm": 0.9, "forest": 0.5},
    "b": {"hyperbolic_forest": 0.7, "poincare_svm": 0.7001, "forest": 0.71},
}


@pytest.mark.parametrize(
    ("means", "sd", "text"),
    [
        (  # over data sets the estimate can have the other sign than the difference of the means
            MOSTLY,
            0,
            "No clear winner on 11 data sets: forest has the best mean, but logistic leads it by "
            "0.4 points (−9.8 to 0.5). Curvature was not assessed: this needs Euclidean and "
            "non-Euclidean methods on the same data sets.",
        ),
        (  # ahead as often as behind: the test decides
            SPLIT_FORESTS,
            0.02,
            "No clear winner on 2 data sets: Poincaré SVM leads hyperbolic forest by 0.005 points "
            "(−2.354 to 2.364). Curvature brings a gain of 19.5 points (16.0 to 23.1) over the "
            "best Euclidean method, forest.",
        ),
        (  # p = 0.12 is not below 0.05
            {"a": {"hyperbolic_forest": 0.85, "poincare_svm": 0.8501, "forest": 0.8}},
            0.02,
            "No clear winner on this one data set: Poincaré SVM leads hyperbolic forest by 0.01 "
            "points (−4.35 to 4.37). Curvature brings no significant gain on these data: best "
            "non-Euclidean minus best Euclidean method, 5.0 points (−1.7 to 11.7).",
        ),
        (  # ends have as many digits as the difference
            {"a": {"hyperbolic_forest": 0.8004, "forest": 0.8}},
            5e-5,
            "Hyperbolic forest is best on this one data set: it leads forest by 0.04 points (0.03 "
            "to 0.05). Curvature brings a gain of 0.04 points (0.03 to 0.05) over the best "
            "Euclidean method, forest.",
        ),
    ],
    ids=["led by another", "as often", "not significant", "digits"],
)
def test_the_first_sentences(means, sd, text):
    assert headline.sentence(folds_of(means, sd=sd), "accuracy") == text


def test_what_matters_without_percent_is_a_hundredth_of_the_best_score():
    scores = folds_of({"a": {"hyperbolic_forest": 0.5, "forest": 0.48}}, metric="r2")
    found = dict(headline.remarks(scores, "r2"))
    assert "within 0.005 (1 % of the best score) of the best mean" in found["Does it matter?"]
