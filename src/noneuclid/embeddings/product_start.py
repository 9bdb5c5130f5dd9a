"""Starts of a descent over product spaces: principal coordinates, dealt out to the factors."""

from dataclasses import replace

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import eigsh
from threadpoolctl import threadpool_limits

from noneuclid.embeddings import product_descent
from noneuclid.embeddings.product_descent import descend

_SHARE = 1e-3  # size of the random steps that part points in one place
_DENSE_UP_TO = 500
_START_PAIRS = 50_000  # while there is more than one start
_SINGLE = 2  # starts that are enough for one factor that is no sphere
_FIRST = 2  # starts with the coordinates in their order; the others turn them at random


def best_descent(distances, layout, pairs, *, n_init, tol, max_iter, seed, scales=None):
    """Descend from several starts, two at most for one factor that is no sphere.

    After each round the worse half of them is dropped; one that fits the pairs exactly ends the
    comparison.
    Scales that are given are kept. Starts are compared on at most 50,000 pairs. Returns the record
    of the best, with all its iterations.
    Shapes: `distances` (n, n), of mean about 1, all known; `pairs` may be some of them.
    """
    rng = np.random.default_rng(seed)
    axes = _principal_axes(distances, int(np.sum(layout.dimensions + 1)), rng)
    limits = product_descent.scale_bounds(pairs.wanted.max())
    sample = pairs
    if len(pairs.wanted) > _START_PAIRS:
        chosen = np.sort(rng.choice(len(pairs.wanted), _START_PAIRS, replace=False))
        sample = type(pairs)(*(part[chosen] for part in pairs))
    many = len(layout.signs) > 1 or (layout.signs > 0).any()
    count = n_init if many else min(n_init, _SINGLE)
    runs = [deal_out(axes, layout, limits, k, rng, scales) for k in range(count)]
    used, learn = 0, scales is None
    with threadpool_limits(1, user_api="blas"):
        while len(runs) > 1 and used < max_iter:
            options = {"tol": tol, "max_iter": min(product_descent.ROUND, max_iter - used)}
            used, found = used + options["max_iter"], []
            for run in runs:
                found.append(descend(*run, layout, sample, learn=learn, **options))
                if found[-1].value <= product_descent.EXACT:
                    break
            found.sort(key=lambda run: run.value)
            best = found[0]
            runs = [(run.points, run.scales) for run in found[: max(1, len(runs) // 2)]]
        if used < max_iter:
            options = {"tol": tol, "max_iter": max_iter - used}
            best = descend(*runs[0], layout, pairs, learn=learn, **options)
            used += best.iterations
    return replace(best, iterations=used)


def _principal_axes(distances, count, rng):
    """Principal coordinates of classical scaling, (n, count); absent ones are 0."""
    squares = distances**2
    squares = squares - squares.mean(axis=0)
    squares = -0.5 * (squares - squares.mean(axis=1, keepdims=True))
    n, most = len(squares), min(len(squares), count)
    if n <= _DENSE_UP_TO:
        values, vectors = eigh(squares, subset_by_index=[n - most, n - 1])
    else:
        values, vectors = eigsh(squares, k=count, which="LA", v0=rng.standard_normal(n), tol=1e-6)
    order = np.argsort(-values)
    axes = vectors[:, order] * np.sqrt(np.maximum(values[order], 0.0))
    return np.pad(axes, ((0, 0), (0, count - most)))


def deal_out(axes, layout, limits, number, rng, given):
    """Points and scales of a start.

    A factor takes as many principal coordinates as its dimension, as the logarithms of its points
    at the origin, with the farthest at distance 1. In every other start a sphere takes one more:
    the directions of these vectors, whose mean length is its radius.
    Shapes: `axes` (n, sum of dimensions + 1); returns (n, width), (k,).
    """
    round_spheres = number % 2 == 1
    taken = _deal(axes, layout, round_spheres, number, rng)
    blocks, scales = [], np.ones(len(layout.signs))
    for f, (sign, block) in enumerate(zip(layout.signs, taken, strict=True)):
        block = block + _SHARE * rng.standard_normal(block.shape)
        length = np.linalg.norm(block, axis=1, keepdims=True)
        if sign == 0:
            blocks.append(block)
            continue
        if sign > 0 and round_spheres:
            scales[f] = np.clip(length.mean(), *limits) if given is None else given[f]
            blocks.append(block / length)
            continue
        scales[f] = np.clip(length.max(), *limits) if given is None else given[f]
        angle = length / scales[f]
        cosine, sine = (np.cos, np.sin) if sign > 0 else (np.cosh, np.sinh)
        blocks.append(np.hstack([cosine(angle), sine(angle) / length * block]))
    return np.hstack(blocks), scales


def _deal(axes, layout, round_spheres, number, rng):
    """Principal coordinates of each factor, one more for a round sphere.

    In their order, of which the extra ones are the last; or all in random order, as a circle is
    two leading coordinates; or the leading ones turned at random, as equal factors share them.
    Shapes: `axes` (n, sum of dimensions + 1).
    """
    more = round_spheres * (layout.signs > 0)
    if number >= _FIRST and number % 4 >= 2:
        widths = layout.dimensions + more
        order = rng.permutation(widths.sum())
        return np.split(axes[:, order], np.cumsum(widths)[:-1], axis=1)
    main, left = np.hsplit(axes, [layout.dimensions.sum()])
    if number >= _FIRST:
        main = main @ np.linalg.qr(rng.standard_normal(2 * main.shape[1:]))[0]
    taken = np.split(main, np.cumsum(layout.dimensions)[:-1], axis=1)
    return [
        np.hstack([block, left[:, [f]]]) if extra else block
        for f, (block, extra) in enumerate(zip(taken, more, strict=True))
    ]
