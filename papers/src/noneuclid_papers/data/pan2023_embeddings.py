"""Embeddings of pan2023: two image sets and blood cells in the Poincaré disk, with their split."""

from dataclasses import replace

from noneuclid.errors import require
from noneuclid_compare.data.own import train_test_npz
from noneuclid_papers.data.formats import check_roles, read_array, require_choice
from noneuclid_papers.data.licences import (
    KRIZHEVSKY,
    MIT,
    OLSSON,
    PAN,
    POINCARE_LINEAR,
    XIAO,
    about,
)

NAME = "pan2023_embeddings"
LEAK = (
    "The network that made the points was fitted on the training labels, so training and test rows "
    "follow different distributions: nearest class centroid is right for {} % of training rows "
    "and {} % of test rows. Pooling and splitting them again overstates accuracy."
)
NAMES_OF_IMAGES = (
    "The file has codes only. The class names follow the usual order of the image set: the first "
    "test labels are the well-known ones."
)
SETS = {
    "cifar": {
        "classes": (
            "airplane", "automobile", "bird", "cat", "deer",
            "dog", "frog", "horse", "ship", "truck",
        ),
        "citations": (KRIZHEVSKY, PAN),
        "oddities": (LEAK.format("99.7", "92.0"), NAMES_OF_IMAGES),
    },
    "fashion-mnist": {
        "classes": (
            "T-shirt/top", "Trouser", "Pullover", "Dress", "Coat",
            "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot",
        ),
        "citations": (XIAO, PAN),
        "oddities": (
            LEAK.format("95.0", "88.9"),
            NAMES_OF_IMAGES,
            "Norms are clipped at 0.999: 185 points lie there, 5541 beyond 0.99.",
        ),
    },
    "olsson": {
        "classes": (
            "Eryth", "HSPC-1", "MDP", "Mono", "Multi-Lin", "Gran", "Myelocyte", "Meg",
        ),
        "citations": (OLSSON, PAN),
        "oddities": (
            "Codes are not in the alphabetical order of the names; which name belongs to which "
            "code follows from class sizes and row order of the published expression table.",
            "A different fit from the Olsson result of Poincaré maps, without the class HSPC-2.",
        ),
    },
}  # fmt: skip


def load(files, seed, *, name):
    """Read points in the disk, training rows first, and the authors' split.

    Parameters
    ----------
    files : dict
        `embedding`: the npz file. `reference`, optional: the tangent-space base point of each one-
        vs-rest classifier.
    name : {"cifar", "fashion-mnist", "olsson"}

    Returns
    -------
    Dataset
        Kind `points` in the Poincaré disk. `about["reference_points"]` holds one row for each
        class if the file is given; they are not samples.

    Raises
    ------
    InputError
        If name and file do not belong together.
    """
    check_roles(files, NAME, ["embedding"], ["reference"])
    require_choice(name, "name", SETS, NAME)
    facts = SETS[name]
    oddities, more = list(facts["oddities"]), {}
    if "reference" in files:
        points = read_array(files["reference"])
        more["reference_points"] = points.tolist()
        oddities += _shared(points, facts["classes"])
    description = about(facts["citations"], MIT, POINCARE_LINEAR, oddities, **more)
    named = {"class_names": facts["classes"], "about": description}
    return replace(train_test_npz.load({"embedding": files["embedding"]}, seed, **named), name=name)


def _shared(points, classes):
    """A sentence for each pair of classes with one reference point."""
    require(
        points.shape == (len(classes), 2),
        f"{NAME}: reference points have shape {points.shape}, not {(len(classes), 2)}; "
        "setting name and file belong to different data sets",
    )
    return [
        f"{classes[i]} and {classes[j]} share one reference point."
        for i in range(len(classes))
        for j in range(i)
        if (points[i] == points[j]).all()
    ]
