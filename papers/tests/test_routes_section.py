"""The section "From raw data to labels"."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cases import each_of
from scipy.stats import ttest_1samp

from noneuclid.errors import InputError
from noneuclid_compare.config import configuration
from noneuclid_compare.report.names import Names
from noneuclid_compare.report.run import Run
from noneuclid_compare.report.tables import score_tables
from noneuclid_papers import routes
from noneuclid_papers.sections.routes import SECTION
from noneuclid_papers.statistics import bayesian_signed_ranks, verdicts
from noneuclid_papers.tables import route_rows
from noneuclid_papers.tables.route_rows import BEST, NONE, REFERENCE, Route

SCHEMA = Path(__file__).resolve().parents[2] / "workflow/schemas/config.schema.yaml"
METRIC = "balanced_accuracy"
ENTRY = {
    "embeddings": {
        "pca_2": ["flat", "pca", 2],
        "tsne_2": ["flat", "tsne", 2],
        "hydra_2": ["hyperbolic", "hydra", 2],
        "pca_5": ["flat", "pca", 5],
        "hydra_5": ["hyperbolic", "hydra", 5],
    },
    "methods": {"flat": ["svm", "forest"], "hyperbolic": ["hsvm"]},
    "depths": {"tree_3": 3},
    "equivalence": 0.01,
}


def made(rows):
    """Runs and scores of (dataset, embedding, method, repeat, labels, inner score, score)."""
    runs, scores = [], []
    for dataset, embedding, method, repeat, labels, inner, value in rows:
        about = {"dataset": dataset, "embedding": embedding, "method": method, "repeat": repeat}
        fold = {"fold": 0, "inner_score": inner}
        runs.append(about | {"labels_per_class": labels, "folds": [fold]})
        for metric, number in ((METRIC, value), ("log_loss", 1 - value)):
            scores.append((dataset, embedding, method, "", repeat, 0, metric, number))
    return runs, pd.DataFrame(scores, columns=score_tables.COLUMNS)


def simple(n=6):
    """Hydra is worth 4 points, give or take 1, in two dimensions, and -2 in five."""
    rows = []
    for k, spread in enumerate(0.01 * np.linspace(-1, 1, n)):
        for embedding, method, inner, value in (
            ("pca_2", "svm", 0.7, 0.70),
            ("pca_2", "forest", 0.9, 0.60),
            ("tsne_2", "svm", 0.8, 0.99),
            ("pca_2", "hsvm", 0.9, 0.50),
            ("hydra_2", "hsvm", 0.9, 0.64 + spread),
            ("hydra_2", "svm", 0.9, 0.61),
            ("pca_5", "svm", 0.9, 0.80),
            ("hydra_5", "hsvm", 0.9, 0.78),
            ("original", "original_svm", 0.9, 0.90),
            ("original", "original_forest", 0.8, 0.10),
        ):
            rows.append((f"d{k}", embedding, method, 0, None, inner, value))
    return rows


def found(rows):
    table = route_rows.table(*made(rows), METRIC, ENTRY)
    return table.set_index(["route", "by", "value"])


def test_the_inner_score_chooses_and_the_test_score_counts():
    table = route_rows.candidates(*made(simple(1)), METRIC, ENTRY)
    chosen = route_rows.chosen(route_rows.part_of(table, REFERENCE))
    # The forest on pca_2 has the highest inner score, not the highest score.
    assert chosen["value"].to_dict() == {("d0", 2, 0, 0): 0.6, ("d0", 5, 0, 0): 0.8}
    baseline = route_rows.chosen(route_rows.part_of(table, NONE))
    assert baseline["value"].tolist() == [0.9]


def test_the_first_of_the_configuration_wins_a_tie():
    rows = [("d", "pca_2", m, 0, None, 0.9, v) for m, v in (("forest", 0.1), ("svm", 0.2))]
    table = route_rows.candidates(*made(rows), METRIC, ENTRY)
    assert route_rows.chosen(table)["value"].tolist() == [0.2]


def test_differences_are_over_data_sets_in_each_dimension():
    table = found(simple())
    best = table.loc[route_rows.name_of(BEST), "dimension", "2"]
    gaps = 0.04 + 0.01 * np.linspace(-1, 1, 6)
    assert best["difference"] == pytest.approx(0.04)
    assert best["data_sets"] == 6
    expected = ttest_1samp(gaps, 0).confidence_interval(0.95)
    assert (best["low"], best["high"]) == pytest.approx((expected.low, expected.high))
    likely = bayesian_signed_ranks.probabilities(gaps, 0.01)
    assert best[["better", "equal", "worse"]].tolist() == pytest.approx(likely)
    assert (best["score"], best["reference"]) == pytest.approx((0.64, 0.60))
    assert table.loc[route_rows.name_of(BEST), "dimension", "5"]["difference"] == pytest.approx(
        -0.02
    )


def test_every_embedding_is_a_route_with_either_family_and_no_embedding_is_one():
    table = found(simple())["difference"]
    expected = {
        "original + flat": (0.3, 0.1),
        "hydra + flat": (0.01, None),
        "hyperbolic + flat": (0.01, None),
        "pca + hyperbolic": (-0.1, None),
        "pca + flat": (0.0, 0.0),
        "tsne + flat": (0.39, None),
    }
    for route, values in expected.items():
        for dimension, value in zip("25", values, strict=True):
            key = route, "dimension", dimension
            assert table.get(key) == pytest.approx(value)


def test_labels_per_class_are_columns_of_their_own():
    rows = [
        (f"d{k}", embedding, method, repeat, labels, 0.9, 0.5 + gain + 0.1 * repeat)
        for k in range(5)
        for repeat, labels in enumerate([5, 20, "all"])
        for embedding, method, gain in (
            ("pca_2", "svm", 0.0),
            ("hydra_2", "hsvm", 0.02 * repeat),
            ("pca_5", "svm", 0.0),
            ("hydra_5", "hsvm", 0.0),
        )
    ]
    table = found(rows).loc[route_rows.name_of(BEST)]["difference"]
    # Dimensions are averaged; the folds of all labels are those of the other columns.
    assert table["labels"].to_dict() == pytest.approx({"5": 0.0, "20": 0.01, "all": 0.02})
    assert list(table["labels"].index) == ["5", "20", "all"]
    assert table["dimension"].to_dict() == pytest.approx({"2": 0.04, "5": 0.0, "all": 0.02})


def test_trees_of_a_depth_are_apart_from_all_other_data_sets():
    rows = [row for row in simple(5) if row[1].endswith("_2")]
    rows += [
        ("tree_3", "pca_2", "svm", 0, None, 0.9, 0.3),
        ("tree_3", "hydra_2", "hsvm", 0, None, 1, 0.9),
    ]
    table = found(rows).loc[route_rows.name_of(BEST)]
    assert table.loc[("dimension", "2"), "data_sets"] == 5
    depth = table.loc[("depth", "3")]
    assert depth["difference"] == pytest.approx(0.6)
    assert depth[["low", "better"]].isna().all()  # one data set


def test_a_smaller_error_is_a_negative_difference_and_better():
    table = route_rows.table(*made(simple()), "log_loss", ENTRY).set_index(["route", "value"])
    row = table.loc[("hyperbolic + hyperbolic", "2")]
    assert row["difference"] == pytest.approx(-0.04)
    assert row["difference"] == pytest.approx(row["score"] - row["reference"])
    assert row["low"] < row["difference"] < row["high"] < 0
    assert row["better"] > 0.99


def test_folds_without_a_search_are_left_out():
    rows = [(*row[:5], None, row[6]) if row[0] == "d0" else row for row in simple(6)]
    assert (found(rows)["data_sets"] == 5).all()
    assert route_rows.left_out(made(simple(6))[0], ENTRY) == ([], 0)
    assert route_rows.left_out(made(rows)[0], ENTRY) == (["d0"], 1)


def test_a_method_without_a_search_outside_the_routes_leaves_nothing_out():
    rows = [*simple(6), ("d0", "pca_2", "majority", 0, None, None, 0.5)]
    assert route_rows.left_out(made(rows)[0], ENTRY) == ([], 0)


def test_two_data_sets_have_no_interval():
    for n, known in ((2, False), (3, True)):
        row = found(simple(n)).loc[("hyperbolic + hyperbolic", "dimension", "2")]
        assert np.isfinite([row["low"], row["high"]]).all() == known
        text = route_rows.cell(row.to_dict(), METRIC)["interval"]
        assert (text == "no interval") != known


def test_the_section_shows_a_table_for_each_kind_of_column(tmp_path):
    runs, scores = made(simple())
    runs = [run | {"class": "my.Class"} for run in runs]
    original = scores["embedding"] == "original"
    parts = {"scores": scores[~original], "baselines": scores[original]}
    run = Run(runs=runs, cards=[], disks=[], results=tmp_path, metric=METRIC, **parts)
    run.entries["routes"] = ENTRY
    values = SECTION.values(run)
    (group,) = values["groups"]
    assert (group["heads"], group["level"]) == (["2", "5", "all"], ["60.0", "80.0", "70.0"])
    names = [row["name"] for row in group["rows"]]
    assert names[:4] == [
        "Best hyperbolic embedding, hyperbolic classifier",
        "Best hyperbolic embedding, flat classifier",
        "Best flat embedding, hyperbolic classifier",
        "No embedding, best baseline",
    ]
    first = group["rows"][0]["cells"][0]
    assert (first["difference"], first["interval"]) == ("+4.0", "+3.2 to +4.8")
    assert first["probabilities"] == ">99/<1/<1 %"
    assert values["width"] == "1.0 points"
    assert set(values["members"]) == {
        f"{kind} {part}"
        for kind in ("flat", "hyperbolic")
        for part in ("embeddings", "classifiers")
    }
    assert values["members"]["flat classifiers"] == "SVM, forest"
    # Only embeddings that were run.
    assert values["members"]["flat embeddings"] == "PCA, t-SNE"
    few = route_rows.members(ENTRY, Names(), {"tsne_2", "hydra_2"})
    assert few["flat embeddings"] == "t-SNE"
    word, sentence = SECTION.warning(run)
    assert (word, sentence[:38]) == (f"{SECTION.title}:", "From raw data to labels, hyperbolic ro")
    assert SECTION.found(run) is SECTION.found(run)
    assert SECTION.tables(run)["routes.tsv"].startswith("route\tembedding\tfamily\tby\tvalue")


def test_the_headline_names_the_better_kind_only_where_the_interval_excludes_zero():
    runs, scores = made(simple())
    table = route_rows.table(runs, scores, METRIC, ENTRY)
    # 4 points in two dimensions and -2 in five: 1 in the mean, and half the spread
    assert route_rows.sentence(table, METRIC) == (
        "From raw data to labels, hyperbolic routes are better than flat ones: mean difference of "
        "the best hyperbolic embedding and classifier from the best flat ones +1.0 points (+0.6 to "
        "+1.4; 95 % interval over 6 data sets)."
    )
    swapped = table.assign(difference=-table["difference"], low=-table["high"], high=-table["low"])
    assert "flat routes are better than hyperbolic ones" in route_rows.sentence(swapped, METRIC)
    # Of a loss, less is better.
    losses = route_rows.table(runs, scores, "log_loss", ENTRY)
    assert "hyperbolic routes are better than flat ones" in route_rows.sentence(losses, "log_loss")
    wide = table.assign(low=-0.01)
    assert "no clear difference between" in route_rows.sentence(wide, METRIC)
    one = route_rows.table(*made([r for r in simple() if r[0] == "d0"]), METRIC, ENTRY)
    assert "Its folds give no interval" in route_rows.sentence(one, METRIC)
    two = route_rows.table(*made([r for r in simple() if r[0] in ("d0", "d1")]), METRIC, ENTRY)
    assert "2 data sets, the best" in route_rows.sentence(two, METRIC)
    assert "So few data sets give no interval" in route_rows.sentence(two, METRIC)
    assert route_rows.sentence(table[table["by"] != "dimension"], METRIC) is None


def test_one_data_set_has_an_interval_over_its_folds():
    gains = [0.1, 0.13, 0.12, 0.16, 0.1]
    rows = [
        ("own", embedding, method, repeat, None, 0.9, 0.5 + gain)
        for repeat, more in enumerate(gains)
        for embedding, method, gain in (
            ("pca_2", "svm", 0.0),
            ("hydra_2", "hsvm", more + 0.01),
            ("pca_5", "svm", 0.1),
            ("hydra_5", "hsvm", 0.1 + more - 0.01),
        )
    ]
    runs, scores = made(rows)
    sizes = scores.assign(metric="train_rows", value=80.0)
    scores = pd.concat([scores, sizes, sizes.assign(metric="test_rows", value=20.0)])
    table = route_rows.table(runs, scores, METRIC, ENTRY).set_index(["route", "by", "value"])
    best = table.loc[(route_rows.name_of(BEST), "dimension", "all")]
    # Dimensions are averaged; a quarter of the training rows is tested.
    mean, low, high, _ = verdicts.corrected_t([gains], [0.25])
    assert best[["difference", "low", "high"]].tolist() == pytest.approx([mean, low, high])
    expected = ttest_1samp(gains, 0).confidence_interval(0.95)
    wider = np.sqrt((1 / 5 + 0.25) * 5)
    assert high - low == pytest.approx(wider * (expected.high - expected.low))
    text = route_rows.sentence(table.reset_index(), METRIC)
    assert text.endswith("95 % interval over the folds of one data set).")
    assert text.startswith("From raw data to labels, hyperbolic routes are better than flat ones")


def test_what_is_said_of_a_missing_interval_is_true():
    # Ten folds without variance, and three data sets whose interval exceeds 100 points.
    alike = [("d", *rest) for k in range(10) for rest in pair(k, 0.9, 0.9)]
    wide = [(f"d{k}", *rest) for k in range(3) for rest in pair(0, 0.1, 0.1 + 0.45 * k)]
    for rows, reason in ((alike, "Its folds give"), (wide, "So few data sets give")):
        table = route_rows.table(*made(rows), METRIC, ENTRY)
        assert f"{reason} no interval" in route_rows.sentence(table, METRIC)
        cell = route_rows.cell(table.iloc[0].to_dict(), METRIC)
        assert cell["interval"] == "no interval"


def pair(repeat, flat, hyperbolic):
    return [
        ("pca_2", "svm", repeat, None, 0.9, flat),
        ("hydra_2", "hsvm", repeat, None, 0.9, hyperbolic),
    ]


def test_names_of_routes():
    names = Names()
    assert route_rows.words(Route("tsne", "hyperbolic", "flat"), names) == (
        "t-SNE, hyperbolic classifier"
    )


def configured(**changes):
    method = {"chart": "poincare", "grid": {"max_depth": [3]}}
    config = {
        "datasets": {"tree_4": {"use": "karate", "embeddings": ["hydra_2", "spectral_2"]}},
        "embeddings": {
            "hydra_2": {"use": "hydra"},
            "spectral_2": {"use": "spectral"},
        },
        "methods": {
            "tree": {"use": "sklearn.tree.DecisionTreeClassifier", **method},
            "htree": {"use": "noneuclid.HyperbolicDecisionTreeClassifier", "grid": method["grid"]},
        },
        "routes": {
            "n_components": "_([0-9]+)$",
            "depth": "^tree_([0-9]+)",
            "flat": {"embeddings": "^spectral_", "methods": ["tree"]},
            "hyperbolic": {"embeddings": "^hydra_", "methods": ["htree"]},
        },
    }
    config["routes"] |= changes
    return config


def test_the_entry_of_a_configuration():
    configuration.check(configured(), SCHEMA)
    config = configuration.completed(configured())
    found = routes.entry(config)
    assert found["embeddings"] == {
        "spectral_2": ["flat", "spectral", 2],
        "hydra_2": ["hyperbolic", "hydra", 2],
    }
    assert found["depths"] == {"tree_4": 4}
    # The choice between the baselines needs an inner score of each.
    assert all(config["methods"][f"original_{m}"]["grid"] for m in ("svm", "logistic", "forest"))
    assert SECTION.entry({"report": {}}) is None


@each_of(
    ("changes", "message"),
    [
        ({"n_components": "_[0-9]+$"}, "routes/n_components: '_.*needs one group"),
        ({"n_components": "x([0-9]+)$"}, "is not found in the embedding 'spectral_2'"),
        ({"depth": "("}, "routes/depth: .* is not a pattern"),
        ({"flat": {"embeddings": "umap", "methods": ["tree"]}}, "'umap' matches no embedding"),
        ({"flat": {"embeddings": "_2", "methods": ["tree"]}}, "hydra_2 is also one of routes/flat"),
        ({"flat": {"embeddings": "^spec", "methods": ["svm"]}}, "unknown method 'svm'"),
        (
            {"hyperbolic": {"embeddings": "^hydra", "methods": ["tree"]}},
            "routes/hyperbolic/methods: tree is also one of routes/flat",
        ),
    ],
)
def test_wrong_routes(changes, message):
    with pytest.raises(InputError, match=message):
        configuration.check(configured(**changes), SCHEMA)


def test_a_method_that_nothing_runs_and_unequal_dimensions_are_refused():
    config = configured()
    config["datasets"]["tree_4"]["methods"] = ["tree"]
    with pytest.raises(InputError, match="routes/hyperbolic/methods: htree runs on no embedding"):
        configuration.check(config, SCHEMA)
    config = configured()
    config["embeddings"]["hydra_5"] = config["embeddings"].pop("hydra_2")
    config["datasets"]["tree_4"]["embeddings"] = ["hydra_5", "spectral_2"]
    with pytest.raises(InputError, match=r"same dimension \(flat: \[2\], hyperbolic: \[5\]\)"):
        configuration.check(config, SCHEMA)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hyperbolic_2", "hyperbolic_2 without its number is 'hyperbolic', a name of routes"),
        ("spectral_5", "spectral_5 without its number is 'spectral', as one of routes/flat"),
    ],
)
def test_an_embedding_that_would_be_taken_for_another_route_is_refused(name, message):
    hyperbolic = {"embeddings": f"^({name}|hydra_2)$", "methods": ["htree"]}
    config = configured(
        flat={"embeddings": "^spectral_2$", "methods": ["tree"]}, hyperbolic=hyperbolic
    )
    config["embeddings"][name] = {"use": "hydra"}
    config["datasets"]["tree_4"]["embeddings"].append(name)
    with pytest.raises(InputError, match=message):
        configuration.check(config, SCHEMA)


def test_a_method_of_a_route_needs_a_grid():
    config = configured()
    del config["methods"]["tree"]["grid"]
    with pytest.raises(InputError, match="tree has no grid"):
        configuration.check(config, SCHEMA)


@pytest.mark.parametrize("pattern", ["^([a-z]+)", "x?([0-9]+)?"])
def test_a_number_that_is_none_is_refused(pattern):
    with pytest.raises(InputError, match=r"routes/depth: .* in 'tree_3', not a number"):
        routes._check_number(pattern, "routes/depth", ["tree_3"])
