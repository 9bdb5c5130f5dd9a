"""Gaussian mixtures lifted to hyperbolic space (Yang et al. 2024, appendix E.2)."""

import numpy as np

from noneuclid.errors import require_number
from noneuclid.geometry import charts
from noneuclid_compare.data.checks import checked
from noneuclid_compare.records import Dataset

ABOUT = {
    "citation": "Yang, Liu and Pehlevan, Convex relaxation for solving large-margin classifiers "
    "in hyperbolic space, 2024, arXiv:2405.17198, section 4.1 and appendix E.2",
    "licence": "generated",
    "source": "noneuclid: lifted_gaussians",
    "oddities": "A Gaussian at the origin's tangent space, not at the class centre: clouds far "
    "from the origin are stretched sideways. Section 4.1 calls s the variance, the authors' code "
    "takes it as the standard deviation, and so does this one. Centres may fall close together.",
}


def load(
    files,
    seed,
    *,
    n_classes=2,
    n_samples_per_class=100,
    n_features=2,
    scale=0.4,
    released_seed=None,
):
    """Draw centres from N(0, I) and points from N(centre, s^2 I), and lift them at the origin.

    Parameters
    ----------
    scale : float
        s.
    released_seed : int, optional
        Draws the mixture of this seed in the authors' program (src/data/synthetic.py), which uses
        `numpy.random.RandomState`; `seed` is then unused.

    Returns
    -------
    Dataset
        Kind `points` on the hyperboloid of curvature -1; `about` keeps the `centres` as tangent
        vectors at the origin.

    Examples
    --------
    >>> data = load({}, 0, n_classes=3, n_samples_per_class=5)
    >>> data.features.shape, data.class_names
    ((15, 3), ('0', '1', '2'))
    """
    settings = {
        "n_classes": n_classes,
        "n_samples_per_class": n_samples_per_class,
        "n_features": n_features,
        "scale": scale,
    }
    settings |= {"released_seed": released_seed}
    name = "lifted_gaussians"
    for key, low in (("n_classes", 2), ("n_samples_per_class", 1), ("n_features", 1)):
        require_number(settings[key], key, name, low=low, integer=True)
    require_number(scale, "scale", name, low=1e-6, high=10.0)
    if released_seed is None:
        rng = np.random.default_rng(seed)
    else:
        require_number(released_seed, "released_seed", name, low=0, high=2**32 - 1, integer=True)
        rng = np.random.RandomState(released_seed)
    centres = rng.standard_normal((n_classes, n_features))
    labels = np.repeat(np.arange(n_classes), n_samples_per_class)
    noise = rng.standard_normal((n_classes * n_samples_per_class, n_features))
    vectors = centres[labels] + scale * noise
    return checked(
        Dataset(
            name,
            "points",
            labels,
            tuple(str(k) for k in range(n_classes)),
            features=charts.convert(vectors, "tangent", "hyperboloid"),
            chart="hyperboloid",
            about={**ABOUT, "settings": settings, "seed": seed, "centres": centres.tolist()},
        )
    )
