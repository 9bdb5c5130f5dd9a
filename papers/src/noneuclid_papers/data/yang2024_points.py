"""Thirteen point sets of yang2024 on the hyperboloid."""

import numpy as np

from noneuclid.errors import require
from noneuclid.geometry import charts
from noneuclid_compare.data.checks import checked
from noneuclid_compare.data.files import arrays as array_files
from noneuclid_compare.data.own import train_test_npz
from noneuclid_compare.records import Dataset
from noneuclid_papers.data import cho2019_networks, pan2023_embeddings
from noneuclid_papers.data.formats import check_roles, codes_for, read_array, require_choice
from noneuclid_papers.data.licences import (
    CHO,
    HSVM_RELAX,
    KLIMOVSKAIA,
    KRUMSIEK,
    MIT,
    MOIGNARD,
    NON_COMMERCIAL,
    PAUL,
    YANG,
    about,
)

NAME = "hsvm_relax"
POOLED = "The protocol of yang2024 pools training and test rows and splits them again."
COPY = "The same points as {}, in another order: never put one in training and the other in test."
MAPS = "the Poincaré maps result of the same name"
TREE = (
    "Class 1 is one subtree in a narrow sector: the majority class alone is correct for {} % of "
    "the rows, so accuracy misleads.",
    "From Mishne et al. 2023, by the paper; the files do not say how they were made. One row is "
    "the origin, and 73 to 76 % have norm >= 0.99.",
)


def _images(name):
    """Facts of a set that pan2023 published first."""
    facts = pan2023_embeddings.SETS[name]
    return facts["classes"], facts["citations"], MIT, (*facts["oddities"], POOLED)


def _network(name):
    """Facts of a set that cho2019 published first."""
    classes, origin = cho2019_networks.NETWORKS[name]
    remarks = cho2019_networks.REMARKS.get(name, [])
    facts = (COPY.format("run 1 of the network in cho2019"), *remarks)
    return classes, (origin, CHO), MIT, facts


def _cells(classes, origin, *oddities):
    """Facts of a set that was published with Poincaré maps, under their licence."""
    facts = (COPY.format(MAPS), *oddities)
    return tuple(classes.split()), (origin, KLIMOVSKAIA), NON_COMMERCIAL, facts


def _tree(majority):
    """Facts of a synthetic tree."""
    return ("rest", "subtree"), (), MIT, (TREE[0].format(majority), TREE[1])


ROOT = "The single root cell is left out by the authors."
# Class names in the order of the codes, whom to cite, licence, oddities.
SETS = {
    "cifar": _images("cifar"),
    "fashion-mnist": _images("fashion-mnist"),
    "olsson": _images("olsson"),
    "karate": _network("karate"),
    "polbooks": _network("polbooks"),
    "football": _network("football"),
    "moignard": _cells("4SFG 4SG HF NP PS", MOIGNARD),
    "krumsiek": _cells(
        "Ery Mk Mo Neu blobs progenitorEry progenitorMk progenitorMo progenitorNeu",
        KRUMSIEK,
        ROOT,
        "The authors' split is not stratified: test classes have 13 to 25 of 80 rows.",
    ),
    "myeloidprogenitors": _cells(
        "branchEr branchMe branchMo branchNe erythrocyt megakaryoc monocyte neutrophil",
        KRUMSIEK,
        ROOT,
    ),
    "paul": _cells(
        "10GMP 11DC 12Baso 13Baso 14Mo 15Mo 16Neu 17Neu 18Eos 19Lymph "
        "1Ery 2Ery 3Ery 4Ery 5Ery 6Ery 7MEP 8Mk 9GMP",
        PAUL,
        ROOT,
        "The file has codes only: the names are inferred, as the 19 published clusters in "
        "alphabetical order.",
    ),
    "tree_1": _tree("93.6"),
    "tree_2": _tree("96.3"),
    "tree_3": _tree("93.4"),
}


def load(files, seed, *, name):
    """Read points on the hyperboloid and, if given, the authors' split.

    Parameters
    ----------
    files : dict
        `points`: ``X_lorentz.npy``. `labels`: ``y.npy``. `split`, optional: the npz file with the
        same rows in the Poincaré disk, training rows first.
    name : str
        One of `SETS`.

    Returns
    -------
    Dataset
        Kind `points` on the hyperboloid. `fixed_fold` is the split of the npz file, or None.

    Raises
    ------
    InputError
        If name and files do not belong together.
    """
    check_roles(files, NAME, ["points", "labels"], ["split"])
    require_choice(name, "name", SETS, NAME)
    class_names, citations, licence, oddities = SETS[name]
    points = read_array(files["points"])
    labels = codes_for(read_array(files["labels"]).ravel(), class_names, NAME)
    fold = _fold(files["split"], points, labels) if "split" in files else None
    return checked(
        Dataset(
            name,
            "points",
            labels,
            tuple(class_names),
            features=points,
            chart="hyperboloid",
            fixed_fold=fold,
            about=about([*citations, YANG], licence, HSVM_RELAX, oddities),
        )
    )


def _fold(path, points, labels):
    """Read the split, after a check that its rows are the same points and labels."""
    arrays = {key: array_files.read_array(path, key) for key in train_test_npz.KEYS}
    disk = np.concatenate([arrays["x_train"], arrays["x_test"]]).astype(float)
    codes = np.concatenate([arrays["y_train"], arrays["y_test"]]).ravel().astype(np.int64)
    same = disk.shape == (len(points), points.shape[1] - 1) and np.array_equal(codes, labels)
    same = same and np.allclose(charts.convert(disk, "poincare", "hyperboloid"), points, rtol=1e-9)
    require(same, f"{path} does not hold the rows of the points file; give the files of one set")
    return np.repeat([0, 1], (len(arrays["x_train"]), len(arrays["x_test"])))
