"""Cells with raw counts: what to do first, and the same done with scanpy."""

from noneuclid.errors import require_package
from noneuclid.experiment import io
from noneuclid.experiment.first_look import cells, look
from noneuclid.experiment.first_look.configuration_text import name_of

# Counts of each cell after normalisation: a fixed number, so that new cells can be treated alike.
TOTAL = 10_000
VARIABLE = 2000
MADE = "obsm/X_pca"


def of(path, features=None):
    """The matrix of counts that would be used, None if another is chosen or there is none."""
    parts = cells.parts_of(path)
    chosen = cells.choose(parts)
    counted = parts[chosen][1] and not chosen.startswith("obsm/")
    return chosen if features is None and counted else None


def lines(path, part):
    """Lines of Python that write a file with principal components."""
    layer = part.partition("/")[2]
    return [
        "import scanpy as sc",
        f"cells = sc.read_h5ad({str(path)!r})",
        *([f"cells.X = cells.layers[{layer!r}].copy()"] if layer else []),
        f"sc.pp.normalize_total(cells, target_sum={TOTAL})",
        "sc.pp.log1p(cells)",
        f"if cells.n_vars > {VARIABLE}:",
        f"    sc.pp.highly_variable_genes(cells, n_top_genes={VARIABLE})",
        "sc.pp.pca(cells)",
        f"cells.write_h5ad({file_of(path)!r})",
    ]


def advice(path, part):
    """Lines on counts that are not prepared."""
    return [
        f"{path}: {part} holds raw counts, in which the total of a cell outweighs its type; no "
        "configuration was written",
        "--prepare normalises them with scanpy; these lines of Python do the same:",
        *(f"  {line}" for line in lines(path, part)),
        f"(then: noneuclid init {file_of(path)}); --features {part} uses the counts unchanged",
    ]


def file_of(path):
    """Name of the file with principal components."""
    return f"{name_of(path)}_pca.h5ad"


def prepared(path, part, folder, label):
    """Write the file with principal components into the folder, and look at it."""
    scanpy = require_package("scanpy", "cells", "--prepare")
    looked = cells.look(path, label)

    data = scanpy.read_h5ad(path)
    if part != "X":
        data.X = data.layers[part.partition("/")[2]].copy()
    scanpy.pp.normalize_total(data, target_sum=TOTAL)
    scanpy.pp.log1p(data)
    if data.n_vars > VARIABLE:
        scanpy.pp.highly_variable_genes(data, n_top_genes=VARIABLE)
    scanpy.pp.pca(data)
    file = folder / file_of(path)
    with io.replacing(file) as temporary:
        data.write_h5ad(temporary)
    found = look.look(file, label, features=MADE)
    dimension = found.dataset.features.shape[1]
    done = (
        f"{part} of {path.name}: {TOTAL} counts per cell, log(1 + x), {dimension} principal "
        "components of all cells, without their labels"
    )
    found.facts = [*looked.facts[:1], ("prepared", f"{file.name} from {done}"), *found.facts[1:]]
    found.comments["features"] = f"from {done}"
    return found
