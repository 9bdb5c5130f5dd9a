"""Logistic regression with hyperbolic hyperplanes: logits, loss, gradient, minimisation.

A hyperplane is written (z, b): z in R^d, b the logit of the origin. Its Lorentz normal is
v = (-|z| sinh(b/|z|), z cosh(b/|z|)), so <v,v>_L = |z|² > 0 whatever the numbers are.

The search sees the points from their Fréchet mean, where isometries of the space change the start
and each step by a rotation only: they change the solution by rounding.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit, log_expit, logsumexp, softmax

from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import REACH
from noneuclid.geometry.normal_coordinates import radial_frame, seen_from
from noneuclid.solvers import progress
from noneuclid.solvers.hyperboloid.statistics.frechet_mean import frechet_mean

# Pairs of steps and gradients that L-BFGS keeps. Data of papers need 2 to 5 times fewer steps than
# with scipy's 10, and rounding has fewer steps to grow in.
_KEPT = 40
# Below it the logit is the intercept to all digits.
_LEAST = 1e-150
# Powers of ten between which the length of the first normals is.
_POWERS = -4.0, 4.0


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

    def from_origin(self):
        """Parameters z and b of the hyperplanes from the origin, shapes (m, d), (m,)."""
        norms = np.linalg.norm(self.normals, axis=1, keepdims=True)
        shift = self.intercepts[:, None] / norms
        small = np.exp(-2 * np.abs(shift))
        # Both parts of the Lorentz normals, divided by exp(|shift|).
        time, space = np.copysign(1 - small, -shift), (1 + small) * self.normals / norms
        growth = self.centre[0] + np.linalg.norm(self.centre[1:])
        outgoing, incoming = (time + space[:, :1]) * growth, (time - space[:, :1]) / growth
        space[:, :1] = (outgoing - incoming) / 2
        normals = space @ radial_frame(self.centre).T
        normals *= norms / np.linalg.norm(normals, axis=1, keepdims=True)
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


def logits(points, normals, intercepts):
    """Signed distances from the hyperplanes times their norms: |v| asinh(<v,x>_L / |v|).

    Shapes (n, d + 1), (m, d) and (m,) give (n, m). A normal of zero gives its intercept.
    """
    return _parts(points, normals, intercepts)[0]


def _parts(points, normals, intercepts):
    """Logits and what their derivatives need, everything scaled by exp(-|b|/|z|)."""
    norms = np.maximum(np.linalg.norm(normals, axis=1), _LEAST)
    units = normals / norms[:, None]
    shift = intercepts / norms
    size = np.abs(shift)
    small = np.exp(-2 * size)
    cosh, sinh = (1 + small) / 2, np.copysign((1 - small) / 2, shift)
    time, along = points[:, :1], points[:, 1:] @ units.T
    height = sinh * time + cosh * along
    root = np.sqrt(small + height**2)
    distance = np.copysign(size + np.log(np.abs(height) + root), height)
    turn = (cosh * time + sinh * along) / root
    return norms * distance, distance, units, shift, along, cosh / root, turn


def objective(parameters, points, codes, n_problems, weight, shares=None):
    """Penalised mean loss and its gradient.

    One hyperplane: the logistic loss of f for class 1. Several: the softmax loss of one logit
    for each class.

    `parameters` are the rows (z, b), flat; `weight` is 1 / (C Σ q); `shares` are q_i / Σ q, None
    for 1 / n.
    """
    rows = parameters.reshape(n_problems, -1)
    normals, intercepts = rows[:, :-1], rows[:, -1]
    values, distance, units, shift, along, across, turn = _parts(points, normals, intercepts)
    loss, slope = _loss(values, codes, shares)
    radial = (slope * (distance - shift * turn - across * along)).sum(axis=0)
    gradient = np.empty_like(rows)
    gradient[:, :-1] = radial[:, None] * units + (slope * across).T @ points[:, 1:]
    gradient[:, -1] = (slope * turn).sum(axis=0)
    gradient[:, :-1] += weight * normals
    return loss + weight / 2 * (normals**2).sum(), gradient.ravel()


def _loss(values, codes, shares):
    """Mean loss and its derivative by each logit."""
    n = len(values)
    if values.shape[1] == 1:
        signs = 2.0 * codes[:, None] - 1
        losses, slope = -log_expit(signs * values)[:, 0], -signs * expit(-signs * values)
    else:
        slope = softmax(values, axis=1)
        slope[np.arange(n), codes] -= 1
        losses = logsumexp(values, axis=1) - values[np.arange(n), codes]
    if shares is None:
        return losses.mean(), slope / n
    return losses @ shares, slope * shares[:, None]


def fit_softmax(points, codes, n_classes, C, max_iter, tol, weights=None):
    """Minimise ½ Σ|z|² + C Σ q_i loss_i by L-BFGS from the class means; not convex: `SoftmaxFit`.

    The penalty is ½ Σ <v,v>_L, which isometries do not change. Ganea et al. 2018 (section 3.1)
    have the logit in the ball, Bdeir et al. 2024 on the hyperboloid; their bias is the
    hyperplane's distance from the origin, here it is the origin's logit, whose limit for flat space
    is the intercept of logistic regression, and which stays finite as z goes to 0.

    C may be infinite: no penalty. `tol` is for the largest entry of the gradient of the mean. One
    hyperplane for two classes, else one for each. O(n d) for each
    iteration, O(n d²) for the mean.
    """
    n_problems = 1 if n_classes == 2 else n_classes
    centre = frechet_mean(points, weights)[0]
    points = see(points, centre)
    start = _start(points, codes, n_classes, weights)
    total = len(points) if weights is None else weights.sum()
    shares = None if weights is None else weights / total
    data = (points, codes, n_problems, 1 / (C * total), shares)
    start = _scaled(start, data)
    options = {"maxiter": max_iter, "maxfun": 2 * max_iter, "gtol": tol, "ftol": 0.0}
    options["maxcor"] = _KEPT
    with progress.bar(desc="L-BFGS step", total=max_iter) as bar:
        found = minimize(
            objective,
            start,
            data,
            method="L-BFGS-B",
            jac=True,
            options=options,
            callback=lambda _: bar.update(),
        )
    # A failed line search leaves found.fun and found.jac at its last trial, not at found.x.
    value, slope = objective(found.x, *data)
    rows = found.x.reshape(n_problems, -1)
    size = float(np.abs(slope).max())
    return SoftmaxFit(centre, rows[:, :-1], rows[:, -1], float(value), size, int(found.nit))


def _scaled(start, data):
    """The multiple of the start with the least objective.

    The objective is convex in it: logits are 0 at the centre and proportional to the multiple.
    """
    found = minimize_scalar(
        lambda power: objective(10.0**power * start, *data)[0], bounds=_POWERS, method="bounded"
    )
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
