"""Points near a corner, a face and the centre of a box, for Hilbert and Funk geometry."""

import numpy as np

from noneuclid.errors import require, require_number
from noneuclid_compare.data.checks import checked
from noneuclid_compare.records import Dataset

ABOUT = {
    "citation": "Made for the geometries of Acharya, Gezalyan and Mount, Classifiers in high "
    "dimensional Hilbert metrics, 2026, which has no experiment",
    "licence": "generated",
    "source": "noneuclid: box_mixture",
    "oddities": "Coordinates of a class are independent of each other.",
}


def load(
    files,
    seed,
    *,
    n_features=2,
    n_samples_per_class=100,
    places=None,
    concentration=20.0,
    floor=1.0,
    low=0.0,
    high=1.0,
):
    """Draw each coordinate of each class from a beta distribution, scaled to the box.

    A class whose place has the coordinate c, from 0 (low side) to 1 (high side), has the beta
    parameters floor + concentration c and floor + concentration (1 - c) there.

    Parameters
    ----------
    places : list of lists of float, optional
        For each class its coordinates from 0 to 1; by default a corner, the middle of the opposite
        face, and the centre.
    concentration : float
        Larger is tighter.
    floor : float
        Smaller is closer to the boundary.
    low, high : float
        Bounds of every coordinate.

    Returns
    -------
    Dataset
        Kind `composition`: rows strictly inside the box. `about["domain"]` is ``{"polytope":
        "box", "low": [...], "high": [...]}`` with a number for each coordinate.

    Raises
    ------
    InputError
        If a setting is unknown or out of range, or a row is rounded to the boundary.

    Examples
    --------
    >>> data = load({}, 0, n_samples_per_class=5, high=2.0)
    >>> data.features.shape, data.class_names
    ((15, 2), ('(0, 0)', '(1, 0.5)', '(0.5, 0.5)'))
    """
    settings = {
        "n_features": n_features,
        "n_samples_per_class": n_samples_per_class,
        "places": places,
    }
    settings |= {"concentration": concentration, "floor": floor, "low": low, "high": high}
    name = "box_mixture"
    _check_settings(settings, name)
    places = np.array(settings["places"], dtype=float)
    labels = np.repeat(np.arange(len(places)), n_samples_per_class)
    rng = np.random.default_rng(seed)
    share = rng.beta(
        floor + concentration * places[labels], floor + concentration * (1 - places[labels])
    )
    points = low + (high - low) * share
    on_boundary = np.flatnonzero(((points <= low) | (points >= high)).any(axis=1))
    require(
        on_boundary.size == 0,
        f"{name}: {on_boundary.size} rows are rounded to the boundary of [{low}, {high}]; raise "
        "floor, or move the box closer to zero",
    )
    domain = {
        "polytope": "box",
        "low": [float(low)] * n_features,
        "high": [float(high)] * n_features,
    }
    return checked(
        Dataset(
            name,
            "composition",
            labels,
            tuple(f"({', '.join(f'{c:g}' for c in place)})" for place in places),
            features=points,
            about={**ABOUT, "settings": settings, "seed": seed, "domain": domain},
        )
    )


def _check_settings(settings, name):
    """Refuse values out of range, and fill in the places."""
    require_number(settings["n_features"], "n_features", name, low=1, integer=True)
    require_number(
        settings["n_samples_per_class"], "n_samples_per_class", name, low=1, integer=True
    )
    require_number(settings["concentration"], "concentration", name, low=1e-6, high=1e6)
    require_number(settings["floor"], "floor", name, low=0.1, high=1e6)
    require_number(settings["low"], "low", name, low=-np.inf)
    require_number(settings["high"], "high", name, low=settings["low"])
    require(settings["low"] < settings["high"], f"{name}: low equals high; give a box with inside")
    dimension = settings["n_features"]
    if settings["places"] is None:
        middle = [0.5] * (dimension - 1)
        settings["places"] = [[0.0] * dimension, [1.0, *middle], [0.5, *middle]]
    places = settings["places"]
    require(
        isinstance(places, list) and len(places) > 1,
        f"{name}: places = {places!r}; give a list of coordinates for each of two or more classes",
    )
    for place in places:
        require(
            isinstance(place, list)
            and len(place) == dimension
            and all(type(c) in (int, float) and 0 <= c <= 1 for c in place),
            f"{name}: place {place!r}; give {dimension} coordinates from 0 to 1",
        )
    require(
        len({tuple(place) for place in places}) == len(places),
        f"{name}: two classes have the same place; give each its own",
    )
