"""Some rows of numpy files, drawn for each data set."""

from dataclasses import replace

import numpy as np

from noneuclid.errors import require, require_number
from noneuclid_compare.data.checks import checked
from noneuclid_compare.data.own import array_file
from noneuclid_compare.data.own.row_groups import about_groups
from noneuclid_compare.records import with_parameters_of

DRAWS = 1000


@with_parameters_of(array_file.load)
def load(files, seed, *, n_samples=1000, min_samples_per_class=0, **options):
    """Read files as `noneuclid_compare.data.own.array_file` does, and draw some of their rows.

    Parameters
    ----------
    n_samples : int
        How many, drawn without replacement, classes as they come.
    min_samples_per_class : int
        Rows of each class of the files, at least: other rows are drawn until there are so many.
    **options
        Parameters of `array_file.load`.

    Returns
    -------
    Dataset
        The rows in the order of the file; classes of which none was drawn are left out.

    Raises
    ------
    InputError
        If the files have fewer rows, a class has fewer than `min_samples_per_class` in each of 1000
        draws, or for any reason of `array_file`.
    """
    least = min_samples_per_class
    require_number(n_samples, "n_samples", "array_sample", low=2, integer=True)
    whole = array_file.load(files, seed, **options)
    n = len(whole.labels)
    require(
        n_samples <= n,
        f"array_sample: n_samples = {n_samples}, but the files have {n}; lower n_samples",
    )
    require_number(least, "min_samples_per_class", "array_sample", low=0, integer=True)
    rng, classes = np.random.default_rng(seed), len(whole.class_names)
    draws, counts = 0, np.zeros(classes)
    while draws == 0 or (counts.min() < least and draws < DRAWS):
        drawn = np.sort(rng.choice(n, n_samples, replace=False))
        counts = np.bincount(whole.labels[drawn], minlength=classes)
        draws += 1
    fewest = whole.class_names[counts.argmin()]
    require(
        counts.min() >= least,
        f"array_sample: class {fewest!r} has fewer than {least} of {n_samples} rows in each of "
        f"{DRAWS} draws; raise n_samples or lower min_samples_per_class",
    )
    found, labels = np.unique(whole.labels[drawn], return_inverse=True)
    names = tuple(whole.class_names[code] for code in found)
    said = [*whole.about["oddities"], f"{n_samples} of the {n} rows of the files were drawn."]
    if draws > 1:
        said.append(f"The first {draws - 1} draws had fewer than {least} rows of a class.")
    missing = len(whole.class_names) - len(names)
    if missing:
        said.append(f"No row was drawn from {missing} classes.")
    sample = {"labels": labels, "class_names": names, "features": whole.features[drawn]}
    about = {**whole.about, "oddities": said}
    if whole.groups is not None:
        found, codes = np.unique(whole.groups[drawn], return_inverse=True)
        grouped = {"groups": codes, "group_names": tuple(whole.group_names[k] for k in found)}
        sample |= grouped
        about |= about_groups(about["grouped_by"], grouped)
    return checked(replace(whole, **sample, about=about))
