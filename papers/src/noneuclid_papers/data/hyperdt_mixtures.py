"""The very mixtures of Chlenski et al. (2024): its Gaussian data, number by number."""

import numpy as np
from sklearn.model_selection import train_test_split

from noneuclid.errors import require, require_number
from noneuclid.geometry import charts, tangent
from noneuclid_compare.data.checks import checked
from noneuclid_compare.records import Dataset

ABOUT = {
    "citation": "Chlenski, Turok, Moretti and Pe'er, Fast hyperboloid decision tree algorithms, "
    "ICLR 2024, arXiv:2310.13841, tables 1 to 3",
    "licence": "generated",
    "source": "noneuclid: hyperdt_mixtures",
    "oddities": "A fifth of the points that are drawn is set aside and never used, as in the "
    "authors' program (pchlenski/hyperdt). In dimension 16 their program rounds points far from "
    "the origin: in number 8 by up to a factor of 31 "
    "(papers/benchmarks/chlenski2024_far_points.py).",
}


def load(files, seed, *, n_samples=800, n_features=2, number=0):
    """Draw the numbers in the authors' order, from numpy's old generator with their seed.

    The distribution is that of `wrapped_normal_mixture` with two classes. Their scores of
    scikit-learn's methods with the folds of ``KFold(5, shuffle=True, random_state=number)`` come
    out to the last printed digit: the points are theirs. Only scores of SVC in dimension 16 do not,
    where their program rounds points that lie far from the origin.

    Parameters
    ----------
    n_samples : int
        Number that remains when a fifth is set aside; a multiple of 4.
    number : int
        The authors' seed, 0 to 9 in the paper.

    Returns
    -------
    Dataset
        Kind `points` on the hyperboloid of curvature -1.

    Raises
    ------
    InputError
        If a setting is unknown or out of range, or all points have one class.

    Examples
    --------
    >>> data = load({}, 0, n_samples=100, n_features=4)
    >>> data.features.shape, data.class_names
    ((100, 5), ('0', '1'))
    """
    settings = {"n_samples": n_samples, "n_features": n_features, "number": number}
    name = "hyperdt_mixtures"
    for key, low in (("n_samples", 4), ("n_features", 1), ("number", 0)):
        require_number(settings[key], key, name, low=low, high=2**32 - 1, integer=True)
    require(n_samples % 4 == 0, f"{name}: n_samples = {n_samples}; give a multiple of 4")
    drawn, labels = _draw(n_samples * 5 // 4, n_features, np.random.RandomState(number))
    kept, _ = train_test_split(np.arange(len(labels)), test_size=0.2, random_state=number)
    return checked(
        Dataset(
            name,
            "points",
            labels[kept],
            ("0", "1"),
            features=drawn[kept],
            chart="hyperboloid",
            about={**ABOUT, "settings": settings, "seed": number},
        )
    )


def generator_after(points, dimension, number):
    """State of numpy's old generator after it has drawn a mixture."""
    rng = np.random.RandomState(number)
    _draw(points * 5 // 4, dimension, rng)
    return rng


def _draw(n, d, rng):
    """Points of two classes and their labels."""
    means = charts.convert(rng.normal(size=(2, d)), "tangent", "hyperboloid")
    factors = [rng.normal(size=(d, d)) for _ in means]
    covariances = [2 * factor @ factor.T / d for factor in factors]
    weights = rng.uniform(size=2)
    labels = rng.choice(2, size=n, p=weights / weights.sum())
    # One by one: drawn together, the numbers would be others.
    vectors = np.array([rng.multivariate_normal(np.zeros(d), covariances[k]) for k in labels])
    points = np.empty((n, d + 1))
    for k in (0, 1):
        points[labels == k] = tangent.lift(vectors[labels == k], means[k], 1.0)
    return points, labels
