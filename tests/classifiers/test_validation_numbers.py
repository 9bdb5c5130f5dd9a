"""Numbers that are not finite, or far from 1, end in a line that says where, not in a search."""

import numpy as np
import pandas as pd
import pytest
from cases import each_of
from sklearn.utils import get_tags
from sklearn.utils._param_validation import InvalidParameterError

import noneuclid
from noneuclid.errors import InputError
from noneuclid.solvers.linear.liblinear import linear_svm

RNG = np.random.default_rng(0)
X = RNG.dirichlet([5, 5, 5], size=12)  # compositions, which are legal in every chart
y = np.arange(12) % 2
CLASSIFIERS = [name for name in noneuclid.__all__ if hasattr(getattr(noneuclid, name), "predict")]
CLASSIFIERS.remove("MarginClassifier")  # a base class
CLASSIFIERS.remove("HedgedClassifier")  # reads what the classifier reads that it wraps
CLASSIFIERS.remove("ConformalClassifier")
CHARTS = {name: "tangent" for name in CLASSIFIERS if name.startswith("Hilbert")}
BOUNDED = ["EuclideanSVC", "HilbertSVC", "HyperboloidSVC", "PoincareSVC"]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@each_of("name", CLASSIFIERS)
@each_of(("value", "word"), [(np.nan, "NaN"), (-np.inf, "-inf")])
def test_a_number_that_is_not_finite_is_named_by_row_and_column(name, value, word):
    bad = X.copy()
    bad[7, 1] = value
    chart = {} if name.startswith("Product") else {"chart": CHARTS.get(name, "poincare")}
    model = getattr(noneuclid, name)(**chart)
    if np.isnan(value) and get_tags(model).input_tags.allow_nan:
        return
    line = (
        f"^X at row 7, column 1 is {word}, but a point needs all of its coordinates; drop the row "
    )
    with pytest.raises(InputError, match=line):
        model.fit(bad, y)
    model.fit(X, y)
    with pytest.raises(InputError, match=line):
        model.predict(bad)


@each_of("name", BOUNDED)
@each_of("C", [1e-300, 1e-11, 1e11, 1e300])
def test_a_weight_out_of_range_is_refused(name, C):
    with pytest.raises((InputError, InvalidParameterError), match=r"C'? (=|parameter)") as caught:
        getattr(noneuclid, name)(C=C).fit(X, y)
    assert "\n" not in str(caught.value)


@each_of("name", BOUNDED)
@each_of("C", [1e-10, 10**10])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_ends_of_the_range_are_legal(name, C):
    assert set(getattr(noneuclid, name)(C=C).fit(X, y).predict(X)) <= {0, 1}


# LIBLINEAR did not return on these.
@pytest.mark.parametrize(
    ("C", "scale"), [(1e-200, 1), (1e200, 1), (1e-20, 1e-150), (1e100, 1e20), (1e-10, 1e100)]
)
def test_liblinear_is_not_given_what_it_cannot_solve(C, scale):
    with pytest.raises(InputError, match=r"C = .* on coordinates up to .* is beyond double prec"):
        linear_svm(X * scale, 2.0 * y - 1, C)


def test_liblinear_takes_points_at_the_origin():
    assert linear_svm(np.zeros((4, 2)), np.array([1.0, -1, 1, -1]), 1.0).w.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("labels", "missing"),
    [
        (np.array([0.0, 1.0, np.nan, 1.0]), "nan"),
        (np.array(["a", "b", None, "a"], dtype=object), "None"),
        (pd.Series(["a", "b", pd.NA, "a"], dtype="string"), "<NA>"),
    ],
)
def test_a_missing_label_is_named_with_its_row(labels, missing):
    with pytest.raises(InputError, match=rf"^y at row 2 is {missing}, but each row needs a label"):
        noneuclid.HyperboloidSVC().fit(np.eye(4)[:, :2], labels)
