"""Some rows of numpy files, drawn anew for each data set."""

from dataclasses import replace

import numpy as np

from noneuclid.datasets.checks import checked
from noneuclid.datasets.own import array_file
from noneuclid.errors import require, require_number, settings_of

DEFAULTS = {"rows": 1000, **array_file.DEFAULTS}


def load(settings, files, seed):
    """Read files as `noneuclid.datasets.own.array_file` does, and draw some of their rows.

    Parameters
    ----------
    settings : dict
        `rows` (1000): how many, drawn without replacement, classes as they come; and all settings
        of `array_file`.
    files : dict of str to Path
        As for `array_file`.
    seed : int
        For the draw.

    Returns
    -------
    Dataset
        The rows in the order of the file; classes of which none was drawn are left out.

    Raises
    ------
    InputError
        If the files have fewer rows, or for any reason of `array_file`.
    """
    settings = settings_of(settings, DEFAULTS, "array_sample")
    require_number(settings, "rows", "array_sample", low=2, integer=True)
    count = settings.pop("rows")
    whole = array_file.load(settings, files, seed)
    n = len(whole.labels)
    require(count <= n, f"array_sample: rows = {count}, but the files have {n}; set rows to less")
    rows = np.sort(np.random.default_rng(seed).choice(n, count, replace=False))
    found, labels = np.unique(whole.labels[rows], return_inverse=True)
    names = tuple(whole.class_names[code] for code in found)
    said = [*whole.about["oddities"], f"{count} of the {n} rows of the files were drawn."]
    missing = len(whole.class_names) - len(names)
    if missing:
        said.append(f"Of {missing} classes no row was drawn.")
    sample = {"labels": labels, "class_names": names, "features": whole.features[rows]}
    return checked(replace(whole, **sample, about={**whole.about, "oddities": said}))
