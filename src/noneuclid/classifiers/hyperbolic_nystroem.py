"""Nyström features of the kernels of hyperbolic space, in blocks of rows."""

from contextlib import nullcontext
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from noneuclid.classifiers import hyperbolic_kernel
from noneuclid.classifiers.base import DecisionClassifier
from noneuclid.classifiers.default_chart import chart_of, question_default
from noneuclid.classifiers.hyperbolic_kernel import Kind
from noneuclid.classifiers.parameter_types import Chart, Seed
from noneuclid.classifiers.sklearn_private import Interval, check_parameters
from noneuclid.classifiers.validation import check_rows, hyperboloid_blocks, read, to_hyperboloid
from noneuclid.estimator import Estimator
from noneuclid.geometry.distance_kernels import slices

_FEW = 2000
CONSTRAINTS = {
    **{name: DecisionClassifier._parameter_constraints[name] for name in ("chart", "curvature")},
    **hyperbolic_kernel.CONSTRAINTS,
    "n_components": [Interval(Integral, 1, None, closed="left")],
    "random_state": ["random_state"],
    "n_jobs": [Integral, None],
}


class HyperbolicNystroem(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    r"""Features F with F F' close to the matrix of the kernel (cosh d)^-λ or exp(-λ d).

    With L the landmarks, rows drawn by a seed,

    .. math:: F = k(X, L)\, U S^{-1/2}, \qquad U S U' = k(L, L).

    :math:`F F'` is the kernel itself where all rows are landmarks. Isometries change F by signs
    alone. A linear model on F approximates the kernel machine:
    ``make_pipeline(HyperbolicNystroem(), Ridge())`` for numbers. `HyperbolicNystroemClassifier`
    does both without keeping F.

    Parameters
    ----------
    kernel : {"cosh", "laplace"}, default="cosh"
    scale : float > 0, default=2.0
        As for `HyperbolicKernelSVC`. The mean of ψ is that of `HyperbolicKernel.with_mean_of`.
    n_components : int, default=200
        Landmarks, at most the number of rows.
    chart : {"tangent", "poincare", "klein", "hyperboloid"} or None, default=None
        How the rows of X are written. None reads tangent vectors, as a table holds, and warns if
        the rows look like points of another chart: embeddings return ``"poincare"`` by default.
    curvature : float > 0, default=1.0
        K; the space has curvature -K. Points are scaled to K = 1.
    random_state : int, RandomState or None, default=None
        Landmarks.
    n_jobs : int or None, default=None
        Threads; -1 for one on each processor. Results do not depend on it.

    Attributes
    ----------
    kernel_ : HyperbolicKernel
        For points of the hyperboloid of curvature -1.
    landmark_indices_ : ndarray, shape (m,)
        Rows of the landmarks, in increasing order.
    landmarks_ : ndarray, shape (m, d + 1)
        On the hyperboloid of curvature -1.
    normalization_ : ndarray, shape (m, r)
        U S^(-1/2); eigenvalues below 1e-12 of the largest are left out.

    See Also
    --------
    HyperbolicNystroemClassifier : These features and a linear classifier, in blocks.

    Notes
    -----
    Takes O(n m r) time. Beside its result, `transform` needs one block of 2 MB for each thread.

    References
    ----------
    .. [1] C. Williams, M. Seeger, Using the Nyström method to speed up kernel machines, NIPS 2000.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HyperbolicNystroem
    >>> X = np.random.default_rng(0).normal(size=(1000, 2))
    >>> HyperbolicNystroem(n_components=20, random_state=0).fit_transform(X).shape
    (1000, 20)
    """

    _parameter_constraints = CONSTRAINTS

    def __init__(
        self,
        *,
        kernel: Kind = "cosh",
        scale: float = 2.0,
        n_components: int = 200,
        chart: Chart | None = None,
        curvature: float = 1.0,
        random_state: Seed | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.scale = scale
        self.n_components = n_components
        self.chart = chart
        self.curvature = curvature
        self.random_state = random_state
        self.n_jobs = n_jobs

    @check_parameters
    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Draw the landmarks.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
        y : None
            Ignored.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart.
        """
        X = read(self, X)
        question_default(self, X)
        check_rows(X, chart_of(self), self.curvature)
        draw_landmarks(self, X)
        self.normalization_ = whiten(self.kernel_.of_points(self.landmarks_), 1e-12)
        return self

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Features of each row.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n, r)
            Rounded to float32 if X is an array of float32, else float64.
        """
        check_is_fitted(self)
        dtype = np.float32 if getattr(X, "dtype", None) == np.float32 else np.float64
        X = read(self, X, reset=False)
        check_rows(X, chart_of(self), self.curvature)
        return expand_blocks(self, X, self.normalization_, dtype)

    def __sklearn_tags__(self):
        """Tags for scikit-learn: float32 stays float32."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @property
    def _n_features_out(self):
        return self.normalization_.shape[1]


def draw_landmarks(model, X, weights=None):
    """Set landmarks and kernel of a model; rows are drawn in proportion to their weights."""
    rng = check_random_state(model.random_state)
    share = None if weights is None else weights / weights.sum()
    count = min(model.n_components, len(X))
    model.landmark_indices_ = np.sort(rng.choice(len(X), count, replace=False, p=share))
    model.landmarks_ = to_hyperboloid(X[model.landmark_indices_], chart_of(model), model.curvature)
    rows, counts = hyperbolic_kernel.draw_rows(np.ones(len(X)) if weights is None else weights)
    points = to_hyperboloid(X[rows], chart_of(model), model.curvature)
    model.kernel_ = hyperbolic_kernel.learn_kernel(model, points, counts)


def whiten(gram, least):
    """U S^(-1/2) of gram = U S U', without eigenvalues below the share `least` of the largest."""
    values, vectors = eigh(gram)
    kept = np.flatnonzero(values > least * values[-1])[::-1]
    vectors = vectors[:, kept]
    # The sign of an eigenvector is arbitrary.
    vectors *= np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(len(kept))])
    return vectors / np.sqrt(values[kept])


def each_block(work, model, X):
    """Results of `work(rows, points)` for blocks of rows on the hyperboloid, in their order."""
    tasks = (
        delayed(work)(rows, points)
        for rows, points in hyperboloid_blocks(X, chart_of(model), model.curvature)
    )
    # Products of small blocks: threads of BLAS would wait for each other.
    with threadpool_limits(1) if len(X) > _FEW else nullcontext():
        yield from Parallel(model.n_jobs, require="sharedmem", return_as="generator")(tasks)


def expand_blocks(model, X, coef, dtype=np.float64):
    """Σ_j k(x, landmark_j) coef_j of each row, shape (n, p) for coef (m, p)."""
    found = np.empty((len(X), coef.shape[1]), dtype)

    def work(rows, points):
        found[rows] = hyperbolic_kernel.expand(model.kernel_, points, model.landmarks_, coef)

    for _ in each_block(work, model, X):
        pass
    return found


def kernel_blocks(model, points):
    """Rows (slice) and k(points, landmarks) in small blocks; each overwrites the one before."""
    width = len(model.landmarks_)
    parts = slices(len(points), width)
    space = np.empty((parts[0].stop, width))
    for rows in parts:
        part = points[rows]
        yield rows, model.kernel_.of_points(part, model.landmarks_, space[: len(part)])
