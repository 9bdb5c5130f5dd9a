"""A look at an ``.npz`` or ``.npy`` file: arrays with features, arrays with labels."""

import numpy as np

from noneuclid.errors import require
from noneuclid.geometry.charts import project_to_ball
from noneuclid_compare import wording
from noneuclid_compare.data.files.arrays import (
    listing,
    read_array,
    reading,
    require_names,
    suffix_of,
)
from noneuclid_compare.data.files.edge_lists import read_node_labels
from noneuclid_compare.data.files.tables import TABLES, columns_of, read_labels, read_table
from noneuclid_compare.data.own.array_file import joined
from noneuclid_compare.data.own.texts import MISSING
from noneuclid_compare.data.own.train_test_npz import KEYS
from noneuclid_compare.inspect_file import file_summary as looks
from noneuclid_compare.inspect_file import groups
from noneuclid_compare.inspect_file.tables import group_word
from noneuclid_compare.jobs import file_sizes

_NAMES = ("X", "x", "features", "data")
# What the labels of an .npy, which names nothing, are called.
_ALONE = "y"
# PyTorch Geometric's name of the ends of edges.
_EDGES = "edge_index"


def candidates(path, labels=None):
    """Arrays that may hold classes, and all arrays; columns of a table of labels."""
    if labels is not None and suffix_of(labels) in TABLES:
        table, _ = read_table(labels)
        return looks.candidates({c: table[c].tolist() for c in table.columns}), columns_of(labels)
    _require_labels(path, labels)
    path = labels or path
    shapes = shapes_of(path)
    flat = {name: read_array(path, name) for name, shape in shapes.items() if len(shape) == 1}
    return looks.candidates({name: a.astype(object).tolist() for name, a in flat.items()}), [
        *shapes
    ]


def only_label(path, labels, features=None):
    """The one array of a file, or the one column of a table, of labels; None of several."""
    if suffix_of(labels) == ".npy":
        return _ALONE
    if suffix_of(labels) in TABLES:
        names = columns_of(labels)
    else:
        names = [name for name, shape in shapes_of(labels).items() if len(shape) == 1]
    return names[0] if len(names) == 1 else None


def look(path, label, labels=None, features=None):
    """An entry for arrays with this array, or column of a table, as labels."""
    shapes = shapes_of(path)
    files = {"data": path} | ({} if labels is None else {"labels": labels})
    _require_labels(path, labels)
    if labels is None and has_split(path):
        found = looks.Found("train_test_npz", {"embedding": path}, {})
        found.entry["split"] = {"scheme": "fixed"}
        found.sections["repeats"] = 1
        found.facts.append(
            ("arrays", f"{', '.join(KEYS)}: points of the Poincaré ball with a split of their own")
        )
        if count := sum(map(_rows_at_rim, (read_array(path, key) for key in KEYS[::2]))):
            said = f"{wording.count(count, 'row')} at the rim of the ball or over it by rounding"
            found.set("project_to_ball", True, said)
            found.problems.append(f"{said}: brought back inside (project_to_ball: true)")
        return found
    edges = (
        f"{_EDGES} holds the edges of a network: numpy.savetxt('links.edges', {_EDGES}.T, '%d') "
        "writes an edge list, and noneuclid init links.edges --labels TABLE compares methods on it"
    )
    require(features != _EDGES, f"{path}: {edges}")
    matrices = [name for name, shape in shapes.items() if len(shape) == 2 and name != _EDGES]
    if features is not None:
        require_names(path, "array", list(shapes), [features])
    require(
        matrices,
        f"{path} has no matrix of features; arrays: {_listed(shapes)}: give one row each"
        + (f"; {edges}" if _EDGES in shapes else ""),
    )
    likely = [name for name in _NAMES if name in matrices]
    chosen = features or [*likely, *matrices][0]
    found = looks.Found("array_file", files, {"features": chosen, "label": label})
    if suffix_of(path) == ".npy":
        found.params = {"label": label}
    found.facts.append(("arrays", f"{_listed(shapes)}; features: {chosen}"))
    if labels is None and {name.lower() for name in shapes} >= {*KEYS}:
        words = f"{', '.join(KEYS)}, points of the Poincaré ball"
        found.problems.append(f"one part of the rows is read; for both, name the arrays {words}")
    if _EDGES in shapes:
        found.problems.append(f"{edges}; here they are not used")
    if labels is None:
        require_names(path, "array", list(shapes), [label])
    if labels is not None and suffix_of(labels) in TABLES:
        values = _of_table(found, labels, label, shapes[chosen][0])
    else:
        values = read_array(labels or path, label).astype(object)
    require(
        np.ndim(values) == 1 and len(values) == shapes[chosen][0],
        f"{labels or path}: {label!r} has shape {np.shape(values)} for {shapes[chosen][0]} rows of "
        f"{chosen!r}; give one label for each row",
    )
    looks.read_labels(found, values, label)
    groups.choose(found, _others(labels or path, label, len(values)), values, group_word)
    return found


def _others(where, label, n):
    """Values (n,) of the other columns or arrays beside the labels that may name groups."""
    if suffix_of(where) in TABLES:
        names = groups.named_so(columns_of(where), group_word)
        return {name: read_labels(where, name, {*MISSING}) for name in names if name != label}
    shapes = shapes_of(where) if suffix_of(where) == ".npz" else {}
    flat = [name for name, shape in shapes.items() if shape == (n,) and name != label]
    names = groups.named_so(flat, group_word)
    return {name: read_array(where, name).astype(object) for name in names}


def _of_table(found, labels, label, n):
    """Labels of a table, by a column that numbers the n rows from 0, else in their order."""
    table, _ = read_table(labels)
    numbers = [str(row) for row in range(n)]
    id = next((c for c in table.columns if sorted(map(str, table[c])) == sorted(numbers)), None)
    if id is None or id == label:
        values = read_labels(labels, label, {*MISSING})
        looks.require_header(labels, len(values), n)
        return values
    found.set("id", id, "numbers of the rows, from 0")
    known = read_node_labels(labels, label, id, {*MISSING}, "row")
    return joined(numbers, known, found.files["data"], labels)[0]


def _rows_at_rim(points):
    """Number of rows that `charts.project_to_ball` moves; 0 of what it refuses."""
    try:
        return project_to_ball(points)[1].size if points.ndim == 2 else 0
    except ValueError:  # not numbers, or far outside: the loader says so
        return 0


def _require_labels(path, labels):
    """Refuse one array without labels."""
    require(
        suffix_of(path) == ".npz" or labels is not None,
        f"{path} holds one array and no labels; add --labels FILE, an .npy or a table",
    )


def has_split(path):
    """Whether a file holds points in training and test rows."""
    return set(KEYS) <= set(shapes_of(path))


def shapes_of(path):
    """Shapes of the arrays of a file, from their heads."""
    with reading(path, f"{suffix_of(path)[1:]} arrays"):
        if suffix_of(path) == ".npy":
            return {"X": np.load(path, mmap_mode="r", allow_pickle=False).shape}
        return file_sizes.shapes_of_npz(path)


def _listed(shapes):
    return listing([f"{name} {' x '.join(map(str, shape))}" for name, shape in shapes.items()], 8)
