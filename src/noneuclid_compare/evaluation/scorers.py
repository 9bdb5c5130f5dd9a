"""Names of scorers for the inner search, checked before anything runs."""

from difflib import get_close_matches

from noneuclid.errors import InputError

# Known without a look into scikit-learn, whose import takes a second.
FREQUENT = ("accuracy", "average_precision", "balanced_accuracy", "f1_macro", "f1_weighted", "r2")

# Ends of the names of scorers that compare numbers.
NUMERIC = ("r2", "variance", "error", "error_score", "deviance")
# End of the names of scorers for rows with several labels.
OF_SEVERAL_LABELS = "_samples"
# Scorers of two classes.
BINARY = ("f1", "jaccard", "precision", "recall", "roc_auc", "positive_likelihood_ratio")
BINARY += ("neg_negative_likelihood_ratio",)
# The usual scorer, and metric, for what is predicted.
USUAL = {"classes": "balanced_accuracy", "numbers": "r2"}


def compares(name):
    """What a scorer compares: "classes" or "numbers".

    Examples
    --------
    >>> compares("neg_mean_squared_error"), compares("f1_macro")
    ('numbers', 'classes')
    """
    return "numbers" if name.endswith(NUMERIC) else "classes"


def check(name):
    """Raise `InputError` for a name that is not among scikit-learn's scorers of one label a row."""
    if name in FREQUENT:
        return
    if name.endswith(OF_SEVERAL_LABELS):
        raise InputError(
            f"search/scoring: {name!r} is for rows with several labels; give "
            f"{name.removesuffix(OF_SEVERAL_LABELS)}_macro"
        )
    from sklearn.metrics import get_scorer_names

    if name not in get_scorer_names():
        near = ", ".join(get_close_matches(name, get_scorer_names()))
        hint = f"; near: {near}" if near else ""
        raise InputError(f"search/scoring: scikit-learn has no scorer {name!r}{hint}")
