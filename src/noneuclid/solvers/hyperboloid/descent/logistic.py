"""Logistic regression with hyperbolic hyperplanes: logits, loss, gradient, minimisation.

A hyperplane is written (z, b): z in R^d, b the logit of the origin. Its Lorentz normal is
v = (-|z| sinh(b/|z|), z cosh(b/|z|)), so <v,v>_L = |z|² > 0 whatever the numbers are.

The search sees the points from their Fréchet mean, where isometries of the space change the start
and each step by a rotation only: they change the solution by rounding.

Where z goes to 0 the hyperplane leaves beyond the rim, and its logit is, to first order,
b + |z| log(x0 + ω·x) for b > 0 and b - |z| log(x0 + ω·x) for b < 0, with ω the direction z/|z| or
-z/|z|: a horosphere's. The objective has a kink there, and its minimum may lie on it.
"""

from dataclasses import dataclass
from operator import attrgetter, itemgetter

import numpy as np
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit, log_expit

from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import REACH
from noneuclid.geometry.means import mean_and_covariance
from noneuclid.geometry.normal_coordinates import radial_frame, seen_from
from noneuclid.solvers import progress

# Pairs of steps and gradients that L-BFGS keeps. Data of papers need 2 to 5 times fewer steps than
# with scipy's 10, and rounding has fewer steps to grow in.
_KEPT = 40
# Below it the logit is the intercept to all digits.
_LEAST = 1e-150
# Powers of ten between which the length of the first normals is, and the precision of the power.
_POWERS, _PRECISION = (-4.0, 4.0), 0.1
# Spread of the logits of a class, |z| times that of the points, below which z may be zero.
_FLAT = 0.05
_HALVINGS = 50
_SHORTER = 0.1  # of a start from which no step leads


@dataclass(frozen=True)
class SoftmaxFit:
    """A stationary point; z and b are those of the points as `see` gives them."""

    centre: np.ndarray  # (d + 1,), Fréchet mean of the points
    normals: np.ndarray  # (m, d); z of each hyperplane
    intercepts: np.ndarray  # (m,), logits of the centre
    objective: float  # ½ Σ|z|² / (C Σ q) + mean loss, weighted by q
    gradient_norm: float  # largest entry of the gradient
    n_iter: int

    def logits(self, points):
        """Logits of points, (n, m)."""
        return logits(see(points, self.centre), self.normals, self.intercepts)

    def continues(self, centre, n_problems):
        """Whether a fit around this mean can start here."""
        return np.array_equal(self.centre, centre) and len(self.normals) == n_problems

    def from_origin(self):
        """Parameters z and b of the hyperplanes from the origin, shapes (m, d), (m,)."""
        planes = _Planes.of(self.normals, self.intercepts[:, None])
        # Both parts of the Lorentz normals, divided by exp(|shift|).
        time, space = -planes.sinh, planes.cosh * planes.units
        growth = self.centre[0] + np.linalg.norm(self.centre[1:])
        outgoing, incoming = (time + space[:, :1]) * growth, (time - space[:, :1]) / growth
        space[:, :1] = (outgoing - incoming) / 2
        normals = space @ radial_frame(self.centre).T
        lengths = np.linalg.norm(self.normals, axis=1, keepdims=True)
        normals *= lengths / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), _LEAST)
        return normals, self.logits(lorentz.origin(normals.shape[1])[None])[0]


def see(points, centre):
    """Points, (n, d + 1), after the boost that carries the centre to the origin; O(n d²)."""
    space, length = seen_from(points, centre, radial_frame(centre))
    farthest = np.arcsinh(length.max())
    if farthest > REACH["hyperboloid"]:
        raise InputError(
            f"a row is {farthest:.4g} from the mean of the training rows at curvature -1, beyond "
            f"the {REACH['hyperboloid']:g} that float64 holds; divide all coordinates by 2"
        )
    return np.column_stack([np.hypot(1.0, length), space])


