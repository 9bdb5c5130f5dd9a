"""The first screen: three sentences, whose numbers and names are those of the plot and table."""

import io
import re
from functools import cache

import numpy as np
import pandas as pd
import pytest
from reporting_fixtures import CLASSES

from noneuclid_compare.evaluation import metric_table
from noneuclid_compare.report.figures import effects
from noneuclid_compare.report.tables import opening, pipelines, score_tables
from noneuclid_compare.report.tables.opening import FIRST, SECOND, THIRD
from noneuclid_compare.report.tables.pipelines import CURVATURE, EMBEDDING

PLAIN = ("original_forest", "original_logistic")
KNOWN = CLASSES | dict.fromkeys(PLAIN, "sklearn.linear_model.LogisticRegression")
KNOWN |= {"mine": "lab.trees.Tree"}


def outcome(plain=None, flat=None, curved=None, own=None, *, sd=0.01, datasets=1, folds=5,
            metric="accuracy", embeddings=("hydra",), seed=0, majority=None):  # fmt: skip
    """Long table of scores whose pipelines of a kind have this mean, the second of it less."""
    rng, kinds = np.random.default_rng(seed), {("original", PLAIN): plain}
    sign = 1 if metric_table.higher_is_better(metric) else -1
    for embedding in embeddings:
        kinds[embedding, ("logistic", "tree")] = flat
        kinds[embedding, ("poincare_svm", "hyperbolic_tree")] = curved
        kinds[embedding, ("mine",)] = own
        kinds[embedding, ("majority",)] = -2.0 * sign if majority is None else majority
    rows = []
    for dataset in [f"d{k}" for k in range(datasets)]:
        for (embedding, methods), mean in kinds.items():
            for k, method in enumerate(methods if mean is not None else ()):
                noise = rng.normal(size=folds)
                noise = (noise - noise.mean()) / (noise.std() or 1) * sd
                for fold, value in enumerate(mean - sign * 0.02 * k + noise):
                    place = dataset, embedding, method, "", 0, fold
                    named = {metric: value, "train_rows": 800, "test_rows": 200}
                    rows += [(*place, *pair) for pair in named.items()]
    return pd.DataFrame(rows, columns=score_tables.COLUMNS), metric


def swinging():
    """The two best pipelines are each best on the folds where the others say the other one."""
    scores, metric = outcome(0.79, 0.7, 0.8, sd=0.001)
    for method, parity in (("poincare_svm", 0), ("hyperbolic_tree", 1)):
        own = (scores["method"] == method) & (scores["metric"] == metric)
        high = scores["fold"] % 2 == parity
        scores.loc[own, "value"] = np.where(high, 0.95, 0.65)[own]
    return scores, metric


def built(scores, metric, classes=KNOWN):
    sizes = dict.fromkeys(scores["dataset"].unique(), 500)
    pairs = zip(scores["dataset"], scores["embedding"], strict=True)
    dimensions = {pair: 5 if pair[1] == "e1" else 2 for pair in pairs if pair[1] != "original"}
    return pipelines.build(scores, metric, sizes, classes, dimensions=dimensions)


# Keys of the three sentences that an outcome is to reach.
OUTCOMES = {
    "given coordinates, flat": (outcome(None, 0.9, 0.8), "flat", "absent", "loses"),
    "given coordinates, curved": (outcome(None, 0.8, 0.9), "gains", "absent", "gains"),
    "given, open": (outcome(None, 0.8, 0.81, sd=0.1), "open", "absent", "open"),
    "curved alone": (outcome(None, None, 0.9), "absent", "absent", "absent"),
    "own class": (outcome(None, 0.8, 0.7, 0.95), "absent", "absent", "loses"),
    "no embedding is best": (outcome(0.9, 0.8, 0.8), "reference", "loses", "open"),
    "gains": (outcome(0.7, 0.8, 0.9), "gains", "gains", "gains"),
    "little": (outcome(0.8, 0.806, 0.812, sd=1e-4), "gains", "gains", "gains little"),
    "too little": (outcome(0.8, 0.802, 0.806, sd=1e-4), *["gains little"] * 3),
    "little behind": (
        outcome(0.808, 0.803, 0.797, sd=1e-4), "reference", "loses little", "loses little"
    ),
    "alike": (outcome(0.8, 0.8, 0.801, sd=0.002), "alike", "alike", "alike"),
    "open": (outcome(0.8, 0.8, 0.81, sd=0.08), "open", "open", "open"),
    "open, seed": (outcome(0.8, 0.81, 0.8, sd=0.08, seed=1), "open", "open", "open"),
    "chosen badly": (swinging(), "loses", "loses", None),
    "one fold": (outcome(0.8, 0.82, 0.9, folds=1), "untested", "untested", "untested"),
    "one fold, five sets": (
        outcome(0.8, 0.82, 0.9, folds=1, datasets=5), "untested", "untested", "untested"
    ),
    "one fold, log loss": (
        outcome(0.5, 0.4, 0.3, folds=1, metric="log_loss"), "untested", "untested", "untested"
    ),
    "ties": (outcome(0.8, 0.8, 0.8, sd=0), "reference", "alike", "alike"),
    "ten embeddings": (
        outcome(0.7, 0.8, 0.9, embeddings=[f"e{k}" for k in range(10)]), "gains", "gains", "gains"
    ),
    "three data sets": (outcome(0.7, 0.8, 0.9, datasets=3), "gains", "gains", "gains"),
    "seven data sets": (outcome(0.9, 0.7, 0.8, datasets=7), "reference", "loses", "gains"),
    "log loss": (outcome(0.7, 0.6, 0.5, metric="log_loss"), "gains", "gains", "gains"),
    "log loss, worse": (outcome(0.5, 0.6, 0.7, metric="log_loss"), "reference", "loses", "loses"),
    "R²": (outcome(-0.2, 0.1, 0.3, metric="r2"), "gains", "gains", "gains"),
}  # fmt: skip
each_outcome = pytest.mark.parametrize("name", OUTCOMES)


