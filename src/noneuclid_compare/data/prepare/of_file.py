"""Cells of an ``.h5ad`` file, as components of the counts that it holds."""

from dataclasses import replace

import numpy as np
from scipy.sparse import csr_array

from noneuclid.errors import InputError, require
from noneuclid.interfaces.expression import COUNTS, appearance
from noneuclid_compare.data.files import cell_matrices
from noneuclid_compare.data.files.arrays import (
    Rows,
    fold_of,
    groups_of,
    listing,
    part_of_h5ad,
    require_names,
    require_shape,
    shape_of,
    suffix_of,
)
from noneuclid_compare.data.prepare import parts, preparation

# Largest share of the expression of missing genes; there, 7 % more of the labels are wrong
# (benchmarks/missing_genes.tsv).
MOST_MISSING = 0.2
PARAMETERS = tuple(preparation.fit.__kwdefaults__)


def wanted(path, features, counts, max_gb):
    """Whether values become components, whether they are counts, and sentences on the choice.

    Counts do, and so does a matrix that is larger than `max_gb` if it is dense. Unless `counts`
    says so, a panel with no more genes than components is unchanged.
    """
    with part_of_h5ad(path, features) as (_, _, element, _):
        shape = shape_of(element)
        size = 8e-9 * float(np.prod(shape, dtype=float))
        counted = counts
        if counts is None:
            wide = len(shape) == 2 and shape[1] > preparation.COMPONENTS
            counted = wide and appearance(element) == COUNTS
    if counted:
        said = f"{features} holds raw counts (counts: false takes them unchanged)."
        return True, True, [said] if counts is None else []
    if size <= max_gb:
        return False, False, []
    said = (
        f"{features} of shape {shape} takes {size:.1f} GB if it is dense, more than max_gb = "
        f"{max_gb}: its principal components are the features."
    )
    return True, False, [said]


def rows_of(
    path,
    label,
    features,
    counted,
    unlabeled,
    max_gb,
    *,
    batch_key=None,
    test=None,
    groups=None,
    **settings,
):
    """Rows of components, and the preparation that was fitted.

    Test cells, and cells for which `unlabeled` is true of the label, are placed but not fitted.
    """
    with part_of_h5ad(path, features, label) as (obs, genes, element, where):
        require_shape(shape_of(element), obs, genes, where)
        fold, grouped = fold_of(obs, test, path), groups_of(obs, groups, path)
        batches = None
        if batch_key is not None:
            require_names(path, "obs column", list(obs.columns), [batch_key])
            names, batches = np.unique(np.asarray(obs[batch_key].astype(str)), return_inverse=True)
    labels = obs[label].to_numpy(dtype=object)
    used = ~np.fromiter((unlabeled(value) for value in labels), bool, len(labels))
    used &= True if fold is None else fold == 0
    require(used.any(), f"{path}: no labelled training cell")
    if not counted:
        settings = {"normalize_total": False, "log1p": False} | settings

    values, fractional = 0, 0

    def seen(first, rows):
        nonlocal values, fractional
        if counted:
            preparation.require_counts(first, rows, where, genes, whole=False)
            values += rows.nnz
            fractional += np.count_nonzero(rows.data % 1)
            return
        bad = np.flatnonzero(~np.isfinite(rows.data))
        if bad.size:
            row = int(np.searchsorted(rows.indptr, bad[0], side="right")) - 1 + first
            gene = genes[int(rows.indices[bad[0]])]
            raise InputError(
                f"{where}: row {row + 1} counted from 1, column {gene!r} is {rows.data[bad[0]]}; "
                "remove the row or fill in the value"
            )

    source = parts.of_file(path, features)
    fitted, places, facts = preparation.fit(source, used, seen, batches, max_gb, **settings)
    names = [str(sample) for sample in obs.index]
    said = [preparation.sentence(facts, used)]
    if fractional:
        said.append(
            f"{fractional} of {values} counts are not whole numbers; if {features} holds "
            "normalised values, set counts: false."
        )
    record = preparation.as_record(replace(fitted, whole=not fractional), genes)
    columns = [genes[k] for k in fitted.variable] if fitted.loadings is None else None
    return Rows(places, labels, names, columns, said, fold, grouped), record