@dataclass(frozen=True)
class _Planes:
    """Hyperplanes in a form that neither overflows nor divides by zero; all (m, 1), units (m, d).

    The shift is b/|z|; sinh, cosh and the unit of heights have the factor exp(-|shift|).
    """

    norms: np.ndarray
    units: np.ndarray
    shift: np.ndarray
    unit: np.ndarray  # squared
    sinh: np.ndarray
    cosh: np.ndarray

    @classmethod
    def of(cls, normals, intercepts):
        """Planes of z, (m, d), and b, (m, 1)."""
        norms = np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), _LEAST)
        shift = intercepts / norms
        small = np.exp(-2 * np.abs(shift))
        sinh = np.copysign((1 - small) / 2, shift)
        return cls(norms, normals / norms, shift, small, sinh, (1 + small) / 2)

    def distances(self, points):
        """Signed distances from the hyperplanes, and their hyperbolic cosines, both (m, n)."""
        heights = np.hstack([self.sinh, self.cosh * self.units]) @ points.T
        root = np.square(heights)
        root += self.unit
        np.sqrt(root, out=root)
        found = np.abs(heights)
        found += root
        np.log(found, out=found)
        found += np.abs(self.shift)
        return np.copysign(found, heights, out=found), root

    def gradient(self, points, distances, root, slope):
        """Derivatives of the loss by (z, b), (m, d + 1), from those by the logits, (m, n).

        `distances` and `root` are those of `distances`; `slope` is overwritten.
        """
        far = np.vecdot(slope, distances)[:, None]
        slope /= root
        pull = slope @ points
        along = (self.units * pull[:, 1:]).sum(axis=1, keepdims=True)
        turn = self.cosh * pull[:, :1] + self.sinh * along
        radial = far - self.shift * turn - self.cosh * along
        return np.hstack([radial * self.units + self.cosh * pull[:, 1:], turn])


def logits(points, normals, intercepts):
    """Signed distances from the hyperplanes times their norms: |v| asinh(<v,x>_L / |v|).

    Shapes (n, d + 1), (m, d) and (m,) give (n, m). A normal of zero gives its intercept.
    """
    planes = _Planes.of(normals, intercepts[:, None])
    return (planes.norms * planes.distances(points)[0]).T


def objective(parameters, points, codes, n_problems, weight, shares=None):
    """Penalised mean loss and its gradient.

    One hyperplane: the logistic loss of f for class 1. Several: the softmax loss of one logit
    for each class.

    `parameters` are the rows (z, b), flat; `weight` is 1 / (C Σ q); `shares` are q_i / Σ q, None
    for 1 / n.
    """
    rows = parameters.reshape(n_problems, -1)
    planes = _Planes.of(rows[:, :-1], rows[:, -1:])
    distances, root = planes.distances(points)
    loss, slope = _loss(planes.norms * distances, codes, shares)
    gradient = planes.gradient(points, distances, root, slope)
    gradient[:, :-1] += weight * rows[:, :-1]
    return loss + weight / 2 * (rows[:, :-1] ** 2).sum(), gradient.ravel()


def _loss(values, codes, shares):
    """Mean loss and its derivative by each logit, (m, n); the logits are overwritten."""
    n = values.shape[1]
    shares = np.full(n, 1 / n) if shares is None else shares
    if len(values) == 1:
        signs = 2.0 * codes - 1
        margins = signs * values[0]
        return -shares @ log_expit(margins), (-signs * shares * expit(-margins))[None]
    own = codes, np.arange(n)
    values -= values.max(axis=0)
    losses = -values[own]
    np.exp(values, out=values)
    total = values.sum(axis=0)
    losses += np.log(total)
    values *= shares / total
    values[own] -= shares
    return losses @ shares, values


