"""Compare two results folders value by value: ``compare_results.py A B``.

Prints the keys that have another name in B, and the first differences, each with its file and its
place there. The exit status is 1 if there is any difference. What depends on the clock, the machine
or the text of the code is excepted: see `EXCEPTED` and `SKIPPED`.
"""

import argparse
import json
import re
import sys
from fnmatch import fnmatch
from pathlib import Path

import numpy as np
import pandas as pd

# Keys, columns and metrics of what a clock or the system has measured, or of a digest of code.
EXCEPTED = re.compile(
    r"seconds|memory|_mb|^(digest|codes?|commit|machine|versions|host|quick|front|data_checksum)$"
)
# Files that show such values among others, or that name modules.
SKIPPED = ("logs/*", "benchmarks/*", "*.html", "*.png", "*.pdf", "*.svg", "*.tex", "*.skops")


def main(arguments):
    """Compare and print; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs=2, type=Path, metavar="FOLDER")
    parser.add_argument("--most", type=int, default=20, help="differences to print (20)")
    options = parser.parse_args(arguments)
    for folder in options.folders:
        if not folder.is_dir():
            parser.error(f"there is no folder {folder}")
    comparison = Comparison()
    compared = comparison.compare_folders(*options.folders)
    for old, new in sorted(comparison.renamed):
        print(f"renamed: {old} -> {new}")
    print(*comparison.differences[: options.most], sep="\n")
    print(f"excepted: keys with {EXCEPTED.pattern}; files {' '.join(SKIPPED)}")
    print(f"{compared} files compared, {len(comparison.differences)} differences")
    return 1 if comparison.differences or not compared else 0


class Comparison:
    """Differences found so far, and keys that have another name."""

    def __init__(self):
        self.differences = []
        self.renamed = set()

    def compare_folders(self, a, b):
        """Compare all files; return how many are in both folders."""
        files_a, files_b = listed(a), listed(b)
        for name in sorted(files_a ^ files_b):
            self.differences.append(f"{name}: only in {a if name in files_a else b}")
        both = sorted(files_a & files_b)
        for name in both:
            self.compare(read(a / name), read(b / name), name)
        return len(both)

    def compare(self, a, b, place):
        """Compare two values of the same place."""
        if isinstance(a, dict) and isinstance(b, dict):
            self.compare_mappings(a, b, place)
        elif isinstance(a, list) and isinstance(b, list):
            if len(a) != len(b):
                self.differences.append(f"{place}: {len(a)} and {len(b)} entries")
            for k, (one, other) in enumerate(zip(a, b, strict=False)):
                self.compare(one, other, f"{place}/{k}")
        elif isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
            self.compare_arrays(a, b, place)
        elif type(a) is not type(b) or repr(a) != repr(b):  # 1 is not 1.0, 0.0 is not -0.0
            self.differences.append(f"{place}: {a!r} and {b!r}")

    def compare_mappings(self, a, b, place):
        """Compare the values of each key; a key that only one has may have another name."""
        a, b = ({k: v for k, v in each.items() if not EXCEPTED.search(k)} for each in (a, b))
        only_a, only_b = (
            [key for key in one if key not in other] for one, other in ((a, b), (b, a))
        )
        for old in only_a:
            new = next((key for key in only_b if have_same_meaning(a[old], b[key])), None)
            if new is None:
                self.differences.append(f"{place}/{old}: only in the first folder")
            else:
                only_b.remove(new)
                self.renamed.add((old, new))
        self.differences += [f"{place}/{key}: only in the second folder" for key in only_b]
        for key in a:
            if key in b:
                self.compare(a[key], b[key], f"{place}/{key}")

    def compare_arrays(self, a, b, place):
        """Compare types, shapes and every value; name the first that differs."""
        if a.dtype != b.dtype or a.shape != b.shape:
            self.differences.append(f"{place}: {a.dtype}{a.shape} and {b.dtype}{b.shape}")
            return
        unequal = (a != b) & ~((a != a) & (b != b))
        if a.dtype.kind == "f":
            unequal |= (a == 0) & (b == 0) & (np.signbit(a) != np.signbit(b))
        if unequal.any():
            first = tuple(int(k) for k in np.argwhere(unequal)[0])
            text = f"{place}{list(first)}: {a[first]!r} and {b[first]!r}"
            self.differences.append(f"{text}, {unequal.sum()} of {a.size} values")


def have_same_meaning(a, b):
    """Whether two values are equal, or name the same thing in another module."""
    if isinstance(a, str) and isinstance(b, str):
        named = all(re.fullmatch(r"[A-Za-z_]\w*(\.\w+)*", text) for text in (a, b))
        return a == b or (named and a.rpartition(".")[2] == b.rpartition(".")[2])
    inner = Comparison()
    inner.compare(a, b, "")
    return not inner.differences


def listed(folder):
    """Names of the files to compare."""
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    hidden = {name for name in names if Path(name).name.startswith(".")}
    return {n for n in names - hidden if not any(fnmatch(n, pattern) for pattern in SKIPPED)}


def read(path):
    """Contents of a file as nested mappings, lists, arrays and plain values."""
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as archive:
            found = {name: archive[name] for name in archive.files}
        if "values" in found:
            found["values"] = json.loads(str(found["values"]))
        return found
    if path.suffix == ".json":
        return json.loads(path.read_text())
    if path.suffix == ".tsv":
        return columns(pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False))
    if path.suffix == ".parquet":
        return columns(pd.read_parquet(path, use_threads=False))
    return path.read_text(errors="replace").splitlines()


def columns(table):
    """Columns of a table without measured rows; sorted if an excepted column may order it."""
    if "metric" in table:
        table = table[[not EXCEPTED.search(str(metric)) for metric in table["metric"]]]
    kept = [name for name in table if not EXCEPTED.search(name)]
    if len(kept) < table.shape[1]:
        table = table.sort_values(kept, key=lambda column: column.astype(str))
    return {name: table[name].tolist() for name in kept}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
