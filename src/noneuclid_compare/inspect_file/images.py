"""A look at images: a folder with one folder for each class, or an ``.npz`` of pixels."""

from noneuclid.errors import require
from noneuclid_compare.data.files import images
from noneuclid_compare.data.files.arrays import require_names
from noneuclid_compare.data.own.image_file import NAME
from noneuclid_compare.inspect_file import arrays
from noneuclid_compare.inspect_file import file_summary as looks

# What the arrays of pixels are called first of all.
_USUAL = "X"
_NETWORK = [
    "the embeddings below read pixels; to train a convolutional network on a fixed split (folders",
    "train and test; needs torch), write embeddings: {network: {use: hyperbolic_images}}",
]


def are_images(path):
    """Whether a path is a folder of images, or an ``.npz`` with pixels and no matrix."""
    if path.is_dir():
        return images.is_folder(path)
    sizes = [len(shape) for shape in arrays.shapes_of(path).values()]
    return path.suffix.lower() == ".npz" and 2 not in sizes and bool({3, 4} & {*sizes})


def candidates(path, labels=None):
    """Arrays that may hold classes, and all arrays."""
    return arrays.candidates(path, labels)


def look(path, label=None, features=None):
    """An entry for images; `label` is an array of an ``.npz`` that has no split."""
    found = looks.Found(NAME, {"data": path}, {})
    if path.is_dir():
        require(
            label is None and features is None,
            f"{path} has a folder of images for each class: leave --label and --features out",
        )
        split = images.class_folders(path)[0][0] is not None
    else:
        split = features is None and arrays.has_split(path)
    if split:
        found.entry["split"] = {"scheme": "fixed"}
        found.sections["repeats"] = 1
        found.facts.append(("split", "the one of the data: train and test"))
    elif not path.is_dir():
        shapes = arrays.shapes_of(path)
        pixels = [name for name, shape in shapes.items() if len(shape) in (3, 4)]
        chosen = features or (_USUAL if _USUAL in pixels else pixels[0])
        require_names(path, "array", list(shapes), [chosen, label])
        found.params = {"features": chosen, "label": label}
    found.hints += _NETWORK
    return found
