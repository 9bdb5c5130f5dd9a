"""The least weighted slack at one radius in a polytope, by an interior-point method.

Each point has one small cone, and no link to other points but the function g that all share. A
point of unit weight has a dual variable z in the cone over the polytope, in coordinates in which
the facet values are B z and the height is e·z. It is a mass e·z <= 1 placed in the ball about p:
low T a <= B z <= high T a, where a = a(p) and T is free for the Hilbert metric (with T <= 1), the
mass itself for the Funk metrics.

On the same programs (100 to 300 rows, 20 to 40 facets, `benchmarks/hilbert_slice.py`) HiGHS takes
3.5 to 41.0 times as long and Clarabel 2.0 to 9.6 times, with 300 rows 3.0 times or more. Both leave
the bounds to be proved, and Clarabel's value may lie beyond them (488.3304 where 488.3306 is
proved, tolerance 1e-6).
"""

from dataclasses import replace

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.solvers.hilbert.soft_margin_problem import RadiusBounds

_ROUNDING = 1e-12  # relative, of slacks that are zero
_CHUNK = 2000  # rows whose arrays stay in the processor's cache
_MAX_STEPS = 400
_SHARE = 0.995  # of the way to the nearest bound
_STUCK = 1e-8  # steps
_SMALL, _LOST = 1e-3, 100.0  # of the gap, relative to the value and to the least gap


