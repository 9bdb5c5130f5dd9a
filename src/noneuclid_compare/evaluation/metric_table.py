"""The metrics, a line each; the function of the same name in `metrics` computes it."""

import math
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Metric:
    """A metric as tables and figures show it.

    `needs` is the output of a method that the metric compares with the true values: "classes",
    "ranking" (decision values or probabilities), "probabilities", or "numbers" of a regressor.
    """

    name: str
    label: str
    needs: str = "classes"
    higher_is_better: bool = True
    percent: bool = True


METRICS = (
    Metric("accuracy", "accuracy"),
    Metric("balanced_accuracy", "balanced accuracy"),
    Metric("f1_micro", "F1, micro"),
    Metric("f1_macro", "F1, macro"),
    Metric("f1_weighted", "F1, weighted"),
    Metric("aupr_macro", "area under precision-recall, macro", "ranking"),
    Metric("aupr_trapezoid_macro", "area under precision-recall, trapezoid, macro", "ranking"),
    Metric("auroc_macro", "area under ROC, macro", "ranking"),
    Metric("aupr_micro", "area under precision-recall, micro", "probabilities"),
    Metric("auroc_micro", "area under ROC, micro", "probabilities"),
    Metric("log_loss", "log loss", "probabilities", higher_is_better=False, percent=False),
    Metric(
        "calibration_error",
        "calibration error",
        "probabilities",
        higher_is_better=False,
        percent=False,
    ),
    Metric("rmse", "root mean squared error", "numbers", higher_is_better=False, percent=False),
    Metric("mae", "mean absolute error", "numbers", higher_is_better=False, percent=False),
    Metric("r2", "R²", "numbers", percent=False),
)
NAMES = tuple(metric.name for metric in METRICS)
# Those that may rank methods: larger is better.
RANKING = tuple(metric.name for metric in METRICS if metric.higher_is_better)
_LABELS = {
    "objective": "objective, training rows",
    "objective_test": "objective, test rows",
    "objective_all": "objective, all rows",
}

# Metrics on training rows, with `training_scores: true`: no scores of a method.
TRAINING = "train_"
TRAINING_NAMES = tuple(
    TRAINING + metric.name for metric in METRICS if metric.needs in ("classes", "numbers")
)
# Objectives on other rows, with `training_scores: true`.
ELSEWHERE = ("objective_test", "objective_all")

# Other quantities of a fit in the long table; smaller is better.
COSTS = (
    *("train_rows", "test_rows", "fit_seconds", "search_seconds", "predict_seconds"),
    *("peak_memory_mb", "n_updates", "objective", "optimality_gap"),
    *ELSEWHERE,
)


def find(name):
    """Entry of a metric; of an unknown one as it is shown.

    Examples
    --------
    >>> find("r2").label, find("train_r2").label, find("my_metric").label
    ('R²', 'R², training rows', 'my metric')
    """
    for metric in METRICS:
        if metric.name == name:
            return metric
        if TRAINING + metric.name == name:
            return replace(metric, name=name, label=f"{metric.label}, training rows")
    return Metric(name, _LABELS.get(name, name.replace("_", " ")), percent=False)


def compares(name):
    """What a metric compares: "classes" or "numbers"."""
    return "numbers" if find(name).needs == "numbers" else "classes"


def is_cost(name):
    """Whether a quantity of the long table is no score of held-out rows.

    Examples
    --------
    >>> is_cost("fit_seconds"), is_cost("train_accuracy"), is_cost("accuracy")
    (True, True, False)
    """
    return name in COSTS or name in TRAINING_NAMES


def higher_is_better(name):
    """Whether larger values of a metric are better; those of a cost are not."""
    return name not in COSTS and find(name).higher_is_better


def limits(name):
    """Smallest and largest value that a metric can have.

    Examples
    --------
    >>> limits("accuracy"), limits("log_loss"), limits("r2")
    ((0.0, 1.0), (0.0, inf), (-inf, inf))
    """
    if find(name).percent:
        return 0.0, 1.0
    return -math.inf if find(name).higher_is_better else 0.0, math.inf


def in_percent(name):
    """Whether a metric is shown in percent."""
    return find(name).percent
