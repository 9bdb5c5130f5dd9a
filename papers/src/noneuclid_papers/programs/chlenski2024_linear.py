"""Linear classifiers as the notebook behind table 2 of chlenski2024 runs them, for two classes.

pchlenski/hyperdt, commit b2364d5, notebooks/31_hsvm_and_logistic_regression.ipynb.
"""

import warnings
import zlib
from functools import lru_cache
from numbers import Integral

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from noneuclid.classifiers.sklearn_private import Interval
from noneuclid.compiled import compile_cached
from noneuclid_papers.programs.chlenski2024_released import TwoClasses, folds_in_order, of_fold

BATCH, FIRST_RATE, LEAST_RATE, CUT = 16, 1e-3, 1e-5, 5.0
PATIENCE, LAST_PATIENCE, EPOCHS = 10, 50, 1000
STEPS, RATE = 1000, 0.01


@compile_cached
def _descend(X, y, w, C, rng):
    """Weights of `LinearHSVM` (hsvm.py, `_hyper_train`), from the start w; y in -1, 1.

    Shapes: X (n, d + 1), y (n,), w (d + 1,).
    """
    rate, best, cuts, idle = FIRST_RATE, np.inf, 0, 0
    for _ in range(EPOCHS):
        order, total = rng.permutation(len(y)), 0.0
        for start in range(0, len(y), BATCH):
            rows = order[start : start + BATCH]
            # The gradient of -(w0² - w1² - ...)/2 is (-w0, w1, ...); theirs is -w.
            gradient = -w
            for i in rows:
                z = y[i] * (X[i, 0] * w[0] - (X[i, 1:] * w[1:]).sum())
                if z < 1.0:
                    pull = -C * y[i] / np.sqrt(1.0 + z * z)
                    gradient[0] += pull * X[i, 0]
                    gradient[1:] -= pull * X[i, 1:]
            w = w - rate * gradient
            square = w[0] ** 2 - (w[1:] ** 2).sum()
            if square >= 1.0:
                w, square = np.zeros_like(w), 0.0
            # The gradient has reversed the rows in space, so that these products are Euclidean.
            total -= 0.5 * square
            for i in rows:
                total += C * (np.arcsinh(1.0) - np.arcsinh(y[i] * (X[i] * w).sum()))
        if total < best:
            best = total
            continue
        cuts += 1
        idle += 1
        if cuts == PATIENCE and rate > LEAST_RATE:
            cuts = idle = 0
            rate /= CUT
        if idle == LAST_PATIENCE:
            break
    return w


class ReleasedSVM(TwoClasses):
    """`LinearHSVM` of plumdeq/hsvm (c25089f) with its defaults, on mixtures of the paper only.

    It is a stochastic gradient descent. Its weights have the shape (1, d + 1), so that the lines
    for the first entry change all: the gradient of the norm term is -w (htools.py, `grad_fn`), and
    an infeasible w becomes 0 (`project_weight`). Infeasible is w0² - w1² - ... >= 1 in place of
    >= 0. O(n d) for each of at most 1000 passes.

    It starts at the `LinearSVC` of the notebook's time, by the dual problem in at most 1000 passes,
    which draws from the generator that had drawn the mixture, fold after fold. The rows say which
    fold of ``KFold(5, shuffle=True, random_state)`` they are; others are refused.

    Parameters
    ----------
    order : int, default=0
        With the training rows, the seed of the order of the rows; the program has none.
    random_state : int, default=0
        Number of the mixture.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
    coef_ : ndarray, shape (d + 1,)
        A row with x0 w0 - x1 w1 - ... >= 0 has the second class.

    Raises
    ------
    InputError
        If y has not two classes, or rows and labels are neither a training fold of the mixture nor
        all of it.

    See Also
    --------
    noneuclid.HyperboloidSVC : The method as its paper describes it.

    References
    ----------
    .. [1] P. Chlenski, E. Turok, A. Moretti, I. Pe'er, Fast hyperboloid decision tree algorithms,
       ICLR 2024, appendix A.6.2.

    Examples
    --------
    >>> from noneuclid_papers.data import hyperdt_mixtures
    >>> data = hyperdt_mixtures.load({}, 0, n_samples=100, n_features=2, number=3)
    >>> ReleasedSVM(random_state=3).fit(data.features, data.labels).coef_.shape
    (3,)
    """

    _parameter_constraints = {  # noqa: RUF012
        "order": [Interval(Integral, 0, None, closed="left")],
        **TwoClasses._parameter_constraints,
    }

    def __init__(self, *, order=0, random_state=0):
        self.order = order
        self.random_state = random_state

    def _learn(self, X, y):
        start = of_fold(self, X, y, _starts_in_order)
        rng = np.random.default_rng([self.order, zlib.crc32(X.tobytes())])
        self.coef_ = _descend(X, 2.0 * y - 1.0, start, 1.0, rng)

    def _codes(self, X):
        return (X[:, 0] * self.coef_[0] - X[:, 1:] @ self.coef_[1:] >= 0).astype(int)


