"""Units of features: columns of a table are standardised before anything measures distances."""

from noneuclid.embeddings import maps
from noneuclid.errors import require


def standardises(asked, dataset, name):
    """Whether the features of a data set are divided by their standard deviations.

    "auto" standardises tables. Their columns have different units (years, codes, milligrams), so
    the columns with the largest numbers would dominate the distances between rows. Images,
    expression values and compositions have one unit, and their variances are informative.
    """
    require(
        isinstance(asked, bool) or asked == "auto",
        f"{name}: standardize = {asked!r}; give true, false or auto",
    )
    chosen = dataset.kind == "features" if asked == "auto" else asked
    return chosen and dataset.features is not None


def choose_scale(features, standardize, name):
    """A function that divides rows by the standard deviations of `features`, or leaves them."""
    require(
        isinstance(standardize, bool), f"{name}: standardize = {standardize!r}; give True or False"
    )
    return Standardisation(features) if standardize else unchanged


class Standardisation:
    """Centre rows and divide them by standard deviations; a constant column becomes zero."""

    def __init__(self, features):
        self.mean, self.deviation = maps.means(features), maps.deviations(features)

    def __call__(self, rows):
        """Standardised rows."""
        return (rows - self.mean) / self.deviation


def unchanged(rows):
    """Rows, unchanged."""
    return rows
