"""A look at an ``.h5ad`` file: columns of obs, and the matrices that it holds."""

from noneuclid.errors import require_package
from noneuclid_compare.data.files.arrays import reading, require_names
from noneuclid_compare.data.prepare.parts import are_counts
from noneuclid_compare.inspect_file import file_summary as looks
from noneuclid_compare.inspect_file import groups, suspicious
from noneuclid_compare.inspect_file.tables import group_word, names_groups

# Variable genes that are chosen where there are more.
VARIABLE = 2000


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
    for name, (shape, counts) in parts.items():
        what = " x ".join(map(str, shape)) + (" counts" if counts else "")
        texts.append(f"{name} ({what})" + (", used" if name == chosen else ""))
    found.facts.append(("matrices", "; ".join(texts)))
    others = [name for name in parts if name != chosen]
    if chosen != "X" or others:
        found.set("features", chosen, f"or {', '.join(others[:6])}" if others else "used")
    if parts[chosen][1]:
        _say_counts(found, chosen, parts[chosen][0][1], features is not None)
    return found


def _say_counts(found, chosen, genes, asked):
    """Settings of counts; those that were asked for by name are used unchanged."""
    if not asked and not chosen.startswith("obsm/"):
        found.facts.append(
            ("counts", f"{chosen} holds raw counts: normalised, logged and reduced as in scanpy")
        )
        found.set("counts", True, "raw counts become principal components, as in scanpy")
        if genes > VARIABLE:
            found.set("n_top_genes", VARIABLE, f"highly variable ones of {genes}")
        else:
            found.set("highly_variable_genes", False, f"all {genes} genes are used")
        return
    if not chosen.startswith("obsm/"):
        found.set("counts", False, "counts are used unchanged")
    found.problems.append(
        f"{chosen} holds counts (whole numbers), in which the total of a cell outweighs its type: "
        "they are used unchanged, as asked; without --features they are normalised"
    )


def _contents(path):
    """Table obs, and of each matrix its shape and whether it holds counts."""
    h5py = require_package("h5py", "data", "an .h5ad file")
    read_elem = require_package("anndata.io", "data", "an .h5ad file").read_elem

    with reading(path, "h5ad"), h5py.File(path) as file:
        obs = read_elem(file["obs"])
    return obs, parts_of(path)


def parts_of(path):
    """Of each matrix its shape and whether it holds counts."""
    h5py = require_package("h5py", "data", "an .h5ad file")

    parts = {}
    with reading(path, "h5ad"), h5py.File(path) as file:
        names = ["X"] if "X" in file else []
        names += [f"{part}/{name}" for part in ("layers", "obsm") for name in file.get(part, ())]
        for name in names:
            element = file[name]
            shape = element.attrs.get("shape", getattr(element, "shape", None))
            # Other groups are tables in obsm.
            if shape is not None and len(shape) == 2:
                parts[name] = tuple(int(k) for k in shape), are_counts(element)
    require_names(path, "matrix", parts or ["none"], list(parts)[:1] or ["X"])
    return parts


def choose(parts):
    """Principal components if there are any, else the first matrix of genes without counts."""
    genes = [name for name in parts if not name.startswith("obsm/")]
    logged = [name for name in genes if not parts[name][1]]
    known = ["obsm/X_pca"] if "obsm/X_pca" in parts else []
    return [*known, *logged, *genes, *parts][0]
