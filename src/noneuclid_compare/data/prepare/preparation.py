"""From raw counts to principal components, as scanpy does it, without all cells in memory.

Cells pass by in parts, four times: totals, means and variances of the genes, products of the chosen
genes, components. Everything is exact: the components are eigenvectors of the covariance matrix,
whose size depends on the number of genes alone.
"""

from dataclasses import asdict, dataclass, replace

import numpy as np
from scipy.linalg import blas, eigh
from scipy.sparse import csr_array

from noneuclid.errors import InputError, require, require_number
from noneuclid_compare.data.prepare.variable_genes import highly_variable

FLAVORS = ("seurat", "cell_ranger")
# Components by default, as in scanpy.
COMPONENTS = 50
# The covariance matrix of more genes takes minutes and gigabytes.
MOST_GENES = 10_000
# Numbers of a dense block of cells.
BLOCK = 2**22


@dataclass(frozen=True)
class Preparation:
    """What was fitted to training cells, and places new cells.

    Attributes
    ----------
    target_sum : float or None
        Counts of each cell after normalisation; None if counts are not normalised.
    logged : bool
        Whether log(1 + x) is taken.
    base : float or None
        Of the logarithm; None for the natural one.
    excluded : ndarray of int
        Genes that do not count in the total of a cell.
    variable : ndarray of int, shape (p,)
        Genes of the components.
    loadings, centre : ndarray of float, shapes (p, d) and (d,), or None
        Components are ``values[:, variable] @ loadings - centre``; None without components.
    means : ndarray of float, shape (p,), or None
        Means of the values of the variable genes, which stand in for a gene that is missing.
    whole : bool
        Whether all counts were whole numbers, as those of new cells must be then.
    """

    target_sum: float | None
    logged: bool
    base: float | None
    excluded: np.ndarray
    variable: np.ndarray
    loadings: np.ndarray | None = None
    centre: np.ndarray | None = None
    means: np.ndarray | None = None
    whole: bool = True

    @property
    def counted(self):
        """Whether it reads counts, not values that are normalised already."""
        return self.target_sum is not None or self.logged

    @property
    def width(self):
        """Number of features of a cell."""
        return len(self.variable if self.centre is None else self.centre)

    def place(self, counts, missing=()):
        """Components of cells, or values of the variable genes if there are no components.

        The columns of the sparse matrix are the genes of training; those at the positions `missing`
        of `variable` are zero, and have their means in training instead. Each cell is placed alone.
        Shapes: `counts` (n, genes); returns shape (n, d).
        """
        values = self.normalised(counts)
        values = values[:, self.variable] if len(self.variable) < values.shape[1] else values
        missing = np.asarray(missing, dtype=np.intp)
        if self.centre is None:
            values = values.toarray()
            values[:, missing] = self.means[missing]
            return values
        centre = self.centre - self.means[missing] @ self.loadings[missing]
        return values @ self.loadings - centre

    def normalised(self, counts):
        """Sparse matrix of the values from which components are computed."""
        values = csr_array(counts, dtype=np.float64, copy=True)
        if self.target_sum is not None:
            totals = _totals(values, self.excluded)
            scale = self.target_sum / np.where(totals > 0, totals, 1.0)
            values.data *= np.repeat(scale, np.diff(values.indptr))
        if self.logged:
            np.log1p(values.data, out=values.data)
            if self.base is not None:
                values.data /= np.log(self.base)
        return values


