"""Rules of the authors' programs that return printed numbers of chlenski2024."""

import importlib.util

import numpy as np
import pandas as pd
import pytest
from paper_mirror import ROOT

KEPT = pd.read_csv(ROOT / "benchmarks/chlenski2024_released.tsv", sep="\t", dtype=str)
HORO = ["HoroDT", "HoroRF"]


@pytest.fixture(scope="module")
def bench():
    place = ROOT / "benchmarks/chlenski2024_released.py"
    spec = importlib.util.spec_from_file_location("chlenski2024_released", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_of_equal_splits_the_last_axis_and_angle_is_taken(bench):
    angles = np.array([[1.0, 1.0], [1.1, 1.1], [1.2, 1.2], [1.3, 1.3]])
    assert bench.last_best_split(angles, np.array([0, 0, 1, 1])) == (1, 1.1, 1.2)
    assert bench.last_best_split(angles, np.array([0, 1, 1, 0])) == (1, 1.2, 1.3)
    assert bench.last_best_split(np.ones((3, 2)), np.array([0, 1, 1])) is None


@pytest.mark.parametrize(("dimension", "printed"), [(2, 0.891), (8, 0.997)])
def test_hyperdt_returns_the_printed_score(bench, dimension, printed):
    scores = []
    for number in range(10):
        X, y, folds, _ = bench.mixture(dimension, 100, number)
        angles = np.arctan2(X[:, :1], X[:, 1:])
        for train, test in folds:
            tree = bench.grow(X[train], angles[train], y[train], bench.DEPTH)
            scores.append(np.mean(bench.classes(tree, X[test]) == y[test]))
    assert np.mean(scores) == pytest.approx(printed, abs=1e-12)


def test_points_that_are_converted_twice_lie_outside_the_ball(bench):
    X = bench.mixture(4, 100, 0)[0]
    z = bench.converted_twice(X)
    square = (X**2).sum(axis=1)
    np.testing.assert_allclose(z[:, 0], (1 + square) / (1 - square))
    np.testing.assert_allclose(z[:, 1:], 2 * X / (1 - square)[:, None])
    assert (np.linalg.norm(z, axis=1) > 1).all()


def test_random_horospheres_take_the_best_threshold(bench):
    z, y = np.array([[2.0, 0.0], [3.0, 0.0], [4.0, 0.0], [9.0, 0.0]]), np.array([0, 0, 1, 1])
    ideal, threshold = bench.random_horosphere(z, y, np.random.default_rng(0))
    far = bench.is_far(z, ideal, threshold)
    assert far.tolist() == [False, False, True, True]
    tree = bench.grow_horospheres(z, y, 3, np.random.default_rng(0))
    assert np.argmax(bench.support(tree, z), axis=1).tolist() == y.tolist()


def test_each_score_of_trees_and_each_p_value_between_them_is_the_printed_one():
    fixed = KEPT[~KEPT["method"].isin(HORO)]
    assert len(fixed[fixed["table"] == "table_1"]) == 64
    scores = fixed[fixed["table"] == "table_1"]
    assert (scores["same"] == "yes").all()


def test_the_kept_imitations_have_the_numbers_of_the_rules():
    imitated = pd.read_csv(ROOT / "resources/reproduced/imitations.tsv", sep="\t")
    gaussian = (imitated["paper"] == "chlenski2024") & (imitated["dataset"] == "Gaussian")
    imitated = imitated[gaussian]
    ours = KEPT.set_index(["table", "variant", "method"])["ours"].astype(float)
    places = pd.MultiIndex.from_frame(imitated[["table", "variant", "method"]])
    assert len(places) == 80
    assert imitated["with_ours"].to_numpy() == pytest.approx(ours.loc[places].to_numpy(), abs=1e-9)
