"""The Bayesian signed-rank test against closed forms and the authors' program."""

import numpy as np
import pytest

from noneuclid.errors import InputError
from noneuclid_papers.statistics.bayesian_signed_ranks import probabilities

HALF = np.sqrt(0.5)


@pytest.mark.parametrize(
    ("difference", "better", "equal"),
    [
        # One difference z with weight w; 1 - w is of the prior zero and has Beta(1/2, 1):
        # P(1 - w < x) = sqrt(x). Beyond 2 r all pairs with z are above the region: w (2 - w) > 1/2.
        (0.05, np.sqrt(HALF), 1 - np.sqrt(HALF)),
        # Between r and 2 r only the pair (z, z) is: w² > 1/2.
        (0.015, np.sqrt(1 - HALF), 1 - np.sqrt(1 - HALF)),
        (0.005, 0.0, 1.0),
        (-0.05, 0.0, 1 - np.sqrt(HALF)),
    ],
)
def test_one_difference_has_a_closed_form(difference, better, equal):
    found = probabilities([difference], 0.01, draws=40_000)
    assert found == pytest.approx((better, equal, 1 - better - equal), abs=0.01)


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        # baycomp 1.0.3, 50,000 draws: SignedRankTest.probs(zeros, differences, 0.01), reversed.
        ([0.031, -0.0123, 0.0217, 0.0051, 0.0404, -0.0209, 0.0152, 0.0013], (0.541, 0.451, 0.008)),
        ([0.0101, 0.0207, 0.0312, -0.0109, -0.0311, 0.0402], (0.788, 0.086, 0.126)),
    ],
)
def test_the_authors_program_has_the_same_probabilities(differences, expected):
    assert probabilities(differences, 0.01) == pytest.approx(expected, abs=0.015)


def test_methods_that_change_places_change_their_probabilities():
    z = np.array([0.031, -0.0123, 0.0217, 0.0051])
    assert probabilities(z, 0.01) == pytest.approx(probabilities(-z, 0.01)[::-1], abs=0.02)
    assert sum(probabilities(z, 0.01)) == pytest.approx(1)
    assert probabilities(z, 0.01) == probabilities(z, 0.01)


def test_a_mean_at_the_end_of_the_region_counts_half():
    # 0.03 - 0.01 is 0.019999999999999997 in floating point.
    assert probabilities([0.03 - 0.02], 0.01) == probabilities([0.01], 0.01)
    at, above = probabilities([0.01], 0.01), probabilities([0.0101], 0.01)
    assert at[0] == pytest.approx(0, abs=1e-3)  # half of w² is never more than half
    assert above[0] > 0.5


def test_equal_methods_are_practically_equal():
    assert probabilities(np.zeros(12), 0.01) == (0.0, 1.0, 0.0)


@pytest.mark.parametrize(
    ("differences", "equivalence", "message"),
    [([], 0.01, "give some"), ([np.nan], 0.01, "missing"), ([0.1], 0.0, "positive")],
)
def test_bad_input(differences, equivalence, message):
    with pytest.raises(InputError, match=message):
        probabilities(differences, equivalence)
