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
    settings : dict
        `label`: column of obs. `features` ("X"): or ``layers/NAME``, ``obsm/NAME``. `max_gb`
        (4.0): largest dense matrix. `unlabelled`, `missing`, `numeric`, `kind`, `chart`,
        `curvature`, `normalise`, `pseudocount` and `about` as in `docs/own_data.md`.
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
    require(label is not None, "anndata_file: set label to a column of obs")
    require_number(max_gb, "max_gb", "anndata_file", low=0)
    path = samples.file_of(files, "anndata_file")
    rows = rows_of_h5ad(path, label, features, max_gb)
    return samples.make_dataset(rows, path, "anndata_file", "expression", **options)
