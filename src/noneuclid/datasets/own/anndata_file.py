"""Cells of an ``.h5ad`` file: expression, layers, or any embedding that it keeps."""

from noneuclid.datasets.files.arrays import rows_of_h5ad
from noneuclid.datasets.own import samples
from noneuclid.errors import require, require_number, settings_of

DEFAULTS = {"label": None, "features": "X", "max_gb": 4.0, **samples.COMMON}


def load(settings, files, seed):
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
    settings = settings_of(settings, DEFAULTS, "anndata_file")
    require(settings["label"] is not None, "anndata_file: set label to a column of obs")
    require_number(settings, "max_gb", "anndata_file", low=0)
    path = samples.file_of(files, "anndata_file")
    rows = rows_of_h5ad(path, settings["label"], settings["features"], settings["max_gb"])
    return samples.dataset(rows, path, settings, "anndata_file", kind="expression")
