"""Samples of a table: csv, tsv, txt or parquet, one row each, labels in one column."""

from noneuclid.errors import require
from noneuclid_compare.data.files.categories import names_of
from noneuclid_compare.data.files.tables import rows_of_table
from noneuclid_compare.data.own import samples
from noneuclid_compare.data.own.row_groups import require_other
from noneuclid_compare.data.own.texts import missing_of
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
    categories=None,
    ordered=None,
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
    categories : list of str, optional
        Features whose values are names.
    ordered : dict of str to list of str, optional
        Features whose values are names in an order, with this order.
    decimal : {".", ","}
    **options
        Parameters of `samples.make_dataset`, explained in `docs/own_data.md`.
    """
    require(label is not None, "table_file: set label to a column of the table")
    samples.require_choice(decimal, "decimal", (".", ","), "table_file")
    lists = {"features": features, "drop": drop, "categories": categories}
    for key, given in lists.items():
        require(
            given is None or (isinstance(given, list) and len({*map(str, given)}) == len(given)),
            f"table_file: {key} = {given!r}; give a list of columns, each once: [{key}_1, ...]",
        )
    path = samples.file_of(files, "table_file")
    missing = missing_of(options.get("missing"), "table_file")
    require_other(groups, {"label": label}, "table_file")
    columns = {"label": label, "features": features, "id": id, "drop": drop or []}
    columns |= {"groups": groups}
    kinds = {str(column): {"ordered": False} for column in categories or []} | _in_order(
        ordered, decimal
    )
    twice = {*map(str, categories or [])} & {*map(str, ordered or {})}
    require(not twice, f"table_file: {twice} is in categories and in ordered; list it in one")
    absent = missing if options.get("missing_values") == "impute" else ()
    options["decimal"] = decimal
    rows = rows_of_table(
        path, **columns, decimal=decimal, missing=missing, kinds=kinds, absent=absent
    )
    return samples.make_dataset(rows, path, "table_file", **options)


def _in_order(ordered, decimal):
    """Kinds of the columns of ordered categories."""
    given = {} if ordered is None else ordered
    legal = isinstance(given, dict) and all(
        isinstance(levels, list)
        and len(levels) > 1
        and not any(isinstance(level, bool | list | dict | None) for level in levels)
        and len({*names_of(levels, decimal=decimal)}) == len(levels)
        for levels in given.values()
    )
    require(
        legal,
        f"table_file: ordered = {ordered!r}; give each column its levels from low to high, each "
        "once, with yes and no in quotes: {size: [S, M, L]}",
    )
    return {
        str(column): {"levels": names_of(levels, decimal=decimal).tolist(), "ordered": True}
        for column, levels in given.items()
    }
