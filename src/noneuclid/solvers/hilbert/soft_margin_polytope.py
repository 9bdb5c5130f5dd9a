"""The least weighted slack at one radius in a polytope, by an interior-point method.

Each point has one small cone, and no link to other points but the function g that all share. A
point of unit weight has a dual variable z in the cone over the polytope, in coordinates in which
the facet values are B z and the height is e·z. It is a mass e·z <= 1 placed in the ball about p:
low T a <= B z <= high T a, where a = a(p) and T is free for the Hilbert metric (with T <= 1), the
mass itself for the Funk metrics.

On the same programs (100 and 300 rows, 20 and 40 facets, `benchmarks/hilbert_slice.py`) HiGHS takes
6.4 to 60.4 times as long and Clarabel 3.6 to 13.2 times. Both leave the bounds to be proved, and
Clarabel's value may lie beyond them (488.3304 where 488.3306 is proved, tolerance 1e-6).
"""

from dataclasses import replace

import numpy as np

from noneuclid.compiled import solve
from noneuclid.solvers.hilbert.soft_margin_polytope_kernels import (
    Bounds,
    apply_inverse,
    fill_slacks,
    invert_factors,
    predict_products,
    pull_back,
)
from noneuclid.solvers.hilbert.soft_margin_problem import RadiusBounds

_ROUNDING = 1e-12  # relative, of slacks that are zero
_CHUNK = 2000  # rows whose arrays stay in the processor's cache
_MAX_STEPS = 400
_SHARE = 0.995  # of the way to the nearest bound
_STUCK = 1e-8  # steps
_SMALL, _LOST = 1e-3, 100.0  # of the gap, relative to the value and to the least gap


