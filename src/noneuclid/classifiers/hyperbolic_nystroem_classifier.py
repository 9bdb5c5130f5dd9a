"""Least-squares classifier on Nyström features of hyperbolic space, in one pass over blocks."""

from numbers import Real
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh
from scipy.linalg.blas import dsyrk
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers import multiclass
from noneuclid.classifiers.base import DecisionClassifier
from noneuclid.classifiers.calibration import fit_platt
from noneuclid.classifiers.default_chart import chart_of, question_default
from noneuclid.classifiers.hyperbolic_kernel import Kind
from noneuclid.classifiers.hyperbolic_nystroem import (
    CONSTRAINTS,
    draw_landmarks,
    each_block,
    expand_blocks,
    kernel_blocks,
    whiten,
)
from noneuclid.classifiers.parallel import shows_progress
from noneuclid.classifiers.parameter_types import Chart, ClassWeight, Seed
from noneuclid.classifiers.sklearn_private import (
    Interval,
    StrOptions,
    available_if,
    check_parameters,
)
from noneuclid.classifiers.validation import check_rows, read
from noneuclid.classifiers.weights import encode_weighted

# Rows to which the probabilities are fitted, and those of a class that are all among them.
_CALIBRATED, _ALL_KEPT = 50_000, 1000


class HyperbolicNystroemClassifier(DecisionClassifier):
    r"""The kernel machine of `HyperbolicKernelSVC` on millions of rows: landmarks, least squares.

    Minimises

    .. math::

        \tfrac{1}{2}\lVert w\rVert^2 + C\sum_i q_i (w\cdot F_i + b - y_i)^2, \qquad y_i = \pm 1,

    one class against the rest, :math:`q_i` the weight of row i, on the features F of
    `HyperbolicNystroem`. The rows are read once, in blocks, and the normal equations are solved
    exactly. Rows are drawn as landmarks in proportion to their weights.

    Parameters
    ----------
    C : float in [1e-10, 1e10], default=1.0
        Weight of the summed loss.
    kernel, scale
        As for `HyperbolicKernelSVC`.
    n_components : int, default=200
        Landmarks, at most the number of rows.
    class_weight : dict, "balanced" or None, default=None
        As for `HyperboloidSVC`. For balanced accuracy set "balanced".
    calibration : {"platt"} or None, default="platt"
        As for `HyperboloidSVC`; fitted to 50,000 rows at most, drawn with a fixed seed, and to all
        rows of classes of 1000 or fewer.
    chart : {"tangent", "poincare", "klein", "hyperboloid"} or None, default=None
        How the rows of X are written. None reads tangent vectors, as a table holds, and warns if
        the rows look like points of another chart: embeddings return ``"poincare"`` by default.
    curvature : float > 0, default=1.0
        K; the space has curvature -K. Points are scaled to K = 1.
    random_state : int, RandomState or None, default=None
        Landmarks.
    n_jobs : int or None, default=None
        Threads; -1 for one on each processor. Results do not depend on it.
    verbose : int, default=0
        1 shows progress on stderr.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    kernel_, landmark_indices_, landmarks_
        As for `HyperbolicNystroem`; rows of weight 0 are not counted.
    coef_ : ndarray, shape (n_problems, m)
        The score of x is Σ_j coef_j k(x, landmark_j) + intercept.
    intercept_ : ndarray, shape (n_problems,)
    calibration_ : ndarray, shape (n_problems, 2)

    See Also
    --------
    HyperbolicKernelSVC : The exact kernel, for up to about 20,000 rows.

    Notes
    -----
    Takes O(n m²) time; beside the data, one block of rows and one m×m matrix for each thread.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HyperbolicNystroemClassifier
    >>> X = np.random.default_rng(0).normal(size=(1000, 2))
    >>> y = np.linalg.norm(X, axis=1) > 1  # no hyperplane separates the classes
    >>> model = HyperbolicNystroemClassifier(random_state=0).fit(X, y)
    >>> bool(model.score(X, y) > 0.97)
    True
    """

    _parameter_constraints = {  # noqa: RUF012
        **CONSTRAINTS,
        "C": [Interval(Real, 1e-10, 1e10, closed="both")],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "calibration": [StrOptions({"platt"}), None],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: Kind = "cosh",
        scale: float = 2.0,
        n_components: int = 200,
        class_weight: ClassWeight | None = None,
        calibration: Literal["platt"] | None = "platt",
        chart: Chart | None = None,
        curvature: float = 1.0,
        random_state: Seed | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.scale = scale
        self.n_components = n_components
        self.class_weight = class_weight
        self.calibration = calibration
        self.chart = chart
        self.curvature = curvature
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    @shows_progress
    @check_parameters
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to labelled points.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
        y : array-like, shape (n,)
            Labels of any type.
        sample_weight : array-like, shape (n,), or None
            Finite numbers >= 0 that multiply the loss of each row: 2 counts as two equal rows, 0
            as none, if all rows are landmarks. A class whose rows all have weight 0 has
            probability 0.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart, y holds one class, a weight is negative or
            not finite, or fewer than two classes have a weight above 0.
        """
        X, y = read(self, X, y)
        question_default(self, X)
        points = self._to_points(X)
        self.classes_, self._left, X, codes, weights, _ = encode_weighted(
            points, y, sample_weight, self.class_weight
        )
        draw_landmarks(self, X, weights)
        self._solve(*self._sum_up(X, codes, weights))
        if self.calibration is not None:
            self._calibrate(X, codes, weights)
        return self

    def _sum_up(self, X, codes, weights):
        """Σ q k k', shape (m, m), Σ q k of each class, (m, K), and the weight of each class."""
        n_classes, m = len(self._left), len(self.landmarks_)

        def work(rows, points):
            square, sums = np.zeros((m, m), order="F"), np.zeros((m, n_classes))
            for part, block in kernel_blocks(self, points):
                of_class = np.eye(n_classes)[codes[rows][part]]
                if weights is not None:
                    roots = np.sqrt(weights[rows][part])[:, None]
                    block *= roots
                    of_class *= roots
                square = dsyrk(1.0, block.T, beta=1.0, c=square, overwrite_c=1)
                sums += block.T @ of_class
            return square, sums

        square, sums = np.zeros((m, m)), np.zeros((m, n_classes))
        for more in each_block(work, self, X):
            square += more[0]
            sums += more[1]
        square = np.triu(square) + np.triu(square, 1).T
        return square, sums, np.bincount(codes, weights, minlength=n_classes)

    def _solve(self, square, sums, totals):
        """Set the solution of the normal equations; the intercept has no penalty."""
        basis = whiten(self.kernel_.of_points(self.landmarks_), 1e-10)
        mean, total = sums.sum(axis=1) / totals.sum(), totals.sum()
        centred = basis.T @ (square - total * np.outer(mean, mean)) @ basis
        # y = 2 [class k] - 1, one column for each binary problem.
        sums, totals = (sums[:, 1:], totals[1:]) if len(totals) == 2 else (sums, totals)
        targets = 2.0 * totals / total - 1.0
        slopes = basis.T @ (2.0 * (sums - np.outer(mean, totals)))
        values, vectors = eigh(centred)
        # No eigenvalue is below zero but by rounding, so the least shows its size.
        penalised = np.maximum(values, 0.0) + max(0.5 / self.C, -2.0 * values[0])
        coef = basis @ (vectors @ ((vectors.T @ slopes) / penalised[:, None]))
        self.coef_, self.intercept_ = coef.T, targets - mean @ coef

    def _calibrate(self, X, codes, weights):
        rows, shares = _calibrated_rows(codes)
        X, codes = X[rows], codes[rows]
        weights = shares if weights is None else weights[rows] * shares
        scores = self._scores(X)
        problems = multiclass.binary_problems(codes, len(self._left), "ovr")
        centred = len(self._left) == 2
        self.calibration_ = np.array(
            [
                fit_platt(scores[:, k], signs, centred, weights)
                for k, (_, signs) in enumerate(problems)
            ]
        )

    def _scores(self, X):
        return expand_blocks(self, X, self.coef_.T) + self.intercept_

    def _log_odds(self, X):
        scores = self._scores(X)
        if self.calibration is None:
            return scores
        return scores * self.calibration_[:, 0] + self.calibration_[:, 1]

    def _to_points(self, X):
        # Kept as given: blocks of rows are lifted one by one.
        check_rows(X, chart_of(self), self.curvature)
        return X

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Decision values; `predict` takes their sign, or the column with the largest.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n,) for two classes, else (n, n_classes)
            Two classes: the score, positive for `classes_[1]`. Several: log-odds of the scores, or
            the scores if `calibration` is None.
        """
        X = self._check_again(X)
        values = self._scores(X)[:, 0] if len(self._left) == 2 else self._log_odds(X)
        return multiclass.all_columns(values, self._left, len(self.classes_), least=None)

    def _has_probabilities(self):
        if self.calibration is None:
            raise AttributeError(
                "predict_proba is not available when calibration=None; set 'platt'"
            )
        return True

    @available_if(_has_probabilities)
    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Platt probabilities, normalised over the classes.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n, n_classes)
            In the order of `classes_`.
        """
        check_is_fitted(self)
        log_odds = self._log_odds(self._check_again(X))
        found = multiclass.normalise_sigmoids(log_odds[:, 0] if len(self._left) == 2 else log_odds)
        return multiclass.all_columns(found, self._left, len(self.classes_))


def _calibrated_rows(codes):
    """All rows, or a sample with every row of small classes; weights that make up for this."""
    n = len(codes)
    if n <= _CALIBRATED:
        return slice(None), np.ones(n)
    small = np.bincount(codes)[codes] <= _ALL_KEPT
    rest = np.flatnonzero(~small)
    drawn = np.random.default_rng(0).choice(rest, min(_CALIBRATED, len(rest)), replace=False)
    rows = np.sort(np.concatenate([np.flatnonzero(small), drawn]))
    shares = np.where(small[rows], 1.0, len(rest) / max(1, len(drawn)))
    return rows, shares / shares.mean()
