"""Points of a wrapped normal mixture with a number each: where they lie, and noise."""

from dataclasses import replace

import numpy as np

from noneuclid.errors import InputError, require, require_number
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import distance_from_origin
from noneuclid_compare.data.checks import checked
from noneuclid_compare.data.generators import wrapped_normal_mixture
from noneuclid_compare.data.targets import intervals

TARGETS = ("position", "depth")


def load(
    files,
    seed,
    *,
    target="position",
    noise=0.2,
    n_samples=800,
    n_classes=2,
    n_features=2,
    curvature=1.0,
    spread=2.0,
):
    """Draw the points, a hyperplane and the noise.

    Parameters
    ----------
    target : {"position", "depth"}
        The signed distance to a hyperplane of random direction through the centroid of the points,
        or the distance from the origin.
    noise : float
        Standard deviation of the noise that is added, in hyperbolic units.
    n_samples, n_classes, n_features, curvature, spread : as for `wrapped_normal_mixture`

    Returns
    -------
    Dataset
        Kind `points` on the hyperboloid, with a target; `about` keeps the hyperplane's `normal`.

    Examples
    --------
    >>> data = load({}, 0, n_samples=50, target="depth", noise=0.0)
    >>> bool((data.target >= 0).all())
    True
    """
    drawn = {"n_samples": n_samples, "n_classes": n_classes, "n_features": n_features}
    drawn |= {"curvature": curvature, "spread": spread}
    settings = {"target": target, "noise": noise} | drawn
    name, kind = "hyperbolic_position", target
    require(kind in TARGETS, f"{name}: target = {kind!r}; choose one of {', '.join(TARGETS)}")
    require_number(noise, "noise", name, low=0)
    try:
        data = wrapped_normal_mixture.load(files, seed, **drawn)
    except InputError as error:
        raise InputError(f"{name}: {error}") from error
    rng = np.random.default_rng([seed, 1])
    points, curvature = data.features, data.curvature
    normal = _normal(points, curvature, rng)
    if kind == "depth":
        target, truth = distance_from_origin(points, data.chart, curvature), {}
    else:
        target = lorentz.hyperplane_distance(points, normal, curvature)
        truth = {"normal": normal.tolist()}
    target = target + noise * rng.standard_normal(len(target))
    codes, names = intervals(target)
    about = data.about | {"source": f"noneuclid: {name}", "settings": settings} | truth
    return checked(
        replace(data, name=name, labels=codes, class_names=names, target=target, about=about)
    )


def _normal(points, curvature, rng):
    """Normal of a hyperplane through the centroid of the points."""
    direction = rng.standard_normal(points.shape[1] - 1)
    at_origin = np.concatenate([[0.0], direction / np.linalg.norm(direction)])
    return lorentz.boost(lorentz.midpoint(points, curvature=curvature), curvature) @ at_origin
