"""A look at an ``.h5ad`` file: columns of obs, and the matrices that it holds."""

import numpy as np

from noneuclid.datasets.files.arrays import reading, require_names
from noneuclid.errors import require_package
from noneuclid.experiment.first_look import found as looks

# Read to see whether a matrix holds counts.
_SAMPLE = 100_000


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
        found.problems.append(
            f"{chosen} holds counts (whole numbers), in which the total of a cell outweighs its "
            "type: they are used unchanged, as asked; without --features this command says how to "
            "normalise them"
        )
    return found


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
                parts[name] = tuple(int(k) for k in shape), _are_counts(element)
    require_names(path, "matrix", parts or ["none"], list(parts)[:1] or ["X"])
    return parts


def _are_counts(element):
    """Whether the first values of a matrix are whole, none is negative, and some are over one."""
    values = element["data"] if "data" in getattr(element, "keys", tuple)() else element
    if values.dtype.kind not in "fiu" or values.size == 0:
        return False
    few = values[:_SAMPLE] if values.ndim == 1 else values[: max(1, _SAMPLE // values.shape[1])]
    few = np.asarray(few, dtype=np.float64)
    return bool((few >= 0).all() and (few % 1 == 0).all() and (few > 1).any())


def choose(parts):
    """Principal components if there are any, else the first matrix of genes without counts."""
    genes = [name for name in parts if not name.startswith("obsm/")]
    logged = [name for name in genes if not parts[name][1]]
    known = ["obsm/X_pca"] if "obsm/X_pca" in parts else []
    return [*known, *logged, *genes, *parts][0]
