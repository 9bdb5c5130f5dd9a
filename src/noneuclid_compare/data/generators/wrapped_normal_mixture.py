"""Mixtures of wrapped normal distributions (Chlenski et al. 2024, appendix A.4)."""

import numpy as np

from noneuclid.errors import require, require_number
from noneuclid.geometry import charts
from noneuclid.geometry.sampling import draw_wrapped_normal
from noneuclid_compare.data.checks import checked
from noneuclid_compare.records import Dataset

ABOUT = {
    "citation": "Chlenski, Turok, Moretti and Pe'er, Fast hyperboloid decision tree algorithms, "
    "ICLR 2024, arXiv:2310.13841, appendix A.4; the wrapped normal of Nagano, Yamaguchi, Fujita "
    "and Koyama, ICML 2019, arXiv:1902.02992",
    "licence": "generated",
    "source": "noneuclid: wrapped_normal_mixture",
    "oddities": "Class weights are uniform numbers divided by their sum, so a class may be rare. "
    "The paper does not state the factor a of its covariances; the default `spread` of 2 is the "
    "value in the authors' loader of this data set (pchlenski/hyperdt).",
}


def load(
    files,
    seed,
    *,
    n_samples=800,
    n_classes=2,
    n_features=2,
    curvature=1.0,
    spread=2.0,
):
    """Draw the parameters of each class, then a class for each point, then the points.

    Means are exp of N(0, I) at the origin, covariances are a C C^T / d with a square C of
    standard normal entries (eq. 59), class weights are uniform numbers divided by their sum.

    Parameters
    ----------
    n_features : int
        d.
    curvature : float
        K.
    spread : float
        a.

    Returns
    -------
    Dataset
        Kind `points` on the hyperboloid of curvature -K; `about` keeps `means`, `covariances`
        and `weights`.

    Raises
    ------
    InputError
        If a setting is unknown or out of range, or a class of small weight got no point.

    Examples
    --------
    >>> data = load({}, 0, n_samples=50, n_features=4)
    >>> data.features.shape, data.class_names
    ((50, 5), ('0', '1'))
    """
    settings = {"n_samples": n_samples, "n_classes": n_classes, "n_features": n_features}
    settings |= {"curvature": curvature, "spread": spread}
    name = "wrapped_normal_mixture"
    for key, low in (("n_samples", 2), ("n_classes", 2), ("n_features", 1)):
        require_number(settings[key], key, name, low=low, integer=True)
    for key in ("curvature", "spread"):
        require_number(settings[key], key, name, low=1e-6)
    n, d = n_samples, n_features
    rng = np.random.default_rng(seed)
    means = charts.convert(rng.standard_normal((n_classes, d)), "tangent", "hyperboloid", curvature)
    factors = rng.standard_normal((n_classes, d, d)) * np.sqrt(spread / d)
    weights = rng.random(n_classes)
    weights /= weights.sum()
    labels = rng.choice(n_classes, size=n, p=weights)
    sizes = np.bincount(labels, minlength=n_classes)
    rarest = int(sizes.argmin())
    require(
        sizes[rarest] > 0,
        f"{name}: class {rarest} has weight {weights[rarest]:.2g} and got none of {n} points; "
        "raise n_samples or change the seed",
    )
    points = np.empty((n, d + 1))
    with np.errstate(over="ignore", invalid="ignore"):
        for k in range(n_classes):
            points[labels == k] = draw_wrapped_normal(
                sizes[k], means[k], factors[k], rng, curvature
            )
    require(
        np.isfinite(points).all(),
        f"{name}: points lie too far out for float64; lower spread or curvature",
    )
    truth = {
        "means": means.tolist(),
        "covariances": (factors @ factors.transpose(0, 2, 1)).tolist(),
        "weights": weights.tolist(),
    }
    return checked(
        Dataset(
            name,
            "points",
            labels,
            tuple(str(k) for k in range(n_classes)),
            features=points,
            chart="hyperboloid",
            curvature=float(curvature),
            about={**ABOUT, "settings": settings, "seed": seed, **truth},
        )
    )