@cache
def by_name(name):
    return built(*OUTCOMES[name][0])


def key_of(sentence, table):
    """Key of the one template that a sentence fills."""
    patterns = {
        key: re.sub(r"\\{\w+\\}", ".*?", re.escape(template)) for key, template in table.items()
    }
    [key] = [key for key, pattern in patterns.items() if re.fullmatch(pattern, sentence)]
    return key


@each_outcome
def test_an_outcome_reads_as_it_is(name):
    said = map(key_of, opening.sentences(by_name(name)), (FIRST, SECOND, THIRD))
    for found, expected in zip(said, OUTCOMES[name][1:], strict=True):
        assert found == (expected or found)


def test_every_situation_is_reached():
    _, *columns = zip(*OUTCOMES.values(), strict=True)
    for keys, table in zip(columns, (FIRST, SECOND, THIRD), strict=True):
        assert set(keys) - {None} == set(table)


@each_outcome
def test_numbers_and_names_are_those_of_the_plot_and_of_the_table(name):
    found = by_name(name)
    text = score_tables.to_tsv(effects.tabulate_effects(found))
    read = {"keep_default_na": False, "na_values": [""], "dtype": {"shown": str}}
    saved = pd.read_csv(io.StringIO(text), sep="\t", **read)
    drawn = {(row["name"].lower(), row["shown"]) for row in opening.view(found)["rows"]}
    table = {row.name: row for _, row in saved.set_index("name").iterrows()}
    first, second, third = opening.sentences(found)
    best = re.match(r"Use (.*?):", first)[1]
    assert (best.lower(), table[best]["shown"]) in drawn
    named = re.search(r"(?:beats?|as good as|behind|test it against) (.*?)(?: by|:|,|\.)", first)
    assert named is None or named[1] in table
    rows = {kind: found.comparison(kind) for kind in (EMBEDDING, CURVATURE)}
    rows["first"] = rows[EMBEDDING] if rows[EMBEDDING] is not None else rows[CURVATURE]
    for sentence, kind in ((first, "first"), (second, EMBEDDING), (third, CURVATURE)):
        rest = sentence.replace(table[best]["shown"], "").replace(best, "")
        rest = rest.replace(f"mean over {found.datasets} data sets", "")
        rest = rest.replace(found.reference or "\0", "")
        if kind == EMBEDDING and rows[kind] is not None:
            assert found.space in sentence
            assert found.space in rows[kind]["name"]
            rest = rest.replace(found.space, "")
        if rows[kind] is not None:
            row = table[rows[kind]["name"]]
            assert (row.name.lower(), row["shown"]) in drawn
            half = pipelines.size(row["half_width"], found.metric)
            rest = rest.replace(row["shown"], "").replace(f"below {half} can", "")
        assert not re.search(r"\d", rest), sentence
    # The best is at the right, for losses too.
    own = saved[saved["kind"] == "pipeline"]
    assert own["place"].is_monotonic_decreasing
    assert not (own["place_low"] > own["place_high"]).any()
    for row in table.values():
        scale, digits = (100, 1) if found.metric == "accuracy" else (1, 3)
        texts = re.findall(r"[−+]?\d+\.\d+", row["shown"])
        ends = [row["value"], row["low"], row["high"]][: len(texts)]
        for text, end in zip(texts, ends, strict=True):
            inside = min(max(end, 0), 1) if row["kind"] == "pipeline" and scale == 100 else end
            number = float(text.replace("−", "-"))
            assert number == pytest.approx(scale * inside, abs=0.51 * 10**-digits)
            assert text.startswith("+") == (row["kind"] == "comparison" and number > 0)


