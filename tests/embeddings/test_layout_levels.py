"""Levels of HyperbolicUMAP: samples, starts near the sample, epochs, threads, order of rows."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from noneuclid import HyperbolicUMAP, geometry
from noneuclid.embeddings import ball_layout, landmark_lists, layout_levels

RNG = np.random.default_rng(5)
LABELS = np.arange(600) % 4
X = (6.0 * RNG.normal(size=(4, 6)))[LABELS] + RNG.normal(size=(600, 6))
SETTINGS = {"n_neighbors": 8, "n_landmarks": 30, "n_epochs": 20, "random_state": 0}


@pytest.fixture
def calls(monkeypatch):
    """Arguments of each layout, in a model of three levels."""
    found, searched = [], []

    def list_neighbours(rows, lists, *rest, among=None, **bar):
        if among is None:
            searched.append((rows, lists))
        return landmark_lists.list_neighbours(rows, lists, *rest, among=among, **bar)

    def lay_out(graph, start, landmarks, forces, epochs, *rest):
        points = ball_layout.lay_out(graph, start, landmarks, forces, epochs, *rest)
        rows, lists = searched[-1]
        # The stress of each row is with its own landmark.
        np.testing.assert_array_equal(landmarks.which, cdist(rows, lists.centres).argmin(axis=1))
        found.append((rows, start, landmarks, epochs, points))
        return points

    monkeypatch.setattr(layout_levels, "AT_ONCE", 100)
    monkeypatch.setattr(layout_levels, "list_neighbours", list_neighbours)
    monkeypatch.setattr(layout_levels, "lay_out", lay_out)
    return found


@pytest.mark.slow
def test_each_level_begins_at_the_places_of_the_one_before(calls):
    model = HyperbolicUMAP(**SETTINGS).fit(X)
    assert [len(start) for _, start, *_ in calls] == [37, 150, 600]
    assert [epochs for *_, epochs, _ in calls] == [20, 20, 20]
    for (*_, before), (_, start, landmarks, _, _) in pairwise(calls):
        apart = geometry.pairwise_distances(start, before)
        assert (apart.min(axis=0) == 0).all()  # the sample keeps its places
        assert np.median(apart.min(axis=1)) < 0.2  # the others begin at one of them
        assert apart.min(axis=1).max() < 0.5
        assert len(landmarks.which) == len(start) == len(np.unique(start, axis=0))
    np.testing.assert_array_equal(np.sort(calls[-1][-1], axis=0), np.sort(model.embedding_, axis=0))


@pytest.mark.parametrize(("negatives", "expected"), [(None, [3.0, 5.0, 5.0]), (2, [2.0, 2.0, 2.0])])
def test_the_push_grows_with_the_level(monkeypatch, calls, negatives, expected):
    pushes, real = [], layout_levels.lay_out

    def lay_out(graph, start, landmarks, forces, *rest):
        pushes.append(forces.push)
        return real(graph, start, landmarks, forces, *rest)

    monkeypatch.setattr(layout_levels, "lay_out", lay_out)
    model = HyperbolicUMAP(**SETTINGS, negative_sample_rate=negatives).fit(X)
    assert pushes == expected
    assert model._rule.forces["push"] == expected[-1]


def test_a_row_begins_in_its_own_cloud(calls):
    HyperbolicUMAP(**SETTINGS, stress_weight=0.0).fit(X)
    *_, last = calls
    _, start, landmarks, *_ = last
    apart = geometry.pairwise_distances(start)
    np.fill_diagonal(apart, np.inf)
    # Landmarks lie in one cloud each; rows of one landmark begin nearest to rows of its cloud.
    wanted = landmarks.wanted[landmarks.which, landmarks.which[apart.argmin(axis=1)]]
    assert np.median(wanted) < landmarks.mean / 4


@pytest.mark.parametrize("kernel", ball_layout.KERNELS)
def test_clouds_stay_apart(monkeypatch, kernel):
    monkeypatch.setattr(layout_levels, "AT_ONCE", 100)
    model = HyperbolicUMAP(kernel=kernel, **SETTINGS).fit(X)
    apart = geometry.pairwise_distances(model.embedding_)
    np.fill_diagonal(apart, np.inf)
    assert (LABELS[apart.argmin(axis=1)] == LABELS).mean() > 0.99
    new = X[:40] + 0.1
    nearest = geometry.pairwise_distances(model.transform(new), model.embedding_).argmin(axis=1)
    assert (LABELS[nearest] == LABELS[:40]).all()


def test_results_depend_neither_on_threads_nor_on_the_order_of_rows(monkeypatch):
    monkeypatch.setattr(layout_levels, "AT_ONCE", 100)
    monkeypatch.setattr(layout_levels, "_BLOCK", 16)
    one = HyperbolicUMAP(**SETTINGS).fit_transform(X)
    np.testing.assert_array_equal(one, HyperbolicUMAP(**SETTINGS, n_jobs=3).fit_transform(X))
    order = np.random.default_rng(0).permutation(len(X))
    np.testing.assert_array_equal(HyperbolicUMAP(**SETTINGS).fit_transform(X[order]), one[order])


def test_equal_rows_do_not_fill_the_sample(calls):
    """Nor do rows of zeros with the seed 0, and all equal rows part."""
    for value in (0.0, 7.0):
        equal = np.where(np.arange(600)[:, None] % 3 == 0, value, X)
        calls.clear()
        points = HyperbolicUMAP(**SETTINGS).fit_transform(equal)
        sample = calls[0][0]
        assert len(np.unique(sample, axis=0)) == len(sample) == 37
        assert len(np.unique(points, axis=0)) == 600
        some = np.arange(600) % 3 > 0
        apart = geometry.pairwise_distances(points[some])
        np.fill_diagonal(apart, np.inf)
        assert (LABELS[some][apart.argmin(axis=1)] == LABELS[some]).mean() > 0.99
        inside = LABELS[some][:, None] == LABELS[some]
        np.fill_diagonal(apart, 0.0)
        assert 2 * np.median(apart[inside]) < np.median(apart[~inside])


def test_a_sample_of_a_large_table_is_no_larger_than_what_is_laid_out_at_once():
    assert layout_levels.sizes(200_000) == [200_000]
    for n in (200_001, 10**6, 10**7):
        found = layout_levels.sizes(n)
        assert found[-1] == n
        assert found[0] <= layout_levels.AT_ONCE
        assert all(b // 4 == a for a, b in pairwise(found))