def place_new(path, features, trained_on, genes, record, missing="error", mean="missing='mean'"):
    """Components of the cells of a new file, by the preparation of a model.

    `features` is the matrix that the caller names; None: that of training if it holds counts, else
    the first that does. Genes are found by name. A gene that the file does not have is an error,
    or has its mean of training with ``missing="mean"``; `mean` is what the caller writes for this,
    for the message.
    """
    require(
        suffix_of(path) == ".h5ad",
        f"{path}: the model was trained on raw counts of an .h5ad; give an .h5ad of raw counts",
    )
    fitted = preparation.Preparation(**record)
    part = features or (_counts_of(path, trained_on) if fitted.whole else trained_on)
    said = [] if part in (features, trained_on) else [f"{part} is read, which holds raw counts."]
    with part_of_h5ad(path, part) as (obs, own, element, where):
        require_shape(shape_of(element), obs, own, where)
    require(own is not None, f"{path}: {part} has no genes; give the matrix of raw counts")
    picked, absent = _pick(path, own, genes)
    lacking = np.flatnonzero(np.isin(fitted.variable, absent))
    said += _missing(path, genes, absent, lacking, fitted, missing, mean)
    places = np.empty((len(obs), fitted.width))
    for first, rows in parts.of_file(path, part).parts(True):
        if fitted.counted:
            preparation.require_counts(first, rows, where, own, fitted.whole)
        # Sums have the order of training.
        in_order = (rows @ picked).sorted_indices()
        places[first : first + rows.shape[0]] = fitted.place(in_order, lacking)
    trained = set(genes)
    extra = [name for name in own if name not in trained]
    if extra:
        verb = "1 gene was" if len(extra) == 1 else f"{len(extra)} genes were"
        said.append(f"{verb} not in training and not used: {listing(extra, 5)}.")
    return Rows(places, names=[str(sample) for sample in obs.index], oddities=said)


def _counts_of(path, trained_on):
    """The matrix of training if it holds counts, else the first matrix of genes that does."""
    found = cell_matrices.matrices(path)
    counts = [name for name, one in found.items() if one.looks == COUNTS]
    return next((name for name in (trained_on, *counts) if name in counts), trained_on)


def _pick(path, own, genes):
    """Sparse matrix that orders the columns of a file as those of training, and absent genes."""
    position = {name: k for k, name in enumerate(own)}
    trained = set(genes)
    require(
        len(trained) == len(genes),
        f"the model has two genes of one name among its {len(genes)}; rename them and train again",
    )
    twice = next((n for k, n in enumerate(own) if position[n] != k and n in trained), None)
    require(twice is None, f"{path}: two genes have the name {twice!r}; rename or remove one")
    places = [(position[name], k) for k, name in enumerate(genes) if name in position]
    require(
        places,
        f"{path} has none of the genes of training: it has {listing(own, 2)}, the model "
        f"{listing(genes, 2)}; give both the same kind of names",
    )
    absent = [k for k, name in enumerate(genes) if name not in position]
    rows, columns = np.array(places).T
    shape = (len(own), len(genes))
    return csr_array((np.ones(len(rows)), (rows, columns)), shape=shape), absent


def _missing(path, genes, absent, lacking, fitted, missing, mean):
    """Note on the genes of training that a file does not have; too many are refused."""
    if not absent:
        return []
    share = np.abs(fitted.means[lacking]).sum() / np.abs(fitted.means).sum()
    found = (
        f"{len(absent)} of the {len(genes)} genes of training are missing "
        f"({listing([genes[k] for k in absent], 5)}); {len(lacking)} of the {len(fitted.variable)} "
        f"variable genes, {share:.1%} of their expression"
    )
    require(
        missing == "mean",
        f"{path}: {found}; give a file with these genes, or let them have their means of training "
        f"by {mean}",
    )
    require(
        share <= MOST_MISSING,
        f"{path}: {found}, more than {MOST_MISSING:.0%}; train a model on the genes in common",
    )
    return [f"{found}: they have their means of training."]
