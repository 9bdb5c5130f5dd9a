"""Pixels of images: folders of PNG and JPEG files, ``.npz``, IDX files, and CIFAR-10's archive.

No pickle is read: CIFAR-10 is its binary version.
"""

import gzip
import tarfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from noneuclid.errors import require, require_package
from noneuclid_compare.data.files.arrays import (
    listing,
    read_array,
    reading,
    require_names,
)

SUFFIXES = (".png", ".jpg", ".jpeg")
# Folders, and beginnings of the names of arrays and roles, of a split of the data's own.
PARTS = ("train", "test")
SPLIT_ARRAYS = ("x_train", "y_train", "x_test", "y_test")
# Modes of Pillow, and what they are read as: grey or red, green and blue.
_MODES = {"1": "L", "L": "L", "P": "RGB", "RGB": "RGB"}
_BATCHES = (*(f"data_batch_{k}.bin" for k in range(1, 6)), "test_batch.bin")
_CIFAR_SHAPE = (3, 32, 32)


@dataclass(frozen=True)
class Images:
    """Images as files give them.

    Attributes
    ----------
    pixels : ndarray, shape (n, h, w, c)
    labels : ndarray of object, shape (n,)
    fixed_fold : ndarray of int, shape (n,), or None
        As in `records.Dataset`.
    class_names : list of str or None
        In the order of the sorted labels, where the files name the classes.
    oddities : list of str
        Sentences for the report.
    """

    pixels: np.ndarray
    labels: np.ndarray
    fixed_fold: np.ndarray | None = None
    class_names: list | None = None
    oddities: list = field(default_factory=list)


def is_folder(path):
    """Whether a path is a folder with images in class folders."""
    return Path(path).is_dir() and any(
        is_image(file) for _, folder in class_folders(path) for file in folder.iterdir()
    )


def class_folders(path):
    """Pairs of a part, 0 or 1 for test, and a class folder; the part is None without a split."""
    folders = _folders(Path(path))
    if sorted(folder.name for folder in folders) == sorted(PARTS):
        return [(k, sub) for k, part in enumerate(PARTS) for sub in _folders(Path(path) / part)]
    return [(None, folder) for folder in folders]


def files_of(path):
    """All image files of a folder, class by class, in sorted order."""
    return [
        file
        for _, folder in class_folders(path)
        for file in sorted(folder.iterdir())
        if is_image(file)
    ]


def read_folder(path, max_gb):
    """Images of a folder with one folder for each class, or with these in ``train`` and ``test``.

    All have one size, and are all grey or all in colour; palettes are read as colours.
    """
    path, labels, fold, files, others = Path(path), [], [], [], 0
    _require_no_images_beside(path)
    for part, folder in class_folders(path):
        found = [file for file in sorted(folder.iterdir()) if file.name[0] != "."]
        deeper = [file for file in found if file.is_dir()]
        require(
            not deeper,
            f"{deeper[0] if deeper else ''} is a folder in a class folder; move its images up",
        )
        chosen = [file for file in found if is_image(file)]
        require(
            chosen,
            f"{folder} has no image ({', '.join(SUFFIXES)}): add some, or remove the folder",
        )
        others += len(found) - len(chosen)
        files += chosen
        labels += [folder.name] * len(chosen)
        fold += [part] * len(chosen)
    require(files, f"{path} has no folder of images; give one folder for each class")
    pixels = read_files(files, max_gb)
    said = [f"Files that are no images, left out: {others}."] if others else []
    split = None if fold[0] is None else np.array(fold)
    return Images(pixels, np.array(labels, dtype=object), split, None, said)


