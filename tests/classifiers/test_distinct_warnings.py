"""Warnings that are given once, after the block that caused them."""

import warnings

import pytest

from noneuclid.estimator import distinct_warnings


def warn(*texts, error=False):
    with distinct_warnings("Mine"):
        for text in texts:
            warnings.warn(text, stacklevel=1)
        if error:
            raise ValueError("stop")


def test_each_is_given_once_where_it_was_caused():
    with pytest.warns(UserWarning, match=r"a|b") as found:
        warn("a", "b", "a")
    assert sorted(str(w.message) for w in found) == ["Mine: a", "Mine: b"]
    assert {w.filename for w in found} == {__file__}


def test_an_error_does_not_swallow_them():
    with pytest.warns(UserWarning, match="Mine: a"), pytest.raises(ValueError, match="stop"):
        warn("a", error=True)


def test_filters_may_name_the_module():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", module=__name__)
        warn("a")
