"""A look at points or features that gensim, word2vec or PyTorch wrote, with a table of labels."""

import numpy as np

from noneuclid.classifiers.default_chart import likely_chart
from noneuclid.errors import InputError, require
from noneuclid_compare import wording
from noneuclid_compare.data.checks import bring_inside
from noneuclid_compare.data.files import pickled_arrays
from noneuclid_compare.data.files.arrays import suffix_of
from noneuclid_compare.data.files.edge_lists import read_node_labels
from noneuclid_compare.data.files.tables import TABLES, columns_of, read_labels, read_table
from noneuclid_compare.data.files.vectors import read_part, read_vectors
from noneuclid_compare.data.own.array_file import joined
from noneuclid_compare.data.own.texts import MISSING
from noneuclid_compare.inspect_file import file_summary as looks
from noneuclid_compare.inspect_file import groups
from noneuclid_compare.inspect_file.tables import group_word


def candidates(path, labels=None):
    """Columns of the table of labels, or arrays of a file of PyTorch, that may hold classes."""
    if labels is None:
        parts = pickled_arrays.read_torch(path) if suffix_of(path) in pickled_arrays.TORCH else {}
        flat = {name: p.astype(object).tolist() for name, p in parts.items() if p.ndim == 1}
        found = looks.candidates(flat)
        require(found, f"{path} holds {_NO_LABELS}")
        return found, list(parts)
    _require_table(path, labels)
    table, _ = read_table(labels)
    return looks.candidates({c: table[c].tolist() for c in table.columns}), columns_of(labels)


def only_label(path, labels, features=None):
    """The column of a table of labels that does not name rows, if there is one alone."""
    _require_table(path, labels)
    id = _names_rows(read_vectors(path, features or "X"), labels)
    others = [name for name in columns_of(labels) if name and name != id]
    return others[0] if len(others) == 1 else None


def look(path, label, labels=None, features=None):
    """An entry for vectors with this column of a table as labels, and the chart that is likely."""
    files = {"data": path} | ({} if labels is None else {"labels": labels})
    beside = pickled_arrays.beside(path)
    if suffix_of(path) in pickled_arrays.GENSIM and beside.is_file():
        files["vectors"] = beside
    vectors = read_vectors(path, features or "X", vectors=files.get("vectors"))
    n, d = vectors.values.shape
    named = "with names" if vectors.names else "without names"
    params = ({} if features is None else {"features": features}) | {"label": label}
    found = looks.Found("array_file", files, params)
    found.facts.append(("vectors", f"{n} vectors of {wording.count(d, 'number')} {named}"))
    if labels is None:
        require(suffix_of(path) in pickled_arrays.TORCH, f"{path} holds {_NO_LABELS}")
        values = read_part(path, label).astype(object)
        require(
            np.shape(values) == (n,), f"{path}: {label!r} has shape {np.shape(values)}; {_EACH}"
        )
        looks.read_labels(found, values, label)
    else:
        _read_table(found, vectors, label, labels)
    _set_chart(found, vectors)
    return found


_NO_LABELS = (
    "vectors and no labels; add --labels TABLE, a table with a column of their names and one of "
    "labels"
)
_EACH = "give one label for each row"


def _read_table(found, vectors, label, labels):
    """Join a table of labels by the names of the rows."""
    _require_table(found.files["data"], labels)
    id = _names_rows(vectors, labels)
    known = vectors.names or [str(row) for row in range(len(vectors.values))]
    columns = [name for name in columns_of(labels) if name not in (id, label)]
    columns = groups.named_so(columns, group_word)
    if id is None and vectors.names is None:
        values = read_labels(labels, label, {*MISSING})
        n = len(vectors.values)
        looks.require_header(labels, len(values), n)
        require(len(values) == n, f"{labels} has {len(values)} labels for {n} vectors; {_EACH}")
        looks.read_labels(found, values, label, "vector")
        columns = {name: read_labels(labels, name, {*MISSING}) for name in columns}
        groups.choose(found, columns, values, group_word)
        return
    if id is not None:
        found.set("id", id, "names the vectors" if vectors.names else "numbers of the rows, from 0")
    table = read_node_labels(labels, label, id, {*MISSING}, "row")
    values, others = joined(known, table, found.files["data"], labels)
    looks.read_labels(found, values, label, "vector")
    tables = {c: read_node_labels(labels, c, id, {*MISSING}, "row", label) for c in columns}
    columns = {name: [table.get(row) for row in known] for name, table in tables.items()}
    groups.choose(found, columns, values, group_word)
    if others:
        found.set("unlabeled", "drop", "names that one of the files lacks")
        found.problems.append(
            f"{wording.count(len(others), 'label')} of {labels.name} without a vector, the first "
            f"{others[0]!r}: left out (unlabeled: drop)"
        )


def _names_rows(vectors, labels):
    """The column of a table that holds the most names of rows; None if none holds two."""
    known = set(vectors.names or [str(row) for row in range(len(vectors.values))])
    columns = columns_of(labels)
    table, _ = read_table(labels, columns if suffix_of(labels) != ".parquet" else ())
    counts = {name: len(known & {str(value) for value in table[name]}) for name in columns if name}
    best = max(counts, key=counts.get, default=None)
    return best if best is not None and counts[best] > 1 else None


def _set_chart(found, vectors):
    """Set the chart: the one that the file states, else the likely one."""
    likely = likely_chart(vectors.values)
    if vectors.in_ball:
        found.set("chart", "poincare", "gensim's PoincareKeyedVectors")
        found.facts.append(("chart", "poincare, because the file holds PoincareKeyedVectors"))
    elif likely is None:
        return  # `look` says so of all arrays
    else:
        (chart, *others), place = likely
        found.set("chart", chart, f"likely: all rows lie {place}")
        found.facts.append(("chart", f"{chart}, because all rows lie {place}"))
        more = f"chart: {others[0]} if it is that one; " if others else ""
        found.problems.append(
            f"the file does not state its chart: {chart} is likely; {more}set curvature if it is "
            "not 1; delete chart if the vectors are measurements, as those of word2vec are"
        )
    if found.params["chart"] == "poincare":
        try:
            moved = bring_inside(vectors.values, "poincare", 1.0)[1]
        except InputError:  # far outside: the loader says so
            moved = []
        if moved:
            found.set("project_to_ball", True, "rows at the rim by rounding")
            found.problems += moved


def _require_table(path, labels):
    """Refuse labels that are not in a table."""
    require(
        suffix_of(labels) in TABLES,
        f"{labels}: labels of {path.name} are in a table with a column of names, one of "
        f"{', '.join(TABLES)}",
    )
