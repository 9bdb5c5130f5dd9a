"""Labels of new samples at a stated error rate: what a model keeps for them, and their columns.

Rows that the folds held out calibrate the model, as in `noneuclid.ConformalClassifier`.
"""

from math import ceil
from numbers import Real

import numpy as np

from noneuclid.classifiers.conformal_classifier import threshold
from noneuclid.errors import require
from noneuclid_compare import wording
from noneuclid_compare.evaluation.splits import ALL
from noneuclid_compare.records import kind_of

UNKNOWN = "unknown"
BETWEEN = " | "
EARLIER = "an earlier version made it; run it again"


def calibration(predictions, embedded, split, estimator):
    """Scores of the held-out rows and codes of their groups (None: rows), or `why` there are none.

    Shapes: `scores`, `groups` (m,). The folds of `predictions` are those of `split`; `estimator` is
    fitted.
    """
    embedding = embedded.about.get("embedding", {})
    reasons = {
        "it predicts numbers": embedded.target is not None,
        "its method has no probabilities; use a model that has the columns p_CLASS": (
            not hasattr(estimator, "predict_proba")
        ),
        "the run had keep_scores: false; remove it and run again": (
            predictions.probabilities is None
        ),
        "its folds mix rows of one group; set scheme: stratified_group_kfold and run again": (
            split.about.get("mixed_groups", 0) > 0
        ),
        "it is of a network, whose new nodes are not placed as those of training": (
            kind_of(embedded.about.get("dataset", {})) == "graph"
        ),
        "its embedding has read the labels of the held-out rows": (
            embedding.get("reads_labels") and embedding.get("transductive")
        ),
        "its folds train on few labels, and the model on all; set another scheme and run again": (
            split.about.get("labels_per_class") not in (None, ALL)
        ),
    }
    if why := next((why for why, holds in reasons.items() if holds), None):
        return {"why": why}
    own = predictions.probabilities[np.arange(len(predictions.truth)), predictions.truth]
    return {"scores": scores_of(own), "groups": split.groups_of(predictions.rows)}


def scores_of(probabilities):
    """Score of a class: small if it is probable; float32, as probabilities may be kept.

    Examples
    --------
    >>> scores_of([0.75])
    array([0.25], dtype=float32)
    """
    return np.float32(1) - np.asarray(probabilities, dtype=np.float32)


def threshold_of(model, error_rate, where, written):
    """Largest score of a class in a prediction set; `where` and `written` are for messages."""
    legal = isinstance(error_rate, Real) and 0 < error_rate < 1
    given = written("error_rate", error_rate)
    require(legal, f"{given} is not between 0 and 1; give a number such as 0.1")
    kept = model.get("calibration") or {"why": EARLIER}
    require(
        "scores" in kept,
        f"{given}: {where} keeps no scores of held-out rows: {kept.get('why')}",
    )
    for name in map(str, model["estimator"].classes_):
        require(
            name.lower() != UNKNOWN,
            f"{given}: class {name!r} of {where} would be confused with the answer {UNKNOWN!r}; "
            "rename or drop it in the training data and run again",
        )
        require(
            BETWEEN not in name,
            f"{given}: class {name!r} of {where} contains {BETWEEN!r}, which divides the classes "
            "of a set; rename it in the training data and run again",
        )
    scores, groups = kept["scores"], kept["groups"]
    units = np.arange(len(scores)) if groups is None else groups
    found, count = threshold(scores, units, error_rate), len(np.unique(units))
    least = ceil(1e4 / (count + 1)) / 1e4
    require(
        np.isfinite(found),
        f"{given}: {where} has {count} held-out {'rows' if groups is None else 'groups'}, too few; "
        f"give {written('error_rate', least)} or more",
    )
    return found


def with_labels(table, classes, largest):
    """Table with `label` and `prediction_set` behind `predicted`, and a sentence on them.

    A set has the classes with a score of at most `largest`. The label is the only class of a set;
    it is "unknown" where a set has no class or several, or the sample is far.
    """
    names = np.array([str(c) for c in classes], dtype=object)
    inside = scores_of(table[[f"p_{name}" for name in names]]) <= largest
    sizes = inside.sum(axis=1)
    far = table["far"].to_numpy() if "far" in table else np.zeros(len(table), dtype=bool)
    sure = (sizes == 1) & ~far
    table.insert(2, "label", np.where(sure, names[inside.argmax(axis=1)], UNKNOWN))
    table.insert(3, "prediction_set", [BETWEEN.join(names[row]) for row in inside])
    said = (
        f"A label for {sure.sum()} of {wording.count(len(table), 'sample')}; {UNKNOWN}: "
        f"{far.sum()} far from the training data; of the others, "
        f"{((sizes > 1) & ~far).sum()} with several possible classes, "
        f"{((sizes == 0) & ~far).sum()} with none."
    )
    return table, said
