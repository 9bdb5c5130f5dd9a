"""Units of features: columns of a table are standardised before anything measures distances."""

from noneuclid.embeddings import maps
from noneuclid.errors import require


def choose_scale(dataset, standardise, name):
    """Divide features by their standard deviations, if asked for or if they come from a table.

    Columns of a table have units of their own: years, a code, milligrams. Distances between rows
    would be those of the columns with the largest numbers. Images, expression values and
    compositions have one unit, and their variances say something.
    """
    require(
        isinstance(standardise, bool) or standardise == "auto",
        f"{name}: standardise = {standardise!r}; give true, false or auto",
    )
    chosen = dataset.kind == "features" if standardise == "auto" else standardise
    if not chosen or dataset.features is None:
        return lambda rows: rows, False
    mean, deviation = maps.means(dataset.features), maps.deviations(dataset.features)
    return lambda rows: (rows - mean) / deviation, True
