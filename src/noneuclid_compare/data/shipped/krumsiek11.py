"""krumsiek11: simulated blood progenitors and their four fates (ships inside scanpy)."""

import warnings

import numpy as np

from noneuclid.errors import require_package
from noneuclid_compare.data.checks import checked, encode
from noneuclid_compare.records import Dataset

ABOUT = {
    "citation": "Krumsiek et al., Hierarchical differentiation of myeloid progenitors is encoded "
    "in the transcription factor network, PLoS ONE 6(8):e22649, 2011, "
    "doi:10.1371/journal.pone.0022649",
    "licence": "BSD-3-Clause (scanpy)",
    "source": "scanpy.datasets.krumsiek11",
    "oddities": "Simulated from a Boolean network of 11 genes: four runs of 160 time steps, the "
    "first half of each labelled progenitor. Consecutive rows are nearly equal, so a random split "
    "puts neighbours in time on both sides and scores are optimistic. The border between "
    "progenitor and fate is a time step, not a change in expression.",
}


def load(files, seed):
    """Load 640 simulated cells, 11 genes, 5 classes.

    Returns
    -------
    Dataset
        Kind `expression`; features are simulated activities between about 0 and 1.

    Examples
    --------
    >>> data = load({}, 0)
    >>> data.features.shape, data.class_names
    ((640, 11), ('Ery', 'Mk', 'Mo', 'Neu', 'progenitor'))
    """
    # Takes seconds: only this loader pays for it.
    scanpy = require_package("scanpy", "cells", "data set krumsiek11")

    with warnings.catch_warnings():
        # The shipped table repeats row numbers in each run; rows are never looked up by name.
        warnings.filterwarnings("ignore", message="Observation names are not unique")
        cells = scanpy.datasets.krumsiek11()
    labels, class_names = encode(cells.obs["cell_type"])
    features = np.asarray(cells.X, dtype=np.float64)
    return checked(
        Dataset("krumsiek11", "expression", labels, class_names, features=features, about=ABOUT)
    )
