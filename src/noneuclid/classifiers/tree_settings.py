"""Settings of the hyperbolic tree methods beyond those of scikit-learn's classes."""

from numbers import Real

from noneuclid.classifiers.sklearn_private import Interval, StrOptions
from noneuclid.geometry.charts import CHARTS

OWN = {
    "chart": (None, [StrOptions(set(CHARTS)), None]),
    "curvature": (1.0, [Interval(Real, 0, None, closed="neither")]),
    "precision": ("float32", [StrOptions({"float32", "float64"})]),
}
"""Default and constraint of each."""
