"""Raw counts to 50 components by the stage acquire: atlas_prepare.tsv.

    python benchmarks/atlas_prepare.py [--cells 10000 100000 1000000] [--genes 2000] [--keep FOLDER]

Each size runs in a process of its own with one thread. The file is an atlas of `cell_atlas`,
written in parts; all genes are used, the most expensive case. Seconds of a step include its reading
of the file; peaks are the largest resident memory of the process so far.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TABLE = Path(__file__).with_suffix(".tsv")
HEADER = "cells\tgenes\tstep\tprocessor_s\twall_s\tpeak_mb\tnote"
# Functions of the preparation, and what they do.
STEPS = {
    "_cell_totals": "check and totals",
    "_moments": "variable genes",
    "_components": "covariance and eigenvectors",
    "_places": "components of all cells",
}


def peak():
    """Largest resident memory of this process, in MB."""
    text = Path("/proc/self/status").read_text()
    return int(text.partition("VmHWM:")[2].split()[0]) * 1024 / 1e6


def timed(function, name, lines, note=""):
    """The function, which adds a line on each call."""

    def wrapped(*args, **options):
        start, wall = time.process_time(), time.perf_counter()
        result = function(*args, **options)
        spent = time.process_time() - start, time.perf_counter() - wall
        lines.append((name, *(f"{seconds:.1f}" for seconds in spent), f"{peak():.0f}", note))
        return result

    return wrapped


def write(path, cells, genes):
    """Write the atlas; print the line of the table."""
    from noneuclid_compare.data.generators import cell_atlas

    lines = []
    timed(cell_atlas.write, "simulate and write", lines)(path, 0, n_cells=cells, n_genes=genes)
    size = f"{Path(path).stat().st_size / 1e9:.2f} GB"
    print(json.dumps([(*lines[0][:-1], size)]))


def prepare(path, output):
    """Run the stage acquire; print the lines of the table."""
    from noneuclid_compare.data.prepare import preparation
    from noneuclid_compare.stages import acquire

    lines = []
    for name, words in STEPS.items():
        setattr(preparation, name, timed(getattr(preparation, name), words, lines))
    params = {"label": "subtype", "counts": True, "highly_variable_genes": False, "test": "test"}
    words = ["--name", "atlas", "--use", "anndata_file", "--seed", "0", "--output", str(output)]
    words += ["--files", json.dumps({"data": str(path)}), "--params", json.dumps(params)]
    timed(acquire.main, "stage acquire, all", lines)(words)
    print(json.dumps(lines))


def run(*words):
    """Lines that a process of this file prints last."""
    done = subprocess.run(
        [sys.executable, __file__, *map(str, words)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    return json.loads(done.stdout.splitlines()[-1])


def add(rows):
    """Put the lines of one size into the table."""
    size = rows[0].split("\t")[:2]
    old = TABLE.read_text().splitlines()[1:] if TABLE.exists() else []
    rows = [*(line for line in old if line.split("\t")[:2] != size), *rows]
    TABLE.write_text("\n".join([HEADER, *sorted(rows, key=lambda row: int(row.split()[0]))]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--genes", type=int, default=2000)
    parser.add_argument("--keep", type=Path, help="folder of the atlases; default: a temporary one")
    parser.add_argument("--write", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--prepare", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.write:
        return write(args.write[0], *map(int, args.write[1:]))
    if args.prepare:
        return prepare(*args.prepare)
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.keep or Path(temporary)
        for cells in args.cells:
            path = folder / f"atlas_{cells}.h5ad"
            lines = run("--write", path, cells, args.genes)
            lines += run("--prepare", path, folder / f"atlas_{cells}.npz")
            rows = ["\t".join([str(cells), str(args.genes), *line]) for line in lines]
            print("\n".join(rows), flush=True)
            add(rows)
    return None


if __name__ == "__main__":
    main()
