"""The least weighted slack at one radius, by an interior-point method."""

from dataclasses import replace

import numpy as np

from noneuclid.solvers.hilbert.soft_margin_problem import Slice
from noneuclid.solvers.hilbert.soft_margin_rows import Rows

_CHUNK = 2000  # rows whose arrays stay in the processor's cache
_MAX_STEPS = 80
_SHARE = 0.995  # of the way to the nearest bound
_STUCK = 1e-4  # steps
_SMALL, _LOST = 1e-3, 100.0  # of the gap, relative to the value and to the least gap


def bounds_of(metric, radius):
    """Factors (low, high) with low T a <= B z <= high T a for the ball of this radius."""
    if metric == "hilbert":
        return 1.0, np.exp(2.0 * radius)
    if metric == "funk":
        return np.exp(-radius), np.inf
    return 0.0, np.exp(radius)


def solve(problem, radius, weights, load, stop):
    """Lower and upper bound of min Σ weights lift(g) - load·g over pull·g = 1."""
    kept = np.flatnonzero(weights > 1e-9 * problem.weights)
    if len(np.unique(problem.signs[kept])) < 2:
        return Slice.empty(problem, load)
    low, high = bounds_of(problem.metric, radius)
    blocks = [
        Rows(problem, rows, weights, low, high)
        for rows in np.array_split(kept, max(1, len(kept) // _CHUNK))
    ]
    found = _Method(problem, blocks, kept, load).run(stop)
    return replace(found, sizes=found.sizes * low) if problem.metric == "funk" else found


class _Method:
    """Mehrotra's predictor and corrector on the blocks of rows and the function g they share."""

    def __init__(self, problem, blocks, kept, load):
        self.blocks, self.kept, self.n = blocks, kept, len(problem.signs)
        self.pull, self.load, self.f, self.tau = problem.pull, load, problem.f, 0.0
        self.none = Slice.empty(problem, load)
        self.g = self.pull / (self.pull @ self.pull)
        room = [sum(b.weights[b.signs == s].sum() for b in blocks) for s in (1, -1)]
        shares = 0.5 * min(room) / np.maximum(room, 1e-300)
        scale = np.ptp(np.concatenate([b.z @ self.g for b in blocks]))
        for block in blocks:
            block.start(shares, 0.1 * scale)
        self.mass = sum(b.mass for b in blocks)

    def run(self, stop):
        best, least = self.none, np.inf
        for n_iter in range(_MAX_STEPS + 1):
            try:
                H = sum(b.form() for b in self.blocks)
                total = self.load + sum(b.resultant() for b in self.blocks)
            except np.linalg.LinAlgError:
                break
            gap, lower = sum(b.gap() for b in self.blocks), -(total @ self.g)
            if not (np.isfinite(H).all() and gap < _LOST * least):
                break
            least = min(least, gap)
            # Digits end soon: below a small gap each iterate may be the last good one.
            if stop(lower, lower + gap) or gap < _SMALL * abs(lower) or n_iter % 10 == 0:
                best = self.certified(best, H, total)
                if stop(best.lower, best.upper):
                    break
            if not self.advance(H, total):
                break
        return best

    def certified(self, best, H, total):
        """The better of the bounds so far and the present ones."""
        lower, upper, g, slacks, sizes = best.lower, best.upper, best.g, best.slacks, best.sizes
        off = total - (total @ self.g) * self.pull
        delta = np.linalg.lstsq(H, off)[0]
        moved = [b.balanced(delta) for b in self.blocks]
        if all(m is not None for m in moved):
            value = -((self.load + sum(m[0] for m in moved)) @ self.g)
            if value > lower:
                lower, sizes = value, np.zeros(self.n)
                sizes[self.kept] = np.concatenate([m[1] for m in moved])
        lifts = np.concatenate([b.lifts(self.g, self.f) for b in self.blocks])
        value = np.concatenate([b.weights for b in self.blocks]) @ lifts - self.load @ self.g
        if value < upper:
            upper, g, slacks = value, self.g, np.zeros(self.n)
            slacks[self.kept] = lifts
        return Slice(lower, upper, g, slacks, sizes)

    def advance(self, H, total):
        """One step; False if it goes nowhere."""
        blocks = self.blocks
        off = total + self.tau * self.pull
        g, _ = self._balanced(H, off)
        steps, sums = _joined([b.predict(g) for b in blocks])
        products = sums @ np.array([1.0, steps[1], steps[0], steps[0] * steps[1]])
        target = sums[0] / self.mass * min(1.0, products / sums[0]) ** 3
        g, tau = self._balanced(H, off + sum(b.aim(target) for b in blocks))
        if not np.isfinite(g).all():
            return False
        steps, _ = _joined([b.move(g) for b in blocks])
        primal, dual = (1.0 if s == 1.0 else _SHARE * s for s in steps)
        for block in blocks:
            block.step(primal, dual)
        self.g = self.g + dual * (g - self.g)
        self.tau += primal * (tau - self.tau)
        return max(primal, dual) > _STUCK

    def _balanced(self, H, right):
        """New g, and new tau: H g - (tau_new - tau) pull = right, pull·g = 1."""
        try:
            answers = np.linalg.solve(H, np.c_[right, self.pull])
        except np.linalg.LinAlgError:
            return np.full_like(right, np.nan), np.nan
        change = (1.0 - self.pull @ answers[:, 0]) / (self.pull @ answers[:, 1])
        return answers @ [1.0, change], self.tau + change


def _joined(results):
    steps = np.min([r[0] for r in results], axis=0)
    return steps, sum(r[1] for r in results)
