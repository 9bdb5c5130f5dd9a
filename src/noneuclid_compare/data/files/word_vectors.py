"""Word vectors as word2vec, gensim and fastText write them, as text and binary: names and numbers.

Both formats begin with a line of two numbers, n and d. In the text format n lines follow, a name
and d numbers with one space between; in the binary format n times a name, a space and d numbers of
float32, which a line end may follow.
"""

import gzip
from pathlib import Path

import numpy as np

from noneuclid.errors import InputError, require
from noneuclid_compare.data.files.arrays import reading, suffix_of, text_of

TEXT, BINARY = (".txt", ".vec"), (".bin",)
# Sizes of coordinates; bytes that are no numbers of float32 are soon smaller or larger.
_USUAL = 1e-30, 1e12
# Beyond it a name of the binary format is none: the file is damaged.
_LONGEST_NAME = 10_000


def shape_of_head(line):
    """Numbers n and d of the first line, None of another line.

    Examples
    --------
    >>> shape_of_head("40 2"), shape_of_head("40 two"), shape_of_head("40 0")
    ((40, 2), None, None)
    """
    words = line.split()
    if len(words) != 2 or not all(w.isascii() and w.isdecimal() and len(w) < 10 for w in words):
        return None
    n, d = map(int, words)
    return (n, d) if n > 0 and d > 0 else None


def are_word_vectors(lines):
    """Whether lines are word vectors and not an edge list, which may begin alike.

    Edges have two or three values. Three are a name and two numbers if the first line counts the
    others, or if the name is no number.

    Examples
    --------
    >>> are_word_vectors(["1 2", "a 0.5 0.5"]), are_word_vectors(["1 2", "2 3"])
    (True, False)
    >>> are_word_vectors(["1 2", "2 3 0.5", "3 1 0.5"])
    False
    """
    lines = iter(lines)
    shape, first = shape_of_head(next(lines, "")), next(lines, "").split()
    if shape is None or shape[1] < 2 or len(first) != shape[1] + 1:
        return False
    numbers = [_is_number(word) for word in first]
    if not all(numbers[1:]):
        return False
    return shape[1] > 2 or not numbers[0] or 1 + sum(bool(x.strip()) for x in lines) == shape[0]


def _is_number(word):
    try:
        float(word)
    except ValueError:
        return False
    return True


def holds_word_vectors(path):
    """Whether a file has the binary format by its suffix, or the text format by its lines."""
    if suffix_of(path) in BINARY:
        return True
    if suffix_of(path) not in TEXT:
        return False
    opened = gzip.open if Path(path).suffix == ".gz" else open
    with reading(path, "text"), opened(path, "rt", encoding="utf-8-sig", errors="replace") as lines:
        return suffix_of(path) == ".vec" or are_word_vectors(lines)


def require_no_word_vectors(path, lines):
    """Refuse word vectors where an edge list or a table is expected.

    Examples
    --------
    >>> require_no_word_vectors("a.txt", ["1 2", "2 3"])
    """
    require(
        not are_word_vectors(lines),
        f"{path} has the text format of word2vec and gensim, a name and numbers in each line: read "
        "it by use: array_file with a table of labels (noneuclid init FILE --labels TABLE)",
    )


def read_word_vectors(path):
    """Names and vectors of a file, in its order: a list and an array of shape (n, d)."""
    read = _binary if suffix_of(path) in BINARY else _text
    with reading(path, "word vectors", "save it again"):
        return read(path)


def _shape(path, line):
    shape = shape_of_head(line)
    require(
        shape is not None,
        f"{path}: line 1 is {line[:60]!r}; word vectors begin with the numbers of names and of "
        "dimensions (save_word2vec_format of gensim writes them)",
    )
    return shape


def _text(path):
    # Names may hold every other character that ends a line for Python.
    lines = text_of(path).replace("\r\n", "\n").split("\n")
    n, d = _shape(path, lines[0])
    rows = lines[1:]
    while rows and not rows[-1].strip():
        rows.pop()
    names, vectors = [], []
    for number, line in enumerate(rows[:n], start=2):
        name, *values = line.rstrip(" ").split(" ")
        if len(values) != d or not name:
            raise InputError(
                f"{path}: line {number} has {len(values)} values after the name {name[:60]!r}, and "
                f"line 1 says {d}: the line is damaged, or the name has spaces (write _ for them)"
            )
        try:
            vectors.append(_numbers(values))
        except ValueError:
            bad = next(v for v in values if not _is_number(v) or "_" in v)
            raise InputError(
                f"{path}: line {number}, name {name[:60]!r}: {bad[:60]!r} is not a number; correct "
                "it, or write _ for spaces in names"
            ) from None
        names.append(name)
    require(
        len(rows) == n,
        f"{path}: line 1 says {n} names, but {len(rows)} lines follow: the file is cut short or "
        "was joined from several; save it again",
    )
    return names, np.array(vectors)


def _numbers(words):
    # Python reads 1_0 as ten.
    if any("_" in word for word in words):
        raise ValueError
    return np.array(words, dtype=np.float64)


def _binary(path):
    content = Path(path).read_bytes()
    content = gzip.decompress(content) if Path(path).suffix == ".gz" else content
    end = content.find(b"\n", 0, 64)
    n, d = _shape(path, content[: max(end, 0)].decode("latin-1"))
    why = f"the file is cut short or damaged, has other than {d} numbers of float32 for each name, "
    why += "or a name has spaces (write _ for them)"
    names, parts, place = [], [], end + 1
    for row in range(1, n + 1):
        end, found = content.find(b" ", place, place + _LONGEST_NAME), f"{path}: name {row} of {n}"
        start, place = place, end + 1 + 4 * d
        require(end >= 0 and place <= len(content), f"{found} is not complete: {why}")
        try:
            name = content[start:end].lstrip(b"\n").decode("utf-8")
        except UnicodeDecodeError:
            raise InputError(f"{found} is not UTF-8: {why}") from None
        vector = np.frombuffer(content, "<f4", d, end + 1)
        low, high = _USUAL
        usual = (low <= np.abs(vector)) & (np.abs(vector) <= high) | (vector == 0)
        require(min(name, default="") > " ", f"{found} is {name[:60]!r}: {why}")
        odd = vector[~usual].tolist()
        require(not odd, f"{found}, {name[:60]!r}, has the number {odd[:1]}: {why}")
        names.append(name)
        parts.append(vector)
    rest = content[place:].strip(b"\n")
    require(not rest, f"{path}: {len(rest)} bytes follow the last of {n} names: {why}")
    return names, np.array(parts, dtype=np.float64)
