"""The stage that draws disks."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from noneuclid import PoincareSVC
from noneuclid.geometry import charts
from noneuclid_compare.stages import draw

X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
Y = ["a", "a", "b", "b"]


def test_reference_points_are_those_of_the_models_in_the_unit_disk():
    flat, svm = LogisticRegression().fit(X, Y), PoincareSVC(chart="poincare").fit(X, Y)
    found = draw.references([{"estimator": flat}, {"estimator": svm}])
    expected = charts.convert(svm.reference_points_, "hyperboloid", "poincare")
    assert found[:, 0].tolist() == [1] * len(expected)
    assert found[:, 1:] == pytest.approx(expected)
    assert draw.references([{"estimator": flat}]).shape == (0, 3)
