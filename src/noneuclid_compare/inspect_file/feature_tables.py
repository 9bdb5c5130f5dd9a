"""A look at a table of parts by samples: labels of the samples, sparsity, and rare parts."""

from noneuclid.errors import require
from noneuclid_compare.data import composition
from noneuclid_compare.data.files import feature_tables
from noneuclid_compare.data.files.tables import columns_of, read_table
from noneuclid_compare.data.own.texts import MISSING, is_missing
from noneuclid_compare.inspect_file import compositions, groups
from noneuclid_compare.inspect_file import file_summary as looks
from noneuclid_compare.inspect_file.tables import group_word

# Share of the samples below which a part is named as rare.
RARE = 0.05


def candidates(path, labels=None):
    """Columns of the table of labels, or metadata of the samples, that may hold classes."""
    if labels is not None:
        table, _ = read_table(labels)
        return looks.candidates({c: table[c].tolist() for c in table.columns}), columns_of(labels)
    metadata = feature_tables.read(path).metadata
    require(
        metadata, f"{path} says nothing of its samples; add --labels FILE, a table with their names"
    )
    return looks.candidates(metadata), list(metadata)


def look(path, label, labels=None):
    """An entry for a table with this column, or metadata of the samples, as labels."""
    rows = feature_tables.rows_of(path, label, labels, missing={*MISSING})
    files = {"data": path} | ({} if labels is None else {"labels": labels})
    found = looks.Found("feature_table", files, {"label": label})
    looks.read_labels(found, rows.labels, label, "sample")
    groups.choose(found, _others(path, label, labels), rows.labels, group_word)
    values = rows.features[[not is_missing(one) for one in rows.labels]]
    n, p = values.shape
    zero = 100 * (1 - values.count_nonzero() / (n * p))
    found.facts.append(("size", f"{n} samples, {p} parts, {zero:.1f} % zeros"))
    rare = int(((values != 0).sum(axis=0) < RARE * n).sum())
    if rare:
        said = f"{rare} parts in less than {RARE:.0%} of the samples; min_prevalence: {RARE} "
        found.facts.append(("rare", f"{said}under params leaves them out"))
    found.set("kind", "composition", "parts by samples")
    if 8e-9 * n * p > composition.MAX_GB:
        found.set("min_prevalence", RARE, f"leaves out {rare} parts, which are too many to be kept")
        values, *_ = composition.common_parts(values, range(p), RARE)
    values = composition.dense(values)
    if values.min() >= 0:  # else the loader names the value
        compositions.set_changes(found, values, composition.units_of(values))
    return found


def _others(path, label, labels):
    """Values (n,) of the other columns, or metadata, that may name groups."""
    table = feature_tables.read(path)
    # The first column names the samples.
    columns = [*table.metadata] if labels is None else columns_of(labels)[1:]
    names = [name for name in groups.named_so(columns, group_word) if name != label]
    return {
        name: feature_tables.values_of(table, path, name, labels, None, {*MISSING})[0]
        for name in names
    }