class PointBlock:
    """Some points with their part of the iterate; one Newton step in four calls.

    `high` is inf for the Funk metric.
    """

    def __init__(self, problem, rows, weights, low, high):
        self.a, self.z = problem.a[rows], problem.points[rows]
        self.signs, self.weights = problem.signs[rows], weights[rows]
        self.B, self.e, self.low, self.high = problem.B, problem.e, low, high
        self.free = problem.metric == "hilbert"
        self.m = self.a.shape[1]
        self.top = self.m * (1 + bool(np.isfinite(high)))  # the column of the masses

    def start_at_points(self, shares, scale):
        """Masses at the points themselves: `shares`, by sign; products near `scale`."""
        mass = np.where(self.signs > 0, *shares) * self.relative
        self.T = mass * 2.0 / (1.0 + self.high) if self.free else mass
        self.z = self.z * mass[:, None]
        self.slacks = self._compute_slacks(self.z, self.T, 1.0)
        # Products in proportion to a: a point near a facet is as central as any other.
        self.share = np.ones_like(self.slacks)
        near = self.a / self.a.max(axis=1, keepdims=True)
        self.share[:, : self.top] = np.tile(near, self.top // self.m)
        self.share *= self.relative[:, None]
        self.mass = self.weights @ self.share.sum(axis=1)
        self.prices = scale * self.share / self.slacks

    def _compute_slacks(self, z, T, constant):
        """Slacks of the bounds (`constant` 1) or their change with z and T (0)."""
        m, top = self.m, self.top
        result = np.empty((len(z), top + 1 + self.free))
        values, ball = z @ self.B.T, T[:, None] * self.a
        np.subtract(values, self.low * ball, out=result[:, :m])
        if top > m:
            np.subtract(self.high * ball, values, out=result[:, m:top])
        result[:, top] = constant - z @ self.e
        if self.free:
            result[:, -1] = constant - T
        return result

    def _pull_back(self, y):
        """Transpose of `_compute_slacks` on y: the parts in z and in T."""
        m, top = self.m, self.top
        values, inner = y[:, :m], -self.low * y[:, :m]
        if top > m:
            values, inner = values - y[:, m:top], inner + self.high * y[:, m:top]
        along_T = np.einsum("ij,ij->i", inner, self.a)
        if self.free:
            along_T -= y[:, -1]
        return values @ self.B - np.outer(y[:, top], self.e), along_T

    def factor_newton_matrices(self):
        """Factor the Newton matrix of each point; returns the weighted sum of the inverses."""
        k, m, pulls = len(self.e), self.m, self.prices / self.slacks
        ball, own = self.low * pulls[:, :m], pulls[:, :m]
        stiff = self.low * ball
        if self.top > m:
            upper = pulls[:, m : self.top]
            ball, own, stiff = ball + self.high * upper, own + upper, stiff + self.high**2 * upper
        # The two bounds of a facet, turned orthogonally: one row with B and one without.
        root = np.sqrt(own)
        lone = np.zeros(len(root))
        if self.top > m:
            lone = ((self.high - self.low) ** 2 * pulls[:, :m] * upper * (self.a / root) ** 2).sum(
                1
            )
        rows = np.zeros((len(root), m + 2, k + self.free))
        np.multiply(root[:, :, None], self.B, out=rows[:, :m, :k])
        rows[:, m, :k] = np.sqrt(pulls[:, self.top, None]) * self.e
        along_T = -ball * self.a
        if self.free:
            rows[:, :m, k] = along_T / root
            rows[:, m + 1, k] = np.sqrt(lone + pulls[:, -1])
            self.h = along_T @ self.B
            self.stiff = (stiff * self.a**2).sum(axis=1) + pulls[:, -1]
        else:
            rows[:, :m] += (along_T / root)[:, :, None] * self.e
            rows[:, m + 1] = np.sqrt(lone)[:, None] * self.e
        # Orthogonal factors lose half the digits that a Cholesky factor would.
        R = np.linalg.qr(rows, mode="r")
        self.inverse = W = np.empty((len(R), k, k + self.free))
        invert_triangles(R, W)
        flat = (W * np.sqrt(self.weights)[:, None, None]).transpose(0, 2, 1).reshape(-1, k)
        return flat.T @ flat

    def _apply_inverse(self, x):
        """Newton matrix of z, inverted, times x."""
        inner = self.inverse.transpose(0, 2, 1) @ x[:, :, None]
        return (self.inverse @ inner)[:, :, 0]

    def set_target(self, target):
        """Aim at products `target` less the second-order terms; returns Σ weight sign Q b."""
        self.target = target * self.share - self.second
        y = self.target / self.slacks
        b, self.b_T = self._pull_back(y)
        if self.free:
            b -= self.h * (self.b_T / self.stiff)[:, None]
        else:
            b += np.outer(self.b_T, self.e)
        self.b = b
        return (self.weights * self.signs) @ self._apply_inverse(b)

    def find_direction(self, g):
        """Direction towards g; returns the longest steps and the sums that predict the products.

        Before the first `set_target` of an iteration the target is 0 (the predictor).
        """
        x = self.b - np.outer(self.signs, g)
        self.dz = self._apply_inverse(x)
        if self.free:
            self.dT = (self.b_T - np.einsum("ij,ij->i", self.h, self.dz)) / self.stiff
        else:
            self.dT = self.dz @ self.e
        self.dslacks = self._compute_slacks(self.dz, self.dT, 0.0)
        s, p, ds = self.slacks, self.prices, self.dslacks
        dp = (self.target - p * ds) / s - p
        self.dprices = dp
        steps = _find_longest_step(s, ds), _find_longest_step(p, dp)
        sums = [
            self.weights @ np.einsum("ij,ij->i", *pair)
            for pair in ((s, p), (s, dp), (p, ds), (ds, dp))
        ]
        return steps, np.array(sums)

    def predict_direction(self, g):
        """The same with target 0; keeps the second-order terms."""
        self.target = 0.0
        self.b, self.b_T = np.zeros_like(self.z), np.zeros(len(self.z))
        result = self.find_direction(g)
        self.second = self.dslacks * self.dprices
        return result

    def take_step(self, primal, dual):
        """Take the step."""
        self.z = self.z + primal * self.dz
        self.T = self.T + primal * self.dT if self.free else self.z @ self.e
        self.prices = self.prices + dual * self.dprices
        self.slacks = self.slacks + primal * self.dslacks

    def compute_gap(self):
        """What the products of slacks and prices leave between the two bounds."""
        return self.weights @ np.einsum("ij,ij->i", self.slacks, self.prices)

    def compute_resultant(self):
        """Σ weight sign z: along the pull in equilibrium."""
        return (self.weights * self.signs) @ self.z

    def balance(self, delta):
        """Dual points and T after a move that takes off H delta; None if it leaves a ball."""
        dz = self._apply_inverse(np.outer(-self.signs, delta))
        dT = -np.einsum("ij,ij->i", self.h, dz) / self.stiff if self.free else dz @ self.e
        slacks = self._compute_slacks(self.z + dz, self.T + dT, 1.0)
        if not np.all(slacks >= -_ROUNDING * self.share):
            return None
        return self.z + dz, self.T + dT

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


@compile_cached
def invert_triangles(R, W):
    """Upper triangles (n, k, k), inverted: the first rows of the inverses go to W."""
    n, size = R.shape[0], R.shape[1]
    x = np.zeros(size)
    for i in range(n):
        for row in range(W.shape[1]):
            # Row of the inverse X: X R = 1.
            for col in range(size):
                if col < row:
                    x[col] = 0.0
                    continue
                total = 1.0 if col == row else 0.0
                for j in range(row, col):
                    total -= x[j] * R[i, j, col]
                x[col] = total / R[i, col, col]
            for col in range(size):
                W[i, row, col] = x[col]


def _find_longest_step(x, dx):
    """Longest step <= 1 that keeps x >= 0."""
    return 1.0 / max(1.0, np.max(-dx / x))


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
        scale = np.ptp(np.concatenate([b.z @ self.g for b in blocks]))
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
            answers = np.linalg.solve(H, np.c_[right, self.pull])
        except np.linalg.LinAlgError:
            return np.full_like(right, np.nan), np.nan
        change = (1.0 - self.pull @ answers[:, 0]) / (self.pull @ answers[:, 1])
        return answers @ [1.0, change], self.tau + change


def _join_steps(results):
    steps = np.min([r[0] for r in results], axis=0)
    return steps, sum(r[1] for r in results)
