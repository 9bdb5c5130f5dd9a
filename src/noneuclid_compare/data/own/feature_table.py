"""Samples of a table of parts, such as species, in BIOM or text; labels in a second table."""

from noneuclid.errors import require
from noneuclid_compare.data.files.feature_tables import rows_of
from noneuclid_compare.data.own import samples
from noneuclid_compare.data.own.row_groups import require_other
from noneuclid_compare.data.own.texts import missing_of
from noneuclid_compare.records import with_parameters_of

NAME = "feature_table"


@with_parameters_of(samples.make_dataset)
def load(files, seed, *, label, id=None, groups=None, **options):
    """Read the file of the role ``data`` and, if the labels are in another file, ``labels``.

    Parameters
    ----------
    label : str
        Column of the table of labels, else of the metadata of samples in a BIOM file.
    id : str, optional
        Column of the table of labels that names the samples, by default the first.
    groups : str, optional
        Column or metadata beside `label`, such as the subject: folds leave whole groups out.
    **options
        Parameters of `samples.make_dataset`, explained in `docs/own_data.md`.
    """
    require(label is not None, f"{NAME}: set label to a column of the table of labels")
    path = samples.file_of(files, NAME, optional=("labels",))
    require_other(groups, {"label": label, "id": id}, NAME)
    missing = missing_of(options.get("missing"), NAME)
    rows = rows_of(path, label, files.get("labels"), id, missing, groups)
    return samples.make_dataset(rows, path, NAME, "composition", **options)
