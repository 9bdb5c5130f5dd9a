"""Samples of a table: csv, tsv, txt or parquet, one row each, labels in one column."""

from noneuclid.errors import require
from noneuclid_compare.data.files.tables import rows_of_table
from noneuclid_compare.data.own import samples
from noneuclid_compare.records import with_parameters_of


@with_parameters_of(samples.make_dataset)
def load(
    files,
    seed,
    *,
    label,
    features=None,
    id=None,
    drop=None,
    groups=None,
    decimal=".",
    **options,
):
    """Read the file of the role ``data``.

    Parameters
    ----------
    label : str
        Column of the classes.
    features : list of str, optional
        All other columns by default.
    id : str, optional
        Column of sample names; by default an unnamed first column.
    drop : list of str, optional
        Columns that are not features.
    groups : str, optional
        Column such as the donor, no feature: folds leave whole groups out.
    decimal : {".", ","}
    **options
        Parameters of `samples.make_dataset`, explained in `docs/own_data.md`.
    """
    require(label is not None, "table_file: set label to a column of the table")
    samples.require_choice(decimal, "decimal", (".", ","), "table_file")
    for key, given in (("features", features), ("drop", drop)):
        require(
            given is None or (isinstance(given, list) and len({*map(str, given)}) == len(given)),
            f"table_file: {key} = {given!r}; give a list of columns, each once: [{key}_1, ...]",
        )
    path = samples.file_of(files, "table_file")
    missing = samples.missing_of(options.get("missing"), "table_file")
    samples.require_other(groups, {"label": label}, "table_file")
    columns = {"label": label, "features": features, "id": id, "drop": drop or []}
    columns |= {"groups": groups}
    rows = rows_of_table(path, **columns, decimal=decimal, missing=missing)
    return samples.make_dataset(rows, path, "table_file", decimal=decimal, **options)
