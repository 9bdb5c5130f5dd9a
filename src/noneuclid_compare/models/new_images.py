"""New images: a picture, a folder of pictures, an array of pixels, or an IDX file."""

import numpy as np

from noneuclid.errors import require
from noneuclid_compare.data.files import images, tables, vectors
from noneuclid_compare.data.files.arrays import Rows, listing, read_array, suffix_of

# What a model keeps of the facts on its images, to read new ones as those of training.
FACTS = ("image_shape", "pixel_type")


def may_hold(path, features):
    """Whether a path is one of pixels, and not one of points or of flattened rows."""
    suffix = suffix_of(path)
    if path.is_dir() or suffix not in (*tables.TABLES, *vectors.SUFFIXES, ".h5ad"):
        return True
    return suffix in vectors.ARRAYS and read_array(path, features).ndim != 2


def rows_of_images(path, known, features):
    """Images as rows of pixels; those of a folder are named by their paths in it.

    A folder has images, or folders of them, whose names are not read. `known` has `FACTS`, and
    `features` is an array of an ``.npz``.
    """
    shape = tuple(known["image_shape"])
    if path.is_dir() or images.is_image(path):
        files, said = _files_of(path) if path.is_dir() else ([path], [])
        top = path if path.is_dir() else path.parent
        names = [file.relative_to(top).as_posix() for file in files]
        pixels = images.read_files(files, np.inf, shape)
    else:
        pixels, names, said = _of_array(path, shape, features), None, []
    trained = np.dtype(known.get("pixel_type") or pixels.dtype)
    require(
        (trained.kind == "f") == (pixels.dtype.kind == "f"),
        f"{path} has pixels of type {pixels.dtype}, training images had {trained}, so the unit may "
        f"differ; give an .npz of {trained} in the unit of training",
    )
    values = pixels.reshape(len(pixels), -1).astype(np.float64)
    return Rows(values, names=names, oddities=said)


def _of_array(path, shape, features):
    """Pixels of an array, or of a file of MNIST and its like, which has ``idx`` in its name."""
    array = suffix_of(path) in vectors.ARRAYS
    require(
        array or "idx" in path.name,
        f"{path}: give a folder of images, one of {', '.join(images.SUFFIXES)}, an .npz of pixels "
        "or an IDX file",
    )
    where = f"{path}: {features}" if suffix_of(path) == ".npz" else path
    values = read_array(path, features) if array else images.idx_array(path)
    pixels = images.pixels_of(values, where, np.inf)
    require(
        pixels.shape[1:] == shape,
        f"{where} has images of shape {listing(pixels.shape[1:])}, every training image has "
        f"{listing(shape)} (rows, columns, channels); give images of this shape",
    )
    return pixels


def _files_of(folder):
    """Images in a folder and its folders, sorted, and a sentence on other files, in a list."""
    found = sorted(folder.rglob("[!.]*"))
    files = [file for file in found if images.is_image(file)]
    require(
        files,
        f"{folder} has no image ({', '.join(images.SUFFIXES)}); give a folder of images",
    )
    others = sum(file.is_file() for file in found) - len(files)
    return files, [f"Files that are no images, left out: {others}."] if others else []
