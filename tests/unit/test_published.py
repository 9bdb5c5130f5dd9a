import numpy as np
import pandas as pd
import pytest
from paper_mirror import ROOT

from noneuclid.contracts import InputError
from noneuclid.evaluation.published import COLUMNS, beside

OURS = pd.DataFrame(
    [("d_n1", "a", 0.90, 0.01), ("d_n1", "b", 0.80, 0.01), ("d_n2", "a", 0.7, 0.0)],
    columns=["group", "method", "mean", "se"],
)
METHODS = {"a": "A", "b": "B"}


def paper(*rows):
    return pd.DataFrame([("t", "D", *row) for row in rows], columns=COLUMNS)


def test_noise_is_two_errors_of_the_difference():
    table = paper(("n1", "A", "f", 92.8, np.nan), ("n1", "B", "f", 82.9, np.nan))
    found = beside(OURS, table, "f", "t", METHODS)
    assert found["within_noise"].tolist() == ["yes", "no", ""]  # 2 sqrt(2) = 2.83
    np.testing.assert_allclose(found["difference"], [-0.028, -0.029, np.nan])


def test_the_papers_own_error_counts():
    table = paper(("n1", "A", "f", 94.0, 2.0), ("n1", "B", "f", 82.1, 0.2))
    assert beside(OURS, table, "f", "t", METHODS)["within_noise"].tolist() == ["yes", "no", ""]


def test_an_error_of_zero_tells_nothing():
    table = paper(("n2", "A", "f", 70.01, np.nan), ("n1", "B", "f", 80, np.nan))
    found = beside(OURS, table, "f", "t", METHODS)
    assert found["within_noise"].tolist() == ["", "yes", ""]
    assert found["published"].iloc[2] == pytest.approx(0.7001)


@pytest.mark.parametrize(
    ("source", "methods", "message"),
    [("u", {}, "no f in table 'u'; known tables: ..t"), ("t", {"a": "C"}, "no method 'C' in t")],
)
def test_unknown_names(source, methods, message):
    with pytest.raises(InputError, match=message):
        beside(OURS, paper(("n1", "A", "f", 1, 1)), "f", source, methods)


def test_the_papers_table_1_is_whole():
    table = pd.read_csv(ROOT / "resources/published/chlenski2024.tsv", sep="\t")
    assert list(table.columns) == COLUMNS
    assert not table.duplicated(COLUMNS[:5]).any()
    gaussian = table[(table["table"] == "table_1") & (table["dataset"] == "Gaussian")]
    assert len(gaussian) == 16 * 6
    row = gaussian[(gaussian["variant"] == "D2_n800") & (gaussian["method"] == "HyperDT")]
    assert row["value"].tolist() == [91.88]
