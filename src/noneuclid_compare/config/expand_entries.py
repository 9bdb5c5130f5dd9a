"""Entries of the configuration that make many, and values that no job can take."""

import math
import re
from itertools import product
from string import Formatter

from noneuclid.errors import InputError

PARTS = ("datasets", "embeddings", "methods")
MOST_COPIES = 10_000


def expanded(config):
    """Write out every data set, embedding and method that has `each`.

    The entry is repeated for all combinations of the values of the names: a list, or 1 to n for a
    number n. `str.format` fills in its name and all texts; a text that is only a name in braces
    becomes the value itself.
    """
    return config | {
        part: _all_of(part, config[part]) for part in PARTS if isinstance(config.get(part), dict)
    }


def _all_of(part, entries):
    """The entries of one part of the configuration, expanded."""
    everything = {}
    for name, entry in entries.items():
        for full_name, full_entry in _written_out(f"{part}/{name}", name, entry):
            if full_name in everything:
                raise InputError(
                    f"{part}: two entries have the name {full_name!r}; put all names of `each` "
                    "into it, in braces"
                )
            everything[full_name] = full_entry
    return everything


def _written_out(place, name, entry):
    """All pairs (name, entry) that one entry makes."""
    if not isinstance(entry, dict) or "each" not in entry:
        return [(name, entry)]
    each = entry["each"]
    if not isinstance(each, dict) or not each:
        raise InputError(f"{place}/each: {each!r} gives no names and values, such as {{number: 3}}")
    entry = {key: value for key, value in entry.items() if key != "each"}
    ranges = [_values(value, f"{place}/each/{key}") for key, value in each.items()]
    if (copies := math.prod(map(len, ranges))) > MOST_COPIES:
        raise InputError(f"{place}/each: makes {copies} entries; give at most {MOST_COPIES}")
    rows = [dict(zip(each, row, strict=True)) for row in product(*ranges)]
    return [(str(_filled(name, row, place)), _filled(entry, row, place)) for row in rows]


def _values(value, place):
    """What a name under `each` runs over."""
    if isinstance(value, int) and value >= 1 and not isinstance(value, bool):
        return range(1, value + 1)
    if isinstance(value, list) and value:
        return value
    raise InputError(f"{place}: {value!r} is neither a number of copies nor a list of values")


def _filled(value, values, place):
    """A value of the configuration with the names in braces replaced."""
    if isinstance(value, dict):
        return {key: _filled(item, values, place) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, values, place) for item in value]
    if not isinstance(value, str):
        return value
    try:
        parts = list(Formatter().parse(value))
        if len(parts) == 1 and (parts[0][0], *parts[0][2:]) == ("", "", None):
            return Formatter().get_field(parts[0][1], (), values)[0]
        return value.format_map(values)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError(
            f"{place}: {short(repr(value))} cannot be filled in from {', '.join(values)}: {error}"
        ) from error


def check_plain(value, place=()):
    """Refuse what YAML can hold and no job can take: nan, dates, long integers, odd keys."""
    where = "/".join(place) or "top level"
    if isinstance(value, dict):
        for key, inner in value.items():
            if not (isinstance(key, str) and key.isprintable()):
                raise InputError(
                    f"{where}: the key {key!r} is not printable text; write it in quotes"
                )
            check_plain(inner, (*place, key))
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            check_plain(inner, (*place, str(position)))
    elif not _is_plain(value):
        raise InputError(
            f"{where}: {short(repr(value))} cannot be passed on; write text (in quotes), true, "
            "false, null or a number of at most 64 bits"
        )


def short(text, most=300):
    """Text without its middle, if it is long.

    Examples
    --------
    >>> short("0123456789", most=4)
    '01 ... 89'
    """
    return text if len(text) <= most else f"{text[: most // 2]} ... {text[-(most // 2) :]}"


def number_in(value):
    """Advice for a number that YAML reads as text; empty for any other value.

    Examples
    --------
    >>> number_in("1e-3")
    ' (text in YAML: write 1.0e-3)'
    >>> number_in("0.5"), number_in("auto"), number_in(0.5)
    (' (text in quotes: write 0.5)', '', '')
    """
    if not isinstance(value, str):
        return ""
    parts = re.fullmatch(r"([+-]?\d+)(\.\d*)?[eE]([+-]?)(\d{1,3})", value)
    if parts and abs(float(value)) < 2**53 and float(value).is_integer():
        return f" (text in YAML: write {int(float(value))})"
    if parts:
        whole, rest, sign, power = parts.groups()
        return f" (text in YAML: write {whole}{rest or '.0'}e{sign or '+'}{power})"
    plain = re.fullmatch(r"[+-]?\d+(\.\d*)?", value)
    return f" (text in quotes: write {value})" if plain else ""


def _is_plain(value):
    """Whether a value survives JSON and a command line."""
    if isinstance(value, str):
        return not re.search("[\0\ud800-\udfff]", value)
    if isinstance(value, float):
        return not math.isnan(value)
    return value is None or (isinstance(value, int) and abs(value) < 2**63)
