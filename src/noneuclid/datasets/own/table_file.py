"""Samples of a table: csv, tsv, txt or parquet, one row each, labels in one column."""

from noneuclid.contracts import with_parameters_of
from noneuclid.datasets.files.tables import rows_of_table
from noneuclid.datasets.own import samples
from noneuclid.errors import require


@with_parameters_of(samples.make_dataset)
def load(files, seed, *, label, features=None, id=None, drop=None, decimal=".", **options):
    """Read the file of the role ``data``.

    Parameters
    ----------
    settings : dict
        `label`: column of the classes. `features` (all others): list of columns. `id` (an unnamed
        first column): column of sample names. `drop`: columns that are not features. `decimal`
        ("."). `unlabelled`, `missing`, `numeric`, `kind`, `chart`, `curvature`,
        `normalise`, `pseudocount` and `about` as in `docs/own_data.md`.
    files : dict of str to Path
    seed : int
        Not used: nothing is random.

    Returns
    -------
    Dataset

    Raises
    ------
    InputError
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
    columns = {"label": label, "features": features, "id": id, "drop": drop or []}
    rows = rows_of_table(path, **columns, decimal=decimal, missing=missing)
    return samples.make_dataset(rows, path, "table_file", decimal=decimal, **options)
