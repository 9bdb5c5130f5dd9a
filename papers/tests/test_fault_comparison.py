"""Printed numbers that follow from a fault, and p-values of a paper beside ours."""

import pandas as pd
import pytest
import yaml
from cases import each_of
from paper_mirror import ROOT
from scipy.stats import ttest_1samp

from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.config import configuration
from noneuclid_papers.printed import (
    fault_comparison,
    published,
    published_entries,
    reproduction_status,
)
from noneuclid_papers.stages import published as stage
from noneuclid_papers.tables.published_rows import COLOURS

SCORES = ["dataset", "embedding", "method", "setting", "repeat", "fold", "metric", "value"]
ENTRY = {
    "fault": "labels are lost",
    "table": "t",
    "datasets": "(?P<dataset>d)",
    "metrics": {"accuracy": "accuracy"},
    "with": {"methods": {"faulty": "A"}},
    "without": {"methods": {"right": "A"}},
}
TEST = {
    "table": "text",
    "dataset": "two sets",
    "variant": "t-test",
    "method": "A against B",
    "datasets": "m[0-9]+",
    "first": "a",
    "second": "b",
    "score": "accuracy",
}


def scores(values, dataset="d", embedding="given"):
    """A long table: folds of each method."""
    rows = [
        (dataset, embedding, method, "", 0, fold, "accuracy", value)
        for method, row in values.items()
        for fold, value in enumerate(row)
    ]
    return pd.DataFrame(rows, columns=SCORES)


def theirs(value="50.00"):
    return pd.DataFrame(
        [
            ("t", "d", "", "A", "accuracy", value, "", "%"),
            ("text", "two sets", "t-test", "A against B", "p_value", "3e-20", "", "1"),
        ],
        columns=published.COLUMNS,
    )


@each_of(
    ("faulty", "right", "verdict"),
    [
        ([0.5, 0.5], [0.9, 0.9], reproduction_status.RETURNS_DIGITS),
        ([0.4, 0.6], [0.4, 0.6], fault_comparison.EITHER),
        ([0.5, 0.501], [0.9, 0.91], reproduction_status.RETURNS),
        ([0.49, 0.52], [0.9, 0.91], reproduction_status.NOT_JUDGED),
        ([0.5, 0.5], [0.5, 0.5], fault_comparison.EITHER),
        ([0.6, 0.6], [0.9, 0.9], fault_comparison.NOT),
        ([0.6, 0.6], [0.5, 0.5], fault_comparison.NOT),
        ([0.499, 0.5], [0.5, 0.5], fault_comparison.EITHER),
        ([0.5, 0.5], [], reproduction_status.NOT_RUN),
        ([], [0.9, 0.9], reproduction_status.NOT_RUN),
    ],
)
def test_a_fault_returns_what_ours_without_it_does_not(faulty, right, verdict):
    table = scores({"faulty": faulty, "right": right})
    (row,) = fault_comparison.imitate(table, theirs(), "p", [ENTRY]).to_dict("records")
    assert row["verdict"] == verdict
    assert (row["fault"], row["printed"]) == ("labels are lost", "50.00")
    for side, values in (("with", faulty), ("without", right)):
        mean = sum(values) / len(values) if values else float("nan")
        assert row[f"{side}_ours"] == pytest.approx(mean, nan_ok=True)
    (line,) = stage.fault_rows(pd.DataFrame([row]))
    assert line["number"] == "t, d, A, accuracy"
    start = f"{50 * sum(faulty):.2f}" if faulty else "–"
    assert line["with_fault"].startswith(start)


R, W, C, N = "exact", "outside", "close", "not judged"


