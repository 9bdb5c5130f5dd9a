"""Samples of numpy files: an ``.npz`` with features and labels, or an ``.npy`` for each."""

from dataclasses import replace

from noneuclid.errors import require
from noneuclid_compare.data.files.arrays import read_array, rows_of_arrays, suffix_of
from noneuclid_compare.data.files.tables import TABLES, read_labels
from noneuclid_compare.data.own import samples
from noneuclid_compare.records import with_parameters_of


@with_parameters_of(samples.make_dataset)
def load(files, seed, *, features="X", label="y", **options):
    """Read the file of the role ``data`` and, if the labels are in another file, ``labels``.

    Parameters
    ----------
    features, label : str
        Names of the arrays in an npz file; for labels in a table, `label` is the column.
    **options
        Parameters of `samples.make_dataset`, explained in `docs/own_data.md`.
    """
    path = samples.file_of(files, "array_file", optional=("labels",))
    where = files.get("labels", path)
    require(
        "labels" in files or suffix_of(path) != ".npy",
        f"{path} holds one array; add the labels: files: {{data: ..., labels: y.npy}}",
    )
    rows = rows_of_arrays(path, features)
    if suffix_of(where) in TABLES:
        missing = samples.missing_of(options.get("missing"), "array_file")
        labels = read_labels(where, label, missing)
    else:
        labels = read_array(where, label).astype(object)
    require(labels.ndim == 1, f"{where}: labels have shape {labels.shape}; give one for each row")
    return samples.make_dataset(replace(rows, labels=labels), path, "array_file", **options)
