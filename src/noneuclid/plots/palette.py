"""Colours and markers of classes, and text that matplotlib shows unchanged."""

import math

import numpy as np

# The first eight are Okabe and Ito's. The other four were found by a search that keeps every
# pair apart under simulated protanopia, deuteranopia and tritanopia (see the unit test).
PALETTE = (
    *("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#000000"),
    *("#8000E0", "#602000", "#002080", "#C0E0C0"),
)

INK, MUTED, RULE = "#1b1f24", "#5b6570", "#d5dae0"

# Four steps of viridis, for the intervals of a number.
ORDERED = ("#440154", "#31688e", "#35b779", "#fde725")


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


def plain(text):
    r"""Text for a figure: no dollar begins a formula, no underscore hides it from a legend.

    Examples
    --------
    >>> plain("under $5"), plain("_x")
    ('under \\$5', '\u2060_x')
    """
    text = str(text).replace("$", r"\$")
    # Legends leave out labels that begin with an underscore; a word joiner is not seen.
    return f"\u2060{text}" if text.startswith("_") else text
