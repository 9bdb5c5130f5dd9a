"""Uniform points in the Poincaré ball cut by a hyperplane, Pan et al. (2023), section VI-A."""

import numpy as np

from noneuclid.errors import InputError, require, require_number
from noneuclid.geometry import poincare
from noneuclid_compare.data.checks import checked
from noneuclid_compare.records import Dataset

ABOUT = {
    "citation": "Pan, Chien, Tabaghi, Peng and Milenkovic, Provably accurate and scalable linear "
    "classifiers in hyperbolic spaces, Knowledge and Information Systems, 2023, section VI-A",
    "licence": "generated",
    "source": "noneuclid: uniform_ball",
    "oddities": "Uniform means the Euclidean volume of the ball, not the hyperbolic one, so most "
    "hyperbolic area is nearly empty. Points within the margin are drawn again, so the number of "
    "points is the one asked for. With a reference point far out one class may be rare.",
}
_ROUNDS = 1000


def load(
    files,
    seed,
    *,
    n_samples=1000,
    n_features=2,
    radius=0.95,
    margin=0.01,
    reference_fraction=0.4,
):
    """Draw points with labels that a hyperplane through p separates with a margin.

    Parameters
    ----------
    n_samples : int
        After removal.
    radius : float
        Of the Euclidean ball.
    margin : float
        In hyperbolic units.
    reference_fraction : float
        |p| as a part of `radius`.

    Returns
    -------
    Dataset
        Kind `points` in the Poincaré ball; class `1` lies on the side w points to. `about` keeps
        the true p as the one row of `reference_points`, and `normal` w (a unit vector).

    Raises
    ------
    InputError
        If a setting is out of range, the margin leaves no points, or one side is empty.

    Examples
    --------
    >>> data = load({}, 0, n_samples=50)
    >>> data.features.shape, data.class_names
    ((50, 2), ('-1', '1'))
    """
    settings = {
        "n_samples": n_samples,
        "n_features": n_features,
        "radius": radius,
        "margin": margin,
    }
    settings |= {"reference_fraction": reference_fraction}
    name = "uniform_ball"
    require_number(n_samples, "n_samples", name, low=2, integer=True)
    require_number(n_features, "n_features", name, low=1, integer=True)
    require_number(radius, "radius", name, low=1e-6, high=1 - 1e-12)
    require_number(margin, "margin", name, low=0.0)
    require(
        margin > 0,
        f"{name}: margin = 0 lets the classes touch, and no perceptron has a bound; give a number "
        "> 0",
    )
    require_number(reference_fraction, "reference_fraction", name, low=0.0, high=1.0)
    rng = np.random.default_rng(seed)
    reference = reference_fraction * radius * _directions(1, n_features, rng)[0]
    normal = _directions(1, n_features, rng)[0]
    points, side = _separated(settings, reference, normal, rng)
    truth = {"reference_points": [reference.tolist()], "normal": normal.tolist()}
    about = {**ABOUT, "settings": settings, "seed": seed, **truth}
    return checked(
        Dataset(
            name,
            "points",
            (side > 0).astype(np.int64),
            ("-1", "1"),
            features=points,
            chart="poincare",
            about=about,
        )
    )


def _directions(count, dimension, rng):
    """Uniform unit vectors."""
    vectors = rng.standard_normal((count, dimension))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _separated(settings, reference, normal, rng):
    """Draw in rounds until enough points lie outside the margin; points and signed distances."""
    count, dimension = settings["n_samples"], settings["n_features"]
    kept, sides, found = [], [], 0
    for _ in range(_ROUNDS):
        length = settings["radius"] * rng.random((count, 1)) ** (1 / dimension)
        points = length * _directions(count, dimension, rng)
        distance = poincare.hyperplane_distance(points, reference, normal)
        outside = np.abs(distance) > settings["margin"]
        kept.append(points[outside])
        sides.append(distance[outside])
        found += int(outside.sum())
        if found >= count:
            return np.concatenate(kept)[:count], np.concatenate(sides)[:count]
    require(
        found > 0,
        f"uniform_ball: no point lies outside the margin {settings['margin']}; lower it",
    )
    raise InputError(
        f"uniform_ball: {found} of {count * _ROUNDS} points lie outside the margin "
        f"{settings['margin']}; lower it"
    )