@each_outcome
def test_the_order_of_rows_changes_nothing(name):
    scores, metric = OUTCOMES[name][0]
    mixed = built(scores.sample(frac=1, random_state=0), metric)
    assert opening.view(mixed) == opening.view(by_name(name))


def test_sides_that_change_their_labels_change_the_sign():
    scores, metric = outcome(0.8, 0.8, 0.83, sd=0.03, seed=3)
    found = built(scores, metric)
    other = scores.replace({"embedding": {"original": "hydra", "hydra": "original"}})
    geometry = {
        method: "noneuclid.PoincareSVC" if path.startswith("sklearn.") else "sklearn.svm.SVC"
        for method, path in KNOWN.items()
    } | {"majority": KNOWN["majority"]}
    swapped = {EMBEDDING: built(other, metric), CURVATURE: built(scores, metric, geometry)}
    for kind, one in swapped.items():
        before, after = found.comparison(kind), one.comparison(kind)
        assert before["value"] != 0
        assert [after["value"], after["low"], after["high"], after["p"]] == pytest.approx(
            [-before["value"], -before["high"], -before["low"], before["p"]]
        )


def test_a_pipeline_that_may_not_beat_the_largest_class_is_said_to():
    first, *_ = opening.sentences(by_name("gains"))
    for majority, sd, shown in (
        (0.99, 0.01, "−9.0 points ("),
        (0.88, 0.08, "+2.0 points (−"),
        (0.5, 0.01, ""),
    ):
        found = built(*outcome(0.7, 0.8, 0.9, majority=majority, sd=sd))
        said, *_ = opening.sentences(found)
        more = " It is not shown to beat the largest class: "
        assert said.startswith("Use Poincaré SVM on Hydra")
        assert found.floor.startswith(shown)
        assert bool(found.floor) == bool(shown) == said.endswith(f"{more}{found.floor}.")
        if sd == 0.01:
            assert said.split(more)[0] == first
    assert not built(*outcome(0.7, 0.8, 0.9, majority=0.99, folds=1)).floor
    assert built(*outcome(0.7, 0.6, 0.5, majority=0.2, metric="log_loss")).floor
    assert not built(*outcome(0.7, 0.6, 0.5, majority=0.9, metric="log_loss")).floor
    several = built(*outcome(0.9, 0.7, 0.8, majority=0.99, datasets=3, embeddings=("a", "b")))
    assert several.floor.startswith("−9.0 points (")


def test_sentences_in_full():
    assert opening.sentences(by_name("gains")) == [
        "Use Poincaré SVM on Hydra: accuracy 90.0 % (87.9 to 92.1). It beats random forest without "
        "embedding by +20.0 points (+16.0 to +24.0), which matters in practice.",
        "An embedding in 2 dimensions helps: +20.0 points (+16.0 to +24.0).",
        "On the same coordinates, curvature helps: +10.0 points (+8.3 to +11.7).",
    ]


def test_the_best_of_data_sets_with_other_pipelines_is_said():
    scores, metric = outcome(0.9, 0.7, 0.8)
    product, _ = outcome(None, 0.8, 0.95, embeddings=("given",))
    found = built(pd.concat([scores, product.assign(dataset="product")]), metric)
    assert found.datasets == 1
    assert opening.sentences(found)[0] == (
        "Use random forest without embedding: accuracy 90.0 % (87.9 to 92.1) on d0. It needs no "
        "embedding. Best elsewhere: Poincaré SVM on the given coordinates, 95.0 % "
        "(92.9 to 97.1) on product."
    )
    assert opening.sentences(found)[1:] == opening.sentences(built(scores, metric))[1:]
    several, _ = outcome(0.9, 0.7, 0.8, datasets=2)
    many = [product.assign(dataset=f"p{k}") for k in range(5)]
    found = built(pd.concat([several, *many]), metric)
    first = opening.sentences(found)[0]
    assert ", mean over 2 data sets. It needs no embedding. Best elsewhere" in first
    assert first.endswith(" on p2; 2 more data sets.")
    weak, _ = outcome(None, 0.4, 0.45, embeddings=("given",), majority=0.9)
    found = built(pd.concat([scores, weak.assign(dataset="weak")]), metric)
    assert found.others.endswith(" on weak, not shown to beat the largest class")
    error = product.replace(metric, "log_loss").assign(dataset="p")
    found = built(pd.concat([outcome(0.1, 0.7, 0.8, metric="log_loss")[0], error]), "log_loss")
    assert found.others.startswith("decision tree on the given coordinates, 0.780 (")


