"""Tests of the scores after isometries, as curvature_isometries.tsv has them."""

import numpy as np
import pytest
from score_rows import FLAT, moved_scores

import curvature
from curvature_moved import judged_moves


def found(changes=None, datasets=("d", "e")):
    return judged_moves(*moved_scores(changes, datasets), [], "accuracy", None)


def test_methods_by_how_they_depend_on_isometries():
    table = found()
    assert set(curvature.MOVED) <= set(table)
    answers = dict(zip(table["method"], table["depends"], strict=True))
    assert answers == {"flat": "yes", "noisy": "open", "tiny": "nearly", "invariant": "no"}
    # The strongest dependence first; each method at each distance.
    assert list(answers) == ["flat", "noisy", "tiny", "invariant"]
    flat = table[table["method"] == "flat"]
    np.testing.assert_allclose(flat["difference"], [-0.038, -0.076])
    assert (flat["low"] < flat["difference"]).all()
    assert (flat["difference"] < flat["high"]).all()
    assert (flat["high"] < 0).all()
    assert (flat["p"] < 0.05).all()


def test_a_higher_score_after_an_isometry_is_a_dependence_too():
    table = found({"gains": [-gap for gap in FLAT]})
    assert table["depends"].tolist() == ["yes", "yes"]
    assert (table["low"] > 0).all()


def test_ten_data_sets_are_the_units():
    table = found({"flat": FLAT}, [f"d{k}" for k in range(10)])
    # All ten lose the same: of 1,024 choices of signs two are as extreme, at each of two distances.
    assert table["p"].tolist() == pytest.approx([2 * 2 / 1024] * 2)


def test_one_fold_decides_nothing():
    table = found({"flat": [-0.1]}, ("d",))
    assert table["depends"].unique() == ["open"]
    assert table["low"].isna().all()