def fit(
    cells,
    used,
    seen,
    batches=None,
    max_gb=4.0,
    *,
    normalize_total=True,
    target_sum=None,
    exclude_highly_expressed=False,
    max_fraction=0.05,
    log1p=True,
    base=None,
    highly_variable_genes=True,
    n_top_genes=None,
    min_mean=0.0125,
    max_mean=3.0,
    min_disp=0.5,
    max_disp=np.inf,
    n_bins=20,
    flavor="seurat",
    pca=True,
    n_comps=None,
    zero_center=True,
):
    """Fit a preparation to the used cells, and place all cells.

    Parameters have the names and defaults of the functions of scanpy; `normalize_total`, `log1p`,
    `highly_variable_genes` and `pca` leave a step out.

    Parameters
    ----------
    cells : Cells
    used : ndarray of bool, shape (n,)
        Cells that are fitted.
    seen : callable
        Is called with the first row and the sparse matrix of each part before anything else, and
        refuses values.
    batches : ndarray of int, shape (n,), or None
        Batches within which genes are chosen.
    max_gb : float
        Largest dense matrix without components.

    Returns
    -------
    preparation : Preparation
    components : ndarray of float, shape (n, d)
    facts : list of str
        What was done, for the report.

    Examples
    --------
    >>> from noneuclid_compare.data.prepare.parts import of_matrix
    >>> counts = np.random.default_rng(0).poisson(3.0, (30, 6))
    >>> all_cells = np.full(30, True)
    >>> fitted, points, facts = fit(
    ...     of_matrix(counts), all_cells, lambda *part: None, highly_variable_genes=False, n_comps=2
    ... )
    >>> points.shape, bool(np.allclose(fitted.place(csr_array(counts)), points))
    ((30, 2), True)
    >>> facts[:2]
    ['normalize_total: 19 counts a cell, the median', 'log1p']
    """
    settings = locals()
    _check({key: settings[key] for key in fit.__kwdefaults__})
    n, genes = cells.shape
    none = np.zeros(0, dtype=np.int64)
    start = Preparation(None, log1p, base, none, np.arange(genes))
    facts = []
    totals = _cell_totals(cells, seen)
    if not totals.all():
        facts.append(f"{np.count_nonzero(totals == 0)} cells are empty")
    if normalize_total:
        excluded = none
        if exclude_highly_expressed:
            excluded = _highly_expressed(cells, used, totals, max_fraction)
            totals = np.concatenate([_totals(rows, excluded) for _, rows in cells.parts(False)])
        positive = totals[used & (totals > 0)]
        require(positive.size > 0, f"{cells.where}: all training cells are empty; remove them")
        total = float(np.median(positive)) if target_sum is None else float(target_sum)
        facts.append(
            f"normalize_total: {total:.6g} counts a cell"
            + (", the median" if target_sum is None else "")
            + (f", without {len(excluded)} highly expressed genes" if len(excluded) else "")
        )
        start = replace(start, target_sum=total, excluded=excluded)
    facts += ["log1p" + (f" to base {base:g}" if base else "")] if log1p else []
    if highly_variable_genes:
        bounds = (min_mean, max_mean, min_disp, max_disp)
        moments = _moments(cells, used, batches, start, flavor)
        mask = highly_variable(
            *moments, n_top_genes=n_top_genes, bounds=bounds, n_bins=n_bins, flavor=flavor
        )
        require(
            mask.sum() >= 2,
            f"{cells.where}: {mask.sum()} of {genes} genes are highly variable; set n_top_genes, "
            "or highly_variable_genes: false to use all",
        )
        within = f" within {len(moments[0])} batches" if batches is not None else ""
        facts.append(f"highly_variable_genes ({flavor}{within}): {mask.sum()} of {genes} genes")
        start = replace(start, variable=np.flatnonzero(mask))
    if not pca:
        size = 8e-9 * n * start.width
        require(
            size <= max_gb,
            f"{cells.where}: {n} cells and {start.width} genes take {size:.1f} GB without "
            f"components, more than max_gb = {max_gb}; choose fewer genes, or pca: true",
        )
        sums = np.zeros(start.width)
        for values, _ in _training(cells, used, start):
            sums += values[:, start.variable].sum(axis=0)
        start = replace(start, means=sums / used.sum())
        return start, _places(cells, start), facts
    fitted, shares = _components(cells, used, start, n_comps, zero_center)
    facts.append(f"pca: {len(shares)} components with {shares.sum():.1%} of the variance")
    return fitted, _places(cells, fitted), facts


def sentence(facts, used):
    """What was done, in one sentence of the card; `used` is true for the cells of the fit.

    Examples
    --------
    >>> sentence(["log1p", "pca: 2 components"], np.array([True, True, False]))
    'Prepared as in scanpy on 2 of 3 cells, without labels: log1p; pca: 2 components.'
    """
    whole = f"all {len(used)}" if used.all() else f"{used.sum()} of {len(used)}"
    return f"Prepared as in scanpy on {whole} cells, without labels: {'; '.join(facts)}."


def as_record(preparation, genes):
    """Arrays and JSON values of a preparation, as `records.Dataset` keeps them."""
    return asdict(preparation) | {"genes": [str(gene) for gene in genes]}


def require_counts(first, rows, where, genes=None, whole=True):
    """Refuse the first value that is not a count; `whole` refuses expected counts too."""
    data = rows.data
    legal = np.isfinite(data) & (data >= 0)
    bad = np.flatnonzero(~(legal & (data % 1 == 0) if whole else legal))
    if bad.size:
        row = int(np.searchsorted(rows.indptr, bad[0], side="right")) - 1
        column = int(rows.indices[bad[0]])
        gene = f"column {column + 1}" if genes is None else f"gene {str(genes[column])!r}"
        raise InputError(
            f"{where}: cell {first + row + 1} counted from 1, {gene} is {data[bad[0]]:g}, not a "
            "count; give the matrix of raw counts"
        )


def _check(settings):
    """Refuse settings out of range."""
    numbers = {"max_fraction": 0.0, "min_mean": 0.0, "max_mean": 0.0, "min_disp": -np.inf}
    whole = {"n_bins": 2}
    for key, low in {"target_sum": 1e-300, "base": 1.0 + 1e-9}.items():
        numbers |= {} if settings[key] is None else {key: low}
    for key, low in {"n_top_genes": 2, "n_comps": 1}.items():
        whole |= {} if settings[key] is None else {key: low}
    for key, low in (numbers | whole).items():
        require_number(settings[key], key, "counts", low=low, integer=key in whole)
    legal = ", ".join(FLAVORS)
    require(
        settings["flavor"] in FLAVORS,
        f"counts: flavor = {settings['flavor']!r}; choose one of {legal}",
    )


