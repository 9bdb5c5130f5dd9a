"""Corrections for the number of tests."""

import numpy as np

from noneuclid_papers.statistics.rank_tests import holm


def test_holm_by_hand():
    p = np.array([0.04, 0.001, 0.2, 0.015, 0.3])
    # sorted .001 .015 .04 .2 .3 times 5 4 3 2 1, never falling
    np.testing.assert_allclose(holm(p), [0.12, 0.005, 0.4, 0.06, 0.4])
    assert holm([0.6, 0.7]).tolist() == [1.0, 1.0]
