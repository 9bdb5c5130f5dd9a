"""Ink of handwritten digits over the rows or columns of the image (ships inside scikit-learn)."""

from noneuclid.errors import require, require_number
from noneuclid_compare.data.checks import checked
from noneuclid_compare.data.composition import close_composition
from noneuclid_compare.data.shipped import digits
from noneuclid_compare.records import Dataset


def load(files, seed, *, over="rows", pseudocount=None):
    """Share of the ink of each image that falls on each of its 8 rows, or columns.

    Parameters
    ----------
    over : {"rows", "columns"}
    pseudocount : float, optional
        Added to the ink of every row or column (a full pixel has 16). Some columns of nearly all
        digits are empty, no row is.

    Returns
    -------
    Dataset
        Kind `composition`, 1,797 rows of 8 parts.

    Raises
    ------
    InputError
        If a setting is unknown or out of range, or a part is zero and there is no pseudocount.

    Examples
    --------
    >>> load({}, 0).features[0].round(2).tolist()
    [0.1, 0.2, 0.13, 0.11, 0.1, 0.12, 0.15, 0.1]
    """
    settings = {"over": over, "pseudocount": pseudocount}
    name = "digits_compositions"
    require(over in ("rows", "columns"), f"{name}: over = {over!r}; choose rows or columns")
    if pseudocount is not None:
        require_number(pseudocount, "pseudocount", name, low=1e-9)
    images = digits.load({}, seed)
    ink = images.features.reshape(-1, 8, 8).sum(axis=2 if over == "rows" else 1)
    parts, changes, rule = close_composition(ink, normalize=True, pseudocount=pseudocount)
    about = {
        **digits.ABOUT,
        "oddities": [digits.ABOUT["oddities"], f"Parts are sums over {over}.", *changes],
        "settings": settings,
        "closed": rule,
        "domain": {"polytope": "simplex", "parts": 8},
    }
    return checked(
        Dataset(name, "composition", images.labels, images.class_names, features=parts, about=about)
    )
