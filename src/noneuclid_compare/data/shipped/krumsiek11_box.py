"""krumsiek11 as points of a box: every gene's activity between two bounds (ships inside scanpy)."""

import numpy as np

from noneuclid.errors import InputError, require, require_number
from noneuclid_compare.data.checks import checked
from noneuclid_compare.data.shipped import krumsiek11
from noneuclid_compare.records import Dataset


def load(files, seed, *, low=-0.05, high=1.05):
    """Load 640 simulated cells as points of the box [low, high] of 11 genes.

    Activities are between 0 and 1 except for noise, which extends the range to [-0.0163, 1.0108];
    hence the bounds.

    Parameters
    ----------
    low, high : float
        Bounds of every gene.

    Returns
    -------
    Dataset
        Kind `composition`, with the box in `about["domain"]`.

    Raises
    ------
    InputError
        If a setting is unknown or out of range, or a cell is not strictly inside the box.

    Examples
    --------
    >>> data = load({}, 0)
    >>> data.features.shape, data.about["domain"]["low"][:2]
    ((640, 11), [-0.05, -0.05])
    """
    settings = {"low": low, "high": high}
    name = "krumsiek11_box"
    require_number(low, "low", name, low=-np.inf)
    require_number(high, "high", name, low=low)
    require(low < high, f"{name}: low equals high; give a box with inside")
    cells = krumsiek11.load({}, seed)
    outside = np.argwhere((cells.features <= low) | (cells.features >= high))
    if outside.size:
        row, column = outside[0]
        raise InputError(
            f"{name}: row {row}, column {column} is {cells.features[row, column]:.6g}, not inside "
            f"({low}, {high}); widen low and high"
        )
    genes = cells.features.shape[1]
    about = {
        **krumsiek11.ABOUT,
        "oddities": [krumsiek11.ABOUT["oddities"], f"The box is [{low}, {high}], chosen by hand."],
        "settings": settings,
        "domain": {"polytope": "box", "low": [float(low)] * genes, "high": [float(high)] * genes},
    }
    return checked(
        Dataset(
            name,
            "composition",
            cells.labels,
            cells.class_names,
            features=cells.features,
            about=about,
        )
    )
