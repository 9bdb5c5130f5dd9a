"""Neighbours by lists of landmarks, against all distances."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from noneuclid.embeddings import landmark_lists
from noneuclid.embeddings.in_blocks import threads

RNG = np.random.default_rng(5)
CENTRES = 6.0 * RNG.normal(size=(4, 6))
X = CENTRES[np.arange(120) % 4] + RNG.normal(size=(120, 6))
NEW = CENTRES[np.arange(12) % 4] + RNG.normal(size=(12, 6))


def sorted_rows(rows, count):
    """Rows in the order of their lists, and the lists."""
    rows = rows[landmark_lists.hashed_order(rows, 0)]
    with threads(2) as pool:
        lists, order = landmark_lists.sort_into_lists(rows, count, pool)
    return rows[order], lists


def search(rows, lists, count, **settings):
    """`list_neighbours` by two threads."""
    with threads(2) as pool:
        return landmark_lists.list_neighbours(rows, lists, count, pool, **settings)


@pytest.mark.parametrize("least", [8192, 40])
def test_lists_find_neighbours(monkeypatch, least):
    monkeypatch.setattr(landmark_lists, "CANDIDATES", least)
    monkeypatch.setattr(landmark_lists, "_MORE", 1)
    rows, lists = sorted_rows(X, 12)
    nearest, lengths = search(rows, lists, 5)
    assert np.array_equal(np.sort(rows, axis=0), np.sort(X, axis=0))
    apart = cdist(rows, rows)
    np.testing.assert_allclose(lengths, np.take_along_axis(apart, nearest.astype(int), axis=1))
    np.fill_diagonal(apart, np.inf)
    expected = np.sort(apart, axis=1)[:, :5]
    right = np.isclose(lengths, expected)
    assert right.all() if least > len(X) else right.mean() > 0.85
    new = landmark_lists.neighbours_of_new(NEW, rows, lists, 5)
    right = np.isclose(new[1], np.sort(cdist(NEW, rows), axis=1)[:, :5])
    assert right.all() if least > len(X) else right.mean() > 0.85
    np.testing.assert_allclose(new[1], np.linalg.norm(NEW[:, None] - rows[new[0]], axis=2))


@pytest.mark.parametrize(("per_root", "expected"), [(16, 8192), (50, 10_000)])
def test_so_many_rows_are_searched(monkeypatch, per_root, expected):
    monkeypatch.setattr(landmark_lists, "_PER_ROOT", per_root)
    rows = np.random.default_rng(0).normal(size=(40_000, 3))
    rows, lists = sorted_rows(rows, 400)
    asked, real = [], landmark_lists.Lists.candidates

    def candidates(self, which, least):
        found = real(self, which, least)
        asked.append(least)
        assert least <= len(found) < least + 2000
        return found

    monkeypatch.setattr(landmark_lists.Lists, "candidates", candidates)
    search(rows, lists, 5)
    assert set(asked) == {expected}
    asked.clear()
    landmark_lists.neighbours_of_new(rows[:20] + 0.01, rows, lists, 5)
    assert set(asked) == {3 * expected}


@pytest.mark.parametrize("least", [1024, 30])
def test_neighbours_among_other_rows_by_the_same_landmarks(least):
    rows, lists = sorted_rows(X, 12)
    which = np.repeat(np.arange(len(lists.centres)), np.diff(lists.starts))
    chosen = np.flatnonzero(np.random.default_rng(1).random(len(rows)) < 0.6)
    others = rows[chosen]
    among = others, landmark_lists.make_lists(lists.centres, which[chosen]), least
    nearest, lengths = search(rows, lists, 4, among=among)
    apart = cdist(rows, others)
    np.testing.assert_allclose(lengths, np.take_along_axis(apart, nearest.astype(int), axis=1))
    right = np.isclose(lengths, np.sort(apart, axis=1)[:, :4])
    assert right.all() if least > len(X) else right.mean() > 0.85
    # A row that is among the others is its own neighbour.
    np.testing.assert_array_equal(nearest[chosen, 0], np.arange(len(chosen)))


def test_lists_may_be_empty():
    centres = np.array([[0.0], [10.0], [20.0]])
    lists = landmark_lists.make_lists(centres, np.array([0, 0, 2]))
    np.testing.assert_array_equal(lists.starts, [0, 2, 2, 3])
    nearest, lengths = search(np.array([[0.0], [1.0], [20.0]]), lists, 2)
    np.testing.assert_array_equal(nearest, [[1, 2], [0, 2], [1, 0]])
    np.testing.assert_array_equal(lengths, [[1, 20], [1, 19], [19, 20]])


def test_rows_are_ordered_at_random_by_their_values():
    """For the seed 0 and for sparse rows, too."""
    rng = np.random.default_rng(3)
    rows = np.log1p(rng.poisson(0.3, size=(4000, 8)).astype(float))
    zeros = rows.copy()
    zeros[: len(rows) // 4] = 0.0
    for seed in (0, 1):
        ordered = rows[landmark_lists.hashed_order(rows, seed)]
        _, first = np.unique(ordered, axis=0, return_index=True)
        distinct = ordered[np.sort(first)]
        part = distinct[: len(distinct) // 4]
        error = distinct.std(axis=0) / np.sqrt(len(part))
        assert (np.abs(part.mean(axis=0) - distinct.mean(axis=0)) < 4 * error).all()
        place = np.flatnonzero(~zeros[landmark_lists.hashed_order(zeros, seed)].any(axis=1))[0]
        assert place > 0


def test_a_sample_has_different_rows_first():
    rows = np.repeat(X, np.arange(120) % 4 + 1, axis=0)
    rows = rows[landmark_lists.hashed_order(rows, 0)]
    rank = landmark_lists.sample_rank(rows)
    assert np.array_equal(np.sort(rank), np.arange(len(rows)))
    assert len(np.unique(rows[rank < 120], axis=0)) == 120
    assert len(np.unique(rows[rank < 50], axis=0)) == 50
