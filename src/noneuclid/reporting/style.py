"""Colours, markers, names and number formats shared by the figures, the tables and the page."""

import math

import numpy as np

import noneuclid
from noneuclid.evaluation import metric_table
from noneuclid.experiment import wording
from noneuclid.experiment.public_names import METHODS

# The first eight are Okabe and Ito's. The other four were found by a search that keeps every
# pair apart under simulated protanopia, deuteranopia and tritanopia (see the unit test).
PALETTE = (
    *("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#000000"),
    *("#8000E0", "#602000", "#002080", "#C0E0C0"),
)

INK, MUTED, RULE = "#1b1f24", "#5b6570", "#d5dae0"

FLOORS = ("majority", "shuffled")
SHIPPED = {f"noneuclid.{name}" for name in noneuclid.__all__} | {*METHODS}
EUCLIDEAN = ("euclidean_svm", "logistic", "tree", "forest")
FAMILIES = {
    "non-Euclidean": {"colour": "#0072B2", "marker": "o"},
    "Euclidean": {"colour": "#D55E00", "marker": "s"},
    "floor": {"colour": "#5b6570", "marker": "D"},
    "own": {"colour": "#8000E0", "marker": "^"},
}

# Four steps of viridis, for the intervals of a number.
ORDERED = ("#440154", "#31688e", "#35b779", "#fde725")

higher_is_better, in_percent = metric_table.higher_is_better, metric_table.in_percent


def _polygon(n, turn=0.0, radius=1.0):
    angles = 2 * np.pi * np.arange(n) / n + np.pi / 2 + turn
    return [(radius * math.cos(a), radius * math.sin(a)) for a in angles]


def _star(n, inner, turn=0.0):
    outer, dents = _polygon(n, turn, 1.25), _polygon(n, turn + np.pi / n, inner)
    return [point for pair in zip(outer, dents, strict=True) for point in pair]


# Outlines in units of the marker's radius, y upwards. Eleven shapes and twelve colours: 132
# classes before a pair repeats.
MARKERS = (
    _polygon(24, radius=0.95),
    _polygon(4, np.pi / 4, 1.2),
    _polygon(3, radius=1.25),
    _polygon(4, radius=1.2),
    _polygon(3, np.pi, 1.25),
    _star(4, 0.5, np.pi / 4),
    _star(5, 0.55),
    _polygon(3, np.pi / 2, 1.25),
    _polygon(3, -np.pi / 2, 1.25),
    _star(4, 0.5),
    _polygon(6, radius=1.1),
)


def class_colours(n, ordered=False):
    """Colours of classes 0 to n - 1, as hexadecimal strings, from dark to light if `ordered`.

    Examples
    --------
    >>> class_colours(2)
    ['#0072B2', '#E69F00']
    """
    colours = ORDERED if ordered else PALETTE
    return [colours[i % len(colours)] for i in range(n)]


def class_markers(n):
    """Outlines of the markers of classes 0 to n - 1: lists of (x, y) in units of the radius."""
    return [MARKERS[i % len(MARKERS)] for i in range(n)]


def tint(colour, strength=0.3):
    """Mix a colour such as "#0072B2" with white; `strength` is the share of the colour.

    Examples
    --------
    >>> tint("#000000", 0.2)
    '#cccccc'
    """
    channels = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(255 + (c - 255) * strength):02x}" for c in channels)


def edge(colour):
    """Outline of a marker: white, or a darker shade of a colour too light on white.

    Examples
    --------
    >>> edge("#0072B2"), edge("#F0E442")
    ('#ffffff', '#908928')
    """
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    if 0.299 * red + 0.587 * green + 0.114 * blue < 190:
        return "#ffffff"
    return "#" + "".join(f"{round(0.6 * c):02x}" for c in (red, green, blue))


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
    if path.startswith("sklearn.") or path.endswith(".EuclideanSVC"):
        return "Euclidean"
    return "non-Euclidean" if path in SHIPPED else "own"


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
    return f"{100 * value:.{1 + more}f}" if in_percent(metric) else f"{value:.{3 + more}f}"


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
