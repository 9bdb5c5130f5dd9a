from io import StringIO

import numpy as np
import pandas as pd
import pytest
from score_rows import FLAT, NONE, moved_scores

from noneuclid_compare import io
from noneuclid_compare.report import page
from noneuclid_compare.report.names import Names
from noneuclid_compare.report.run import Run
from noneuclid_compare.report.sections.moved_points import SECTION
from noneuclid_compare.report.tables import isometry_rows

SKIPPED = {"dataset": "parts", "embedding": "e", "method": "tree",
           "why": "compositions are not in hyperbolic space"}  # fmt: skip


def found(failed=(), **options):
    return isometry_rows.table(*moved_scores(**options), list(failed), "accuracy")


def test_methods_by_how_they_depend_on_isometries():
    table = found()
    answers = dict(zip(table["method"], table["depends"], strict=True))
    assert answers == {"flat": "yes", "noisy": "yes", "tiny": "nearly", "invariant": "no"}
    # The strongest dependence first; each method at each distance.
    assert list(answers) == ["flat", "noisy", "tiny", "invariant"]
    flat = table[table["method"] == "flat"]
    assert flat["distance"].tolist() == [1.5, 3.0]
    np.testing.assert_allclose(flat["difference"], [-0.038, -0.076])
    np.testing.assert_allclose(flat["after"] - flat["before"], flat["difference"])
    # The range over the folds.
    np.testing.assert_allclose(flat[["low", "high"]], [[-0.05, -0.03], [-0.1, -0.06]])
    assert flat["datasets"].tolist() == [2, 2]
    assert flat[["rows", "changed_rows", "folds"]].values.tolist() == [[200, 10, 10]] * 2
    assert flat["farthest"].tolist() == [5.5, 7.0]


def test_a_higher_score_after_an_isometry_is_a_dependence_too():
    table = found(changes={"gains": [-gap for gap in FLAT]})
    assert table["depends"].tolist() == ["yes", "yes"]
    assert (table["low"] > 0).all()


def test_means_are_over_data_sets_whatever_their_embeddings():
    scores, moved = moved_scores({"flat": FLAT}, ("d", "e", "f"), (3.0,))
    # The embeddings of one data set count once.
    for table in (scores, moved):
        table.loc[table["dataset"] == "f", ["dataset", "embedding"]] = ["e", "other"]
    lower = (moved["dataset"] == "e") & (moved["metric"] == "accuracy")
    moved.loc[lower, "value"] -= 0.2
    [row] = isometry_rows.table(scores, moved, [], "accuracy").to_dict("records")
    assert (row["datasets"], row["folds"]) == (2, 15)
    assert row["difference"] == pytest.approx(-0.076 - 0.1)
    assert (row["low"], row["high"]) == pytest.approx((-0.3, -0.06))
    assert isometry_rows._cell(row, "accuracy")["small"] == "−30.0 to −6.0"
    assert (row["worst_dataset"], round(row["worst_difference"], 3)) == ("e", -0.276)


def test_one_fold_beyond_the_tolerance_is_a_change():
    gaps = [0.0, 0.0, 0.001, 0.0, 0.0]
    assert found(changes={"tree": gaps}, distances=(1.5,))["depends"].tolist() == ["nearly"]
    gaps[2] = 0.0011
    assert found(changes={"tree": gaps}, distances=(1.5,))["depends"].tolist() == ["yes"]


def test_a_method_that_fails_depends_on_isometries():
    scores, moved = moved_scores({"invariant": NONE})
    lost = (moved["distance"] == 3) & (moved["dataset"] == "e")
    kept = moved["metric"].isin(["farthest", "farthest_before", "test_rows"])
    failed = [
        {"method": "invariant", "dataset": "e", "distance": 3.0, "fold": k, "message": "too far"}
        for k in range(5)
    ]
    table = isometry_rows.table(scores, moved[~lost | kept], failed, "accuracy")
    assert table["depends"].tolist() == ["fails", "fails"]
    assert table["failed_folds"].tolist() == [0, 5]
    assert table["folds"].tolist() == [10, 5]
    section = isometry_rows.section(table, {"failed": failed, "skipped": []}, "accuracy", Names())
    assert section["rows"][0]["cells"][1]["small"].endswith("5 folds failed")
    assert "Invariant failed in 5 folds, first on e at distance 3: too far" in section["notes"]