def fit_softmax(points, codes, n_classes, C, max_iter, tol, weights=None, before=None):
    """Minimise ½ Σ|z|² + C Σ q_i loss_i by L-BFGS from the class means; not convex: `SoftmaxFit`.

    The penalty is ½ Σ <v,v>_L, which isometries do not change. Ganea et al. 2018 (section 3.1)
    have the logit in the ball, Bdeir et al. 2024 on the hyperboloid; their bias is the
    hyperplane's distance from the origin, here it is the origin's logit, whose limit for flat space
    is the intercept of logistic regression, and which stays finite as z goes to 0.

    `before` is the fit to start from, if it has the same mean and number of hyperplanes.

    C may be infinite: no penalty. `tol` is for the largest entry of the gradient of the mean. One
    hyperplane for two classes, else one for each. O(n d) for each
    iteration, O(n d²) for the mean.
    """
    n_problems = 1 if n_classes == 2 else n_classes
    centre, covariance = mean_and_covariance(points, weights)
    points = see(points, centre)
    total = len(points) if weights is None else weights.sum()
    shares = None if weights is None else weights / total
    data = (points, codes.astype(np.intp), n_problems, 1 / (C * total), shares)
    if before is not None and before.continues(centre, n_problems):
        start = np.column_stack([before.normals, before.intercepts])
    else:
        start = _scaled(_start(points, codes, n_classes, weights), data)
    with progress.bar(desc="L-BFGS step", total=max_iter) as bar:
        spread = np.sqrt(np.trace(covariance))
        search = _Search(start, data, spread, bar)
        search.run(max_iter, tol)
        if (
            not search.n_iter and search.record()[1] > tol
        ):  # rounding hides the slope of long normals
            search = _Search(_SHORTER * start, data, spread, bar)
            search.run(max_iter, tol)
    rows = search.rows
    value, size = search.record()
    return SoftmaxFit(centre, rows[:, :-1], rows[:, -1], value, size, search.n_iter)


