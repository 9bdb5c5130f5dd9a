"""Poincaré maps: expression tables of blood cells, and the authors' embeddings of them."""

import numpy as np

from noneuclid.errors import require
from noneuclid_compare.data.checks import checked, encode
from noneuclid_compare.records import Dataset
from noneuclid_papers.data.formats import check_roles, read_cells, read_numbers, require_choice
from noneuclid_papers.data.licences import (
    KLIMOVSKAIA,
    KRUMSIEK,
    MOIGNARD,
    NON_COMMERCIAL,
    OLSSON,
    POINCARE_MAPS,
    about,
)

NAME = "poincare_maps"
IN_TIME = (
    "Simulated in time: consecutive rows are nearly equal, so a random split puts neighbours on "
    "both sides and scores are optimistic."
)
TRANSDUCTIVE = "The points were fitted without labels on all cells, so every split is transductive."
MYELOID = f"{IN_TIME} Four trajectories of 160 steps."
# Whom to cite, cells, oddities.
TABLES = {
    "Moignard2015": (MOIGNARD, 3934, ["44.5 % of the values are the floor -14."]),
    "Olsson": (OLSSON, 382, ["22 % of the values are negative, 44 % zero."]),
    "Olsson_wo_HSPC2": (OLSSON, 319, ["The table Olsson without the class HSPC-2."]),
    "MyeloidProgenitors": (KRUMSIEK, 640, [MYELOID]),
    "MyeloidProgenitorsInterv": (
        KRUMSIEK,
        592,
        [MYELOID, "The table MyeloidProgenitors without 48 cells of branchNe."],
    ),
    "krumsiek11_blobs": (
        KRUMSIEK,
        1280,
        [
            MYELOID,
            "The first 640 rows are those of MyeloidProgenitors under other class names; class "
            "blobs is two clusters of 320 cells, far apart.",
        ],
    ),
    "ToggleSwitch": (
        None,
        200,
        [f"{IN_TIME} Two trajectories of 100 steps.", "Three published fits share these rows."],
    ),
}


def load(files, seed, *, name, drop_classes=None):
    """Read an expression table or, if a file of points is given, its embedding.

    Parameters
    ----------
    files : dict
        `expression`: the table, whose last column holds the classes. `points`, optional: the
        authors' embedding, row by row.
    name : str
        Of the table, as in the repository.
    drop_classes : list of str, optional
        Rows of these classes are left out; by default root, which is a single cell and breaks every
        stratified split.

    Returns
    -------
    Dataset
        Kind `expression`, or kind `points` in the Poincaré disk.

    Raises
    ------
    InputError
        If name and files do not belong together, or a class to drop does not exist.
    """
    check_roles(files, NAME, ["expression"], ["points"])
    require_choice(name, "name", TABLES, NAME)
    origin, cells, oddities = TABLES[name]
    features, classes = read_cells(files["expression"])
    is_points = "points" in files
    if is_points:
        features = read_numbers(files["points"], delimiter=",")
        oddities = [*oddities, TRANSDUCTIVE]
    require(
        len(classes) == len(features) == cells,
        f"{NAME}: {name} has {cells} cells, the files have {len(classes)} classes "
        f"and {len(features)} rows; they belong to different data sets",
    )
    for dropped in drop_classes or []:
        known = ", ".join(np.unique(classes))
        require(dropped in classes, f"{NAME}: no class {dropped!r} to drop; classes: {known}")
    kept = ~np.isin(classes, ["root"] if drop_classes is None else drop_classes)
    labels, names = encode(classes[kept].tolist())
    citations = [origin, KLIMOVSKAIA] if origin else [KLIMOVSKAIA]
    oddities = [*oddities, *_dropped(classes[~kept])]
    return checked(
        Dataset(
            name,
            "points" if is_points else "expression",
            labels,
            names,
            features=features[kept],
            chart="poincare" if is_points else None,
            about=about(citations, NON_COMMERCIAL, POINCARE_MAPS, oddities),
        )
    )


def _dropped(classes):
    """A sentence for each class that is left out."""
    names, counts = np.unique(classes, return_counts=True)
    return [
        f"Class {name} ({count} of its rows) is left out."
        for name, count in zip(names, counts, strict=True)
    ]