def test_a_method_that_always_fails_has_no_difference():
    scores, moved = moved_scores({"invariant": NONE})
    moved = moved[moved["metric"].isin(["farthest", "farthest_before", "test_rows"])]
    failed = [{"method": "invariant", "dataset": "d", "distance": t, "fold": 0, "message": "no"}
              for t in (1.5, 3.0)]  # fmt: skip
    table = isometry_rows.table(scores, moved, failed, "accuracy")
    assert table["depends"].tolist() == ["fails"] * 2
    assert table["difference"].isna().all()
    section = isometry_rows.section(table, {"failed": failed, "skipped": []}, "accuracy", Names())
    assert [cell["text"] for cell in section["rows"][0]["cells"]] == ["–", "–"]
    assert section["rows"][0]["changed"] == "–"


def test_nothing_was_moved():
    scores, moved = moved_scores()
    table = isometry_rows.table(scores, moved[:0], [], "accuracy")
    notes = {"failed": [], "skipped": [SKIPPED]}
    section = isometry_rows.section(table, notes, "accuracy", Names())
    assert section["headline"].startswith("Nothing was moved: no data set of this run is")
    assert section["rows"] == []
    assert len(section["notes"]) == 1


def test_texts():
    notes = {"failed": [], "skipped": [SKIPPED]}
    section = isometry_rows.section(found(), notes, "accuracy", Names())
    assert section["headline"].startswith(
        "1 of 4 methods predict exactly the same after the points are moved; 1 has the same score "
        "within 0.1 points; the score of 2 methods changes. "
    )
    assert section["headline"].endswith("mean change is that of flat: −7.6 points at distance 3.")
    flat, *_, invariant = section["rows"]
    assert flat["answer"] == "yes"
    assert flat["changed"] == "5 %"
    assert flat["cells"][1]["text"] == "−7.6"
    assert (flat["worst"], flat["where"]) == ("−7.6", "D")
    assert [invariant[k] for k in ("answer", "why", "changed")] == [
        "no",
        "all predictions equal",
        "none",
    ]
    assert invariant["cells"][0]["text"] == "0.0"
    assert section["notes"][-1] == "Not moved: parts (compositions are not in hyperbolic space)."
    assert "Up to 10 folds of 2 data sets" in section["notes"][0]
    assert "4 from the origin before the isometries and 7 after them" in section["notes"][0]


def test_the_section_on_the_page(tmp_path):
    scores, moved = moved_scores()
    io.write_table(tmp_path / "evaluate/isometries.parquet", moved)
    io.write_json(tmp_path / "evaluate/isometries.json", {"failed": [], "skipped": []})
    assert SECTION.entry({}) is None
    assert SECTION.entry({"isometries": [3]}) == {}
    run = Run(scores, [], [], [], tmp_path, metric="accuracy")
    [part] = SECTION.parts(run)
    html = page._environment([part["package"]]).get_template(part["template"]).render(section=part)
    assert "predict exactly the same after the points are moved" in html
    assert html.count("<small>distance ") == 2
    assert html.count("<tr>") == 5
    saved = pd.read_csv(StringIO(SECTION.tables(run)["isometries.tsv"]), sep="\t")
    assert saved["method"].unique().tolist() == ["flat", "noisy", "tiny", "invariant"]


def test_the_largest_loss_of_an_error_is_a_rise():
    scores, moved = moved_scores({"tree": FLAT, "other": NONE}, distances=(1.5,))
    rise = moved["dataset"].eq("e") & moved["metric"].eq("accuracy") & moved["method"].eq("tree")
    moved.loc[rise, "value"] += 0.2
    for table in (scores, moved):
        table["metric"] = table["metric"].replace({"accuracy": "rmse"})
    worst = isometry_rows.table(scores, moved, [], "rmse").set_index("method").loc["tree"]
    assert worst["worst_dataset"] == "e"
    assert worst["worst_difference"] == pytest.approx(0.2 - 0.038)