class _Search:
    """L-BFGS that keeps a normal at zero where the minimum lies on the kink there.

    A normal becomes zero if this does not raise the objective and no direction of z lowers it
    from there; it moves again where a direction does. Each of these steps lowers the objective.
    """

    def __init__(self, start, data, spread, bar):
        self.rows = start.reshape(data[2], -1)
        self.n_iter, self._fall = 0, 0.0
        self._data, self._bar = data, bar
        self._free = np.ones(len(self.rows), dtype=bool)
        self._reach = np.arccosh(data[0][:, 0].max())
        # Lengths below which a normal is tried at zero.
        self._short = np.full(len(self.rows), _FLAT / max(spread, _LEAST))

    def run(self, max_iter, tol):
        """Search until no entry of the gradient is above `tol`, and no zero normal moves."""
        moves = True
        while moves and self.n_iter < max_iter:
            count = self._free.sum()
            self._descend(max_iter - self.n_iter, tol)
            moves = self._free.sum() < count or self._leave_zero(tol)

    def record(self):
        """Objective and the largest entry of its gradient; of a zero normal, the steepest fall."""
        # A failed line search leaves L-BFGS's record at its last trial.
        value, gradient = self._objective(self.rows.ravel())
        return float(value), float(max(np.abs(gradient).max(), self._fall))

    def _descend(self, max_iter, tol):
        """L-BFGS, until it ends or a normal becomes zero."""
        options = {"maxiter": max_iter, "maxfun": 2 * max_iter, "gtol": tol, "ftol": 0.0}
        found = minimize(
            self._objective,
            self.rows.ravel(),
            method="L-BFGS-B",
            jac=True,
            options=options | {"maxcor": _KEPT},
            callback=self._watch,
        )
        self.n_iter += int(found.nit)

    def _objective(self, parameters):
        """`objective` where zero normals do not move."""
        value, gradient = objective(parameters, *self._data)
        gradient.reshape(self.rows.shape)[~self._free, :-1] = 0.0
        return value, gradient

    def _watch(self, intermediate_result):
        """Keep the parameters; end the descent where a normal becomes zero."""
        self._bar.update()
        self.rows = intermediate_result.x.reshape(self.rows.shape).copy()
        norms = np.linalg.norm(self.rows[:, :-1], axis=1)
        short = (
            self._free & (norms < self._short) & (np.abs(self.rows[:, -1]) > norms * self._reach)
        )
        for k in np.flatnonzero(short):
            trial = self.rows.copy()
            trial[k, :-1] = 0.0
            value = objective(trial.ravel(), *self._data)[0]
            if value <= intermediate_result.fun and self._steepest(k, trial)[0] >= 0.0:
                self.rows, self._free[k] = trial, False
                raise StopIteration
            self._short[k] = norms[k] / 2

    def _leave_zero(self, tol):
        """Move the zero normal whose objective falls the most, if by more than `tol`."""
        zeros = np.flatnonzero(~self._free)
        found = [(*self._steepest(k, self.rows), k) for k in zeros]
        slope, direction, k = min(found, key=itemgetter(0), default=(0.0, None, None))
        self._fall = max(-slope, 0.0)
        if self._fall <= tol:
            return False
        value, trial = objective(self.rows.ravel(), *self._data)[0], self.rows.copy()
        for power in range(_HALVINGS):
            trial[k, :-1] = self._short[k] / 2**power * direction
            if objective(trial.ravel(), *self._data)[0] < value:
                self.rows, self._free[k] = trial, True
                self._short[k] /= 2 ** (power + 2)
                return True
        return False

    def _steepest(self, k, rows):
        """Least slope of the objective along z_k from zero, and that unit vector z_k / |z_k|."""
        points, codes, _, _, shares = self._data
        planes = _Planes.of(rows[:, :-1], rows[:, -1:])
        slope = _loss(planes.norms * planes.distances(points)[0], codes, shares)[1][k]
        sign = np.copysign(1.0, rows[k, -1])
        # x0 + ω·x is at least exp(-r) at distance r from the centre; its rounding is not.
        least = 0.5 / points[:, 0]

        def rate(parameters):
            size = np.linalg.norm(parameters)
            unit = parameters / size
            heights = np.maximum(points[:, 0] + points[:, 1:] @ unit, least)
            uphill = (slope / heights) @ points[:, 1:]
            return sign * (slope @ np.log(heights)), sign * (uphill - (uphill @ unit) * unit) / size

        start = -sign * (slope @ (points[:, 1:] / points[:, :1]))
        start = start if start.any() else np.eye(1, len(start))[0]
        options = {"gtol": _PRECISION * np.abs(rate(start)[1]).max()}
        runs = (
            minimize(rate, way, method="L-BFGS-B", jac=True, options=options)
            for way in (start, -start)  # in one dimension, all there are
        )
        found = min(runs, key=attrgetter("fun"))
        return float(found.fun), sign * found.x / np.linalg.norm(found.x)


def _scaled(start, data):
    """The multiple of the start with about the least objective.

    The objective is convex in it: logits are 0 at the centre and proportional to the multiple.
    """
    points, codes, n_problems, weight, shares = data
    rows = start.reshape(n_problems, -1)
    values = logits(points, rows[:, :-1], rows[:, -1]).T

    def value(power):
        size = 10.0**power
        return _loss(size * values, codes, shares)[0] + weight / 2 * n_problems * size**2

    options = {"xatol": _PRECISION}
    found = minimize_scalar(value, bounds=_POWERS, method="bounded", options=options)
    return 10.0**found.x * start


def _start(points, codes, n_classes, weights):
    """Directions of the class means as seen from the origin, unit length; logits 0 there."""
    spatial = points[:, 1:] / points[:, :1]
    parts = [slice(None), *(codes == k for k in range(n_classes))]
    middle, *means = (
        np.average(spatial[part], axis=0, weights=None if weights is None else weights[part])
        for part in parts
    )
    means = np.array(means)
    directions = means[1:] - means[:1] if n_classes == 2 else means - middle
    norms = np.linalg.norm(directions, axis=1, keepdims=True)
    # Equal means show no direction: any will do.
    directions = np.where(
        norms > 0, directions / np.where(norms > 0, norms, 1), np.eye(1, means.shape[1])
    )
    return np.column_stack([directions, np.zeros(len(directions))]).ravel()