def read_npz(path, features, label, max_gb):
    """Images of the arrays `features` and `label`, or of the four of a split (`SPLIT_ARRAYS`)."""
    with reading(path, "npz arrays"), np.load(path, allow_pickle=False) as found:
        names = found.files
    if features not in names and {*SPLIT_ARRAYS} <= {*names}:
        x_train, y_train, x_test, y_test = (read_array(path, name) for name in SPLIT_ARRAYS)
        train = _of_array(x_train, y_train, f"{path}: x_train", max_gb)
        test = _of_array(x_test, y_test, f"{path}: x_test", max_gb)
        return _joined(train, test, path)
    values = read_array(path, features)
    return _of_array(values, read_array(path, label), f"{path}: {features}", max_gb)


def read_idx(files, max_gb):
    """Images of the four files of MNIST and its like, by role: ``train_images`` and so on."""
    parts = []
    for part in PARTS:
        path = files[f"{part}_images"]
        pixels, labels = idx_array(path), idx_array(files[f"{part}_labels"])
        parts.append(_of_array(pixels, labels, path, max_gb))
    return _joined(*parts, files["train_images"])


def idx_array(path):
    """Array of bytes of an IDX file, compressed by gzip or not.

    Two zeros, the type 8 for bytes, the number of dimensions, their sizes as big-endian integers
    of four bytes, then the values, the last index fastest.
    """
    with reading(path, "an IDX file"):
        content = Path(path).read_bytes()
        content = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
        require(
            content[:3] == b"\0\0\x08" and len(content) > 3,
            f"{path} is no IDX file of bytes; give one of MNIST's files",
        )
        start = 4 + 4 * content[3]
        shape = tuple(np.frombuffer(content[4:start], dtype=">i4").tolist())
        wanted = start + int(np.prod(shape))
        require(
            len(content) == wanted,
            f"{path} has {len(content)} bytes, its head says {wanted}; download it again",
        )
        return np.frombuffer(content, dtype=np.uint8, offset=start).reshape(shape)


def read_cifar(path, max_gb):
    """Images of ``cifar-10-binary.tar.gz``.

    Each record is a byte of label and 1,024 bytes of red, of green and of blue, row by row.
    """
    size = 1 + int(np.prod(_CIFAR_SHAPE))
    with reading(path, "the binary version of CIFAR-10"), tarfile.open(path) as archive:
        members = {Path(member.name).name: member for member in archive if member.isfile()}
        require_names(path, "file", members, [*_BATCHES, "batches.meta.txt"])
        content = {name: archive.extractfile(members[name]).read() for name in members}
    for name in _BATCHES:
        require(
            len(content[name]) % size == 0,
            f"{path}: {name} has {len(content[name])} bytes, no multiple of {size}; download it "
            "again",
        )
    rows = [np.frombuffer(content[name], np.uint8).reshape(-1, size) for name in _BATCHES]
    fold = np.repeat([0, 1], [sum(map(len, rows[:-1])), len(rows[-1])])
    rows = np.concatenate(rows)
    pixels = rows[:, 1:].reshape(-1, *_CIFAR_SHAPE).transpose(0, 2, 3, 1)
    _require_size(len(pixels), pixels.shape[1:], path, max_gb)
    names = content["batches.meta.txt"].decode().split()
    return Images(pixels, rows[:, 0].astype(object), fold, names)


def gigabytes_of_folder(path):
    """Memory of the pixels of a folder, if all images are as large as the first."""
    files = files_of(path)
    return _gigabytes(len(files), _read(files[0]).shape)


def _folders(path):
    return sorted(f for f in path.iterdir() if f.is_dir() and f.name[0] != ".")


def is_image(file):
    """Whether a path is a file of an image."""
    return file.suffix.lower() in SUFFIXES and file.name[0] != "." and file.is_file()


def _require_no_images_beside(path):
    """Refuse images that are in no class folder."""
    split = class_folders(path)[:1]
    above = {path, *([] if not split else [split[0][1].parent])}
    beside = [f for folder in sorted(above) for f in sorted(folder.iterdir()) if is_image(f)]
    require(
        not beside,
        f"{beside[0] if beside else ''} is in no class folder, and {len(beside) - 1} more; move "
        "each image into the folder of its class",
    )


