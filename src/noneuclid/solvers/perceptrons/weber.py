"""Perceptron of Weber et al. on the hyperboloid, a baseline without convergence, compiled."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.solvers.perceptrons.mistake_driven import Learner, Plain, add_held
from noneuclid.solvers.products import dot


@dataclass(frozen=True)
class Weber(Plain):
    """Eqs. 24-25 of pan2023: u = w + y x at a mistake, w <- u / min(1, sqrt([u,u])).

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
