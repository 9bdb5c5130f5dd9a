"""Hard- and soft-margin SVM in the Hilbert and Funk metrics of a polytope."""

from collections.abc import Mapping
from numbers import Real
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers import polytope_points
from noneuclid.classifiers.base import BinaryFit, MarginClassifier
from noneuclid.classifiers.parameter_types import ClassWeight, MultiClass, Platt, Seed
from noneuclid.classifiers.sklearn_private import Interval, StrOptions
from noneuclid.errors import InputError
from noneuclid.geometry.charts import CHARTS
from noneuclid.geometry.polytope import Polytope
from noneuclid.geometry.polytope_hyperplanes import hyperplane_distance
from noneuclid.geometry.polytope_metrics import METRICS
from noneuclid.solvers.hilbert.hard_margin import hard_margin
from noneuclid.solvers.hilbert.soft_margin import soft_margin

_OF_THE_SOLUTION = ("objective", "upper_bound_in_range", "gap", "margin")


class HilbertSVC(MarginClassifier):
    r"""Hyperplane of largest margin in a polytope, measured in its Hilbert or Funk metric.

    The margin is the radius r of the largest metric balls about the training points that lie on the
    right side of the hyperplane :math:`g(x) = w\cdot x + c = 0`. Hard margin: opt. (6) of [1]_, the
    largest r.

    Soft margin, after opt. (14): the largest

    .. math:: r - C\,\Xi/n, \qquad \Xi = \sum_i \omega_i \xi_i,

    over :math:`g = (w, c)` with :math:`w\cdot u = 1` and over r in [1e-6 cap, cap], where
    :math:`\xi_i` is the length by which the hyperplane must be moved along u until the ball about
    point i lies on its side, and :math:`1/\omega_i` the Euclidean distance of the point to the
    boundary; u is the unit vector between the class means (see `normalization`). The cap is half
    the longest distance between points of different classes (Funk metrics: the largest margin that
    two points of different classes allow). It is part of the problem: Ξ is bounded and r is not, so
    the objective has no maximum over all r. Outside the range, hyperplanes can exceed
    `upper_bound_in_range_`.

    A ball about p contains the q with :math:`d(p, q) \le r`: distances are measured from the point
    to the hyperplane. With :math:`a_i` the facet values,

    .. math:: d(p, q) = \max_i \log\frac{a_i(p)}{a_i(q)}

    for "funk", which is large if q is nearer to the boundary than p; "reverse_funk" exchanges p and
    q; "hilbert" is the mean of both.

    The score of a binary problem, which `decision_function` returns for two classes, is the signed
    distance from the point to the hyperplane in this metric, in the unit of `margin_`: nats, since
    the distance is a difference of logarithms. A hyperplane that misses the polytope is infinitely
    far from all points, which then have one class; the score is g(x), a Euclidean length, there.
    Distances take microseconds a row on simplices, in two dimensions and for "funk"; elsewhere
    each row needs a linear program of some milliseconds, in `fit` too if there is a calibration.

    Parameters
    ----------
    polytope : Polytope, "simplex", "box" or {"regular_polygon": m}, default="simplex"
        As for `HilbertNearestClassifier`.
    metric : {"hilbert", "funk", "reverse_funk"}, default="hilbert"
    margin : {"soft", "hard"}, default="soft"
    C : float in [1e-10, 1e10], default=1.0
        For the soft margin: the cost of a slack relative to a unit of r. If the classes overlap, a
        large C drives r to the smallest value of the range (`radius_range_[0]`), and only the
        slacks count; a small C drives it to the largest. Slacks are Euclidean lengths: columns in
        different units count differently unless they are scaled, for example to the unit box.
    tol : float > 0 or None, default=None
        Wanted distance of `objective_` to its upper bound, in units of the metric. None: 1e-6, for
        the soft margin 1e-4.
    normalization : {"means", "axes"}, default="means"
        Scale of the soft margin's hyperplanes: w·u = 1 with u between the class means, or the best
        of both directions of each axis, 2d problems; for classes whose means coincide.
    class_weight : dict, "balanced" or None, default=None
        As for `HyperboloidSVC`, a factor of C. In the objective Ξ/n becomes Σ s_i ω_i ξ_i / Σ s_i,
        s_i the weight of row i, and u joins the weighted means: a common factor of all weights
        has no effect. The hard margin does not depend on weights, except that rows of weight 0
        are left out.
    multi_class : {"ovr", "ovo"}, default="ovr"
    calibration : {"platt", "platt_cv", None}, default="platt"
        As for `HyperboloidSVC`.
    chart, curvature
        As for `HilbertNearestClassifier`.
    random_state : int, RandomState or None, default=None
        Folds of "platt_cv".
    n_jobs, verbose
        As for `PoincareSVC`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    coef_ : ndarray, shape (n_problems, d + 1)
        (c, w), scaled so that g(x) is the signed Euclidean distance to the hyperplane (within the
        simplex, where c = 0).
    nu_ : ndarray, shape (n_problems, m)
        Only on the simplex: values of g at the corners, g(x) = nu·x.
    margin_ : float, or ndarray (n_problems,)
        r.
    objective_, upper_bound_in_range_, gap_ : float, or ndarray (n_problems,)
        r or r - C Ξ/n; its upper bound over all hyperplanes with r in `radius_range_`; their
        difference.
    radius_range_ : ndarray, shape (2,), or (n_problems, 2)
        Least and largest r of the problem: 1e-6 cap and cap; 0 and inf for the hard margin.
    n_iter_, status_ : scalar, or ndarray (n_problems,)
        Programs solved; "optimal" or "inaccurate".
    calibration_ : ndarray, shape (n_problems, 2)
    polytope_ : Polytope

    Raises
    ------
    InputError
        If a row is not strictly inside the polytope, polytope and chart do not fit, y holds one
        class, or margin="hard" and no hyperplane separates the classes.

    See Also
    --------
    HilbertNearestClassifier : One representative for each class in the same metric.
    Polytope : The domain.
    LogRatio : Log-ratio coordinates for Euclidean methods.
    SimplexDisplay : Draws compositions of three parts.

    References
    ----------
    .. [1] A. Acharya, A. Gezalyan, D. Mount, Classifiers in high dimensional Hilbert metrics,
       2026. Differs in: no normalisation 1·w = 1, which excludes hyperplanes; weights by Euclidean
       distances (the Hilbert distance to the boundary is infinite); a search over r with a bound
       instead of a grid, and with another range.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HilbertSVC
    >>> X = np.array([[0.7, 0.2, 0.1], [0.6, 0.3, 0.1], [0.1, 0.2, 0.7], [0.1, 0.3, 0.6]])
    >>> model = HilbertSVC(margin="hard").fit(X, ["a", "a", "b", "b"])
    >>> model.predict([[0.5, 0.4, 0.1]]), round(model.margin_, 3)
    (array(['a'], dtype='<U1'), 0.896)
    """

    _parameter_constraints = {  # noqa: RUF012
        **MarginClassifier._parameter_constraints,
        **polytope_points.CONSTRAINTS,
        "metric": [StrOptions(set(METRICS))],
        "margin": [StrOptions({"hard", "soft"})],
        "C": [Interval(Real, 1e-10, 1e10, closed="both")],
        "tol": [Interval(Real, 0, None, closed="neither"), None],
        "normalization": [StrOptions({"means", "axes"})],
        "calibration": [StrOptions({"platt", "platt_cv"}), None],
    }

    def __init__(
        self,
        polytope: Polytope | Literal["simplex", "box"] | Mapping[str, int] = "simplex",
        *,
        metric: Literal["hilbert", "funk", "reverse_funk"] = "hilbert",
        margin: Literal["soft", "hard"] = "soft",
        C: float = 1.0,
        tol: float | None = None,
        normalization: Literal["means", "axes"] = "means",
        class_weight: ClassWeight | None = None,
        multi_class: MultiClass = "ovr",
        calibration: Platt | None = "platt",
        chart: str = "polytope",
        curvature: float = 1.0,
        random_state: Seed | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.polytope = polytope
        self.metric = metric
        self.margin = margin
        self.C = C
        self.tol = tol
        self.normalization = normalization
        self.class_weight = class_weight
        self.multi_class = multi_class
        self.calibration = calibration
        self.chart = chart
        self.curvature = curvature
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    @property
    def polytope_(self) -> Polytope:
        """The polytope of the setting `polytope`."""
        check_is_fitted(self)
        return polytope_points.make_polytope(self.polytope, self.coef_.shape[1] - 1)

    def hyperplane_distance(self, X: ArrayLike) -> np.ndarray:
        """Signed distance of each row to each hyperplane, in the metric of the classifier.

        Solves a linear program for each row, except on simplices, in two dimensions and for "funk".

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n, n_problems)
            Infinite where a hyperplane misses the polytope.
        """
        points = self._check_again(X)
        polytope = self.polytope_
        return np.column_stack(
            [hyperplane_distance(points, g[1:], g[0], polytope, self.metric) for g in self.coef_]
        )

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class of each row; for two classes the side of the hyperplane, without any distance."""
        check_is_fitted(self)
        if len(self._left) > 2 or self.polytope_.is_simplex:
            return super().predict(X)
        sides = self._check_again(X) @ self.coef_[0, 1:] + self.coef_[0, 0]
        return self.classes_[self._left[(sides > 0).astype(int)]]

    def _boundary_normals(self):
        # In Klein coordinates k the hyperplane is c + w·k = 0, and <(-c, w), x>_L = x_0 (c + w·k).
        in_the_ball = not isinstance(self.polytope, str) and self.chart in CHARTS
        flipped = self.coef_ * np.r_[-1.0, np.ones(self.coef_.shape[1] - 1)]
        return flipped if in_the_ball else flipped[:0]

    def _to_points(self, X):
        return polytope_points.to_polytope(X, self.polytope, self.chart, self.curvature)[1]

    def _fit_problem(self, index, points, signs, seed, weights):
        polytope = polytope_points.make_polytope(self.polytope, points.shape[1])
        signs = signs.astype(float)
        if self.margin == "hard":
            found = hard_margin(points, signs, *polytope.facets, self.metric, self.tol or 1e-6)
        else:
            found = soft_margin(
                points,
                signs,
                *polytope.facets,
                self.metric,
                self.C,
                self.tol or 1e-4,
                normalization=self.normalization,
                weights=weights,
            )
        if found.status == "inseparable":
            raise InputError(
                f"no hyperplane separates the classes of binary problem {index}; set margin='soft'"
            )
        coef = _normalised(found, polytope)
        extras = {
            "objective": found.objective,
            "upper_bound_in_range": found.upper_bound,
            "gap": found.upper_bound - found.objective,
            "margin": found.radius,
            "radius_range": found.radii,
        }
        if polytope.is_simplex:
            extras["nu"] = coef[1:]
        return BinaryFit(coef, found.n_iter, found.status, found.warning, extras=extras)

    def _keep(self, fits):
        super()._keep(fits)
        if len(fits) == 1:
            for name in _OF_THE_SOLUTION:
                setattr(self, f"{name}_", float(getattr(self, f"{name}_")[0]))
            self.radius_range_ = self.radius_range_[0]

    def _distances(self, X):
        return self._scores(self._to_points(X))[:, 0]

    def _binary_scores(self, points, coef):
        polytope = polytope_points.make_polytope(self.polytope, points.shape[1])
        scores = hyperplane_distance(points, coef[1:], coef[0], polytope, self.metric)
        return scores if np.isfinite(scores).all() else points @ coef[1:] + coef[0]


def _normalised(found, polytope):
    """(c, w) of the solution, scaled so that g is the Euclidean distance within the polytope."""
    # On the simplex without c: parts far below one would drown in its rounding.
    w, c = (found.w + found.c, 0.0) if polytope.is_simplex else (found.w, found.c)
    along = w - np.linalg.pinv(polytope.E) @ (polytope.E @ w)
    return np.append(c, w) / (np.linalg.norm(along) or 1.0)
