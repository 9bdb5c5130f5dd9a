"""Strategic perceptron on the Poincaré ball."""

from numbers import Real
from typing import TYPE_CHECKING, Unpack

import numpy as np

from noneuclid.classifiers import reference_rules
from noneuclid.classifiers.parameter_types import StrategicParameters
from noneuclid.classifiers.poincare_online import PoincareOnlineClassifier
from noneuclid.classifiers.sklearn_private import Interval
from noneuclid.solvers.perceptrons.strategic import TOLERANCE, Strategic


class PoincareStrategicPerceptron(
    PoincareOnlineClassifier, own={"budget": 1.0, "tol": TOLERANCE, "n_iter_no_change": None}
):
    r"""Perceptron for rows reported by agents who move to be classified as positive.

    Algorithm 5 of [1]_ on :math:`v_i`, the tangent vector at p whose length is the distance of
    :math:`x_i`: a row is positive if :math:`\langle w,v_i\rangle/\lVert w\rVert \ge \alpha`, the
    farthest that an agent moves. X holds the reported positions, not the true ones; with agents who
    respond to each w in turn there are at most `mistake_bounds.strategic` mistakes (theorem V.2),
    see `strategic_agents.play_game`. The boundary is a plane of the tangent space at p; for
    :math:`\alpha > 0` it is not a geodesic hyperplane.

    Parameters
    ----------
    budget : float >= 0, default=1.0
        α, in units of the distance in X's space (of curvature -K).
    tol : float >= 0, default=1e-9
        In units of 1/sqrt(K): a row this near to <w,v>/|w| = α counts as on that line, and as
        positive.
    class_weight, multi_class, calibration, chart, curvature, random_state, n_jobs, verbose
        As for `PoincarePerceptron`.
    reference_point, max_iter, max_updates, n_iter_no_change, average, shuffle
        As for `PoincarePerceptron`; `n_iter_no_change` is None by default. Agents aim at the class
        that counts as positive: the second of two, in one-vs-rest each in turn, in one-vs-one the
        later of a pair.

    Attributes
    ----------
    classes_, reference_points_, reference_rules_, n_updates_, n_steps_, n_iter_, status_
        As for `PoincarePerceptron`.
    weights_, weight_sums_, calibration_
        As for `PoincarePerceptron`.
    coef_, coef_last_, coef_mean_ : ndarray, shape (n_problems, d + 1)
        Lorentz normals of the hyperplanes through p with normal w; the score is
        <w,v>/|w| - sqrt(K) α + tolerance.

    Warns
    -----
    ConvergenceWarning
        If the last pass of `fit` still made mistakes.

    See Also
    --------
    PoincarePerceptron : For rows that no agent has moved.

    References
    ----------
    .. [1] C. Pan, E. Chien, P. Tabaghi, J. Peng, O. Milenkovic, Provably accurate and scalable
       linear classifiers in hyperbolic spaces, 2023. Differs in: a tolerance where [1]_ requires
       equality, several passes, averaging.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import PoincareStrategicPerceptron
    >>> X = np.array([[0.7, 0.1], [0.8, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> model = PoincareStrategicPerceptron(
    ...     budget=0.5, reference_point="origin", chart="poincare", random_state=0
    ... ).fit(X, [1, 1, 0, 0])
    >>> model.predict([[0.9, 0.0], [0.1, 0.0]])  # the second may have been at the origin
    array([1, 0])
    """

    if TYPE_CHECKING:

        def __init__(self, **parameters: Unpack[StrategicParameters]) -> None: ...

    _parameter_constraints = {  # noqa: RUF012
        **PoincareOnlineClassifier._parameter_constraints,
        "budget": [Interval(Real, 0, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
    }
    _extra_names = ("reference_points",)

    def _rule(self):
        return Strategic(float(np.sqrt(self.curvature) * self.budget), float(self.tol))

    def _vectors(self, points, place):
        seen = reference_rules.seen_from(points, place)
        sinh = np.linalg.norm(seen, axis=1, keepdims=True)
        return seen * np.where(sinh == 0, 1.0, np.arcsinh(sinh) / np.where(sinh == 0, 1.0, sinh))

    def _block_scores(self, points, coefs, reference_points):
        found = np.empty((len(points), len(coefs)))
        for k, (coef, place) in enumerate(zip(coefs, reference_points, strict=True)):
            w = reference_rules.seen_from(coef[None], place)[0]
            found[:, k] = self._rule().scores(self._vectors(points, place), w)
        return found

    def _distances(self, X):
        # From the line that the scores have at the budget, along geodesics through the point.
        return self._scores(self._to_points(X))[:, 0] / np.sqrt(self.curvature)

    def _boundary_normals(self):
        return np.empty((0, 3))  # lines of a tangent space
