"""Which models divide the plane by geodesics, and the Lorentz normals of these."""

import numpy as np

from noneuclid.classifiers.base import MarginClassifier
from noneuclid.classifiers.euclidean_svm import EuclideanSVC
from noneuclid.classifiers.hilbert_svm import HilbertSVC
from noneuclid.classifiers.hyperbolic_kernel_svm import HyperbolicKernelSVC
from noneuclid.classifiers.hyperbolic_logistic import HyperbolicLogisticRegression
from noneuclid.classifiers.poincare_strategic import PoincareStrategicPerceptron
from noneuclid.geometry.charts import CHARTS

# Their boundaries are lines of a chart or of a tangent space, or curves.
_NO_GEODESICS = (EuclideanSVC, HyperbolicKernelSVC, PoincareStrategicPerceptron)


def hyperplane_normals(model):
    """Lorentz normals at curvature -1, shape (n_problems, d + 1); no row if there are none.

    Positive for the second of two classes, for each class in one-vs-rest, and for the second of
    each pair in one-vs-one. Those of a softmax are where the logit of a class is zero.

    Examples
    --------
    >>> from noneuclid import HyperboloidPerceptron
    >>> X = [[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]]
    >>> model = HyperboloidPerceptron(chart="poincare", random_state=0).fit(X, [1, 1, 0, 0])
    >>> hyperplane_normals(model).shape
    (1, 3)
    """
    if isinstance(model, HilbertSVC):
        # In Klein coordinates k the hyperplane is c + w·k = 0, and <(-c, w), x>_L = x_0 (c + w·k).
        in_the_ball = not isinstance(model.polytope, str) and model.chart in CHARTS
        return model.coef_ * _flip(model.coef_) if in_the_ball else model.coef_[:0]
    known = isinstance(model, MarginClassifier | HyperbolicLogisticRegression)
    if not known or isinstance(model, _NO_GEODESICS):
        return np.empty((0, 3))
    return model.coef_


def problem_classes(model):
    """Code of the class that each binary problem sets apart; None for two classes and for pairs.

    Examples
    --------
    >>> from noneuclid import HyperboloidPerceptron
    >>> X = [[0.5, 0.1], [-0.4, 0.3], [-0.4, -0.3]]
    >>> model = HyperboloidPerceptron(chart="poincare", random_state=0).fit(X, [0, 1, 2])
    >>> problem_classes(model), problem_classes(model.set_params(multi_class="ovo"))
    ([0, 1, 2], [None, None, None])
    """
    fitted = model._left.tolist()
    if len(fitted) > 2 and getattr(model, "multi_class", "ovr") == "ovr":
        return fitted
    return [None] * len(model.coef_)


def _flip(coef):
    return np.r_[-1.0, np.ones(coef.shape[1] - 1)]
