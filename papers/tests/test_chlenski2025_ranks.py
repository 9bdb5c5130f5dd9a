"""Ranks of methods over the tasks of chlenski2025."""

import numpy as np
import pandas as pd
import pytest

import chlenski2025_all as ranks


def means(scores, kinds):
    """Table of means: a column a method, of ours if its name starts with `our`."""
    lines = [
        {
            "task": f"task {i}",
            "kind": kind,
            "group": "real",
            "source": "ours" if method.startswith("our") else "stored",
            "method": method,
            "mean": values[i],
        }
        for method, values in scores.items()
        for i, kind in enumerate(kinds)
        if np.isfinite(values[i])
    ]
    return pd.DataFrame(lines)


def test_ranks_gaps_and_shares_of_three_methods():
    scores = {"our": [50.0, 2.0], "knn": [60.0, 3.0], "product_rf": [40.0, 4.0]}
    found = pd.DataFrame(ranks.rank_lines(means(scores, "CR"), ["C", "R"], ("real",), "stored"))
    found = found.set_index("method")
    assert found["rank"].to_dict() == {"our": 1.5, "knn": 1.5, "product_rf": 3.0}
    assert found.loc["our", ["rank_low", "rank_high"]].tolist() == [1, 2]
    # 10 points of accuracy, and half the error
    assert found["gap"].to_dict() == pytest.approx({"our": 30, "knn": 22.5, "product_rf": 0})
    assert found.loc["our", "ahead"] == 0.5


def test_a_method_with_a_hole_has_no_rank():
    scores = {"our": [50.0, 2.0], "knn": [60.0, np.nan], "product_rf": [40.0, 4.0]}
    found = pd.DataFrame(ranks.rank_lines(means(scores, "CR"), ["C", "R"], ("real",), "stored"))
    assert sorted(found["method"]) == ["our", "product_rf"]
    found = pd.DataFrame(ranks.rank_lines(means(scores, "CR"), ["C"], ("real",), "stored"))
    assert sorted(found["method"]) == ["knn", "our", "product_rf"]


def test_tasks_with_repaired_labels_take_no_part():
    table = means({"our": [50.0, 70.0], "product_rf": [40.0, 30.0]}, "CC")
    table.loc[table["task"] == "task 1", "task"] = "cora repaired"
    found = pd.DataFrame(ranks.rank_lines(table, ["C"], ("real",), "stored"))
    assert (found["tasks"] == 1).all()


def test_grams_are_those_of_their_kernels():
    X = np.random.default_rng(0).normal(size=(30, 3))
    near, far = ranks.gaussian_gram(None, X, X[:5])
    np.testing.assert_allclose(far, near[:5])
    apart = np.log(near)
    assert apart.mean() == pytest.approx(-1)
    near, far = ranks.product_gram("E3", X, X[:5])
    np.testing.assert_allclose(far, near[:5])
