"""Poincaré maps beside the authors' own embeddings: loss, quality and seconds.

Usage: python benchmarks/poincare_maps.py FOLDER [output.tsv]; prints the table without a second
argument. FOLDER holds `datasets` and `results` of facebookresearch/PoincareMaps. The authors'
settings are read from their file names; both embeddings are measured by the same functions on the
same features and similarities. The last rows are made cells: as many as in the data set Paul, whose
expression table the authors' repository lacks, and 20,000, embedded through landmarks.
"""

import csv
import re
import resource
import sys
import time
from pathlib import Path

import numpy as np

from noneuclid import PoincareMap
from noneuclid.embeddings.accessibility import accessibilities
from noneuclid.embeddings.divergence import symmetric_divergence
from noneuclid.embeddings.neighbour_kernel import forest_of_features, reducer
from noneuclid.embeddings.poincare_maps import along_neighbours
from noneuclid.geometry import charts
from noneuclid_compare.embed.of_dataset import embed
from noneuclid_compare.records import Dataset

NAMES = ("ToggleSwitch", "MyeloidProgenitors", "Olsson", "krumsiek11_blobs", "Moignard2015")
MADE = (2_730, 20_000)
MEASURES = ("loss", "q_local", "q_global", "neighbour_agreement")
COLUMNS = ["dataset", "n", *(f"{w}_{m}" for m in MEASURES for w in ("authors", "ours"))]
COLUMNS += ["iterations", "status", "seconds", "peak_gb"]
SETTING = r"MFIsym(\d+)_klSym_sigma=([\d.]+)_gamma=([\d.]+)_.*_pca=(\d+)_"


def read_features(path):
    """All columns but the last, which is the label."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    return np.array([row[:-1] for row in rows], dtype=float)


def read_settings(path):
    """The authors' settings, in our words."""
    neighbours, sigma, gamma, components = re.search(SETTING, path.name).groups()
    return {
        "n_neighbors": int(neighbours),
        "sigma": float(sigma),
        "gamma": float(gamma),
        "n_pcs": int(components) or None,
    }


def authors_quality(features, settings, path):
    """Loss and quality of the authors' points."""
    settings = PoincareMap().get_params() | settings
    reduced = reducer(features, settings["n_pcs"], 0)(features)
    graph = {key: settings[key] for key in ("n_neighbors", "sigma", "kernel")}
    kernel = accessibilities(forest_of_features(reduced, **graph)[0])
    points = charts.convert(np.loadtxt(path, delimiter=","), "poincare", "hyperboloid")
    loss = symmetric_divergence(kernel, settings["gamma"])(points)[0]
    return {"loss": float(loss)} | along_neighbours(reduced, points, 0)


def embed_ours(name, features, settings):
    """Our measures and seconds."""
    labels = np.arange(len(features)) % 2
    data = Dataset(name, "expression", labels, ("a", "b"), features=features)
    start = time.perf_counter()
    embedded = embed(PoincareMap, data, 0, **settings)
    about = embedded.about["embedding"]
    found = about["distortion"] | {"n_iter": about["n_iter"]}
    return found, time.perf_counter() - start


def branches(n, seed=0):
    """Cells along five noisy branches of a random walk in 50 genes."""
    rng = np.random.default_rng(seed)
    ends = rng.normal(size=(5, 50)) * 4.0
    part = rng.uniform(size=(n, 1))
    return part * ends[rng.integers(0, 5, n)] + 0.3 * rng.normal(size=(n, 50))


def row(name, features, settings, authors):
    """One line of the table."""
    ours, seconds = embed_ours(name, features, settings)
    cells = [name, str(len(features))]
    for measure in MEASURES:
        cells += [f"{found[measure]:.4f}" if found else "" for found in (authors, ours)]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return [*cells, str(ours["n_iter"]), ours["status"], f"{seconds:.1f}", f"{peak:.2f}"]


def main(folder, output=None):
    folder, lines = Path(folder), []
    for name in NAMES:
        features = read_features(folder / f"datasets/{name}.csv")
        (path,) = (folder / "results").glob(f"{name}_MFIsym*.csv")
        settings = read_settings(path)
        lines.append(row(name, features, settings, authors_quality(features, settings, path)))
    lines += [row("branches", branches(n), {}, None) for n in MADE]
    text = "".join("\t".join(line) + "\n" for line in [COLUMNS, *lines])
    if output is None:
        sys.stdout.write(text)
    else:
        Path(output).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
