"""Linear SVM in a product of hyperbolic, spherical and flat factors."""

import math
from itertools import pairwise
from numbers import Integral, Real

import numpy as np

from noneuclid.classifiers.base import BinaryFit, DecisionClassifier, MarginClassifier
from noneuclid.classifiers.parameter_types import Calibration, ClassWeight, MultiClass, Seed
from noneuclid.classifiers.product_estimator import unit_blocks
from noneuclid.classifiers.sklearn_private import Interval
from noneuclid.geometry.product_space import ProductSpace, space_of
from noneuclid.solvers.hyperboloid.certified import global_optimum
from noneuclid.solvers.hyperboloid.certified.original_coordinates import check_reach
from noneuclid.solvers.linear.intercept_hinge import intercept_svm

_BLOCK = 2**20  # numbers, 8 MB
_FLAT = 1e-9  # relative length of a gradient that is rounding


class ProductSVC(MarginClassifier):
    r"""Linear SVM in a product space, with a proof of its gap.

    The score is a sum of forms, one a factor, in ambient coordinates at curvature -1, 1 and 0,

    .. math:: f(x) = b + \sum_E w\cdot x + \sum_S w\cdot x + \sum_H \langle w,x\rangle_L,

    |w| times the distance from a hyperplane on E, the sine of that from a great hypersphere on S,
    and its hyperbolic sine on H. To first order, the distance of x from the boundary f = 0 is
    :math:`|f(x)| / |\nabla f(x)|`. The SVM minimises

    .. math::

        \tfrac{1}{2} \Bigl(\sum_E |w|^2 + \sum_S |w|^2
        + \sum_H \bigl(\langle w,w\rangle_L + \overline{\langle w,x_i\rangle_L^2}\bigr)\Bigr)
        + C \sum_i q_i \max(0,\, 1 - y_i f(x_i)),

    the squared length of the gradient: constant on E, the largest one, that on the hypersphere, on
    S, and the mean over the training rows, with weights :math:`q_i`, on H. This is convex, and does
    not change under isometries of any factor.

    Parameters
    ----------
    space : str, ProductSpace or None, default=None
        A signature such as "H2 S2 E1", or a `noneuclid.geometry.ProductSpace` with curvatures and
        charts. None: all columns are one flat factor.
    C : float in [1e-10, 1e10], default=1.0
        Weight of the summed loss.
    tol : float in (0, 1), default=1e-6
        Relative gap to prove.
    max_iter : int, default=100
        Most steps of each interior-point program. Of a lone hyperbolic factor, 20 times as many
        values of w_0.
    multi_class : {"ovo", "ovr"}, default="ovo"
        One-vs-one by votes, or one-vs-rest by the largest Platt probability, for `predict_proba` of
        several classes. Against all others the hinge may give a class no rows at all.
    class_weight, calibration, random_state, n_jobs
        As for `HyperboloidSVC`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    space_ : ProductSpace
    coef_ : ndarray, shape (n_problems, n_coordinates)
        w of the factors, one after the other, for ambient coordinates at curvature -1, 1 and 0; on
        H a Lorentz normal, time first. It may be timelike or lightlike in a product.
    intercept_ : ndarray, shape (n_problems,)
        b; 0 for a lone factor H or S, whose hyperplanes are geodesic.
    n_iter_, status_, objective_, lower_bound_, gap_ : scalar, or ndarray (n_problems,)
        `status_` is "optimal" if the gap is proved, else "gap open"; of a lone factor H as for
        `HyperboloidSVC`.
    calibration_ : ndarray, shape (n_problems, 2)

    Raises
    ------
    InputError
        If a row is not a point of the space (the factor and the row are named), or y holds one
        class.

    Warns
    -----
    ConvergenceWarning
        If the gap is not proved, with the gap.

    See Also
    --------
    ProductPerceptron : Sums of arcsine kernels, row by row.
    HyperboloidSVC : A single hyperbolic factor.
    noneuclid.geometry.ProductSpace : Signatures, curvatures and charts.

    Notes
    -----
    The decision values are f. A lone flat factor is the linear SVM with a free intercept.

    A lone factor H is the problem of `HyperboloidSVC`, ½<w,w>_L and w spacelike, with the same C
    if that is multiplied by √2 there: <w,w>_L is the gradient on the hyperplane itself. It does not
    carry over to products. Of two terms that cancel, none vanishes on the boundary; with the
    Lorentz norm as penalty, lightlike w cost nothing, so that horospheres about any ideal point
    separate rows at an objective of 0. The mean over rows has no such directions. Rows far out in H
    dominate it: with some at x_0 = 5e4, separable rows near the origin were separated at an
    accuracy of 0.6. `ProductKernelSVC` does not have this weakness.

    The formulation is ours. [1]_ describes the classifier b + Σ w·x + Σ α asin w·x +
    Σ α asinh <w,x>_L; the authors' program solves a convex relaxation of it with arcsine kernels,
    as those of `ProductPerceptron`. Its solutions are sums of many hypersurfaces, not one.

    O(n p² + p³) a step of 10 to 30 in each of one to five programs, p coordinates; the factors H of
    dimension d need O(n d³) once. A lone factor H costs as much as `HyperboloidSVC`.

    References
    ----------
    .. [1] P. Tabaghi, C. Pan, E. Chien, J. Peng, O. Milenkovic, Linear classifiers in product space
       forms, 2021, arXiv:2102.10204. Differs in: forms instead of distances, penalty.

    Examples
    --------
    >>> from noneuclid import ProductSVC
    >>> from noneuclid.geometry import ProductSpace
    >>> space = ProductSpace("H2 S2 E1")
    >>> X = space.random_wrapped_normal(60, random_state=0)
    >>> y = X[:, 1] + X[:, 4] + X[:, 6] > 0
    >>> model = ProductSVC("H2 S2 E1", C=10.0).fit(X, y)
    >>> bool(model.score(X, y) > 0.95), str(model.status_), bool(model.gap_ <= 1e-6)
    (True, 'optimal', True)
    """

    _parameter_constraints = {  # noqa: RUF012
        **{
            name: allowed
            for name, allowed in MarginClassifier._parameter_constraints.items()
            if name not in DecisionClassifier._parameter_constraints and name != "verbose"
        },
        "space": [str, ProductSpace, None],
        "C": [Interval(Real, 1e-10, 1e10, closed="both")],
        "tol": [Interval(Real, 0, 1, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }
    _extra_names = ("intercept",)

    def __init__(
        self,
        space: str | ProductSpace | None = None,
        *,
        C: float = 1.0,
        tol: float = 1e-6,
        max_iter: int = 100,
        class_weight: ClassWeight | None = None,
        multi_class: MultiClass = "ovo",
        calibration: Calibration | None = "platt",
        random_state: Seed | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.space = space
        self.C = C
        self.tol = tol
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.multi_class = multi_class
        self.calibration = calibration
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _read_training(self, X, norms):
        self.space_ = space_of(self.space, X.shape[1])
        points = self._to_points(X)
        if self._lone() == "H":
            check_reach(points)
        return points

    def _to_points(self, X):
        return np.hstack(unit_blocks(self.space_, X))

    def _lone(self):
        """Kind of a lone factor, else None."""
        return self.space_.factors[0].kind if len(self.space_.factors) == 1 else None

    def _fit_binary(self, points, signs, seed, weights):
        if self._lone() == "H":
            return self._fit_hyperboloid(points, signs, weights)
        maps = factor_maps(self.space_, points, weights)
        parts = zip(_columns(self.space_), maps, strict=True)
        vectors = np.hstack([points[:, columns] @ to_flat for columns, to_flat in parts])
        limits = self.C, self.tol, self.max_iter, weights
        found, intercept = intercept_svm(vectors, signs, *limits, self._lone() != "S")
        coef, first = [], 0
        for factor, to_flat in zip(self.space_.factors, maps, strict=True):
            part = to_flat @ found.w[first : first + to_flat.shape[1]]
            coef.append(part * _signature(factor))
            first += to_flat.shape[1]
        return BinaryFit(
            np.concatenate(coef),
            found.n_iter,
            found.status,
            found.warning,
            found.objective,
            found.lower_bound,
            {"intercept": np.float64(intercept)},
        )

    def _fit_hyperboloid(self, points, signs, weights):
        found = global_optimum.solve(
            points,
            signs,
            math.sqrt(2.0) * self.C,
            tol=self.tol,
            max_slices=20 * self.max_iter,
            weights=weights,
        )
        return BinaryFit(
            found.w,
            found.n_iter,
            found.status,
            found.warning,
            found.objective,
            found.lower_bound,
            {"intercept": np.float64(0.0)},
        )

    def _binary_scores(self, points, coef, intercept):
        return points @ (coef * np.hstack([_signature(f) for f in self.space_.factors])) + intercept

    def _distances(self, X):
        return self._scores(self._to_points(X))[:, 0]

    def _boundary_normals(self):
        return np.empty((0, 3))  # a boundary in several factors is not drawn


def factor_maps(space, points, weights):
    """Matrix M a factor: with rows x M for its block x, the penalty of the factor is |w|².

    The identity for E and S. On H the gradients of <w,x>_L at the rows, (n d) numbers linear in w,
    have a triangular factor R with |R w|² = Σ q |∇|² / Σ q; M is its inverse, with the sign of the
    time coordinate. A w whose gradient is 0 at all rows, which then are one point, has no column:
    its form is an intercept.
    """
    q = np.ones(len(points)) if weights is None else weights
    shares = np.sqrt(q / q.sum())
    found = []
    for factor, columns in zip(space.factors, _columns(space), strict=True):
        if factor.kind != "H":
            found.append(np.eye(columns.stop - columns.start))
            continue
        _, lengths, axes = np.linalg.svd(_gradients(points[:, columns], shares))
        kept = lengths > _FLAT * lengths[0]
        found.append((axes[kept] / lengths[kept, None] * _signature(factor)).T)
    return found


def _gradients(points, shares):
    """Triangular R of the gradients of <w,x>_L, as functions of w, in orthonormal frames.

    The tangent frame at x is that of the origin moved along the geodesic: the gradient has the
    coordinates u + ((u·x')/(1 + x_0) - w_0) x', with w = (w_0, u) and x = (x_0, x').
    """
    width = points.shape[1]
    size = max(1, _BLOCK // width**2)
    triangle = np.zeros((0, width))
    for start in range(0, len(points), size):
        rows = slice(start, start + size)
        space = points[rows, 1:]
        linear = np.empty((len(space), width - 1, width))
        linear[:, :, 0] = -space
        linear[:, :, 1:] = space[:, :, None] * (space / (1.0 + points[rows, :1]))[:, None, :]
        linear[:, :, 1:] += np.eye(width - 1)
        linear *= shares[rows, None, None]
        triangle = np.linalg.qr(np.vstack([triangle, linear.reshape(-1, width)]), mode="r")
    return triangle


def _columns(space):
    """Columns of each factor among ambient coordinates."""
    ends = np.cumsum([0, *(f.dimension + (f.kind != "E") for f in space.factors)]).tolist()
    return [slice(*pair) for pair in pairwise(ends)]


def _signature(factor):
    """Signs of the products of ambient coordinates: -1 for the time of a hyperboloid."""
    signs = np.ones(factor.dimension + (factor.kind != "E"))
    if factor.kind == "H":
        signs[0] = -1.0
    return signs
