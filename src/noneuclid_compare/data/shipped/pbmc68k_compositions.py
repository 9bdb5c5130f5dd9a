"""Composition of blood cells over their most abundant genes (ships inside scanpy)."""

import numpy as np

from noneuclid.errors import require_number, require_package
from noneuclid_compare.data.checks import checked, encode
from noneuclid_compare.data.composition import close_composition
from noneuclid_compare.data.shipped import pbmc68k_reduced
from noneuclid_compare.records import Dataset


def load(files, seed, *, n_genes=20, pseudocount=None):
    """Share of each gene in the molecules that a cell has of the most abundant genes.

    scanpy keeps normalised counts on a logarithmic scale, x = log(1 + s k) with one s for each
    cell. Every cell has genes with one molecule, so its least positive exp(x) - 1 is s, and the
    counts k come back as whole numbers.

    Parameters
    ----------
    n_genes : int
        Those with most molecules in all cells.
    pseudocount : float, optional
        Added to every count. Cells have many zero counts, so the data are refused without it.

    Returns
    -------
    Dataset
        Kind `composition`; 700 cells, a part for each gene, 10 cell types. `about["columns"]` names
        the genes.

    Raises
    ------
    InputError
        If a setting is unknown or out of range, or a part is zero and there is no pseudocount.

    Examples
    --------
    >>> data = load({}, 0, pseudocount=0.5)
    >>> data.features.shape, data.about["columns"][:3]
    ((700, 20), ['CD74', 'FTL', 'HLA-DRA'])
    """
    settings = {"n_genes": n_genes, "pseudocount": pseudocount}
    # Takes seconds: only this loader pays for it.
    scanpy = require_package("scanpy", "cells", "data set pbmc68k_compositions")

    name = "pbmc68k_compositions"
    require_number(n_genes, "n_genes", name, low=2, high=765, integer=True)
    if pseudocount is not None:
        require_number(pseudocount, "pseudocount", name, low=1e-9)
    cells = scanpy.datasets.pbmc68k_reduced()
    counts = molecules(cells.raw.X.toarray())
    chosen = np.argsort(-counts.sum(axis=0), kind="stable")[:n_genes]
    parts, changes, rule = close_composition(counts[:, chosen], True, pseudocount)
    labels, class_names = encode(cells.obs["bulk_labels"])
    oddities = [
        "Labels (bulk_labels) come from correlation with purified populations, not from sorting. "
        "Classes run from 240 cells down to 8.",
        f"The {len(chosen)} genes are those with most molecules in all cells, including "
        "held-out cells; labels were not used.",
        *changes,
    ]
    about = {
        **pbmc68k_reduced.ABOUT,
        "oddities": oddities,
        "settings": settings,
        "closed": rule,
        "columns": cells.raw.var_names[chosen].tolist(),
        "domain": {"polytope": "simplex", "parts": len(chosen)},
    }
    return checked(Dataset(name, "composition", labels, class_names, features=parts, about=about))


def molecules(logs):
    """Whole numbers k of rows log(1 + s k), where the least positive k of a row is 1.

    Shapes: `logs` (n, p); returns shape (n, p).
    """
    scaled = np.expm1(logs.astype(np.float64))
    unit = np.where(scaled > 0, scaled, np.inf).min(axis=1, keepdims=True)
    return np.round(scaled / unit)
