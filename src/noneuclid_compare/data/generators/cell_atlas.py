"""An atlas of cells: raw counts of a branching tree of cell types, with batches and dropout.

Each type is a node of a tree of three levels (lineages, their types, their subtypes, which are the
classes). Log rates of a node are those of its parent with changes in some genes. A cell lies on the
edge above its class, mostly near the end, so that neighbouring classes touch. Counts are negative
binomial [1]_; rates depend on the batch, and rare counts drop out.

References
----------
.. [1] L. Zappia, B. Phipson and A. Oshlack, Splatter: simulation of single-cell RNA sequencing
   data, Genome Biology 18:174, 2017.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, vstack

from noneuclid.compiled import compile_inner, compile_released
from noneuclid.errors import require, require_number, require_package
from noneuclid_compare.data.checks import checked
from noneuclid_compare.data.prepare import parts, preparation
from noneuclid_compare.records import Dataset, with_parameters_of

NAME = "cell_atlas"
ABOUT = {
    "citation": "Made to measure methods on atlases of a million cells",
    "licence": "generated",
    "source": f"noneuclid: {NAME}",
    "oddities": [
        "Counts are drawn from a tree of cell types, so the hierarchy is real and known.",
    ],
}
LEVELS = ("lineage", "type", "subtype")
# Per level: share of the genes that change, and standard deviation of a changed log rate.
CHANGES = ((0.15, 1.2), (0.10, 1.0), (0.06, 0.9))
# Cells of a part; its buffers hold a number for each cell and gene.
PART = 4096
# Cells of the file that are test cells.
HELD_OUT = 0.1


class Atlas(NamedTuple):
    """What does not depend on the number of cells, and the cells' places.

    Shapes: `rates` (nodes, genes), rows sum to 1; `parents` (nodes,); `nodes` of the classes
    (classes,); `codes` of the cells, `shares` of the way from the parent, expected counts `sizes`,
    `batches` (n,); `effects` (batches, genes).
    """

    rates: np.ndarray
    parents: np.ndarray
    names: list
    nodes: np.ndarray
    codes: np.ndarray
    shares: np.ndarray
    sizes: np.ndarray
    batches: np.ndarray
    effects: np.ndarray


@with_parameters_of(preparation.fit)
def load(
    files,
    seed,
    *,
    n_cells=10_000,
    n_genes=2000,
    n_classes=40,
    n_batches=4,
    batch_effect=0.1,
    dropout=0.3,
    imbalance=1.0,
    counts_per_cell=600.0,
    dispersion=0.5,
    **options,
):
    """Draw an atlas and prepare its counts: components of the cells, and the tree of types.

    Parameters
    ----------
    n_cells, n_genes : int
        Numbers of cells and genes.
    n_classes : int
        Subtypes; there are about a third as many types, and six lineages at most.
    n_batches : int
        Batches, of equal probability.
    batch_effect : float
        Standard deviation of the log rate of a gene between batches.
    dropout : float
        Probability that a count is lost if it is expected to be near 0; it falls with the expected
        count m as exp(-m).
    imbalance : float
        Standard deviation of the log size of the classes; 0 for equal probabilities.
    counts_per_cell : float
        Median of the expected counts of a cell; its logarithm has the standard deviation 0.5.
    dispersion : float
        Of the counts: the variance of a count of mean m is m + dispersion m^2.
    **options
        Parameters of `preparation.fit`.

    Returns
    -------
    Dataset
        Kind `expression`, features are components; `about["class_tree"]` has the tree.

    Raises
    ------
    InputError
        If a setting is out of range.

    Examples
    --------
    >>> data = load({}, 0, n_cells=300, n_genes=100, n_classes=8, highly_variable_genes=False)
    >>> data.features.shape, data.class_names[:2], data.about["class_tree"]["1.1.1"]
    ((300, 50), ('1.1.1', '1.1.2'), '1.1')
    """
    settings = {
        "n_cells": n_cells,
        "n_genes": n_genes,
        "n_classes": n_classes,
        "n_batches": n_batches,
    }
    settings |= {"batch_effect": batch_effect, "dropout": dropout, "imbalance": imbalance}
    settings |= {"counts_per_cell": counts_per_cell, "dispersion": dispersion}
    settings |= preparation.fit.__kwdefaults__ | options
    atlas = draw(seed, **{key: settings[key] for key in draw.__kwdefaults__})
    drawn = [rows for _, rows in counts_of(atlas, seed, dropout, dispersion)]
    source = parts.of_matrix(vstack(drawn, format="csr"), NAME)
    used = np.full(n_cells, True)
    fitted, features, facts = preparation.fit(source, used, lambda *part: None, **options)
    dataset = Dataset(NAME, "expression", atlas.codes, class_names(atlas), features=features)
    tree = {atlas.names[k]: atlas.names[atlas.parents[k]] for k in range(1, len(atlas.names))}
    oddities = [*ABOUT["oddities"], preparation.sentence(facts, used)]
    finite = {key: value for key, value in settings.items() if value != np.inf}
    about = {**ABOUT, "oddities": oddities, "settings": finite, "seed": seed, "class_tree": tree}
    prepared = preparation.as_record(fitted, gene_names(n_genes))
    return checked(replace(dataset, about=about, preparation=prepared))


def write(path, seed, **settings):
    """Write the counts of an atlas to an ``.h5ad`` file, a part at a time.

    `settings` are the parameters of `load` that describe the atlas. Columns of obs are the three
    levels, ``batch``, and ``test``, true for a tenth of the cells.

    Examples
    --------
    >>> import anndata, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "atlas.h5ad")
    ...     write(path, 0, n_cells=50, n_genes=30, n_classes=4)
    ...     anndata.read_h5ad(path).shape
    (50, 30)
    """
    h5py = require_package("h5py", "data", "an .h5ad file")
    anndata = require_package("anndata", "data", "an .h5ad file")
    pandas = require_package("pandas", "data", "an .h5ad file")
    given = load.__kwdefaults__ | settings
    atlas = draw(seed, **{key: given[key] for key in draw.__kwdefaults__})
    n, genes = len(atlas.codes), atlas.rates.shape[1]
    obs = {"batch": pandas.Categorical([f"batch {k + 1}" for k in range(given["n_batches"])])}
    node, columns = atlas.nodes, {}
    for level in reversed(LEVELS):
        names = pandas.Categorical([atlas.names[k] for k in node])
        columns[level], node = names[atlas.codes], atlas.parents[node]
    obs = {level: columns[level] for level in LEVELS} | {"batch": obs["batch"][atlas.batches]}
    obs["test"] = np.random.default_rng([seed, 2]).random(n) < HELD_OUT
    index = pandas.RangeIndex(n).astype(str)
    table = anndata.AnnData(
        obs=pandas.DataFrame(obs, index=index),
        var=pandas.DataFrame(index=gene_names(genes)),
    )
    table.write_h5ad(path)
    with h5py.File(path, "r+") as file:
        group = file.create_group("X")
        group.attrs.update({"encoding-type": "csr_matrix", "encoding-version": "0.1.0"})
        group.attrs["shape"] = np.array([n, genes])
        growing = {"chunks": (2**18,), "maxshape": (None,)}
        data = group.create_dataset("data", (0,), dtype="f4", **growing)
        indices = group.create_dataset("indices", (0,), dtype="i4", **growing)
        indptr = np.zeros(n + 1, dtype=np.int64)
        for first, rows in counts_of(atlas, seed, given["dropout"], given["dispersion"]):
            start = indptr[first]
            indptr[first + 1 : first + rows.shape[0] + 1] = start + rows.indptr[1:]
            for stored, values in ((data, rows.data), (indices, rows.indices)):
                stored.resize((start + rows.nnz,))
                stored[start:] = values
        group.create_dataset("indptr", data=indptr)


def draw(
    seed,
    *,
    n_cells=10_000,
    n_genes=2000,
    n_classes=40,
    n_batches=4,
    batch_effect=0.1,
    imbalance=1.0,
    counts_per_cell=600.0,
):
    """Draw the tree and the places of the cells; the tree does not depend on their number."""
    counts = {"n_cells": (n_cells, 10), "n_genes": (n_genes, 10), "n_classes": (n_classes, 2)}
    for key, (number, low) in {**counts, "n_batches": (n_batches, 1)}.items():
        require_number(number, key, NAME, low=low, integer=True)
    spreads = {"batch_effect": (batch_effect, 0.0), "imbalance": (imbalance, 0.0)}
    for key, (number, low) in {**spreads, "counts_per_cell": (counts_per_cell, 1.0)}.items():
        require_number(number, key, NAME, low=low)
    rng = np.random.default_rng([seed, 0])
    parents, names, levels = tree(n_classes)
    logs = np.empty((len(parents), n_genes))
    logs[0] = rng.normal(-1.2, 1.4, n_genes)
    for node in range(1, len(parents)):
        share, deviation = CHANGES[levels[node] - 1]
        changed = rng.random(n_genes) < share
        logs[node] = logs[parents[node]] + changed * rng.normal(0.0, deviation, n_genes)
    rates = np.exp(logs)
    rates /= rates.sum(axis=1, keepdims=True)
    nodes = np.flatnonzero(levels == len(LEVELS))
    weights = np.exp(imbalance * rng.normal(size=n_classes))
    effects = np.exp(batch_effect * rng.normal(size=(n_batches, n_genes)))
    # A stream for each property: the first cells are the same in any number of cells.
    streams = [np.random.default_rng([seed, 1, k]) for k in range(4)]
    codes = streams[0].choice(n_classes, n_cells, p=weights / weights.sum())
    # A class is there even if it is rare.
    codes[: min(n_classes, n_cells)] = np.arange(min(n_classes, n_cells))
    return Atlas(
        rates,
        parents,
        names,
        nodes,
        codes,
        streams[1].random(n_cells) ** (1 / 3),
        counts_per_cell * np.exp(streams[2].normal(0.0, 0.5, n_cells)),
        streams[3].integers(0, n_batches, n_cells),
        effects,
    )


def tree(classes):
    """Parents, names and levels of the nodes, the root first; `classes` nodes are of level 3.

    Examples
    --------
    >>> parents, names, levels = tree(5)
    >>> names
    ['root', '1', '2', '1.1', '2.1', '1.1.1', '1.1.2', '1.1.3', '2.1.1', '2.1.2']
    """
    types = max(2, round(classes / 3))
    sizes = (max(2, min(6, round(types / 3))), types, classes)
    parents, names, levels, above = [-1], ["root"], [0], [0]
    for level, size in enumerate(sizes, 1):
        first = len(parents)
        # Children of a node are consecutive, and their numbers differ by one at most.
        for k, node in enumerate(above):
            count = size // len(above) + (k < size % len(above))
            prefix = "" if node == 0 else f"{names[node]}."
            parents += [node] * count
            names += [f"{prefix}{j + 1}" for j in range(count)]
        levels += [level] * size
        above = range(first, len(parents))
    return np.array(parents), names, np.array(levels)


def class_names(atlas):
    """Names of the classes, by code."""
    return tuple(atlas.names[k] for k in atlas.nodes)


def gene_names(genes):
    """Names of the genes."""
    return [f"gene {k + 1}" for k in range(genes)]


def counts_of(atlas, seed, dropout, dispersion):
    """Yield the first cell and the counts of each part: sparse, int32 indices, float32 values.

    Every cell has random numbers of its own, so counts do not depend on the parts.
    """
    require_number(dropout, "dropout", NAME, low=0.0, high=1.0)
    require_number(dispersion, "dispersion", NAME, low=0.05, high=100.0)
    n, genes = len(atlas.codes), atlas.rates.shape[1]
    require(n > 0, f"{NAME}: no cells")
    streams = np.random.SeedSequence([seed, 3]).generate_state(1, np.uint64)[0]
    indices = np.empty((min(PART, n), genes), dtype=np.int32)
    values = np.empty(indices.shape, dtype=np.float32)
    lengths = np.empty(len(indices), dtype=np.int64)
    ends = atlas.nodes[atlas.codes]
    for a in range(0, n, PART):
        b = min(a + PART, n)
        _draw(atlas.rates, atlas.effects, atlas.parents[ends[a:b]], ends[a:b], atlas.shares[a:b],
              atlas.sizes[a:b], atlas.batches[a:b], streams, a, dropout, 1 / dispersion, indices,
              values, lengths)  # fmt: skip
        size = lengths[: b - a]
        filled = np.arange(genes) < size[:, None]
        pointers = np.concatenate([[0], np.cumsum(size)])
        rows = (values[: b - a][filled], indices[: b - a][filled], pointers)
        yield a, csr_array(rows, shape=(b - a, genes))


@compile_inner
def _mix(state):
    """Next state of a cell's random numbers (splitmix64), and a number in (0, 1)."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return state, (np.float64(z >> np.uint64(11)) + 0.5) * 2.0**-53


