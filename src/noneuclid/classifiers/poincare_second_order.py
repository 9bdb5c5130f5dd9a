"""Second-order perceptron on the Poincaré ball."""

from numbers import Real
from typing import TYPE_CHECKING, Unpack

from noneuclid.classifiers.parameter_types import SecondOrderParameters
from noneuclid.classifiers.poincare_online import PoincareOnlineClassifier
from noneuclid.classifiers.sklearn_private import Interval
from noneuclid.solvers.perceptrons.second_order import SecondOrder


class PoincareSecondOrderPerceptron(PoincareOnlineClassifier, own={"alpha": 0.0}):
    r"""Perceptron through p that whitens by the correlation of its earlier mistakes.

    Algorithm 4 of [1]_:

    .. math:: w = \left(a I + \sum_j z_j z_j^T\right)^{-1} \sum_j y_j z_j

    over the misclassified rows :math:`z_j = \eta_j \log_p(x_j)`. It needs fewer updates than
    `PoincarePerceptron`, at :math:`O(d^2)` each. For a > 0 and classes with margin ε they are at
    most :math:`\sqrt{(a + \lambda_w) \sum_j \log(1 + \lambda_j/a)} / \sinh\varepsilon` (theorem
    V.1; `mistake_bounds.second_order`).

    Parameters
    ----------
    alpha : float >= 0, default=0.0
        0 uses the pseudo-inverse, as in the paper's experiments, without a parameter or bound.
    class_weight, multi_class, calibration, chart, curvature, random_state, n_jobs, verbose
        As for `PoincarePerceptron`.
    reference_point, max_iter, max_updates, n_iter_no_change, average, shuffle
        As for `PoincarePerceptron`; `average` uses the mean of w/|w|, because the length of w
        decreases and the first steps would dominate.

    Attributes
    ----------
    classes_, coef_, coef_last_, coef_mean_, reference_points_, reference_rules_, n_updates_
        As for `PoincarePerceptron`.
    n_steps_, n_iter_, status_, weights_, weight_sums_, calibration_
        As for `PoincarePerceptron`.
    inverses_ : ndarray, shape (n_problems, d, d)
        (a I + Σ z_j z_jᵀ)⁻¹, for a = 0 the pseudo-inverse.
    moments_ : ndarray, shape (n_problems, d)
        Σ y_j z_j.
    outsides_, ranks_ : ndarray, shapes (n_problems, d, d), (n_problems, 1)
        For a = 0 the projector onto the complement of the mistakes' span, and the span's dimension.
    lost_ : ndarray of int, shape (n_problems, 1)
        Updates that found the inverse indefinite.

    Warns
    -----
    ConvergenceWarning
        If the last pass of `fit` still made mistakes, or rounding made the inverse indefinite,
        which can occur if the distances of rows from p differ by 18 or more.

    See Also
    --------
    PoincarePerceptron : First order.

    References
    ----------
    .. [1] C. Pan, E. Chien, P. Tabaghi, J. Peng, O. Milenkovic, Provably accurate and scalable
       linear classifiers in hyperbolic spaces, 2023. Differs in: rank-one updates of the inverse,
       several passes, averaging.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import PoincareSecondOrderPerceptron
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> model = PoincareSecondOrderPerceptron(alpha=1.0, chart="poincare", random_state=0)
    >>> model.fit(X, [1, 1, 0, 0]).predict([[0.9, 0.0], [-0.9, 0.0]])
    array([1, 0])
    """

    if TYPE_CHECKING:

        def __init__(self, **parameters: Unpack[SecondOrderParameters]) -> None: ...

    _parameter_constraints = {  # noqa: RUF012
        **PoincareOnlineClassifier._parameter_constraints,
        "alpha": [Interval(Real, 0, None, closed="left")],
    }

    def _rule(self):
        return SecondOrder(float(self.alpha))

    def _outcome(self, learner, w, place, kept, n_iter, status, warning):
        if lost := learner.memory["lost"][0]:
            warning = (
                f"the inverse was indefinite in {lost} updates: rows differ too much in their "
                "distance from the reference point; raise a, move the point, or use "
                "PoincarePerceptron"
            )
        return super()._outcome(learner, w, place, kept, n_iter, status, warning)