class PointBlock:
    """Some points with their part of the iterate; one Newton step in four calls.

    A point has the variables x = (z, T), or z alone for the Funk metrics. `high` is inf for the
    Funk metric.
    """

    def __init__(self, problem, rows, weights, low, high):
        self.a, self.points = problem.a[rows], problem.points[rows]
        self.signs, self.weights = problem.signs[rows], weights[rows]
        self.B, self.e, self.low, self.high = problem.B, problem.e, low, high
        self.free = problem.metric == "hilbert"
        self.m, self.k = self.B.shape
        self.top = self.m * (1 + bool(np.isfinite(high)))  # the column of the masses
        # From z to x; facet values B z, height e·z and T as linear functions of x.
        self.embed = np.eye(self.k + self.free, self.k)
        self.facets, self.height = self.B @ self.embed.T, self.embed @ self.e
        self.size = np.eye(self.k + 1)[-1] if self.free else self.e
        self._bounds = Bounds(self.facets, self.height, self.size, low, high, self.free)

    def start_at_points(self, shares, scale):
        """Masses at the points themselves: `shares`, by sign; products near `scale`."""
        mass = np.where(self.signs > 0, *shares) * self.relative
        T = mass * 2.0 / (1.0 + self.high)
        self.x = np.column_stack([self.points * mass[:, None], T][: 1 + self.free])
        self.inverse = np.zeros((*self.x.shape, self.x.shape[1]))
        self.slacks = self._compute_slacks(self.x, 1.0)
        # Products in proportion to a: a point near a facet is as central as any other.
        self.share = np.ones_like(self.slacks)
        near = self.a / self.a.max(axis=1, keepdims=True)
        self.share[:, : self.top] = np.tile(near, self.top // self.m)
        self.share *= self.relative[:, None]
        self.mass = self.weights @ self.share.sum(axis=1)
        self.prices = scale * self.share / self.slacks

    def _compute_slacks(self, x, constant):
        """Slacks of the bounds (`constant` 1) or their change with x (0)."""
        result = np.empty((len(x), self.top + 1 + self.free))
        fill_slacks(self._bounds, self.a, x, constant, result)
        return result

    def _pull_back(self, y):
        """Transpose of `_compute_slacks` on y."""
        result = np.empty_like(self.x)
        pull_back(self._bounds, self.a, y, result)
        return result

    def factor_newton_matrices(self):
        """Factor the Newton matrix of each point; returns the weighted sum of the inverses' z."""
        invert_factors(self._bounds, self.a, self.prices, self.slacks, self.inverse)
        flat = self.inverse[:, :, : self.k] * np.sqrt(self.weights)[:, None, None]
        flat = flat.reshape(-1, self.k)
        return flat.T @ flat

    def _apply_inverse(self, y):
        """Newton matrix of x, inverted, times y."""
        result = np.empty_like(y)
        apply_inverse(self.inverse, y, result)
        return result

    def set_target(self, target):
        """Aim at products `target` less the second-order terms; returns Σ weight sign Q b."""
        self.target = target * self.share - self.second
        self.b = self._pull_back(self.target / self.slacks)
        return self._add_up(self._apply_inverse(self.b))

    def find_direction(self, g):
        """Direction towards g; returns the longest steps and the sums that predict the products.

        Before the first `set_target` of an iteration the target is 0 (the predictor).
        """
        self.dx = self._apply_inverse(self.b - np.outer(self.signs, self.embed @ g))
        self.dslacks = self._compute_slacks(self.dx, 0.0)
        self.dprices = np.empty_like(self.prices)
        return predict_products(
            self.slacks, self.prices, self.dslacks, self.dprices, self.target, self.weights
        )

    def predict_direction(self, g):
        """The same with target 0; keeps the second-order terms."""
        self.target, self.b = np.zeros_like(self.slacks), np.zeros_like(self.x)
        result = self.find_direction(g)
        self.second = self.dslacks * self.dprices
        return result

    def take_step(self, primal, dual):
        """Take the step."""
        self.x = self.x + primal * self.dx
        self.prices = self.prices + dual * self.dprices
        self.slacks = self.slacks + primal * self.dslacks

    def compute_gap(self):
        """What the products of slacks and prices leave between the two bounds."""
        return self.weights @ np.einsum("ij,ij->i", self.slacks, self.prices)

    def compute_resultant(self):
        """Σ weight sign z: along the pull in equilibrium."""
        return self._add_up(self.x)

    def _add_up(self, x):
        return (self.weights * self.signs) @ x[:, : self.k]

    def balance(self, delta):
        """Dual points and T after a move that takes off H delta; None if it leaves a ball."""
        x = self.x - self._apply_inverse(np.outer(self.signs, self.embed @ delta))
        if not np.all(self._compute_slacks(x, 1.0) >= -_ROUNDING * self.share):
            return None
        return x[:, : self.k], x @ self.size

    def bound_lifts(self, g, f):
        """Slack of each point at g, from above.

        With sign g + lift e = B'(λ - μ), λ, μ >= 0 the ball lies on its side after the lift. The
        prices give λ - μ up to a multiple of f >= 0, B'f = e, chosen here in closed form: the
        lift is an expectile (Hilbert), a maximum (Funk) or a fractional knapsack (reverse Funk).
        """
        m = self.m
        aim, m = np.outer(self.signs, g), self.m
        kappa = self.prices[:, :m].copy()
        if self.top > m:
            kappa -= self.prices[:, m : 2 * m]
        values = kappa @ self.B
        height = (values - aim) @ self.e / (self.e @ self.e)
        kappa += (aim + np.outer(height, self.e) - values) @ self.B.T
        kappa -= np.outer(height, f)
        return np.maximum(
            _minimise_lift(-kappa / f, self.a * f, self.low, self.high, self.free), 0.0
        )


def _minimise_lift(levels, shares, low, high, free):
    """Least lift: shares (n, m) of each point's unit mass lie at levels."""
    if np.isinf(high):
        return (1.0 - low) * levels.max(axis=1) + low * np.einsum("ij,ij->i", levels, shares)
    order = np.argsort(levels, axis=1)
    levels = np.take_along_axis(levels, order, axis=1)
    shares = np.take_along_axis(shares, order, axis=1)
    mass, moment = shares.cumsum(axis=1), (shares * levels).cumsum(axis=1)
    mass_above, moment_above = mass[:, -1:] - mass, moment[:, -1:] - moment
    if free:
        return ((moment + high * moment_above) / (mass + high * mass_above)).max(axis=1)
    return (levels + high * (moment_above - mass_above * levels)).min(axis=1)


def bound_factors(metric, radius):
    """Factors (low, high) with low T a <= B z <= high T a for the ball of this radius."""
    if metric == "hilbert":
        return 1.0, np.exp(2.0 * radius)
    if metric == "funk":
        return np.exp(-radius), np.inf
    return 0.0, np.exp(radius)


def solve_in_polytope(problem, radius, weights, load, stop):
    """Lower and upper bound of min Σ weights lift(g) - load·g over pull·g = 1."""
    n = len(problem.signs)
    low, high = bound_factors(problem.metric, radius)
    blocks = [
        PointBlock(problem, rows, weights, low, high)
        for rows in np.array_split(np.arange(n), max(1, n // _CHUNK))
    ]
    found = _InteriorPoint(problem, blocks, load).run(stop)
    return replace(found, sizes=found.sizes * low) if problem.metric == "funk" else found


class _InteriorPoint:
    """Mehrotra's predictor and corrector on the blocks of rows and the function g they share."""

    def __init__(self, problem, blocks, load):
        self.blocks = blocks
        self.charges = np.concatenate([b.weights * b.signs for b in blocks])
        self.pull, self.load, self.f, self.tau = problem.pull, load, problem.f, 0.0
        self.none = RadiusBounds.empty(problem, load)
        self.g = self.pull / (self.pull @ self.pull)
        usual = np.median(problem.weights)
        for b in blocks:
            b.relative = usual / (b.weights + usual)
        room = [sum((b.weights * b.relative)[b.signs == s].sum() for b in blocks) for s in (1, -1)]
        shares = 0.5 * min(room) / np.maximum(room, 1e-300)
        scale = np.ptp(np.concatenate([b.points @ self.g for b in blocks]))
        for block in blocks:
            block.start_at_points(shares, 0.1 * scale)
        self.mass = sum(b.mass for b in blocks)

    @np.errstate(all="ignore")
    def run(self, stop):
        """The best bounds; where digits end, factors become infinite and the loop ends."""
        best, least = self.none, np.inf
        for n_iter in range(_MAX_STEPS + 1):
            try:
                H = sum(b.factor_newton_matrices() for b in self.blocks)
                total = self.load + sum(b.compute_resultant() for b in self.blocks)
            except np.linalg.LinAlgError:
                break
            gap, lower = sum(b.compute_gap() for b in self.blocks), -(total @ self.g)
            if not (np.isfinite(H).all() and gap < _LOST * least):
                break
            least = min(least, gap)
            # Digits end soon: below a small gap each iterate may be the last good one.
            if stop(lower, lower + gap) or gap < _SMALL * abs(lower) or n_iter % 10 == 0:
                best = self.certify_bounds(best, H, total)
                if stop(best.lower, best.upper):
                    break
            if not self.advance(H, total):
                break
        return best

    def certify_bounds(self, best, H, total):
        """The better of the bounds so far and the present ones."""
        fields = dict(vars(best))
        off = total - (total @ self.g) * self.pull
        delta = np.linalg.lstsq(H, off)[0]
        moved = [b.balance(delta) for b in self.blocks]
        if all(m is not None for m in moved):
            z, sizes = (np.concatenate(parts) for parts in zip(*moved, strict=True))
            left = -self.load - self.charges @ z
            value = left @ self.g
            # What is out of balance is charged as if the optimal g differed from this one by its
            # size.
            value -= np.abs(left - value * self.pull).sum() * np.abs(self.g).max()
            if value > best.lower:
                fields |= {"lower": value, "sizes": sizes, "resultant": lambda c: c @ z}
        lifts = np.concatenate([b.bound_lifts(self.g, self.f) for b in self.blocks])
        value = np.concatenate([b.weights for b in self.blocks]) @ lifts - self.load @ self.g
        if value < best.upper:
            fields |= {"upper": value, "g": self.g, "slacks": lifts}
        return RadiusBounds(**fields)

    def advance(self, H, total):
        """One step; False if it goes nowhere."""
        blocks = self.blocks
        off = total + self.tau * self.pull
        g, _ = self._solve_newton(H, off)
        steps, sums = _join_steps([b.predict_direction(g) for b in blocks])
        products = sums @ np.array([1.0, steps[1], steps[0], steps[0] * steps[1]])
        target = sums[0] / self.mass * min(1.0, products / sums[0]) ** 3
        g, tau = self._solve_newton(H, off + sum(b.set_target(target) for b in blocks))
        if not np.isfinite(g).all():
            return False
        steps, _ = _join_steps([b.find_direction(g) for b in blocks])
        primal, dual = (1.0 if s == 1.0 else _SHARE * s for s in steps)
        for block in blocks:
            block.take_step(primal, dual)
        self.g = self.g + dual * (g - self.g)
        self.tau += primal * (tau - self.tau)
        return max(primal, dual) > _STUCK

    def _solve_newton(self, H, right):
        """New g, and new tau: H g - (tau_new - tau) pull = right, pull·g = 1."""
        try:
            free, along = solve(H, right), solve(H, self.pull)
        except np.linalg.LinAlgError:
            return np.full_like(right, np.nan), np.nan
        change = (1.0 - self.pull @ free) / (self.pull @ along)
        return free + change * along, self.tau + change


def _join_steps(results):
    steps = np.min([r[0] for r in results], axis=0)
    return steps, sum(r[1] for r in results)
