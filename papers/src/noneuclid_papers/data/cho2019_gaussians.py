"""Gaussian mixtures of cho2019: 4 classes of 100 points in the Poincaré disk."""

import numpy as np

from noneuclid_compare.data.checks import checked, encode
from noneuclid_compare.records import Dataset
from noneuclid_papers.data.formats import check_roles, read_matlab
from noneuclid_papers.data.licences import CHO, HYPLINEAR, MIT, about

NAME = "hyplinear_gaussians"
BOUNDARY = 0.999
ODDITIES = (
    "Rows are sorted by class.",
    "The hundred published sets differ much in difficulty: nearest centroid is correct for 55 to "
    "98 % of the points.",
)


def load(files, seed):
    """Read one of the published mixtures; the file says which.

    Parameters
    ----------
    files : dict
        `points`: ``data_001.mat`` and so on.

    Returns
    -------
    Dataset
        Kind `points` in the Poincaré disk, 400 rows.

    Raises
    ------
    InputError
        If the file is not such a mixture.
    """
    check_roles(files, NAME, ["points"])
    points, labels = read_matlab(files["points"], ["B", "label"])
    codes, names = encode(labels.ravel())
    far = int((np.linalg.norm(points, axis=1) >= BOUNDARY).sum())
    oddities = [*ODDITIES, *([f"Points with norm {BOUNDARY} or more: {far}."] if far else [])]
    description = about([CHO], MIT, HYPLINEAR, oddities)
    return checked(
        Dataset(NAME, "points", codes, names, features=points, chart="poincare", about=description)
    )
