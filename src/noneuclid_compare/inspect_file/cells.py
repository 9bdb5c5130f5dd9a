"""A look at an ``.h5ad`` file: columns of obs, and the matrices that it holds."""

from noneuclid.interfaces.expression import COUNTS, PLAIN, SCALED
from noneuclid_compare.data.files import cell_matrices
from noneuclid_compare.data.files.arrays import obs_of, require_names
from noneuclid_compare.inspect_file import file_summary as looks
from noneuclid_compare.inspect_file import groups, suspicious
from noneuclid_compare.inspect_file.tables import group_word, names_groups

# Variable genes that are chosen where there are more.
VARIABLE = 2000
_ADVICE = {
    PLAIN: "a few genes outweigh all others; take logarithms by scanpy.pp.log1p",
    SCALED: "new cells must be scaled by the same means and deviations; better keep values that "
    "are not scaled in .raw or in a layer",
}


def candidates(path):
    """Columns of obs that may hold classes, and all columns."""
    obs, _ = _contents(path)
    columns = {name: obs[name].to_numpy(dtype=object).tolist() for name in obs.columns}
    return looks.candidates(columns), list(obs.columns)


def look(path, label, features=None):
    """An entry for cells with this column of obs as labels."""
    obs, parts = _contents(path)
    require_names(path, "obs column", list(obs.columns), [label])
    found = looks.Found("anndata_file", {"data": path}, {"label": label})
    found.facts.append(("size", f"{len(obs)} cells, {len(obs.columns)} columns of obs"))
    looks.read_labels(found, obs[label].to_numpy(dtype=object), label, "cell")
    others = obs.columns.drop(label)
    columns = {name: obs[name].to_numpy(dtype=object) for name in others}
    chosen = groups.choose(found, columns, obs[label].to_numpy(dtype=object), group_word)
    others = others.drop([chosen] if chosen else [])
    mixed = [name for name in others if names_groups(name) and obs[name].nunique() > 1]
    found.problems += suspicious.about_groups_of_cells(mixed)
    if features is not None:
        require_names(path, "matrix", list(parts), [features])
    chosen = features or choose(parts)
    texts = []
    for name, (shape, kind) in parts.items():
        what = [" x ".join(map(str, shape))] + ([kind] if _of_genes(name) else [])
        texts.append(f"{name} ({', '.join(what)})" + (", used" if name == chosen else ""))
    found.facts.append(("matrices", "; ".join(texts)))
    others = [name for name in parts if name != chosen]
    if chosen != "X" or others:
        found.set("features", chosen, f"or {', '.join(others[:6])}" if others else "used")
    shape, kind = parts[chosen]
    if kind == COUNTS and _of_genes(chosen):
        _say_counts(found, chosen, shape[1])
    elif kind in _ADVICE and _of_genes(chosen):
        found.problems.append(f"{chosen} looks {kind}: {_ADVICE[kind]}")
    return found


def _say_counts(found, chosen, genes):
    """Settings of counts."""
    found.facts.append(
        ("counts", f"{chosen} holds raw counts: normalised, logged and reduced as in scanpy")
    )
    found.set("counts", True, "raw counts become principal components, as in scanpy")
    if genes > VARIABLE:
        found.set("n_top_genes", VARIABLE, f"highly variable ones of {genes}")
    else:
        found.set("highly_variable_genes", False, f"all {genes} genes are used")


def _of_genes(name):
    return not name.startswith("obsm/")


def _contents(path):
    """Table obs, and what `cell_matrices.matrices` finds."""
    obs = obs_of(path)
    found = cell_matrices.matrices(path)
    require_names(path, "matrix", found or ["none"], list(found)[:1] or ["X"])
    return obs, found


def choose(parts):
    """Principal components if there are any, else the matrix that the loader reads."""
    first = "obsm/X_pca" if "obsm/X_pca" in parts else cell_matrices.choose(parts)
    return first if first in parts else next(iter(parts))
