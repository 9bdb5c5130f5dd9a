"""Samples of numpy files, and points or features that gensim, word2vec or PyTorch wrote."""

from dataclasses import replace

import numpy as np

from noneuclid.errors import require
from noneuclid_compare.data.files import pickled_arrays, word_vectors
from noneuclid_compare.data.files.arrays import listing, suffix_of
from noneuclid_compare.data.files.edge_lists import read_node_labels
from noneuclid_compare.data.files.tables import TABLES, read_labels
from noneuclid_compare.data.files.vectors import read_part, rows_of_vectors
from noneuclid_compare.data.own import samples
from noneuclid_compare.data.own.row_groups import require_other
from noneuclid_compare.data.own.texts import missing_of
from noneuclid_compare.records import with_parameters_of

NAME = "array_file"
# Files of a single matrix.
_WITHOUT_LABELS = (".npy", *word_vectors.TEXT, *word_vectors.BINARY, *pickled_arrays.GENSIM)


@with_parameters_of(samples.make_dataset)
def load(files, seed, *, features="X", label="y", id=None, name=None, groups=None, **options):
    """Read the file of the role ``data`` and, if the labels are in another file, ``labels``.

    The role ``vectors`` is the second file that gensim writes of large models, by default the one
    beside the first.

    Parameters
    ----------
    features, label : str
        Names of the arrays or tensors in a file; for labels in a table, `label` is the column.
    id : str, optional
        Column of a table of labels that names the rows, by default its first; where the file has
        no names, rows count from 0, and without `id` labels are in the order of the rows.
    name : str, optional
        Array or list of the file that names the rows.
    groups : str, optional
        Array or column beside `label`, such as the donor: folds leave whole groups out.
    **options
        Parameters of `samples.make_dataset`, explained in `docs/own_data.md`.
    """
    path = samples.file_of(files, NAME, optional=("labels", "vectors"))
    where = files.get("labels", path)
    require(
        "labels" in files or suffix_of(path) not in _WITHOUT_LABELS,
        f"{path} holds one array; add the labels: files: {{data: ..., labels: y.npy}}, or a table "
        "with a column of names and one of labels",
    )
    require_other(groups, {"label": label, "features": features, "id": id}, NAME)
    require(
        groups is None or suffix_of(where) != ".npy",
        f"{where} holds one array, the labels; for groups give labels in a table or an .npz",
    )
    rows = rows_of_vectors(path, features, name, files.get("vectors"))
    missing, said = missing_of(options.get("missing"), NAME), []
    labels, others = _beside(path, where, (label, groups), id, rows, missing)
    require(labels.ndim == 1, f"{where}: labels have shape {labels.shape}; give one for each row")
    if others:
        require(
            options.get("unlabeled") == "drop",
            f"{where} labels {others[0]!r}, which is not in {path.name}, and "
            f"{len(others) - 1} more; remove them, or set unlabeled: drop",
        )
        said = [f"{len(others)} labels of {where.name} have no row in {path.name}."]
    if groups is not None:
        found, _ = _beside(path, where, (groups, label), id, rows, missing)
        require(
            found.shape == labels.shape,
            f"{where}: groups have shape {found.shape}; give one for each row",
        )
        groups = groups, found
    rows = replace(rows, labels=labels, groups=groups, oddities=[*rows.oddities, *said])
    return samples.make_dataset(rows, path, NAME, **options)


def _beside(path, where, columns, id, rows, missing):
    """Values of rows in an array or in a column of a table, shape (n,), and names of no row.

    The second of both `columns` does not name rows, either.
    """
    column, other = columns
    if suffix_of(where) not in TABLES:
        require(id is None, f"{NAME}: id = {id!r} is a column of a table of labels; give a table")
        return read_part(where, column).astype(object), []
    if rows.names is None and id is None:
        return read_labels(where, column, missing), []
    known = rows.names or [str(row) for row in range(len(rows.features))]
    table = read_node_labels(where, column, id, missing, "row", other)
    return joined(known, table, path, where)


def joined(names, table, path, where):
    """Labels of named rows by a dictionary, None where it has none, and its other names.

    Shapes: `names` (n,); returns an array of objects (n,) and a list.
    """
    seen = set()
    for row, name in enumerate(names):
        require(name not in seen, f"{path}: row {row} has the name {name!r} of another; rename it")
        seen.add(name)
    require(
        not seen.isdisjoint(table),
        f"{where} has no label of a row of {path.name}: it names {listing(map(repr, table), 3)}, "
        f"the rows are {listing(map(repr, names), 3)}; set id to the column of these names",
    )
    labels = np.array([*(table.get(name) for name in names), None], dtype=object)[:-1]
    return labels, [name for name in table if name not in seen]
