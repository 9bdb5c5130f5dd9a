"""Perceptron of Weber et al. on the hyperboloid, a baseline that need not converge, compiled."""

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Unpack

import numpy as np

from noneuclid.classifiers.parameter_types import WeberParameters
from noneuclid.classifiers.perceptron_base import OnlineClassifier
from noneuclid.classifiers.sklearn_private import StrOptions
from noneuclid.compiled import compile_cached
from noneuclid.errors import InputError
from noneuclid.solvers.perceptrons.mistake_driven import Learner, Plain, add_held
from noneuclid.solvers.products import dot


@dataclass(frozen=True)
class Weber(Plain):
    """Eqs. 24-25 of Pan et al. (2023): u = w + y x at a mistake, w <- u / min(1, sqrt([u,u])).

    [.,.] is the Lorentz product. A row is called positive if -[w,x] > 0, so that the update moves
    its value -[w,x] by y. Rows are given as vectors (x_0, -x_1, ..., -x_d), whose product
    with w is -[w,x]. What (24)-(25) leave open:

    - A row with [w,x] = 0 is a mistake, as in (18): by (24) w = 0 would never move.
    - Where [u,u] <= 0 the root is not a positive number; then w <- u, and the case is counted in
      the memory `undefined`. Such a w has no hyperplane: all points get one label.

    A row of weight q has u = w + q y x.

    `initial` is the first w, d + 1 numbers; None for 0.
    """

    initial: tuple | None = None

    def start(self, width):
        """Learner that has seen nothing."""
        w = np.zeros(width) if self.initial is None else np.array(self.initial, dtype=float)
        return Learner(w, np.zeros(width), memory={"undefined": np.zeros(1, dtype=np.int64)})

    def sweep(self, learner, vectors, signs, rows, limit):
        """One pass in the order `rows`, at most `limit` updates; updates made and steps seen."""
        undefined = learner.memory["undefined"]
        return _pass(vectors, signs, rows, learner.w, learner.total, limit, undefined)


@compile_cached
def _pass(vectors, signs, rows, w, total, limit, undefined):
    """One pass in the order `rows`; `w`, `total` and `undefined` change in place."""
    made = 0
    taken = 0.0
    held = 0.0
    for i in rows:
        if signs[i] * dot(vectors, i, w) <= 0.0:
            add_held(total, w, held)
            held = 0.0
            w[0] += signs[i] * vectors[i, 0]
            square = -(w[0] ** 2)
            for j in range(1, len(w)):
                w[j] -= signs[i] * vectors[i, j]
                square += w[j] ** 2
            if square <= 0.0:
                undefined[0] += 1
            elif square < 1.0:
                for j in range(len(w)):
                    w[j] /= sqrt(square)
            made += 1
        held += abs(signs[i])
        taken += abs(signs[i])
        if made == limit:
            break
    add_held(total, w, held)
    return made, taken


class WeberPerceptron(OnlineClassifier, own={"init": "zero"}):
    r"""Perceptron of Weber et al., which adds y x at a mistake, then normalises.

    Equations 24 and 25 of [1]_: :math:`u = w + y_i x_i` at each mistake
    :math:`-y_i \langle w, x_i\rangle_L \le 0`, then

    .. math:: w \leftarrow \frac{u}{\min\left(1,\; \sqrt{\langle u, u\rangle_L}\right)}.

    It converges on few data sets, and may label nearly all points wrongly where classes are easily
    separated: the update raises the scores of far points most. Use it as a baseline only.

    Two cases are open in [1]_: a row with :math:`\langle w, x_i\rangle_L = 0` counts as a mistake
    (else w = 0 never moves), and where :math:`\langle u, u\rangle_L \le 0`, whose root is not
    positive, w becomes u, which is counted in `n_undefined_`.

    Parameters
    ----------
    init : "zero" or array-like, shape (d + 1,), default="zero"
        First w, on the scale of curvature -1.
    max_updates : int, "bound", "weber" or None, default=None
        As for `HyperboloidPerceptron`; "weber" is the number that Weber et al. claim to suffice.
    max_iter, n_iter_no_change, average, shuffle, class_weight, multi_class, calibration
        As for `PoincarePerceptron`.
    chart, curvature, random_state, n_jobs, verbose
        As for `PoincarePerceptron`.

    Attributes
    ----------
    classes_, n_updates_, n_steps_, n_iter_, status_, calibration_
        As for `PoincarePerceptron`.
    coef_, coef_last_, coef_mean_ : ndarray, shape (n_problems, d + 1)
        -w, last or mean, time coordinate first: the score of x is <-w, sqrt(K) x>_L. If it is
        timelike all points get one label.
    n_undefined_ : ndarray of int, shape (n_problems,)
        Updates that met <u, u>_L <= 0.
    undefined_ : ndarray of int, shape (n_problems, 1)
        The same, kept for `partial_fit`.
    weights_, weight_sums_ : ndarray, shape (n_problems, d + 1)

    Raises
    ------
    InputError
        If a row of X does not satisfy the chart, y holds one class, or `init` has a wrong
        shape.

    Warns
    -----
    ConvergenceWarning
        If the last pass of `fit` still made mistakes.

    See Also
    --------
    HyperboloidPerceptron : Converges if a hyperplane separates the classes.

    References
    ----------
    .. [1] C. Pan, E. Chien, P. Tabaghi, J. Peng, O. Milenkovic, Provably accurate and scalable
       linear classifiers in hyperbolic spaces, 2023, section IV-C; after M. Weber, M. Zaheer,
       A. S. Rawat, A. Menon, S. Kumar, Robust large-margin learning in hyperbolic space, 2020.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import WeberPerceptron
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> model = WeberPerceptron(init=[0.0, -1.0, 0.0], chart="poincare").fit(X, [1, 1, 0, 0])
    >>> model.predict([[0.9, 0.0], [-0.9, 0.0]]), model.n_undefined_
    (array([1, 0]), array([0]))
    """

    if TYPE_CHECKING:

        def __init__(self, **parameters: Unpack[WeberParameters]) -> None: ...

    _parameter_constraints = {  # noqa: RUF012
        **OnlineClassifier._parameter_constraints,
        "init": [StrOptions({"zero"}), "array-like"],
        "max_updates": [
            *OnlineClassifier._parameter_constraints["max_updates"],
            StrOptions({"bound", "weber"}),
        ],
    }

    def __sklearn_tags__(self):
        """Tags for scikit-learn: the method rarely separates classes."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags

    @property
    def n_undefined_(self) -> np.ndarray:
        """Updates that met <u, u>_L <= 0, one number per binary problem."""
        return self.undefined_[:, 0]

    def _rule(self):
        if isinstance(self.init, str):
            return Weber()
        width = self.n_features_in_ + (self.chart != "hyperboloid")
        first = np.asarray(self.init, dtype=float)
        if first.shape != (width,) or not np.isfinite(first).all():
            raise InputError(f"initial has shape {first.shape}; give {width} finite numbers")
        return Weber(tuple(first.tolist()))

    def _vectors(self, points, place):
        return points * np.r_[1.0, -np.ones(points.shape[1] - 1)]

    def _normal(self, w, place):
        return -w
