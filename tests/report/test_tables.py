"""The report's tables, numbers and colours."""

import io
import itertools

import numpy as np
import pandas as pd
import pytest
from reporting_fixtures import report_input

from noneuclid.errors import InputError
from noneuclid.plots import palette
from noneuclid_compare.report.tables import dataset_cards, provenance_rows, score_tables


def long_table(values, metric="accuracy", setting="default"):
    """Scores from {(dataset, embedding): {method: values of the folds}}."""
    found = [
        (*pair, method, setting, 0, fold, metric, value)
        for pair, methods in values.items()
        for method, folds in methods.items()
        for fold, value in enumerate(folds)
    ]
    return pd.DataFrame(found, columns=score_tables.COLUMNS)


TWO = {
    ("a", "e"): {"x": (0.9, 0.7), "y": (0.8, 0.8), "z": (0.5, 0.5)},
    ("b", "e"): {"x": (0.6, 0.6), "y": (0.7, 0.7), "z": (0.65, 0.65)},
}


def test_summary_by_hand():
    table = score_tables.summarise(long_table(TWO), "accuracy").set_index(["dataset", "method"])
    assert table.loc[("a", "x"), "sd"] == pytest.approx(np.sqrt(0.02))
    assert table["rank"].to_dict() == {
        ("a", "x"): 1.5, ("a", "y"): 1.5, ("a", "z"): 3,
        ("b", "x"): 3, ("b", "y"): 1, ("b", "z"): 2,
    }  # fmt: skip


def test_league_by_hand():
    table = score_tables.league(long_table(TWO), "accuracy")
    assert list(table.index) == ["y", "x", "z"]
    assert table["average_rank"].tolist() == [1.25, 2.25, 2.5]
    assert table["first"].tolist() == [2, 1, 0]


def test_losses_rank_the_other_way():
    table = score_tables.league(long_table(TWO, "log_loss"), "log_loss")
    assert table["average_rank"].to_dict() == {"x": 1.75, "y": 2.75, "z": 1.5}


def test_order_of_rows_does_not_matter():
    scores = report_input(2, size=40)["scores"]
    mixed = scores.sample(frac=1, random_state=3)
    pd.testing.assert_frame_equal(score_tables.league(scores), score_tables.league(mixed))


def test_a_missing_method_and_a_missing_fold_are_counted():
    scores = long_table({**TWO, ("c", "e"): {"x": (0.9, np.nan), "y": (0.1, 0.2)}})
    assert score_tables.league(scores, "accuracy")["pairs"].to_dict() == {"x": 3, "y": 3, "z": 2}
    table = score_tables.summarise(scores, "accuracy").set_index(["dataset", "method"])
    assert table.loc[("c", "x"), ["mean", "folds", "missing"]].tolist() == [0.9, 1, 1]


def test_settings_are_named_only_where_a_method_has_several():
    scores = pd.concat([long_table(TWO), long_table({("a", "e"): {"x": (0.1,)}}, setting="C=1")])
    assert set(score_tables.name_methods(scores)) == {"x default", "x C=1", "y", "z"}


def test_malformed_scores_are_refused():
    scores = long_table(TWO)
    with pytest.raises(InputError, match="lacks fold"):
        score_tables.check(scores.drop(columns="fold"))
    with pytest.raises(InputError, match="no rows"):
        score_tables.check(scores[:0])
    with pytest.raises(InputError, match=r"'auroc'.*choose one of accuracy"):
        score_tables.league(scores, "auroc")


def test_tsv_can_be_read_back():
    table = score_tables.league(long_table(TWO), "accuracy")
    read = pd.read_csv(io.StringIO(score_tables.to_tsv(table)), sep="\t", index_col="method")
    assert read["average_rank"].tolist() == table["average_rank"].tolist()


# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
SEEN = {
    "all": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
               [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
               [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
               [0.004733, 0.691367, 0.303900]],
}  # fmt: skip


def cielab(colour, vision):
    channel = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channel <= 0.04045, channel / 12.92, ((channel + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.asarray(vision) @ linear, 0, 1)
    to_xyz = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
              [0.0193339, 0.1191920, 0.9503041]]  # fmt: skip
    ratio = np.asarray(to_xyz) @ seen / [0.95047, 1, 1.08883]
    f = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("vision", SEEN)
def test_no_two_colours_look_alike(vision):
    seen = [cielab(colour, SEEN[vision]) for colour in palette.PALETTE]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) > 15


def test_colour_and_marker_repeat_together_only_after_132_classes():
    looks = zip(palette.class_colours(132), map(str, palette.class_markers(132)), strict=True)
    assert len(set(looks)) == 132


# Means of x, y, z on two embeddings of a and one of b. By mean over the embeddings y is first on a.
EMBEDDED = {
    ("a", "e"): {"x": (0.90,), "y": (0.89,), "z": (0.5,)},
    ("a", "f"): {"x": (0.70,), "y": (0.80,), "z": (0.6,)},
    ("b", "e"): {"x": (0.50,), "y": (0.60,), "z": (0.7,)},
}


def ranks_of(values):
    """Ranks of the methods on each data set."""
    table = score_tables.summarise(long_table(values), "accuracy")
    table = table.drop_duplicates(["method", "dataset"])
    return table.pivot(index="method", columns="dataset", values="dataset_rank")


