"""Cells of an ``.h5ad`` file: expression, layers, or any embedding that it keeps."""

from noneuclid.contracts import with_parameters_of
from noneuclid.datasets.files.arrays import rows_of_h5ad
from noneuclid.datasets.own import samples
from noneuclid.errors import require, require_number


@with_parameters_of(samples.make_dataset)
def load(files, seed, *, label, features="X", max_gb=4.0, **options):
    """Read the file of the role ``data``.

    Parameters
    ----------
    label : str
        Column of obs.
    features : str
        ``X``, ``layers/NAME`` or ``obsm/NAME``.
    max_gb : float
        Largest dense matrix.
    **options
        Parameters of `samples.make_dataset`, explained in `docs/own_data.md`.
    """
    require(label is not None, "anndata_file: set label to a column of obs")
    require_number(max_gb, "max_gb", "anndata_file", low=0)
    path = samples.file_of(files, "anndata_file")
    rows = rows_of_h5ad(path, label, features, max_gb)
    return samples.make_dataset(rows, path, "anndata_file", "expression", **options)
