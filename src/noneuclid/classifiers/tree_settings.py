"""Settings of the hyperbolic tree methods beyond those of scikit-learn's classes."""

from noneuclid.classifiers.default_chart import CONSTRAINTS
from noneuclid.classifiers.sklearn_private import StrOptions

OWN = {
    "chart": (None, CONSTRAINTS["chart"]),
    "curvature": (1.0, CONSTRAINTS["curvature"]),
    "precision": ("float32", [StrOptions({"float32", "float64"})]),
}
"""Default and constraint of each."""
