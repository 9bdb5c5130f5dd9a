"""Samples of a table: csv, tsv, txt or parquet, one row each, labels in one column."""

from noneuclid.datasets.files.tables import rows_of_table
from noneuclid.datasets.own import samples
from noneuclid.errors import require, settings_of

COLUMNS = {"label": None, "features": None, "id": None, "drop": [], "decimal": "."}
DEFAULTS = {**COLUMNS, **samples.COMMON}


def load(settings, files, seed):
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
    settings = settings_of(settings, DEFAULTS, "table_file")
    require(settings["label"] is not None, "table_file: set label to a column of the table")
    samples.require_choice(settings, "decimal", (".", ","), "table_file")
    for key in ("features", "drop"):
        given = settings[key]
        require(
            given is None or (isinstance(given, list) and len({*map(str, given)}) == len(given)),
            f"table_file: {key} = {given!r}; give a list of columns, each once: [{key}_1, ...]",
        )
    path = samples.file_of(files, "table_file")
    missing = samples.missing_of(settings, "table_file")
    rows = rows_of_table(path, **{key: settings[key] for key in COLUMNS}, missing=missing)
    return samples.dataset(rows, path, settings, "table_file")
