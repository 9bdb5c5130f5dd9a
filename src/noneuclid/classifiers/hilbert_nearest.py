"""Nearest representative in the Hilbert metric of a polytope."""

from collections.abc import Mapping
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax

from noneuclid.classifiers import polytope_points
from noneuclid.classifiers.base import DecisionClassifier
from noneuclid.classifiers.calibration import fit_platt
from noneuclid.classifiers.multiclass import all_columns
from noneuclid.classifiers.parallel import shows_progress
from noneuclid.classifiers.parameter_types import ClassWeight
from noneuclid.classifiers.sklearn_private import StrOptions, check_parameters
from noneuclid.classifiers.validation import read
from noneuclid.classifiers.weights import encode_weighted
from noneuclid.errors import InputError
from noneuclid.geometry.polytope import Polytope
from noneuclid.solvers.hilbert.nearest import distances, opposite_distances, representatives


class HilbertNearestClassifier(DecisionClassifier):
    r"""One representative for each class; a point belongs to the class of the nearest.

    The Hilbert distance of two points is :math:`\tfrac{1}{2}(\max_j q_j - \min_j q_j)`, where q is
    the difference of the logarithms of their facet values. Representatives :math:`c_k` are
    logarithms of facet values, too; on the simplex they are compositions, elsewhere they need not
    be points of the polytope. Those of [1]_ maximise β, the least ratio
    :math:`D(x) / \lVert x - c_k\rVert` over the rows x of all classes k, where D(x) is the distance
    to the nearest row of another class. Optimisation (16) of [1]_ has two classes; with more, D
    takes the nearest of all others. Every :math:`c_k` is the best for its own class, also where β
    belongs to another class.

    A row x of class k is nearest to :math:`c_k` if :math:`1/\beta_k + 1/\beta_l < 1` for all l
    (triangle inequality), so no training row is misclassified if β > 2; an approximate search is
    enough up to the factor β - 1. (The factor β of [1]_ holds against rows of the other class, not
    against its representative.) If the classes overlap, β is close to zero, only the rows at the
    border count, and the guarantee is empty: see `representative`.

    Parameters
    ----------
    polytope : Polytope, "simplex", "box" or {"regular_polygon": m}, default="simplex"
        The probability simplex, the unit box, or the regular m-gon around the unit disk.
    representative : {"guarantee", "ball", "mean"}, default="guarantee"
        c_k of largest β_k, as in [1]_; the centre of the smallest ball around the class; or the
        mean of its centred logarithms, which is robust to a few outliers. If the classes overlap,
        the last is the most accurate.
    chart : str, default="polytope"
        "polytope", or "simplex" or "box" with that polytope: rows are its points, unchanged.
        "tangent": any real vectors, mapped to compositions by the inverse of isometric log-ratios,
        or to the unit box by the sigmoid. With another polytope "hyperboloid", "poincare", "klein"
        or "tangent": points of hyperbolic space, in the Klein ball of radius one.
    curvature : float > 0, default=1.0
        K of the hyperbolic charts.
    class_weight : dict, "balanced" or None, default=None
        Factor of the sample weights of each class. It changes `slope_` alone: each representative
        depends on the rows of its own class, or on the nearest of others, but not on their number,
        so a rare class has no disadvantage.
    verbose : int, default=0
        1 shows progress on stderr. There is no `n_jobs`: the search for the nearest rows of other
        classes is one pass over all pairs.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    polytope_ : Polytope
    centers_ : ndarray, shape (n_classes, m)
        Logarithms of facet values with sum zero; on the simplex `softmax(centres_, axis=1)` are
        the compositions.
    beta_ : float
        The guarantee factor: the least of `betas_`.
    betas_ : ndarray, shape (n_classes,)
        β_k; inf for a class whose rows are all at c_k.
    objective_, lower_bound_, gap_ : float
        1/β, or the largest radius of a ball, with the proven bound. Not for "mean".
    n_iter_ : int
        Newton steps.
    slope_ : float
        `predict_proba` is the softmax of minus slope times distance; positive.

    Raises
    ------
    InputError
        If a row is not strictly inside the polytope, polytope and chart do not fit, y holds one
        class, or for "guarantee" rows of two classes coincide, where (16) has no solution.

    See Also
    --------
    HilbertSVC : A hyperplane in the same metric.
    Polytope : The domain.

    References
    ----------
    .. [1] A. Acharya, A. Gezalyan, D. Mount, Classifiers in high dimensional Hilbert metrics,
       2026, section 4.2.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HilbertNearestClassifier
    >>> X = np.array([[0.7, 0.2, 0.1], [0.6, 0.3, 0.1], [0.1, 0.2, 0.7], [0.1, 0.3, 0.6]])
    >>> model = HilbertNearestClassifier().fit(X, ["a", "a", "b", "b"])
    >>> model.predict([[0.5, 0.4, 0.1]]), round(model.beta_, 3)
    (array(['a'], dtype='<U1'), 13.083)
    """

    _parameter_constraints = {  # noqa: RUF012
        **DecisionClassifier._parameter_constraints,
        **polytope_points.CONSTRAINTS,
        "representative": [StrOptions({"guarantee", "ball", "mean"})],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        polytope: Polytope | Literal["simplex", "box"] | Mapping[str, int] = "simplex",
        *,
        representative: Literal["guarantee", "ball", "mean"] = "guarantee",
        chart: str = "polytope",
        curvature: float = 1.0,
        class_weight: ClassWeight | None = None,
        verbose: int = 0,
    ) -> None:
        self.polytope = polytope
        self.representative = representative
        self.chart = chart
        self.curvature = curvature
        self.class_weight = class_weight
        self.verbose = verbose

    def __sklearn_tags__(self):
        """Tags for scikit-learn: where classes overlap, rows at the border decide alone."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = self.representative != "mean"
        return tags

    @shows_progress
    @check_parameters
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the representatives.

        Parameters
        ----------
        X : array-like, shape (n, n_features)
        y : array-like, shape (n,)
            Labels of any type.
        sample_weight : array-like, shape (n,), or None
            Finite numbers >= 0: 2 counts as two equal rows, 0 as none. For "guarantee" and "ball",
            which depend on the outermost rows, other weights change `slope_` alone. A class whose
            rows all have weight 0 has no representative and probability 0.

        Returns
        -------
        self

        Raises
        ------
        InputError
        """
        X, y = read(self, X, y)
        self.polytope_, logs = self._logs(X)
        self.classes_, self._left, logs, codes, weights, numbers = encode_weighted(
            logs, y, sample_weight, self.class_weight
        )
        weights = np.ones(len(codes)) if weights is None else weights
        reach, others = opposite_distances(logs, codes)
        if self.representative == "guarantee":
            _require_distinct(reach, others, numbers)
        self._place(logs, codes, reach, weights)
        own = distances(logs, self.centers_)
        ratios = own[np.arange(len(codes)), codes]
        with np.errstate(divide="ignore"):
            ratios = np.divide(reach, ratios, out=np.zeros_like(reach), where=reach > 0)
        self.betas_ = np.array([ratios[codes == k].min() for k in range(len(self._left))])
        self.beta_ = float(self.betas_.min())
        lead = (own - own[np.arange(len(codes)), codes][:, None])[_others(codes, own.shape)]
        weights = np.repeat(weights, len(self._left) - 1)
        self.slope_, _ = fit_platt(lead, np.ones(len(lead)), centred=True, weights=weights)
        return self

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Nearness to the representatives.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n,) for two classes, else (n, n_classes)
            Minus the Hilbert distances, in nats; for two classes how much nearer `classes_[1]` is
            than the other.
        """
        far, n_classes = self._distances(X), len(self.classes_)
        nearness = all_columns(-far, self._left, n_classes, least=None)
        return nearness[:, 1] - nearness[:, 0] if n_classes == 2 else nearness

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Probabilities that fall with the distance.

        The largest belongs to the predicted class, except for rows whose distances to two
        representatives are equal to rounding: their probabilities can then be equal.

        If most training rows are closer to another representative than to their own, the distance
        has no information on the class, and all probabilities are equal to within about 1/n.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n, n_classes)
        """
        far = self._distances(X)
        found = softmax(-self.slope_ * far, axis=1)
        return all_columns(found, self._left, len(self.classes_))

    def _distances(self, X):
        return distances(self._check_again(X), self.centers_)

    def _to_points(self, X):
        return self._logs(X)[1]

    def _logs(self, X):
        """The polytope, and the logarithms of the facet values of each row."""
        polytope, points = polytope_points.to_polytope(X, self.polytope, self.chart, self.curvature)
        return polytope, np.log(polytope.facet_values(points))

    def _place(self, logs, codes, reach, weights):
        """Find the representatives by the chosen rule."""
        if self.representative == "mean":
            centred = logs - logs.mean(axis=1, keepdims=True)
            rows = [codes == k for k in range(len(self._left))]
            self.centers_ = np.array([np.average(centred[r], 0, weights[r]) for r in rows])
            return
        if self.representative == "ball":
            reach = np.ones(len(logs))
        found = representatives(logs, codes, reach)
        self.centers_, self.n_iter_ = found.centres, found.n_iter
        self.objective_, self.lower_bound_ = float(found.radii.max()), float(found.bounds.max())
        self.gap_ = (self.objective_ - self.lower_bound_) / (self.objective_ or 1.0)


def _others(codes, shape):
    """Mask that leaves out each row's own class."""
    mask = np.ones(shape, dtype=bool)
    mask[np.arange(len(codes)), codes] = False
    return mask


def _require_distinct(reach, others, numbers):
    """Refuse rows of two classes at one point."""
    same = np.flatnonzero(reach == 0)
    if same.size:
        first, second = numbers[same[0]], numbers[others[same[0]]]
        raise InputError(
            f"rows {first} and {second} are the same point with two labels, so β = 0 "
            "for any representative; remove a row, or set representative='mean'"
        )
