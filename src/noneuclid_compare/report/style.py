"""Colours, markers, names and number formats shared by the figures, the tables and the page."""

import math

import noneuclid
from noneuclid_compare import plugins, wording
from noneuclid_compare.config.registry import METHODS
from noneuclid_compare.evaluation import metric_table

FLOORS = ("majority", "shuffled")
_PUBLIC = {f"noneuclid.{name}" for name in noneuclid.__all__}
EUCLIDEAN = ("euclidean_svm", "logistic", "tree", "forest")
FAMILIES = {
    "non-Euclidean": {"colour": "#0072B2", "marker": "o", "label": "non-Euclidean"},
    "Euclidean": {"colour": "#D55E00", "marker": "s", "label": "Euclidean"},
    "floor": {"colour": "#5b6570", "marker": "D", "label": "trivial baseline"},
    "own": {"colour": "#8000E0", "marker": "^", "label": "your own class"},
}

higher_is_better, in_percent = metric_table.higher_is_better, metric_table.in_percent


def family(method, classes=None):
    """Family of a method, a key of `FAMILIES`: by its dotted class if known, else by its name.

    A class of neither scikit-learn nor this package is "own": only its author knows its geometry.

    Examples
    --------
    >>> family("logistic"), family("hyperbolic_tree")
    ('Euclidean', 'non-Euclidean')
    >>> family("mine", {"mine": "sklearn.svm.SVC"}), family("tree", {"tree": "lab.trees.Tree"})
    ('Euclidean', 'own')
    """
    stem = method.split(" ")[0]
    path = (classes or {}).get(stem)
    if path is None:
        return "floor" if stem in FLOORS else "Euclidean" if stem in EUCLIDEAN else "non-Euclidean"
    if path.startswith("sklearn.dummy.") or path.endswith(".ShuffledLabelsClassifier"):
        return "floor"
    if path.startswith(("sklearn.", "baseline_")) or path.endswith(".EuclideanSVC"):
        return "Euclidean"
    return "non-Euclidean" if ships(path) else "own"


def ships(use):
    """Whether a method is one of the library, of the comparison or of a plug-in.

    Examples
    --------
    >>> ships("noneuclid.PoincareSVC"), ships("lab.trees.Tree")
    (True, False)
    """
    return use in _PUBLIC or use in plugins.tables("METHODS", METHODS)


def is_usable(method, classes=None):
    """Whether a method may be recommended: a plug-in's may repeat the faults of a program.

    Examples
    --------
    >>> is_usable("tree"), is_usable("tree", {"tree": "sklearn.tree.DecisionTreeClassifier"})
    (True, True)
    """
    use = (classes or {}).get(method.split(" ")[0])
    return use not in plugins.items("PROGRAMS")


def metric_words(metric):
    """Words for a metric; an unknown name is shown with blanks for underscores."""
    return metric_table.find(metric).label


def metric_label(metric):
    """Words for a metric, with its unit.

    Examples
    --------
    >>> metric_label("accuracy"), metric_label("log_loss")
    ('accuracy (%)', 'log loss')
    """
    return metric_words(metric) + (" (%)" if in_percent(metric) else "")


def score(value, metric, more=0):
    """Write a value: percent with one decimal, or three decimals; and `more` of them.

    Examples
    --------
    >>> score(0.91234, "accuracy"), score(0.5, "log_loss"), score(float("nan"), "accuracy")
    ('91.2', '0.500', '–')
    >>> score(0.91234, "accuracy", 1)
    '91.23'
    """
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = f"{100 * value:.{1 + more}f}" if in_percent(metric) else f"{value:.{3 + more}f}"
    return text.replace("-", "−")


def signed(value, metric, more=0):
    """Write a difference of two values with its sign.

    Examples
    --------
    >>> signed(0.0371, "accuracy"), signed(-0.5, "log_loss"), signed(0.0, "accuracy")
    ('+3.7', '−0.500', '0.0')
    """
    text = score(abs(value), metric, more)
    if not float(text.replace("–", "0").replace("∞", "1")):
        return text
    return ("+" if value > 0 else "−") + text


NO_INTERVAL = "no interval: too few folds"


def interval(low, high, metric, more=0, plus=True):
    """Write the ends of an interval of a difference; empty for nan.

    An end beyond ±100 points, which no difference can reach, says only that there are too few
    folds, often two or three.

    Examples
    --------
    >>> interval(-0.004, 0.0041, "accuracy"), interval(-0.004, 0.0041, "accuracy", plus=False)
    ('−0.4 to +0.4', '−0.4 to 0.4')
    >>> interval(-3.9, 4.1, "accuracy"), interval(-3.9, 4.1, "log_loss")
    ('no interval: too few folds', '−3.900 to +4.100')
    """
    if math.isnan(low):
        return ""
    if in_percent(metric) and max(-low, high) > 1:
        return NO_INTERVAL
    ends = (signed(end, metric, more) for end in (low, high))
    return " to ".join(end if plus else end.removeprefix("+") for end in ends)


def spread(mean, sd, metric):
    """Write mean ± standard deviation, without the latter where one value gives none.

    Examples
    --------
    >>> spread(0.9, 0.02, "accuracy"), spread(0.9, float("nan"), "accuracy")
    ('90.0 ± 2.0', '90.0')
    """
    if math.isnan(sd) or math.isnan(mean):
        return score(mean, metric)
    return f"{score(mean, metric)} ± {score(sd, metric)}"


def settings(values):
    """Write a dictionary of settings as "name=value, ...", in its own order.

    Examples
    --------
    >>> settings({"C": 10.0, "multi_class": "ovr", "max_depth": [3, None]})
    'C=10, multi_class=ovr, max_depth=3, None'
    """
    return ", ".join(f"{name}={wording.number(v, none='None')}" for name, v in values.items())
