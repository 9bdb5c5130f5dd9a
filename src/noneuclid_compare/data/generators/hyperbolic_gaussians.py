"""Mixtures of hyperbolic Gaussians, the simulated data of Cho et al. (2019), section 5.2."""

import numpy as np
from scipy.integrate import cumulative_trapezoid

from noneuclid.errors import require, require_number
from noneuclid.geometry import lorentz
from noneuclid_compare.data.checks import checked
from noneuclid_compare.records import Dataset

LAWS = ("volume", "wrapped")
ABOUT = {
    "citation": "Cho, DeMeo, Peng and Berger, Large-margin classification in hyperbolic space, "
    "AISTATS 2019, arXiv:1806.00437, section 5.2",
    "licence": "generated",
    "source": "noneuclid: hyperbolic_gaussians",
    "oddities": "Centres are often drawn close to each other, so many draws have no accurate "
    "classifier. We read the paper as a density against the hyperbolic volume, the default law. "
    "Its published files (hhcho/hyplinear) hold points of the wrapped law: their mean squared "
    "distance from the class centre is 2.0, where the volume law has 2.7; their centres fit the "
    "wrapped law with a variance of 2.25.",
}


def radii(count, dimension, variance, rng):
    """Draw distances from the centre of a hyperbolic Gaussian.

    Hyperbolic spheres of radius r have area proportional to sinh(r)^(d-1), so the distance has
    the density sinh(r)^(d-1) exp(-r^2 / (2 variance)), up to a constant. The inverse of its
    distribution function is read off a grid of 20,001 radii.

    Returns shape (count,).
    """
    # The density lies below that of N((d - 1) variance, variance) times a constant, so ten
    # standard deviations beyond that mean leave out less than 1e-22 of the mass.
    limit = (dimension - 1) * variance + 10 * np.sqrt(variance)
    grid = np.linspace(0.0, limit, 20_001)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_sinh = grid + np.log(-np.expm1(-2 * grid))
        log_area = np.where(dimension > 1, (dimension - 1) * log_sinh, 0.0)
    log_density = log_area - grid**2 / (2 * variance)
    density = np.exp(log_density - log_density.max())
    cumulative = cumulative_trapezoid(density, grid, initial=0.0)
    return np.interp(rng.uniform(0.0, cumulative[-1], count), cumulative, grid)


def draw(count, dimension, variance, rng, centre=None, law="volume"):
    """Draw points of an isotropic hyperbolic Gaussian.

    By the law "volume" the density is exp(-dist(x, centre)^2 / (2 variance)) against the
    hyperbolic volume; by "wrapped" log_centre(x) is N(0, variance I) (Nagano et al. 2019).

    Shapes: `centre` (dimension + 1,); returns shape (count, dimension + 1).
    """
    directions = rng.standard_normal((count, dimension))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    if law == "volume":
        distance = radii(count, dimension, variance, rng)[:, None]
    else:
        distance = np.sqrt(variance * rng.chisquare(dimension, count))[:, None]
    points = lorentz.from_spatial(np.sinh(distance) * directions)
    if centre is None:
        return points
    return lorentz.from_spatial((points @ lorentz.boost(centre).T)[:, 1:])


def load(
    files,
    seed,
    *,
    n_classes=4,
    n_samples_per_class=100,
    n_features=2,
    center_variance=1.5,
    variance=1.0,
    law="volume",
):
    """Draw centres from a Gaussian at the origin, then points around each centre.

    Parameters
    ----------
    center_variance, variance : float
        The defaults are the values of Cho et al. (2019).
    law : {"volume", "wrapped"}
        See `draw`.

    Returns
    -------
    Dataset
        Kind `points` on the hyperboloid of curvature -1; `about` keeps the centres.

    Examples
    --------
    >>> data = load({}, 0, n_samples_per_class=5)
    >>> data.features.shape, data.class_names
    ((20, 3), ('0', '1', '2', '3'))
    """
    settings = {
        "n_classes": n_classes,
        "n_samples_per_class": n_samples_per_class,
        "n_features": n_features,
    }
    settings |= {"center_variance": center_variance, "variance": variance, "law": law}
    name = "hyperbolic_gaussians"
    for key, low in (("n_classes", 2), ("n_samples_per_class", 1), ("n_features", 1)):
        require_number(settings[key], key, name, low=low, integer=True)
    for key in ("center_variance", "variance"):
        require_number(settings[key], key, name, low=1e-6, high=100.0)
    require(law in LAWS, f"{name}: law = {law!r}; give {' or '.join(map(repr, LAWS))}")
    rng = np.random.default_rng(seed)
    with np.errstate(over="ignore", invalid="ignore"):
        centres = draw(n_classes, n_features, center_variance, rng, law=law)
        clouds = [draw(n_samples_per_class, n_features, variance, rng, c, law) for c in centres]
    points = np.concatenate(clouds)
    require(
        np.isfinite(points).all(),
        f"{name}: points lie too far out for float64; lower variance, centre_variance or dimension",
    )
    return checked(
        Dataset(
            name,
            "points",
            np.repeat(np.arange(n_classes), n_samples_per_class),
            tuple(str(k) for k in range(n_classes)),
            features=points,
            chart="hyperboloid",
            about={**ABOUT, "settings": settings, "seed": seed, "centres": centres.tolist()},
        )
    )
