"""Perceptron on the Poincaré ball."""

from noneuclid.classifiers.poincare_online import PoincareOnlineClassifier
from noneuclid.classifiers.sklearn_private import StrOptions
from noneuclid.solvers.perceptrons.mistake_driven import Plain


class PoincarePerceptron(PoincareOnlineClassifier):
    r"""Perceptron among the hyperbolic hyperplanes through a reference point p.

    Algorithm 1 of [1]_:

    .. math:: w \leftarrow w + y_i \eta_i \log_p(x_i)

    at each mistake :math:`y_i \langle\log_p(x_i), w\rangle \le 0` (eq. 18). The vectors
    :math:`z_i = \eta_i \log_p(x_i)` are the spatial coordinates of :math:`x_i` after the boost that
    carries p to the origin. If a hyperplane through p separates the classes with margin ε, and all
    points are within Poincaré radius :math:`R_p` of p, there are at most
    :math:`(2 R_p / ((1 - R_p^2) \sinh\varepsilon))^2` updates (theorem IV.1).

    Parameters
    ----------
    reference_point : str or array-like, default="auto"
        p, as a rule, "auto", "hulls", "hull vertices", "midpoint of means", "best plane" or
        "origin", applied to each binary problem (see `reference_rules.learn`), or as coordinates in
        `chart`, one point or one row for each binary problem. "auto" uses the points that
        `PoincareSVC` with the exact margin and C = 1 chooses. With `partial_fit`, a rule other than
        "origin" is applied to the rows of the first call, which must hold every class.
    max_iter : int, default=100
        Passes over the data; the run ends earlier after a pass without mistakes.
    max_updates : int, "bound" or None, default=None
        Limit on updates in each binary problem. "bound": that of theorem IV.1 for the hyperplane
        through p of largest margin, times the ratio of the largest and the least weight; an error
        if none separates the classes.
    n_iter_no_change : int or None, default=5
        Passes without fewer mistakes, by at least one in a thousand rows, after which `fit` ends.
        None ends it only after a pass without mistakes or at a limit.
    average : bool, default=True
        If the last pass still made mistakes, use the mean of w over all steps: on data that no
        hyperplane through p separates, the last w depends on the last few rows. False keeps
        the last w.
    shuffle : bool, default=True
        Draw a new order of the rows for every pass of `fit`.
    class_weight : dict, "balanced" or None, default=None
        Weight of the rows of each class, times their `sample_weight`: q. A mistaken row adds
        q y z to w, and each row counts q times in the mean of w. In one order of the rows, q = 2
        gives the w of a row and a copy right after it, unless the copy would no longer be a
        mistake. Rows of weight 0 are excluded. `partial_fit` does not accept "balanced".
    multi_class, calibration, chart, curvature
        As for `HyperboloidSVC`.
    random_state : int, RandomState or None, default=None
        Order of the rows, folds of "platt_cv".
    n_jobs, verbose
        As for `PoincareSVC`; for `fit`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    coef_ : ndarray, shape (n_problems, d + 1)
        Lorentz normals at K = 1, time coordinate first: the score of x is <coef, sqrt(K) x>_L,
        which is w·z.
    coef_last_, coef_mean_ : ndarray, shape (n_problems, d + 1)
        The same for the last w and for its mean over all steps; `coef_` is one of them.
    reference_points_ : ndarray, shape (n_problems, d + 1)
        On the hyperboloid of curvature -1.
    reference_rules_ : ndarray of str, shape (n_problems,)
    n_updates_, n_steps_ : ndarray, shape (n_problems,)
        Mistakes during training, and rows seen, each counted by its weight.
    n_iter_, status_ : scalar, or ndarray (n_problems,)
        Passes (calls of `partial_fit`); "separated", "mistakes left" or "online".
    weights_, weight_sums_ : ndarray, shape (n_problems, d)
        The last w in the frame of p, and its sum over all steps.
    calibration_ : ndarray, shape (n_problems, 2)

    Warns
    -----
    ConvergenceWarning
        If the last pass of `fit` still made mistakes.

    See Also
    --------
    PoincareSecondOrderPerceptron : Fewer updates, each at O(d²).
    PoincareStrategicPerceptron : For rows reported by agents.
    HyperboloidPerceptron : Without a reference point.
    PoincareSVC : The widest margin through the reference point.

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
        **PoincareOnlineClassifier._parameter_constraints,
        "max_updates": [
            *PoincareOnlineClassifier._parameter_constraints["max_updates"],
            StrOptions({"bound"}),
        ],
    }

    def _rule(self):
        return Plain()
