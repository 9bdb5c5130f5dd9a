"""Binary problems for the hyperboloid SVM, and rivals of its solutions."""

import numpy as np

from noneuclid.geometry import lorentz

KINDS = ("separable", "overlapping", "imbalanced", "far", "buried", "one_point")


def on_hyperboloid(directions, radii):
    lengths = np.sinh(radii) / np.linalg.norm(directions, axis=1)
    return lorentz.from_spatial(directions * lengths[:, None])


def instance(kind, seed, n=None, d=None):
    """Points, signs and C; both classes are met."""
    rng = np.random.default_rng([KINDS.index(kind), seed])
    d = int(rng.integers(1, 7)) if d is None else d
    n = round(10 ** rng.uniform(0.31, 1.8)) if n is None else n
    C = 10 ** rng.uniform(-3, 4)
    reach = 12.0 if kind == "far" else rng.choice([0.5, 1.0, 3.0, 6.0])
    radii = rng.uniform(0.0, reach, size=n)
    directions = rng.normal(size=(n, d))
    minority = int(rng.integers(1, max(2, n // 3)))
    if kind == "buried":
        directions[:minority] = rng.normal(size=d) + 0.3 * rng.normal(size=(minority, d))
    points = on_hyperboloid(directions, radii)
    height = points[:, 1] / points[:, 0]
    if kind == "imbalanced":
        signs = np.where(height > np.sort(height)[-1 - minority // 2], 1.0, -1.0)
    elif kind == "one_point":
        signs = np.where(np.arange(n) == 0, 1.0, -1.0)
    elif kind == "buried":
        signs = np.where(np.arange(n) < minority, 1.0, -1.0)
    else:
        signs = np.where(height > np.median(height) + 0.1, 1.0, -1.0)
        if kind != "separable":
            signs[rng.uniform(size=n) < 0.2] *= -1.0
    low, high = np.argmin(height), np.argmax(height)
    if kind != "separable" and kind != "far":
        low, high = 1, 0
    signs[low], signs[high] = -1.0, 1.0
    return points, signs, C


def best_lengths(rows, rays, c):
    """For each ray the least objective over its positive multiples, by ternary search on logs."""
    norms = 0.5 * ((rays[:, 1:] ** 2).sum(axis=1) - rays[:, 0] ** 2)
    margins = rays @ rows.T

    def values(lengths):
        hinges = np.maximum(0.0, 1.0 - lengths[:, None] * margins).sum(axis=1)
        return norms * lengths**2 + c * hinges

    low, high = np.full(len(rays), -16.0), np.full(len(rays), 12.0)
    for _ in range(50):
        first, second = low + (high - low) / 3.0, high - (high - low) / 3.0
        left = values(np.exp(first)) < values(np.exp(second))
        high, low = np.where(left, second, high), np.where(left, low, first)
    lengths = np.exp(0.5 * (low + high))
    return values(lengths), lengths


def cone_grid(rows, c, many=6001):
    angle = np.linspace(0.0, 2.0 * np.pi, many)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    rays = np.vstack([np.column_stack([np.full(many, s), circle]) for s in (1.0, -1.0)])
    return best_lengths(rows, rays, c)[0].min()
