"""Images from pixels: a folder for each class, ``.npz``, MNIST's files, CIFAR-10's archive."""

from pathlib import Path

import numpy as np

from noneuclid.errors import InputError, require, require_number
from noneuclid_compare.data.checks import checked, encode
from noneuclid_compare.data.files import images
from noneuclid_compare.data.files.arrays import mode_of, suffix_of
from noneuclid_compare.data.hold_out import stratified_part
from noneuclid_compare.data.own.samples import describe, file_of
from noneuclid_compare.data.own.texts import require_distinct
from noneuclid_compare.records import Dataset

NAME = "image_file"
# Of the four files of MNIST and its like.
ROLES = tuple(f"{part}_{what}" for part in images.PARTS for what in ("images", "labels"))


def load(
    files,
    seed,
    *,
    features="X",
    label="y",
    test_fraction=None,
    class_names=None,
    max_gb=4.0,
    about=None,
):
    """Read the file or folder of the role ``data``, or four IDX files by the roles `ROLES`.

    Parameters
    ----------
    features, label : str
        Arrays of an ``.npz``: (n, h, w) or (n, h, w, c), and (n,). Without these, ``x_train``,
        ``y_train``, ``x_test`` and ``y_test`` give a fixed split, as folders ``train`` and
        ``test`` do.
    test_fraction : float, optional
        Part of every class that becomes the fixed test rows, drawn by `seed`, where the files have
        no split: for embeddings that read labels.
    class_names : list of str, optional
        In the order of the sorted labels.
    max_gb : float
        Largest array of pixels, as numbers of eight bytes.
    about : dict of str to str, optional

    Returns
    -------
    Dataset
        Kind `images`; each row is one image, pixel after pixel, row after row, the channels of a
        pixel together. `about["image_shape"]` is rows, columns and channels, `about["pixel_type"]`
        the type of the numbers in the file.
    """
    require_number(max_gb, "max_gb", NAME, low=0)
    found, path = _read(files, features, label, max_gb)
    try:
        labels, names = encode(found.labels)
        require_distinct(names)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    given = class_names or found.class_names or names
    require(
        isinstance(given, list | tuple)
        and all(isinstance(name, str) for name in given)
        and len(names) == len(given) == len({*given}),
        f"{path} has {len(names)} classes but class_names is {given!r}; give a text for each, once",
    )
    fold = found.fixed_fold
    if test_fraction is not None:
        require(
            fold is None,
            f"{NAME}: {path} has a split of its own; leave test_fraction out",
        )
        require_number(test_fraction, "test_fraction", NAME, low=0.01, high=0.99)
        fold = stratified_part(labels, test_fraction, seed).astype(int)
    shape = [int(size) for size in found.pixels.shape[1:]]
    return checked(
        Dataset(
            path.name,
            "images",
            labels,
            tuple(given),
            features=found.pixels.reshape(len(labels), -1).astype(np.float64),
            fixed_fold=fold,
            about=describe(path.name, about, found.oddities)
            | {"image_shape": shape, "pixel_type": found.pixels.dtype.name},
        )
    )


def _read(files, features, label, max_gb):
    """Images of the files, and the path that messages name."""
    if "data" not in files and files:
        absent = [role for role in ROLES if role not in files]
        require(not absent, f"{NAME}: no file {', '.join(absent)}; give {', '.join(ROLES)}")
        file_of(files, NAME, ROLES[0], ROLES[1:])
        return images.read_idx(files, max_gb), Path(files[ROLES[0]])
    path = Path(file_of(files, NAME))
    require(mode_of(path) is not None, f"{path} does not exist: correct the path")
    if path.is_dir():
        return images.read_folder(path, max_gb), path
    if path.name.endswith(".tar.gz"):
        return images.read_cifar(path, max_gb), path
    require(
        suffix_of(path) == ".npz",
        f"{path}: give a folder with one folder of images for each class, an .npz of pixels, or "
        "cifar-10-binary.tar.gz",
    )
    return images.read_npz(path, features, label, max_gb), path