@lru_cache(maxsize=1)
def _starts_in_order(points, dimension, number):
    """Training rows, their labels and start of each fold of a mixture, then of all rows."""
    parts, draw = folds_in_order(points, dimension, number)
    found = []
    for X, y in parts:
        model = LinearSVC(dual=True, fit_intercept=False, random_state=draw)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # as the notebook does
            found.append((X, y, model.fit(X, 2.0 * y - 1.0).coef_[0]))
        draw.randint(np.iinfo("i").max)  # the notebook's SVC
    return found


def logit(X, a, z):
    """Value of `LorentzMLR` for one class, and its derivatives by a and z.

    Shapes: X (n, d + 1), z (d,); (n,), (n,) and (n, d).
    """
    length = np.linalg.norm(z)
    along = X[:, 1:] @ z
    u = (np.cosh(a) * along - np.sinh(a) * length * X[:, 0]) / length
    root = np.sqrt(1.0 + u * u)
    by_a = (np.sinh(a) * along - np.cosh(a) * length * X[:, 0]) / root
    by_z = (np.cosh(a) * X[:, 1:] - np.sinh(a) * X[:, :1] * z / length) / root[:, None]
    by_z += (np.arcsinh(u) - u / root)[:, None] * z / length
    return length * np.arcsinh(u), by_a, by_z


class ReleasedLogistic(TwoClasses):
    """`LorentzMLR` of kschwethelm/HyperbolicCV (fe1646d) as the notebook trains it, by Adam.

    The loss is that of the second class's logit alone (`logits[:, 1]`), and the class of the larger
    logit is predicted: that of the first class keeps its random start. O(n d) for each of 1000
    steps.

    Parameters
    ----------
    trained_only : bool, default=False
        Whether to predict by the sign of the trained logit.
    random_state : int, default=0
        With the training rows, the seed of the start; the notebook has none.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
    offsets_, normals_ : ndarray, shape (2,) and (2, d)
        Of both logits, the trained one last.

    Raises
    ------
    InputError
        If y has not two classes, or rows are not on the hyperboloid of curvature -1.

    See Also
    --------
    noneuclid.HyperbolicLogisticRegression : Hyperbolic logistic regression.

    References
    ----------
    .. [1] P. Chlenski, E. Turok, A. Moretti, I. Pe'er, Fast hyperboloid decision tree algorithms,
       ICLR 2024, appendix A.6.2.

    Examples
    --------
    >>> X = np.array([[2**0.5, 1.0], [2**0.5, -1.0], [5**0.5, 2.0], [5**0.5, -2.0]])
    >>> ReleasedLogistic(trained_only=True).fit(X, [1, 0, 1, 0]).predict(X)
    array([1, 0, 1, 0])
    """

    _parameter_constraints = {  # noqa: RUF012
        "trained_only": ["boolean"],
        **TwoClasses._parameter_constraints,
    }

    def __init__(self, *, trained_only=False, random_state=0):
        self.trained_only = trained_only
        self.random_state = random_state

    def _learn(self, X, y):
        d = X.shape[1] - 1
        rng = np.random.default_rng([self.random_state, zlib.crc32(X.tobytes())])
        self.normals_ = rng.uniform(-1.0, 1.0, (2, d)) / np.sqrt(d)
        self.offsets_ = rng.uniform(-1.0, 1.0, 2) / np.sqrt(d)
        theta = np.r_[self.offsets_[1], self.normals_[1]]
        mean, square = np.zeros(d + 1), np.zeros(d + 1)
        for k in range(1, STEPS + 1):
            value, by_a, by_z = logit(X, theta[0], theta[1:])
            residual = (0.5 * (1.0 + np.tanh(0.5 * value)) - y) / len(y)
            gradient = np.r_[residual @ by_a, residual @ by_z]
            mean = 0.9 * mean + 0.1 * gradient
            square = 0.999 * square + 0.001 * gradient**2
            length = np.sqrt(square / (1.0 - 0.999**k)) + 1e-8
            theta = theta - RATE * mean / (1.0 - 0.9**k) / length
        self.offsets_[1], self.normals_[1] = theta[0], theta[1:]

    def _codes(self, X):
        first, second = (
            logit(X, a, z)[0] for a, z in zip(self.offsets_, self.normals_, strict=True)
        )
        return (second > (0.0 if self.trained_only else first)).astype(int)
