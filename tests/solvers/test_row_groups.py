"""Sums of rows by group: loops of the plane and those of any dimension, and sums of sizes."""

import numpy as np
import pytest

from noneuclid.solvers.hyperboloid.certified.slices.time_slices import Groups, HingeSlices


def plane(seed, n=500):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 3)) * [2.0, 1.0, 1.0], rng.uniform(0.5, 2.0, n)


@pytest.mark.parametrize("weighted", [False, True])
def test_rows_of_the_plane_have_the_sums_of_rows_in_more_dimensions(weighted):
    """The same digits with a column of zeros, for which the loops are those of any dimension."""
    rows, weights = plane(0)
    weights = weights if weighted else None
    short, long = Groups(rows, weights), Groups(np.column_stack([rows, np.zeros(500)]), weights)
    for seed in range(5):
        w = np.random.default_rng(seed).normal(size=3)
        hinges = short.evaluate_hinge(w, 1.0), long.evaluate_hinge(np.append(w, 0.0), 1.0)
        assert hinges[0] == hinges[1]
        np.testing.assert_array_equal(short.ids, long.ids)
        np.testing.assert_array_equal(short.counts, long.counts)
        np.testing.assert_array_equal(short.sums, long.sums[:, :3])
    margins = 1.0 - rows @ w
    expected = np.maximum(0.0, margins) @ (np.ones(500) if weights is None else weights)
    assert hinges[0] == pytest.approx(expected, rel=1e-13)
    assert short.ids.max() > 3


@pytest.mark.parametrize("weighted", [False, True])
def test_pieces_are_measured_anew_after_each_split(weighted):
    rows, weights = plane(1)
    slices = HingeSlices(rows, 2.0, weights if weighted else None)
    slices.find_shifts = lambda: np.arange(500.0)
    q = weights if weighted else np.ones(500)
    for seed in range(4):
        slices.evaluate_loss(np.random.default_rng(seed).normal(size=3), 1e-3)
        sizes, shifts, many = slices.measure_pieces()
        assert len(many) == len(slices.groups.counts)
        for k in range(len(many)):
            members = np.flatnonzero(slices.groups.ids == k)
            assert many[k] == len(members)
            assert shifts[k] == members.sum()
            assert sizes[k] == pytest.approx((q[members, None] * np.abs(rows[members])).sum())
    assert len(many) > 8