def _cell_totals(cells, seen):
    """Sum of each row, after a check of the values, shape (n,)."""
    totals = np.empty(cells.shape[0])
    for first, rows in cells.parts(True):
        seen(first, rows)
        totals[first : first + rows.shape[0]] = _totals(rows, [])
    return totals


def _totals(values, excluded):
    """Sum of each row without some columns, shape (m,)."""
    totals = np.asarray(values.sum(axis=1, dtype=np.float64)).ravel()
    if len(excluded):
        totals -= np.asarray(values[:, excluded].sum(axis=1, dtype=np.float64)).ravel()
    return totals


def _highly_expressed(cells, used, totals, fraction):
    """Genes with more than a share of the counts of some training cell."""
    found = np.zeros(cells.shape[1], dtype=bool)
    for first, rows in cells.parts(False):
        lines = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr)) + first
        found[rows.indices[used[lines] & (rows.data > fraction * totals[lines])]] = True
    return np.flatnonzero(found)


def _training(cells, used, start):
    """First row, normalised values and numbers of the training cells of each part."""
    for first, rows in cells.parts(False):
        chosen = np.flatnonzero(used[first : first + rows.shape[0]])
        if chosen.size:
            rows = rows if chosen.size == rows.shape[0] else csr_array(rows)[chosen]
            yield start.normalised(rows), first + chosen


def _moments(cells, used, batches, start, flavor):
    """Means and variances of the genes in each batch, both of shape (batches, genes)."""
    genes = cells.shape[1]
    codes = np.zeros(cells.shape[0], dtype=np.int64) if batches is None else batches
    names, codes = np.unique(codes, return_inverse=True)
    sums, squares = np.zeros((2, len(names) * genes))
    for values, numbers in _training(cells, used, start):
        data = values.data
        if flavor == "seurat":
            # Values are logarithms, which this flavor takes back.
            with np.errstate(over="ignore"):
                data = np.expm1(data * np.log(start.base or np.e))
        places = np.repeat(codes[numbers] * genes, np.diff(values.indptr)) + values.indices
        sums += np.bincount(places, data, len(sums))
        with np.errstate(over="ignore"):
            squares += np.bincount(places, data**2, len(sums))
    require(
        np.isfinite(squares).all(),
        f"{cells.where}: values are too large for logarithms, which flavor: {flavor} expects; set "
        "log1p: true or highly_variable_genes: false",
    )
    sizes = np.bincount(codes[used], minlength=len(names))[:, None]
    kept = sizes[:, 0] > 1
    require(kept.any(), f"{cells.where}: no batch has two training cells; leave out batch_key")
    sums, squares, sizes = (part.reshape(len(names), -1)[kept] for part in (sums, squares, sizes))
    means = sums / sizes
    return means, np.maximum(squares / sizes - means**2, 0.0) * sizes / (sizes - 1)


def _components(cells, used, start, n_comps, zero_center):
    """Preparation with loadings, and shares of the variance."""
    p, n = len(start.variable), int(used.sum())
    require(
        p <= MOST_GENES,
        f"{cells.where}: {p} genes for the principal components, at most {MOST_GENES}; set "
        "n_top_genes: 2000",
    )
    most = min(p, n) - 1
    wanted = min(COMPONENTS, most) if n_comps is None else n_comps
    require(
        1 <= wanted <= most,
        f"counts: n_comps = {wanted}, but {n} training cells and {p} genes give at most {most}; "
        "lower n_comps or choose more genes",
    )
    gram, sums = np.zeros((p, p), order="F"), np.zeros(p)
    step = max(1, BLOCK // p)
    for values, _ in _training(cells, used, start):
        values = values[:, start.variable] if p < values.shape[1] else values
        sums += values.sum(axis=0)
        for a in range(0, values.shape[0], step):
            block = values[a : a + step].toarray()
            gram = blas.dsyrk(1.0, block.T, beta=1.0, c=gram, overwrite_c=True)
    mean = sums / n if zero_center else np.zeros(p)
    # Of the symmetric matrix only the upper triangle is filled and read.
    gram -= n * np.outer(mean, mean)
    variance = np.trace(gram)
    require(variance > 0, f"{cells.where}: all training cells are equal; choose other genes")
    sizes, axes = eigh(gram, lower=False, subset_by_index=[p - wanted, p - 1], overwrite_a=True)
    sizes, axes = sizes[::-1], axes[:, ::-1]
    # The sign is arbitrary: the largest loading of each component is positive.
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(wanted)])
    fitted = replace(start, loadings=axes, centre=mean @ axes, means=sums / n)
    return fitted, sizes / variance


def _places(cells, fitted):
    """Features of all cells, shape (n, d)."""
    places = np.empty((cells.shape[0], fitted.width))
    for first, rows in cells.parts(False):
        places[first : first + rows.shape[0]] = fitted.place(rows)
    return places