@each_of(
    ("others", "verdict"),
    [
        ([], reproduction_status.RETURNS_DIGITS),
        ([(W, W), (R, R), (C, R)], reproduction_status.RETURNS_DIGITS),
        ([(W, R)], reproduction_status.LOSES),
        ([(R, W), (W, R)], reproduction_status.LOSES),
        (5 * [(R, W)] + [(W, R)], reproduction_status.LOSES),
        (6 * [(R, W)] + [(W, R)], reproduction_status.RETURNS_DIGITS),
        (6 * [(C, W)] + [(W, C)], reproduction_status.RETURNS_DIGITS),
        (6 * [(R, N)] + [(W, R)], reproduction_status.RETURNS_DIGITS),
        (6 * [(R, W)] + [(N, R), (W, C)], reproduction_status.LOSES),
    ],
)
def test_a_fault_that_loses_numbers_must_gain_clearly_more(others, verdict):
    values = {R: [0.5, 0.5], W: [0.9, 0.9], C: [0.5, 0.501], N: [0.49, 0.52]}
    sets = dict(zip("defghijkl", [(R, W), *others], strict=False))
    table = pd.concat(
        scores({"faulty": values[faulty], "right": values[right]}, name)
        for name, (faulty, right) in sets.items()
    )
    printed = pd.concat([theirs()[:1].assign(dataset=name) for name in sets])
    entry = ENTRY | {"datasets": "(?P<dataset>[d-l])"}
    found = fault_comparison.imitate(table, printed, "p", [entry])
    by_name = found.set_index("dataset")["verdict"]
    assert by_name["d"] == verdict
    right = fault_comparison.sides(entry)["without"]
    none = pd.DataFrame(columns=published.REASONS)
    cells = published.cells(table, printed, "p", [right], none, (), found).set_index("dataset")
    status = (
        reproduction_status.OUTSIDE
        if verdict == reproduction_status.LOSES
        else reproduction_status.IMITATED
    )
    assert cells.loc["d", "status"] == status
    assert (reproduction_status.LOSES in cells.loc["d", "reason"]) == (
        verdict == reproduction_status.LOSES
    )
    # Another fault of the same number, and one of another paper, is counted by itself.
    alone = found[found["dataset"] == "d"]
    for other in (alone.assign(fault="else"), alone.assign(paper="q")):
        both = fault_comparison.judged(pd.concat([found, other], ignore_index=True))
        assert both["verdict"].iloc[-1] == reproduction_status.RETURNS_DIGITS
        assert both["verdict"].iloc[: len(found)].tolist() == found["verdict"].tolist()
    # All methods and tables of a fault are counted together.
    away = found.assign(method=[f"m{k}" for k in range(len(found))], table="u")
    assert fault_comparison.judged(away)["verdict"].tolist() == found["verdict"].tolist()
    if verdict == reproduction_status.LOSES:
        (line,) = stage.fault_rows(found[found["dataset"] == "d"])
        assert line["colour"] == COLOURS[reproduction_status.NOT_JUDGED]


def test_a_supposed_fault_reproduces_no_number():
    table = scores({"faulty": [0.5, 0.5], "right": [0.9, 0.9]})
    entry = ENTRY | {"fault": "a hypothesis, labels are lost"}
    found = fault_comparison.imitate(table, theirs(), "p", [entry])
    assert found["verdict"].tolist() == [reproduction_status.SUPPOSED]
    none = pd.DataFrame(columns=published.REASONS)
    right = fault_comparison.sides(entry)["without"]
    cell = published.cells(table, theirs()[:1], "p", [right], none, (), found).iloc[0]
    assert (cell["status"], cell["imitations"]) == (reproduction_status.OUTSIDE, 1)
    assert (
        cell["reason"]
        == f"a hypothesis, labels are lost: an imitation {reproduction_status.SUPPOSED}."
    )
    (line,) = stage.fault_rows(found)
    assert line["colour"] == COLOURS[reproduction_status.NOT_JUDGED]
    # Numbers that it loses do not matter, nor such words inside those of another fault.
    lost = found.assign(dataset="e", with_ours=0.9, without_ours=0.5)
    both = fault_comparison.judged(pd.concat([found, lost], ignore_index=True))
    assert both["verdict"].iloc[0] == reproduction_status.SUPPOSED
    other = fault_comparison.judged(found.assign(fault="not a hypothesis, labels are lost"))
    assert other["verdict"].tolist() == [reproduction_status.RETURNS_DIGITS]


