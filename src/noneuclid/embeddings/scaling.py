"""Units of features: columns of a table are standardised before anything measures distances."""

from noneuclid.embeddings import maps
from noneuclid.errors import require


def standardise(dataset, settings, name):
    """Divide features by their standard deviations, if asked for or if they come from a table.

    Columns of a table have units of their own, and distances between rows depend on them: with
    ``"auto"`` the features of a data set of kind ``features`` are standardised, those of
    `expression` and `images`, which share one unit, are not. Reads no labels, but all rows.

    Parameters
    ----------
    dataset : Dataset
        With features or, for embeddings of graphs too, without.
    settings : dict
        With `standardise`: True, False or "auto".
    name : str
        Of the embedding; opens the error message.

    Returns
    -------
    scale : callable
        Rows (m, p) in the units of the data set, old or new, to those that are embedded.
    settings : dict
        With the choice that was made, True or False.

    Raises
    ------
    InputError
        If the setting is something else.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid.contracts import Dataset
    >>> data = Dataset("d", "features", [0, 1], ("a", "b"), np.array([[0.0, 10], [2, 30]]))
    >>> scale, chosen = standardise(data, {"standardise": "auto"}, "example")
    >>> scale(data.features).round(9).tolist(), chosen
    ([[-1.0, -1.0], [1.0, 1.0]], {'standardise': True})
    """
    given = settings["standardise"]
    require(
        isinstance(given, bool) or given == "auto",
        f"{name}: standardise = {given!r}; give true, false or auto",
    )
    chosen = dataset.kind == "features" if given == "auto" else given
    settings = settings | {"standardise": chosen and dataset.features is not None}
    if not settings["standardise"]:
        return lambda rows: rows, settings
    mean, deviation = maps.means(dataset.features), maps.deviations(dataset.features)
    return lambda rows: (rows - mean) / deviation, settings