def test_the_dimensions_are_those_of_the_embeddings_that_are_compared():
    assert by_name("gains").space == " in 2 dimensions"
    several = by_name("ten embeddings")
    assert several.comparison(EMBEDDING)["name"] == "Embedding in 2 to 5 dimensions against none"
    _, second, third = opening.sentences(several)
    assert second.startswith("An embedding in 2 to 5 dimensions helps: ")
    assert "dimensions" not in third
    # One that has no scores does not count.
    kept = OUTCOMES["ten embeddings"][0][0].query("embedding != 'e1'")
    assert built(kept, "accuracy").space == " in 2 dimensions"
    known = pipelines.build(kept, "accuracy", {"d0": 500}, KNOWN)
    assert known.space == ""
    assert opening.sentences(known)[1].startswith("An embedding helps: ")


def test_a_pipeline_without_a_fold_is_named_and_not_compared():
    scores, metric = outcome(0.7, 0.8, 0.9)
    lost = (scores["method"] == "poincare_svm") & (scores["fold"] == 2)
    found = built(scores[~(lost & (scores["metric"] == metric))], metric)
    assert found.left_out == ("Poincaré SVM on Hydra",)
    assert found.best["method"] == "hyperbolic_tree"
    assert "without scores of some folds: Poincaré SVM on Hydra." in effects.write_caption(found)


def test_pipelines_of_different_data_sets_are_not_ranked_together():
    scores, metric = outcome(None, 0.8, 0.7, datasets=3)
    high = scores[(scores["dataset"] == "d0") & (scores["method"] == "tree")]
    lone = high.assign(dataset="other", method="forest")
    lone["value"] = lone["value"].mask(lone["metric"] == metric, 0.99)
    scores = pd.concat([scores, lone])
    found = built(scores, metric)
    assert found.datasets == 3
    assert set(found.rows("pipeline")["method"]) == {
        "logistic", "tree", "poincare_svm", "hyperbolic_tree"
    }  # fmt: skip


def test_errors_in_units_of_the_target_have_its_scale():
    scores, metric = outcome(0.8, 0.7, 0.6, metric="rmse")
    r2 = scores[scores["metric"] == metric]
    r2 = r2.assign(metric="r2", value=1 - (r2["value"] / 40) ** 2)  # a target of spread 40
    assert pipelines._scale(pd.concat([scores, r2]), metric) == pytest.approx(40)
    found = built(pd.concat([scores, r2]), metric)
    larger = scores["value"].mask(scores["metric"] == metric, scores["value"] * 1e3)
    other = built(pd.concat([scores.assign(value=larger), r2]), metric)
    names = ["value", "low", "high", "half_width"]
    assert other.table[names].to_numpy(float) == pytest.approx(
        1e3 * found.table[names].to_numpy(float), nan_ok=True
    )


@pytest.mark.parametrize("metric", ["log_loss", "accuracy", "r2"])
def test_an_interval_ends_at_the_limit_of_its_metric(metric):
    scores = outcome(0.3, 0.4, 0.5, metric=metric, sd=2.0)[0]
    rows = built(scores, metric).rows("pipeline")
    low, high = metric_table.limits(metric)
    assert (rows["low"].min() == low) == (metric != "r2")
    assert (rows["high"].max() == high) == (metric == "accuracy")
    assert ("−" in " ".join(rows["shown"])) == (metric == "r2")


@pytest.mark.parametrize(
    ("means", "said"),
    [
        ({"plain": 0.8}, "Nothing is embedded, so an embedding is not compared with none."),
        ({"flat": 0.8, "curved": 0.7}, "No method runs without an embedding, so an"),
    ],
)
def test_what_a_comparison_lacks_is_said(means, said):
    assert opening.sentences(built(*outcome(**means)))[1].startswith(said)


def test_nothing_but_floors_is_no_opening():
    scores, metric = outcome()
    assert built(scores, metric) is None
    assert effects.write_caption() == "Nothing is drawn: no pipeline has a score."


@pytest.mark.parametrize(("metric", "worse"), [("accuracy", -1), ("log_loss", 1)])
def test_one_fold_compares_the_best_of_both_sides(metric, worse):
    found = built(*outcome(0.5, 0.5 - worse * 0.1, 0.5 - worse * 0.2, folds=1, metric=metric))
    row = found.comparison(EMBEDDING)
    assert row["value"] == pytest.approx(0.2)
    assert row[["low", "high", "p", "half_width"]].isna().all()


def test_a_run_of_one_pipeline_has_an_opening():
    found = built(*outcome(own=0.8))
    assert found.best["name"] == "mine on Hydra"