@compile_released
def _draw(rates, effects, starts, ends, shares, sizes, batches, stream, first, dropout, inverse,
          indices, values, lengths):  # fmt: skip
    """Counts of cells: values and their genes, at the beginning of each row of the buffers."""
    for i in range(len(ends)):
        state = stream + np.uint64(first + i) * np.uint64(0xD1342543DE82EF95)
        state, _ = _mix(state ^ (state >> np.uint64(32)))
        low, high, effect = rates[starts[i]], rates[ends[i]], effects[batches[i]]
        share, size, found = shares[i], sizes[i], 0
        for gene in range(len(low)):
            mean = size * effect[gene] * (low[gene] + share * (high[gene] - low[gene]))
            state, u = _mix(state)
            # The probability of a count is below its mean: most genes end here.
            if u >= mean:
                continue
            term = (inverse / (inverse + mean)) ** inverse
            if u >= 1.0 - term:
                continue
            # Invert the distribution function at 1 - u.
            count, total, factor = 0, term, mean / (inverse + mean)
            while 1.0 - u > total and (term > 1e-18 or count < mean):
                count += 1
                term *= (inverse + count - 1) / count * factor
                total += term
            if dropout > 0.0:
                state, u = _mix(state)
                if u < dropout * np.exp(-mean):
                    continue
            indices[i, found], values[i, found] = gene, count
            found += 1
        lengths[i] = found