def test_two_entries_of_a_fault_for_one_number_are_refused():
    table = scores({"faulty": [0.5, 0.5], "right": [0.9, 0.9]})
    with pytest.raises(
        InputError, match="imitations: two entries of labels are lost give t / d / "
    ):
        fault_comparison.imitate(table, theirs(), "p", [ENTRY, ENTRY])
    other = ENTRY | {"fault": "labels are moved"}
    assert len(fault_comparison.imitate(table, theirs(), "p", [ENTRY, other])) == 2


def test_a_run_without_a_value_loses_the_number():
    table = pd.concat(
        [
            scores({"faulty": [0.5, 0.5], "right": [0.9, 0.9]}, "d"),
            scores({"faulty": [float("nan")], "right": [0.5, 0.5]}, "e"),
        ]
    )
    printed = pd.concat([theirs()[:1].assign(dataset=name) for name in "de"])
    entry = ENTRY | {"datasets": "(?P<dataset>[de])"}
    found = fault_comparison.imitate(table, printed, "p", [entry]).set_index("dataset")
    assert found["verdict"].to_dict() == {
        "d": reproduction_status.LOSES,
        "e": reproduction_status.NOT_RUN,
    }
    # What was not run with the fault is not lost.
    left = table[(table["dataset"] == "d") | (table["method"] == "right")]
    found = fault_comparison.imitate(left, printed, "p", [entry]).set_index("dataset")
    assert found.loc["d", "verdict"] == reproduction_status.RETURNS_DIGITS


def test_two_digits_agree_by_chance():
    table = scores({"faulty": [0.5, 0.5], "right": [0.9, 0.9]})
    (row,) = fault_comparison.imitate(table, theirs("50"), "p", [ENTRY]).to_dict("records")
    assert row["verdict"] == reproduction_status.RETURNS


def test_sides_may_have_their_own_data_sets_and_embeddings():
    entry = ENTRY | {
        "datasets": "d",
        "dataset": "d",
        "with": {"embedding": "rows_mixed", "methods": {"m": "A"}},
        "without": {"datasets": "other", "methods": {"m": "A"}},
    }
    table = pd.concat(
        [
            scores({"m": [0.5, 0.5]}, embedding="rows_mixed"),
            scores({"m": [0.8, 0.8]}),
            scores({"m": [0.9, 0.9]}, "other"),
        ]
    )
    (row,) = fault_comparison.imitate(table, theirs(), "p", [entry]).to_dict("records")
    assert (row["with_ours"], row["without_ours"]) == (0.5, 0.9)
    assert row["verdict"] == reproduction_status.RETURNS_DIGITS


def test_what_the_paper_does_not_print_is_refused():
    table = scores({"faulty": [0.5], "right": [0.5]})
    with pytest.raises(InputError, match="no t: method 'B'; known: A"):
        fault_comparison.imitate(
            table, theirs(), "p", [ENTRY | {"with": {"methods": {"faulty": "B"}}}]
        )
    with pytest.raises(InputError, match="imitations: p prints no t / d / new / A / accuracy"):
        fault_comparison.imitate(table, theirs(), "p", [ENTRY | {"variant": "new"}])


def test_a_p_value_is_compared_by_its_side_of_the_level():
    table = pd.concat(
        [scores({"a": [0.9 - k / 50], "b": [0.8 - k / 25]}, f"m{k}") for k in range(3)]
    )
    none = pd.DataFrame(columns=published.REASONS)
    cells = published.cells(table, theirs(), "p", [], none, [TEST])
    cell = cells.set_index("metric").loc["p_value"]
    # Differences 0.1, 0.12 and 0.14; with two degrees of freedom p = ½ - t / (2 √(2 + t²)).
    t = 0.12 * 3**0.5 / 0.02
    assert cell["ours"] == pytest.approx(0.5 - t / (2 * (2 + t**2) ** 0.5))
    assert (cell["status"], cell["runs"]) == (reproduction_status.SAME_SIDE, 3)
    one = table[table["dataset"] == "m0"]
    cells = published.cells(one, theirs(), "p", [], none, [TEST])
    assert set(cells["status"]) == {reproduction_status.NOT_RUN}
    assert published.p_values(one, TEST | {"second": "c"}) == {}


