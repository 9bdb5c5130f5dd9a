"""Mixtures of hyperbolic Gaussians, the simulated data of cho2019, section 5.2."""

import numpy as np
from scipy.integrate import cumulative_trapezoid

from noneuclid.contracts import Dataset
from noneuclid.datasets.checks import checked, require_number, settings_of
from noneuclid.geometry import lorentz

DEFAULTS = {
    "classes": 4,
    "per_class": 100,
    "dimension": 2,
    "centre_variance": 1.5,
    "variance": 1.0,
}
ABOUT = {
    "citation": "Cho, DeMeo, Peng and Berger, Large-margin classification in hyperbolic space, "
    "AISTATS 2019, arXiv:1806.00437, section 5.2",
    "licence": "generated",
    "source": "noneuclid.datasets.hyperbolic_gaussians",
    "oddities": "Centres are drawn close to each other as often as not: many draws have no good "
    "classifier. The density falls with the squared distance against the hyperbolic volume; it is "
    "not the wrapped normal of chlenski2024.",
}


def radii(count, dimension, variance, rng):
    """Draw distances from the centre of a hyperbolic Gaussian.

    Hyperbolic spheres of radius r have area proportional to sinh(r)^(d-1), so the distance has
    the density sinh(r)^(d-1) exp(-r^2 / (2 variance)), up to a constant. The inverse of its
    distribution function is read off a grid of 20,001 radii.

    Parameters
    ----------
    count, dimension : int
    variance : float > 0
        In squared hyperbolic units, curvature -1.
    rng : numpy.random.Generator

    Returns
    -------
    ndarray of float, shape (count,)

    Examples
    --------
    >>> bool((radii(5, 2, 1.0, np.random.default_rng(0)) > 0).all())
    True
    """
    # The density lies below that of N((d - 1) variance, variance) times a constant, so ten
    # standard deviations beyond that mean leave out less than 1e-22 of the mass.
    limit = (dimension - 1) * variance + 10 * np.sqrt(variance)
    grid = np.linspace(0.0, limit, 20_001)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_area = np.where(dimension > 1, (dimension - 1) * np.log(np.sinh(grid)), 0.0)
    log_density = log_area - grid**2 / (2 * variance)
    density = np.exp(log_density - log_density.max())
    cumulative = cumulative_trapezoid(density, grid, initial=0.0)
    return np.interp(rng.uniform(0.0, cumulative[-1], count), cumulative, grid)


def draw(count, dimension, variance, rng, centre=None):
    """Draw points of a hyperbolic Gaussian, density exp(-dist(x, centre)^2 / (2 variance)).

    Parameters
    ----------
    count, dimension : int
    variance : float > 0
    rng : numpy.random.Generator
    centre : ndarray, shape (dimension + 1,), or None
        A point on the hyperboloid of curvature -1; the origin by default.

    Returns
    -------
    ndarray, shape (count, dimension + 1)
        On the hyperboloid, time coordinate first.

    Examples
    --------
    >>> points = draw(3, 2, 1.0, np.random.default_rng(0))
    >>> np.allclose(lorentz.product(points, points), -1.0)
    True
    """
    directions = rng.standard_normal((count, dimension))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    distance = radii(count, dimension, variance, rng)[:, None]
    points = lorentz.from_spatial(np.sinh(distance) * directions)
    if centre is None:
        return points
    return lorentz.from_spatial((points @ lorentz.boost(centre).T)[:, 1:])


def load(settings, files, seed):
    """Draw centres from a Gaussian at the origin, then points around each centre.

    Parameters
    ----------
    settings : dict
        `classes` (4), `per_class` (100), `dimension` (2), `centre_variance` (1.5) and
        `variance` (1.0), the values of cho2019.
    files : dict of Path
        Not needed.
    seed : int

    Returns
    -------
    Dataset
        Kind `points` on the hyperboloid of curvature -1; `about` keeps the centres.

    Raises
    ------
    InputError
        If a setting is unknown or out of range.

    Examples
    --------
    >>> data = load({"per_class": 5}, {}, 0)
    >>> data.features.shape, data.class_names
    ((20, 3), ('0', '1', '2', '3'))
    """
    name = "hyperbolic_gaussians"
    settings = settings_of(settings, DEFAULTS, name)
    for key, low in (("classes", 2), ("per_class", 1), ("dimension", 1)):
        require_number(settings, key, name, low=low, integer=True)
    for key in ("centre_variance", "variance"):
        require_number(settings, key, name, low=1e-6, high=100.0)
    rng = np.random.default_rng(seed)
    classes, count, dimension = (settings[k] for k in ("classes", "per_class", "dimension"))
    centres = draw(classes, dimension, settings["centre_variance"], rng)
    clouds = [draw(count, dimension, settings["variance"], rng, centre) for centre in centres]
    return checked(
        Dataset(
            name,
            "points",
            np.repeat(np.arange(classes), count),
            tuple(str(k) for k in range(classes)),
            features=np.concatenate(clouds),
            chart="hyperboloid",
            about={**ABOUT, "settings": settings, "seed": seed, "centres": centres.tolist()},
        )
    )
