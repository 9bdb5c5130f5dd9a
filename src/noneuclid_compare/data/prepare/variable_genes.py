"""Highly variable genes, by the formulas of scanpy, from means and variances."""

import numpy as np
from scipy.stats import median_abs_deviation

from noneuclid.errors import require_package

# How values of a gene in several batches become one.
_MERGED = {"mean": "mean", "dispersion": "mean", "chosen": "sum"}


def highly_variable(means, variances, *, n_top_genes, bounds, n_bins, flavor):
    """Mask of the highly variable genes, by the formulas of scanpy, without its copies.

    ``scanpy.pp.highly_variable_genes`` reads all cells at once and copies them twice. Its flavors
    "seurat" [1]_ and "cell_ranger" [2]_ depend on the mean and the variance of each gene alone,
    which one pass over a file gives. The tests compare both.

    `means` and `variances` have a row for each batch, of values without logarithm for "seurat" and
    with it for "cell_ranger". `bounds` are the limits of the mean and of the normalised dispersion;
    `n_top_genes`, if given, takes their place.

    Shapes: `means`, `variances` (batches, p); returns shape (p,).

    References
    ----------
    .. [1] R. Satija, J. Farrell, D. Gennert, A. Schier and A. Regev, Spatial reconstruction of
       single-cell gene expression data, Nature Biotechnology 33:495-502, 2015.
    .. [2] G. Zheng et al., Massively parallel digital transcriptional profiling of single cells,
       Nature Communications 8:14049, 2017.
    """
    pandas = require_package("pandas", "data", "highly_variable_genes")
    genes = means.shape[1]
    single = len(means) == 1
    tables = []
    for mean, variance in zip(means, variances, strict=True):
        expressed = np.full(genes, True) if single else mean > 0
        table = pandas.DataFrame(0.0, index=range(genes), columns=list(_MERGED))
        mean, dispersion = _dispersions(mean[expressed], variance[expressed], n_bins, flavor)
        chosen = _within(mean, dispersion, bounds)
        if n_top_genes is not None:
            chosen = _top(dispersion, n_top_genes)
        table.loc[expressed, :] = np.column_stack([mean, dispersion, chosen])
        tables.append(table)
    if single:
        return tables[0]["chosen"].to_numpy() > 0
    # As in scanpy: first the genes that are variable in most batches.
    together = pandas.concat(tables).groupby(level=0).agg(_MERGED)
    if n_top_genes is None:
        return _within(together["mean"].to_numpy(), together["dispersion"].to_numpy(), bounds)
    order = together.sort_values(["chosen", "dispersion"], ascending=False, na_position="last")
    return np.isin(np.arange(genes), order.index[:n_top_genes])


def _dispersions(mean, variance, n_bins, flavor):
    """Mean and normalised dispersion of each gene: relative to genes of similar mean."""
    pandas = require_package("pandas", "data", "highly_variable_genes")
    mean = np.where(mean == 0, 1e-12, mean)
    dispersion = variance / mean
    if flavor == "seurat":
        dispersion = np.log(np.where(dispersion == 0, np.nan, dispersion))
        mean = np.log1p(mean)
        bins = pandas.cut(mean, n_bins)
    else:
        edges = np.percentile(mean, np.arange(10, 105, 5))
        bins = pandas.cut(mean, np.r_[-np.inf, edges, np.inf])
    groups = pandas.Series(dispersion).groupby(bins, observed=True)
    if flavor == "seurat":
        centre, spread = groups.transform("mean"), groups.transform("std")
        # A gene that is alone in its bin has the normalised dispersion 1.
        spread, centre = spread.fillna(centre), centre.where(spread.notna(), 0.0)
    else:
        centre, spread = groups.transform("median"), groups.transform(_deviation)
    with np.errstate(divide="ignore", invalid="ignore"):
        return mean, ((dispersion - centre) / spread).to_numpy()


def _deviation(values):
    """Median absolute deviation in units of a standard deviation."""
    return median_abs_deviation(values, scale="normal")


def _within(mean, dispersion, bounds):
    """Whether mean and dispersion lie between the limits; a dispersion without value is 0."""
    low_mean, high_mean, low, high = bounds
    dispersion = np.nan_to_num(dispersion)
    return (mean > low_mean) & (mean < high_mean) & (dispersion > low) & (dispersion < high)


def _top(dispersion, count):
    """Whether a dispersion is one of the `count` largest."""
    known = np.sort(dispersion[~np.isnan(dispersion)])
    limit = known[-min(count, len(known))]
    return np.nan_to_num(dispersion, nan=-np.inf) >= limit
