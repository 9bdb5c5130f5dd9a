"""Numbers, durations and lists in words, for messages, tables and the page."""

import math
import re

import numpy as np


def seconds(value):
    """Write a duration in the unit that suits it.

    Examples
    --------
    >>> seconds(0.0000421), seconds(0.0123), seconds(2.5), seconds(185), seconds(7320)
    ('0.042 ms', '12 ms', '2.5 s', '3 min 5 s', '2 h 2 min')
    """
    if value is None or math.isnan(value):
        return "–"
    if value < 0.9995:
        return f"{_two_digits(1e3 * value)} ms"
    if value < 99.5:
        return f"{_two_digits(value)} s"
    whole = round(value)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _two_digits(value):
    """At least two significant digits, never an exponent."""
    if value == 0:
        return "0"
    return f"{value:.{max(0, 1 - math.floor(math.log10(abs(value))))}f}"


def number(value, none="–"):
    """Write any JSON number or text briefly: four significant digits, integers in full.

    Examples
    --------
    >>> number(3), number(0.123456), number(1e-9), number(None), number(True), number("rbf")
    ('3', '0.1235', '1e-09', '–', 'yes', 'rbf')
    """
    if value is None:
        return none
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)):
        return "–" if math.isnan(value) else f"{value:.4g}"
    if isinstance(value, (list, tuple)):
        tail = f", … ({len(value)} values)" if len(value) > 8 else ""
        return ", ".join(number(v, none) for v in value[:8]) + tail
    return str(value)


def signature(text):
    """Write a signature with three digits of each curvature.

    Examples
    --------
    >>> signature("H2(-23.039999999999996) S2")
    'H2(-23) S2'
    """
    return re.sub(r"\(([^)]+)\)", lambda part: f"({float(part[1]):.3g})", text)


def count(n, singular, plural=None):
    """Write a number with its noun.

    Examples
    --------
    >>> count(1, "fold"), count(1200, "fold"), count(2, "class", "classes")
    ('1 fold', '1\u202f200 folds', '2 classes')
    """
    noun = singular if n == 1 else plural or f"{singular}s"
    return f"{n:,}".replace(",", "\u202f") + f" {noun}"


def several(names, noun="data set", most=3):
    """Names with their noun; of more than `most` the first ones and the number of the others.

    Examples
    --------
    >>> several(["a"]), several(["a", "b"]), several("abcde")
    ('data set a', 'data sets a and b', 'data sets a, b, c and 2 others')
    """
    names = list(names)
    shown = names[:most] if len(names) > most else names
    rest = [count(len(names) - most, "other")] if len(names) > most else []
    return f"{noun if len(names) == 1 else f'{noun}s'} {listed([*shown, *rest])}"


def listed(names, most=None):
    """Join names; of more than `most` names only the first, with the number of the others.

    Examples
    --------
    >>> listed("abc"), listed("abc", most=2), listed("a")
    ('a, b and c', 'a and 2 others', 'a')
    """
    names = list(names)
    if most is not None and len(names) > most:
        names = [names[0], count(len(names) - 1, "other")]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def printable(text):
    r"""Text with visible escapes for characters that would control a terminal.

    Examples
    --------
    >>> print(printable("a\x1b[31mé\n"))
    a\x1b[31mé\n
    """
    return "".join(c if c.isprintable() or c == "\u202f" else ascii(c)[1:-1] for c in text)
