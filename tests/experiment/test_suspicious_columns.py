"""Columns that copy the target."""

import numpy as np

from noneuclid.experiment.first_look.suspicious import copies_of

RNG = np.random.default_rng(0)


def test_one_outlier_in_both_columns_makes_no_copy():
    y, x = RNG.normal(size=(2, 200))
    for size in (1e3, 1e4, 1e8):
        y[7] = x[7] = size
        assert copies_of(y, x[:, None]) == ([], [])


def test_copies_with_an_outlier_are_found():
    y = RNG.normal(size=200)
    y[7] = 1e3
    assert copies_of(y, np.column_stack([5 - 2 * y, y + RNG.normal(0, 0.03, 200)])) == ([0], [1])
