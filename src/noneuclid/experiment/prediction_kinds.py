"""Whether a method predicts what its data sets have: classes or numbers."""

from noneuclid.errors import InputError
from noneuclid.experiment import provenance, public_names, signatures
from noneuclid.experiment.estimators import CLASSES, NUMBERS

# Imported by loaders whose data sets have numbers to predict and no parameter that says so.
TARGETS = "noneuclid.datasets.targets"


def kind_of_data(entry):
    """What a data set has to predict; None where only its loader knows."""
    use = entry["use"]
    if use not in public_names.LOADERS:
        return None
    own = signatures.defaults(use, "load").get("numeric")
    imported = provenance.imported(public_names.origin_of(public_names.path_of(use, "load")))
    numeric = TARGETS in imported if own is None else own
    return NUMBERS if entry.get("params", {}).get("numeric", numeric) else CLASSES


def check_kinds(use, kind, datasets):
    """Refuse a method that predicts something else than its data sets have.

    `use` names its class, `kind` is what it predicts, `datasets` are entries by name.
    """
    others = [name for name, e in datasets.items() if kind_of_data(e) not in (kind, None)]
    if others:
        more = f" and {len(others) - 3} more" if len(others) > 3 else ""
        wanted, cure = (NUMBERS, "regressors") if kind == CLASSES else (CLASSES, "classifiers")
        raise InputError(
            f"{use} predicts {kind}, but data set {', '.join(others[:3])}{more} has {wanted} "
            f"to predict: list only {cure} under `methods:` of this data set"
        )
