"""digits: handwritten digits on a grid of 8 by 8 (ships inside scikit-learn)."""

from noneuclid.errors import require_number
from noneuclid_compare.data.checks import checked, encode
from noneuclid_compare.data.hold_out import stratified_part
from noneuclid_compare.records import Dataset

ABOUT = {
    "citation": "Alpaydin and Kaynak, Optical Recognition of Handwritten Digits, UCI Machine "
    "Learning Repository, 1998, doi:10.24432/C50P49",
    "licence": "BSD-3-Clause (scikit-learn); original data from UCI, under its terms",
    "source": "sklearn.datasets.load_digits",
    "oddities": "Only the test part of the original collection: 13 writers, not marked in the "
    "data, so a random split has each writer on both sides. Pixels are counts from 0 to 16.",
}


def load(files, seed, *, test_fraction=None):
    """Load 1,797 images of 8 by 8 pixels, 10 digits.

    Parameters
    ----------
    test_fraction : float, optional
        Part of every class that becomes the fixed test rows, drawn by `seed`, for embeddings that
        read labels.

    Returns
    -------
    Dataset
        Kind `images`; each row is one image, row of pixels after row of pixels.

    Examples
    --------
    >>> load({}, 0).features.shape
    (1797, 64)
    """
    from sklearn.datasets import load_digits  # only this loader pays for it

    features, digits = load_digits(return_X_y=True)
    labels, class_names = encode(digits)
    fold = None
    if test_fraction is not None:
        require_number(test_fraction, "test_fraction", "digits", low=0.01, high=0.99)
        fold = stratified_part(labels, test_fraction, seed).astype(int)
    return checked(
        Dataset(
            "digits",
            "images",
            labels,
            class_names,
            features=features,
            fixed_fold=fold,
            about=ABOUT | {"image_shape": [8, 8, 1]},
        )
    )
