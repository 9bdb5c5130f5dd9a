"""Hyperbolic, Hilbert and Funk geometry: distances, maps, means, random points, charts.

Points are rows in a `chart`, "poincare" by default, of the space of curvature -K, ``curvature=K``.
Functions broadcast over leading axes. Names load lazily.

Examples
--------
>>> from noneuclid import geometry
>>> X = geometry.random_uniform(100, 2, radius=2.0, random_state=0)
>>> mean = geometry.frechet_mean(X)
>>> vectors = geometry.log_map(mean, X)
>>> bool(abs(vectors.mean(axis=0)).max() < 1e-12)
True
"""

from importlib import import_module

_MODULE_OF = {
    "ChartTransformer": "transformers",
    "Isometry": "isometries",
    "ProductSpace": "product_space",
    "busemann": "horospheres",
    "centroid": "means",
    "check_points": "charts",
    "convert": "charts",
    "delta_hyperbolicity": "tree_likeness",
    "distance": "metric",
    "exp_map": "geodesics",
    "frechet_mean": "means",
    "geodesic": "geodesics",
    "hyperplane_distance": "metric",
    "log_map": "geodesics",
    "pairwise_distances": "metric",
    "pairwise_polytope_distances": "polytope_metrics",
    "parallel_transport": "geodesics",
    "polytope_distance": "polytope_metrics",
    "random_isometry": "isometries",
    "random_uniform": "sampling",
    "random_wrapped_normal": "sampling",
    "sectional_curvature": "tree_likeness",
}

__all__ = [*_MODULE_OF]


def __getattr__(name):
    if name in _MODULE_OF:
        return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module '{__name__}' has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *__all__])
