import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel

from noneuclid.errors import InputError
from noneuclid_papers.statistics.paired_t_tests import in_groups, paired_tests, summarise
from noneuclid_papers.statistics.rank_tests import holm


def long_table(seed=0, methods="abc", groups=2, seeds=4, folds=5, gains=(0.05, 0.0, 0.02)):
    rng = np.random.default_rng(seed)
    rows = []
    for g in range(groups):
        for s in range(seeds):
            for fold in range(folds):
                common = rng.normal(0.8, 0.05)
                for method, gain in zip(methods, gains, strict=True):
                    value = common + gain + rng.normal(0, 0.02)
                    rows.append((f"g{g}_seed{s}", "given", method, 0, fold, "f1_micro", value))
    columns = ["dataset", "embedding", "method", "repeat", "fold", "metric", "value"]
    return pd.DataFrame(rows, columns=columns).sample(frac=1, random_state=seed)


def test_agrees_with_scipy():
    table = long_table()
    tests = paired_tests(table, "f1_micro", group=r"(g\d)_")
    assert list(zip(tests["first"], tests["second"], strict=True)) == [
        ("a", "b"), ("a", "c"), ("b", "c")] * 2  # fmt: skip
    for row in tests.itertuples():
        part = table[table["dataset"].str.startswith(row.group)]
        wide = part.pivot(index=["dataset", "fold"], columns="method", values="value")
        expected = ttest_rel(wide[row.first], wide[row.second])
        assert (row.t, row.p) == pytest.approx((expected.statistic, expected.pvalue))
        assert row.n == 20
        assert row.difference == pytest.approx(row.first_mean - row.second_mean)
    assert set(tests.loc[tests["first"].eq("a"), "better"]) == {"a"}


def test_correction_is_over_all_rows():
    tests = paired_tests(long_table(3), "f1_micro", group=r"(g\d)_")
    np.testing.assert_allclose(tests["p_holm"], holm(tests["p"]))
    assert (tests["p_holm"] >= tests["p"]).all()
    kept = tests["better_holm"] != ""
    assert (tests.loc[kept, "better_holm"] == tests.loc[kept, "better"]).all()
    assert (kept == (tests["p_holm"] < 0.05)).all()


def test_no_difference_is_no_difference():
    table = long_table(gains=(0.0, 0.0, 0.0))
    table["value"] = table["fold"] / 10.0
    tests = paired_tests(table, "f1_micro", [("a", "b")], r"(g\d)_")
    assert tests[["t", "p"]].values.tolist() == [[0.0, 1.0]] * 2
    table.loc[table["method"] == "a", "value"] += 1e-15
    tests = paired_tests(table, "f1_micro", [("a", "b")], r"(g\d)_")
    assert tests[["p", "better"]].values.tolist() == [[1.0, ""]] * 2
    table.loc[table["method"] == "a", "value"] += 1
    assert (paired_tests(table, "f1_micro", [("a", "b")])["p"] < 1e-12).all()


def test_pairs_of_methods_that_ran_elsewhere_have_no_row():
    table = long_table()
    table = table[(table["method"] != "c") | table["dataset"].str.startswith("g0")]
    tests = paired_tests(table, "f1_micro", [("a", "b"), ("c", "a")], r"(g\d)_")
    found = tests.groupby("group").size()
    assert found.to_dict() == {"g0": 2, "g1": 1}


def test_refuses_what_cannot_be_paired():
    table = long_table()
    with pytest.raises(InputError, match="no metric 'auc'"):
        paired_tests(table, "auc")
    with pytest.raises(InputError, match="no method 'z'"):
        paired_tests(table, "f1_micro", [("a", "z")])
    with pytest.raises(InputError, match="1 folds have no value"):
        paired_tests(table.drop(table[table["method"] == "a"].index[0]), "f1_micro", [("a", "b")])
    with pytest.raises(InputError, match="a fold twice"):
        paired_tests(pd.concat([table, table.head(1)]), "f1_micro")
    with pytest.raises(InputError, match="one fold only"):
        paired_tests(table[table["fold"] == 0], "f1_micro")


BLOCKS = {"first": {"a": "*", "b": "†"}, "second": {"c": "*"}}


def test_summary_by_hand():
    table = long_table()
    tests = paired_tests(table, "f1_micro", [("a", "b")], r"(g\d)_")
    tests.loc[1, "better_holm"] = ""
    found = summarise(table, tests, BLOCKS, r"(g\d)_")
    assert found["method"].tolist() == [*"abc"] * 2
    assert found["block"].tolist() == ["first", "first", "second"] * 2
    for row in found.itertuples():
        mine = table[table["dataset"].str.startswith(row.group) & (table["method"] == row.method)]
        seeds = [part["value"].mean() for _, part in mine.groupby("dataset")]
        assert row.runs == len(seeds) == 4
        assert row.mean == pytest.approx(np.mean(seeds))
        assert row.se == pytest.approx(np.std(seeds, ddof=1) / 2)
    assert found["marks"].tolist() == ["†", "", ""] * 2
    assert found["marks_holm"].tolist() == ["†", "", "", "", "", ""]


def test_methods_that_were_not_run_have_no_row_in_the_summary():
    table = long_table(seeds=1)
    table = table[(table["method"] != "c") | table["dataset"].str.startswith("g0")]
    tests = paired_tests(table, "f1_micro", [("a", "b")], r"(g\d)_")
    found = summarise(table, tests, BLOCKS, r"(g\d)_")
    assert found["method"].tolist() == [*"abcab"]
    assert found["se"].isna().all()


def test_data_sets_without_the_pattern_are_left_out():
    assert set(in_groups(long_table(), "^g1")["dataset"]) == {f"g1_seed{s}" for s in range(4)}
    with pytest.raises(InputError, match="'h' is not found"):
        in_groups(long_table(), "h")
    with pytest.raises(InputError, match="not a regular expression"):
        in_groups(long_table(), "(")
