"""Perceptron on the Poincaré ball."""

from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from noneuclid.classifiers import reference
from noneuclid.classifiers.base import BinaryFit, MarginClassifier
from noneuclid.solvers import perceptron


class PoincarePerceptron(MarginClassifier):
    """Perceptron among the hyperbolic hyperplanes through a reference point p.

    Algorithm 1 of [1]_: w <- w + y_i η_i log_p(x_i) at each mistake y_i <log_p(x_i), w> <= 0
    (eq. 18). The vectors z_i = η_i log_p(x_i) are the spatial coordinates of x_i after the
    boost that carries p to the origin. If a hyperplane through p separates the classes with
    margin ε, and all points are within Poincaré radius R_p of p, there are at most
    (2 R_p / ((1 - R_p²) sinh ε))² updates (theorem IV.1).

    Parameters
    ----------
    reference_point : {"auto", "hulls", "hull vertices", "midpoint of means", "origin"} or \
array-like, default="auto"
        p, as a rule applied to each binary problem (see `reference.choose`), or as
        coordinates in `chart`.
    max_epochs : int, default=100
        Passes over the data; the run ends earlier after a pass without mistakes.
    max_updates : int or None, default=None
        Limit on updates in each binary problem.
    average : bool, default=True
        If the last pass still met mistakes, take the mean of w over all steps: on data that no
        hyperplane through p separates, the last w depends on the last few rows. False keeps
        the last w.
    shuffle : bool, default=True
        Draw a new order of the rows for every pass.
    multi_class, calibration, chart, curvature
        As for `HyperboloidSVC`.
    random_state : int, RandomState or None, default=None
        Order of the rows, folds of "platt_cv".

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    coef_ : ndarray, shape (n_problems, d + 1)
        Lorentz normals at K = 1, time coordinate first: the score of x is <coef, sqrt(K) x>_L,
        which is w·z.
    reference_points_ : ndarray, shape (n_problems, d + 1)
        On the hyperboloid of curvature -1.
    reference_rules_ : ndarray of str, shape (n_problems,)
    n_updates_ : ndarray of int, shape (n_problems,)
    n_iter_, status_ : scalar, or ndarray (n_problems,)
        Passes; "separated" or "mistakes left".
    calibration_ : ndarray, shape (n_problems, 2)

    Raises
    ------
    InputError
        If a row of X does not satisfy the chart, or y holds one class.

    References
    ----------
    .. [1] C. Pan, E. Chien, P. Tabaghi, J. Peng, O. Milenkovic, Provably accurate and scalable
       linear classifiers in hyperbolic spaces, 2023. Differs in: several passes, averaging.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import PoincarePerceptron
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> model = PoincarePerceptron(chart="poincare", random_state=0).fit(X, [1, 1, 0, 0])
    >>> model.predict([[0.9, 0.0], [-0.9, 0.0]])
    array([1, 0])
    """

    _parameter_constraints = {  # noqa: RUF012
        **MarginClassifier._parameter_constraints,
        "reference_point": [StrOptions(set(reference.RULES)), "array-like"],
        "max_epochs": [Interval(Integral, 1, None, closed="left")],
        "max_updates": [Interval(Integral, 1, None, closed="left"), None],
        "average": ["boolean"],
        "shuffle": ["boolean"],
    }

    def __init__(
        self,
        *,
        reference_point="auto",
        max_epochs=100,
        max_updates=None,
        average=True,
        shuffle=True,
        multi_class="ovr",
        calibration="platt",
        chart="tangent",
        curvature=1.0,
        random_state=None,
    ):
        self.reference_point = reference_point
        self.max_epochs = max_epochs
        self.max_updates = max_updates
        self.average = average
        self.shuffle = shuffle
        self.multi_class = multi_class
        self.calibration = calibration
        self.chart = chart
        self.curvature = curvature
        self.random_state = random_state

    def _fit_binary(self, points, signs, seed):
        point, rule = reference.choose(
            self.reference_point, points, signs, self.chart, self.curvature
        )
        done = perceptron.run(
            reference.seen_from(points, point),
            signs,
            max_epochs=self.max_epochs,
            max_updates=self.max_updates,
            average=self.average,
            order=check_random_state(seed) if self.shuffle else None,
        )
        warning = ""
        if not done.clean:
            warning = (
                f"{done.mistakes} of {len(signs)} rows still on the wrong side after "
                f"{done.n_updates} updates in {done.n_epochs} passes; raise max_epochs or move "
                "reference_point"
            )
        return BinaryFit(
            reference.to_normal(done.w, point),
            done.n_epochs,
            "separated" if done.clean else "mistakes left",
            warning,
            extras={
                "reference_points": point,
                "reference_rules": np.str_(rule),
                "n_updates": done.n_updates,
            },
        )