def _read(file):
    """Pixels of one file, shape (h, w, c)."""
    image = require_package("PIL.Image", "report", "images")
    with reading(file, "an image", "save it again, or remove it"), image.open(file) as opened:
        mode = _MODES.get(opened.mode)
        require(
            mode is not None and "transparency" not in opened.info,
            f"{file} has mode {opened.mode!r}, or transparent pixels; save all images as grey or "
            "as RGB, 8 bits a channel",
        )
        values = np.asarray(opened.convert(mode))
    return values.reshape(*values.shape[:2], -1)


def read_files(files, max_gb, shape=None):
    """Pixels of files, shape (n, h, w, c), of one size and one number of channels.

    `shape` is that of training images, by default the first file's.
    """
    like = "every training image" if shape is not None else files[0]
    wanted = tuple(_read(files[0]).shape if shape is None else shape)
    _require_size(len(files), wanted, files[0].parent, max_gb)
    pixels = np.empty((len(files), *wanted), dtype=np.uint8)
    for row, file in enumerate(files):
        values = _read(file)
        require(
            values.shape[:2] == wanted[:2],
            f"{file} has {values.shape[0]} x {values.shape[1]} pixels, {like} has "
            f"{wanted[0]} x {wanted[1]} (rows x columns); resize all images to one size",
        )
        require(
            values.shape == wanted,
            f"{file} is {_colours(values.shape)}, {like} is {_colours(wanted)}; save all alike",
        )
        pixels[row] = values
    return pixels


def _colours(shape):
    """Grey or in colour, by the number of channels."""
    return {1: "grey", 3: "in colour"}.get(shape[2], f"of {shape[2]} channels")


def pixels_of(values, where, max_gb):
    """Pixels, shape (n, h, w, c), of an array (n, h, w) or (n, h, w, c)."""
    require(
        values.ndim in (3, 4) and values.dtype.kind in "buif" and values.size,
        f"{where} is {values.dtype} of shape {values.shape}; give numbers (images, rows, columns) "
        "or (images, rows, columns, channels)",
    )
    first = values.ndim == 4 and values.shape[1] in (1, 3) and values.shape[3] not in (1, 3, 4)
    require(
        not first,
        f"{where} has shape {values.shape}, channels before rows; give X.transpose(0, 2, 3, 1)",
    )
    _require_size(len(values), values.shape[1:], where, max_gb)
    return values.reshape(*values.shape[:3], -1)


def _of_array(values, labels, where, max_gb):
    """Images of an array of pixels and its labels."""
    pixels = pixels_of(values, where, max_gb)
    labels = labels.ravel() if labels.shape == (len(values), 1) else labels
    require(
        labels.shape == (len(values),),
        f"{where} has {len(values)} images, their labels have shape {labels.shape}; give one label "
        "for each image",
    )
    return Images(pixels, labels.astype(object))


def _joined(train, test, where):
    """Training images, then test images, as a split."""
    shapes = train.pixels.shape[1:], test.pixels.shape[1:]
    require(
        shapes[0] == shapes[1],
        f"{where}: training images have shape {shapes[0]}, test images {shapes[1]}; give one shape",
    )
    return Images(
        np.concatenate([train.pixels, test.pixels]),
        np.concatenate([train.labels, test.labels]),
        np.repeat([0, 1], [len(train.labels), len(test.labels)]),
    )


def _gigabytes(n, shape):
    return 8e-9 * n * float(np.prod(shape))


def _require_size(n, shape, where, max_gb):
    """Refuse pixels that take too much memory as numbers of eight bytes."""
    size = _gigabytes(n, shape)
    require(
        size <= max_gb,
        f"{where}: {n} images of shape {listing(shape)} take {size:.1f} GB, more than max_gb = "
        f"{max_gb}; make the images smaller, or raise max_gb",
    )