def test_p_values_over_folds_are_two_sided_and_apart_by_variant():
    parts = [
        scores({"a": [0.9, 0.8, 0.7], "b": [0.8, 0.6, 0.6]}, f"g_D{d}_seed{k}")
        for d in (2, 4)
        for k in range(d)
    ]
    test = TEST | {"variant": "{size}", "datasets": "g_(?P<size>D[0-9])_seed[0-9]", "over": "folds"}
    found = published.p_values(pd.concat(parts), test)
    assert {key[2]: value["runs"] for key, value in found.items()} == {"D2": 6, "D4": 12}
    # Differences 0.1, 0.2, 0.1 twice.
    p = ttest_1samp([0.1, 0.2, 0.1] * 2, 0).pvalue
    assert found["text", "two sets", "D2", "A against B", "p_value"]["ours"] == pytest.approx(p)


def test_a_test_that_the_paper_does_not_print_is_refused():
    rows = theirs().to_dict("records")
    published_entries.check_test(TEST, rows)
    with pytest.raises(InputError, match="no p_value: variant 'F-test'; known: t-test"):
        published_entries.check_test(TEST | {"variant": "F-test"}, rows)


def test_kept_imitations_are_those_of_the_kept_papers(tmp_path):
    table = scores({"faulty": [0.5, 0.5], "right": [0.9, 0.9]})
    found = pd.concat(
        fault_comparison.imitate(table, theirs(), paper, [ENTRY]) for paper in ("cho2019", "else")
    )
    io.write_table(tmp_path / "imitations.tsv", found)
    kept = ROOT / "papers/kept/cho2019.tsv"
    arguments = ["--scores", "none", "--reasons", "none", "--settings", "{}", "--kept", str(kept)]
    for name in ("protocols", "methods"):
        arguments += [f"--{name}", str(ROOT / f"papers/printed/{name}.tsv")]
    arguments += ["--kept-imitations", str(tmp_path / "imitations.tsv")]
    stage.main([*arguments, "--output", str(tmp_path / "out")])
    (row,) = io.read_json(tmp_path / "out/section.json")["imitations"]
    assert (row["paper"], row["verdict"]) == ("cho2019", reproduction_status.RETURNS_DIGITS)
    again = stage.read(tmp_path / "out/imitations.tsv", fault_comparison.WORDS)
    assert again["with_ours"].tolist() == [0.5]


@pytest.mark.parametrize("paper", ["cho2019", "pan2023", "yang2024"])
def test_the_kept_imitations_are_of_configured_faults(paper):
    configs = [yaml.safe_load(path.read_text()) for path in (ROOT / "papers/config").glob("*.yaml")]
    entries = [config["published"] for config in configs if "published" in config]
    entries = [entry for entry in entries if entry.get("paper") == paper]
    faults = {one["fault"] for entry in entries for one in entry.get("imitations", ())}
    kept = stage.read(ROOT / "papers/kept/imitations.tsv", fault_comparison.WORDS)
    kept = kept[kept["paper"] == paper]
    assert set(kept["fault"]) == faults
    printed = pd.read_csv(
        ROOT / f"papers/printed/{paper}.tsv", sep="\t", dtype=str, keep_default_na=False
    )
    cells = set(printed[published.KEYS].itertuples(index=False, name=None))
    assert set(kept[published.KEYS].itertuples(index=False, name=None)) <= cells


def test_an_unknown_method_of_an_imitation_is_named():
    config = yaml.safe_load((ROOT / "papers/config/pan2023_quick.yaml").read_text())
    config["published"]["imitations"][0]["with"]["methods"] = {"none": "Euclidean SVM"}
    with pytest.raises(InputError, match="published/table_iii: unknown method 'none'"):
        configuration.check(config, ROOT / "workflow/schemas/config.schema.yaml")
