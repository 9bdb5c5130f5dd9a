"""Compositions near corners, edges and the centre of the probability simplex."""

import numpy as np

from noneuclid.errors import require, require_number
from noneuclid_compare.data.checks import checked
from noneuclid_compare.records import Dataset

ABOUT = {
    "citation": "Made for the geometries of Acharya, Gezalyan and Mount, Classifiers in high "
    "dimensional Hilbert metrics, 2026, which has no experiment",
    "licence": "generated",
    "source": "noneuclid: simplex_mixture",
    "oddities": "With a small floor some parts are tiny, and the Hilbert distance to such rows is "
    "large.",
}


def load(
    files,
    seed,
    *,
    n_features=3,
    n_samples_per_class=100,
    places=None,
    concentration=20.0,
    floor=1.0,
):
    """Draw the rows of each class from a Dirichlet distribution.

    The place of a class is the middle of the face that some parts span: one part is a corner,
    two an edge, all the centre. A class whose place is spanned by k parts has the Dirichlet
    parameters floor + concentration / k for those parts and floor for the others.

    Parameters
    ----------
    places : list of lists of int, optional
        The parts of each class; by default the corner [0], the edge [1, 2] and the centre.
    concentration : float
        Larger is tighter.
    floor : float
        Smaller is closer to the boundary.

    Returns
    -------
    Dataset
        Kind `composition`: rows of positive numbers that sum to one. `about["domain"]` is
        ``{"polytope": "simplex", "parts": n_features}``; `about["parameters"]` has a row for each
        class.

    Raises
    ------
    InputError
        If a setting is unknown or out of range, or a place names a part that does not exist.

    Examples
    --------
    >>> data = load({}, 0, n_samples_per_class=5)
    >>> data.features.shape, data.class_names
    ((15, 3), ('0', '1+2', '0+1+2'))
    """
    settings = {
        "n_features": n_features,
        "n_samples_per_class": n_samples_per_class,
        "places": places,
    }
    settings |= {"concentration": concentration, "floor": floor}
    name = "simplex_mixture"
    _check_settings(settings, name)
    places = settings["places"]
    parameters = np.full((len(places), n_features), float(floor))
    for row, place in zip(parameters, places, strict=True):
        row[place] += concentration / len(place)
    rng = np.random.default_rng(seed)
    about = {
        "domain": {"polytope": "simplex", "parts": n_features},
        "parameters": parameters.tolist(),
    }
    return checked(
        Dataset(
            name,
            "composition",
            np.repeat(np.arange(len(places)), n_samples_per_class),
            tuple("+".join(map(str, place)) for place in places),
            features=np.concatenate(
                [rng.dirichlet(row, n_samples_per_class) for row in parameters]
            ),
            about={**ABOUT, "settings": settings, "seed": seed, **about},
        )
    )


def _check_settings(settings, name):
    """Refuse values out of range, and fill in the places."""
    require_number(settings["n_features"], "n_features", name, low=2, integer=True)
    require_number(
        settings["n_samples_per_class"], "n_samples_per_class", name, low=1, integer=True
    )
    require_number(settings["concentration"], "concentration", name, low=1e-6, high=1e6)
    # parameters below 0.1 would underflow to parts of exactly zero
    require_number(settings["floor"], "floor", name, low=0.1, high=1e6)
    parts = settings["n_features"]
    if settings["places"] is None:
        require(parts > 2, f"{name}: with {parts} parts an edge is the centre; give places")
        settings["places"] = [[0], [1, 2], list(range(parts))]
    places = settings["places"]
    require(
        isinstance(places, list) and len(places) > 1,
        f"{name}: places = {places!r}; give a list of parts for each of two or more classes",
    )
    for place in places:
        require(
            isinstance(place, list)
            and len(place) > 0
            and all(type(part) is int and 0 <= part < parts for part in place)
            and len(set(place)) == len(place),
            f"{name}: place {place!r}; give a list of different parts from 0 to {parts - 1}",
        )
    require(
        len({frozenset(place) for place in places}) == len(places),
        f"{name}: two classes have the same place; give each its own",
    )
