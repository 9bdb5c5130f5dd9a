"""Perceptron on the hyperboloid."""

import numpy as np

from noneuclid.classifiers.perceptron_base import OnlineClassifier
from noneuclid.classifiers.sklearn_private import StrOptions
from noneuclid.solvers.perceptrons.mistake_driven import Plain

_IDLE, _STEPS = 5, 80_000  # of n_iter_no_change="auto"


class HyperboloidPerceptron(OnlineClassifier, own={"n_iter_no_change": "auto"}):
    r"""Perceptron among all hyperplanes of the hyperboloid, without a reference point.

    Algorithm 8 of [1]_:

    .. math:: w \leftarrow w + y_i H x_i, \qquad H = \operatorname{diag}(-1,\; 1,\; \ldots,\; 1),

    at each mistake :math:`y_i \langle w, x_i\rangle_L \le 0`. If
    :math:`\langle w^*, w^*\rangle_L = 1` and
    :math:`y_i \operatorname{asinh}\langle w^*, x_i\rangle_L \ge \varepsilon`, and
    :math:`\lVert x_i\rVert \le R` in :math:`\mathbb{R}^{d+1}`, there are at most
    :math:`(R \lVert w^*\rVert / \sinh\varepsilon)^2` updates (theorem .1).

    Parameters
    ----------
    max_updates : int, "bound", "weber" or None, default=None
        As for `PoincarePerceptron`: "bound" is that of theorem .1, "weber" 1/sinh ε, both for the
        hyperplane with the least |w*|/sinh ε, rounded up.
    n_iter_no_change : int, "auto" or None, default="auto"
        As for `PoincarePerceptron`. "auto" is 5 + 80,000 / n: far rows make steps so long that the
        mean of w settles after many steps only.
    max_iter, average, shuffle, class_weight, multi_class, calibration
        As for `PoincarePerceptron`.
    chart, curvature, random_state, n_jobs, verbose
        As for `PoincarePerceptron`.

    Attributes
    ----------
    classes_, n_updates_, n_steps_, n_iter_, status_, calibration_
        As for `PoincarePerceptron`.
    coef_, coef_last_, coef_mean_ : ndarray, shape (n_problems, d + 1)
        w, last or mean, time coordinate first: the score of x is <w, sqrt(K) x>_L. During training,
        w can be timelike; all points then have one label.
    weights_, weight_sums_ : ndarray, shape (n_problems, d + 1)

    Raises
    ------
    InputError
        If a row of X does not satisfy the chart, or y holds one class.

    Warns
    -----
    ConvergenceWarning
        If the last pass of `fit` still made mistakes.

    See Also
    --------
    PoincarePerceptron : Through a reference point.
    HyperboloidSVC : The same hyperplanes, with a margin.

    References
    ----------
    .. [1] C. Pan, E. Chien, P. Tabaghi, J. Peng, O. Milenkovic, Provably accurate and scalable
       linear classifiers in hyperbolic spaces, 2023. Differs in: several passes, averaging.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HyperboloidPerceptron
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> model = HyperboloidPerceptron(chart="poincare", random_state=0).fit(X, [1, 1, 0, 0])
    >>> model.predict([[0.9, 0.0], [-0.9, 0.0]])
    array([1, 0])
    """

    _parameter_constraints = {  # noqa: RUF012
        **OnlineClassifier._parameter_constraints,
        "max_updates": [
            *OnlineClassifier._parameter_constraints["max_updates"],
            StrOptions({"bound", "weber"}),
        ],
        "n_iter_no_change": [
            *OnlineClassifier._parameter_constraints["n_iter_no_change"],
            StrOptions({"auto"}),
        ],
    }

    def _rule(self):
        return Plain()

    def _most_idle(self, n):
        auto = self.n_iter_no_change == "auto"
        return _IDLE + _STEPS // n if auto else self.n_iter_no_change

    def _vectors(self, points, place):
        return points * np.r_[-1.0, np.ones(points.shape[1] - 1)]

    def _normal(self, w, place):
        return w
