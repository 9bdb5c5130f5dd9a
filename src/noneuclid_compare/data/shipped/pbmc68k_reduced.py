"""pbmc68k_reduced: 700 blood cells with ten cell types (ships inside scanpy)."""

import numpy as np

from noneuclid.errors import require_package
from noneuclid_compare.data.checks import checked, encode
from noneuclid_compare.records import Dataset

ABOUT = {
    "citation": "Zheng et al., Massively parallel digital transcriptional profiling of single "
    "cells, Nature Communications 8:14049, 2017, doi:10.1038/ncomms14049",
    "licence": "BSD-3-Clause (scanpy); original data by 10x Genomics, under its terms",
    "source": "scanpy.datasets.pbmc68k_reduced",
    "oddities": "Features are 765 variable genes already normalised, logged and scaled to unit "
    "variance on all cells, so held-out cells contributed to the scaling in every split. "
    "Labels (bulk_labels) come from correlation with purified populations, not from "
    "sorting. Classes run from 240 cells down to 8.",
}


def load(files, seed):
    """Load 700 cells, 765 scaled genes, 10 cell types.

    Returns
    -------
    Dataset
        Kind `expression`.

    Examples
    --------
    >>> load({}, 0).features.shape
    (700, 765)
    """
    # Takes seconds: only this loader pays for it.
    scanpy = require_package("scanpy", "cells", "data set pbmc68k_reduced")

    cells = scanpy.datasets.pbmc68k_reduced()
    labels, class_names = encode(cells.obs["bulk_labels"])
    features = np.asarray(cells.X, dtype=np.float64)
    return checked(
        Dataset(
            "pbmc68k_reduced", "expression", labels, class_names, features=features, about=ABOUT
        )
    )