def test_data_sets_are_the_units_of_ranks_and_their_embeddings_are_not():
    ranks = ranks_of(EMBEDDED)
    assert ranks.loc[["x", "y", "z"]].to_numpy().tolist() == [[2, 3], [1, 2], [3, 1]]
    table = score_tables.league(long_table(EMBEDDED), "accuracy")
    assert table.loc[["x", "y", "z"], "average_rank"].tolist() == [2.5, 1.5, 2]
    assert table.loc[["x", "y", "z"], "first"].tolist() == [0, 1, 1]
    assert table["datasets"].tolist() == [2, 2, 2]
    assert table["pairs"].tolist() == [3, 3, 3]
    assert table.loc["x", "mean"] == pytest.approx((0.8 + 0.5) / 2)


def test_a_method_of_one_embedding_has_the_mean_of_its_ranks():
    values = EMBEDDED | {("a", "f"): {"x": (0.70,), "y": (0.80,)}}
    ranks = ranks_of(values)
    assert ranks.loc[["x", "y", "z"], "a"].tolist() == [1.5, 1.5, 3]


def test_run_rows_sum_up_folds():
    runs = report_input(1, size=40)["runs"]
    row = {r["method"]: r for r in provenance_rows.run_rows(runs)}["hyperboloid_svm_pgd"]
    assert row["status"] == "optimal ×2, converged ×1, still falling ×1"
    assert row["bad"]
    assert row["gap"] == "0.024"
    assert row["chosen"] == "C=1 ×2, C=10 ×1"
    assert row["iterations"] == "9 to 54"
    assert row["settings"] == "C={0.1, 1, 10}, multi_class=ovr"


def test_differing_versions_and_checksums_show():
    runs = [dict(run) for run in report_input(1, size=40)["runs"][:3]]
    runs[0]["versions"] = {"numpy": "1.0"}
    runs[1]["data_checksum"] = "other"
    assert ("numpy", "2.4.6 ×2, 1.0 ×1", True) in provenance_rows.version_rows(runs)
    assert len(provenance_rows.checksum_rows(runs)[0][2]) == 2
    folds = sum(len(run["folds"]) for run in runs)
    kept = [{**run, "model": {**run["folds"][0], "warnings": []}} for run in runs[:2]]
    said = provenance_rows.imprint([*kept, *({**run, "model": None} for run in runs[2:])])
    assert f". {folds + 2} fits (2 of them on all rows) of " in said


def test_a_card_gathers_embeddings_and_links_only_to_the_web():
    first, second = (report_input(2, size=40)["cards"][0] for _ in range(2))
    second = {**second, "embedding": {"name": "other"}}
    [card] = dataset_cards.cards([first, second])
    assert [e["name"] for e in card["embeddings"]] == ["lorentz_mds", "other"]
    assert [e["shown"] for e in card["embeddings"]] == ["Lorentz MDS", "Other"]
    assert card["link"].startswith("https://")
    second["embedding"] |= {"loss": 0.1, "average": 0.2, "pairs": 9, "n_iter": 3, "edges": 4}
    assert dataset_cards.cards([first, second]) == [card]
    evil = {**first, "dataset": {**first["dataset"], "source": "javascript:alert(1)"}}
    assert dataset_cards.cards([evil])[0]["link"] is None


def test_warnings_that_differ_in_numbers_alone_share_a_row():
    def run(method, repeat, *warnings):
        folds = [{"fold": k, "warnings": [text]} for k, text in enumerate(warnings)]
        return {
            "method": method,
            "dataset": "d",
            "embedding": "e",
            "repeat": repeat,
            "folds": folds,
        }

    runs = [
        run("a", 0, "9 of 12 rows", "10 of 12 rows"),
        run("a", 1, "C0.1: 2e-05 of 12 rows.", "10 of 12 rows"),
        run("b", 0, "8 of 12 rows"),
    ]
    assert [
        (row["text"], row["count"], row["folds"]) for row in provenance_rows.warning_rows(runs)
    ] == [
        ("9 to 10 of 12 rows", 3, "0.0, 0.1, 1.1"),
        ("C0.1: 2e-05 of 12 rows.", 1, "1.0"),
        ("8 of 12 rows", 1, "0.0"),
    ]
    assert provenance_rows.in_ranges(["version 1.5.2, gap 3e-02", "version 1.5.2, gap 1e-02"]) == (
        "version 1.5.2, gap 1e-02 to 3e-02"
    )


def test_a_method_of_few_data_sets_comes_last():
    values = {(name, "e"): {"x": (0.5,), "y": (0.6,)} for name in "abc"}
    values["a", "e"]["lucky"] = (0.9,)
    league = score_tables.league(long_table(values), "accuracy")
    assert list(league.index) == ["y", "x", "lucky"]
    assert league.loc["lucky", "average_rank"] == 1


def test_a_method_alone_on_its_data_has_no_rank():
    rows = [("d", "e", "a", "", 0, 0, "accuracy", 0.8), ("d", "e", "b", "", 0, 0, "accuracy", 0.5)]
    rows.append(("other", "e", "c", "", 0, 0, "accuracy", 0.9))
    league = score_tables.league(pd.DataFrame(rows, columns=score_tables.COLUMNS), "accuracy")
    assert league.index.tolist() == ["a", "b", "c"]
    assert league["average_rank"].tolist()[:2] == [1, 2]
    assert np.isnan(league["average_rank"].iloc[2])
    assert league["pairs"].tolist() == [1, 1, 0]
    alone = score_tables.league(pd.DataFrame(rows[-1:], columns=score_tables.COLUMNS), "accuracy")
    assert alone["average_rank"].tolist() == [1]
