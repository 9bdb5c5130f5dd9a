"""WordNet's nouns in a package, and the binary tasks of table 5 of chlenski2024 built from them.

    apt-get download wordnet-base && dpkg-deb -x wordnet-base_*.deb FOLDER
    python benchmarks/wordnet_nouns.py FOLDER/usr/share/wordnet/data.noun [--embed FILES]

Counts nouns, hypernyms and pairs of the closure, and the nouns below the eight concepts of the
binary tasks. notebooks/archive/33_wordnet.ipynb of pchlenski/hyperdt prints the same numbers for
the authors' file, except for one noun less in all and two less below group. `constant` is the
accuracy of the commoner class on all nouns, beside the least and the largest micro-F1 that table 5
prints for the task. Writes wordnet_nouns.tsv.

`--embed` also writes a Poincaré embedding of the closure in the plane by `PoincareEmbedding`, as
vecs.npy (14 minutes of one core), and the labels of each task, as animal_labels.npy and so
on, in the order of the nouns in the file. papers/config/chlenski2024_wordnet.yaml reads them.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse as sp

from noneuclid import PoincareEmbedding

HERE = Path(__file__).parent
EPOCHS = 100
# Noun number of each concept in WordNet 3.0 (first senses; occupation is work, tree the plant,
# solid the state of matter).
CONCEPTS = {
    "animal": "00015388",
    "group": "00031264",
    "mammal": "01861778",
    "occupation": "00582388",
    "rodent": "02329401",
    "solid": "15046900",
    "tree": "13104059",
    "worker": "09632518",
}


def hypernyms(path):
    """First word of each noun, and the numbers of its hypernyms."""
    words, above = {}, {}
    for line in path.read_text(encoding="latin-1").splitlines():
        if line.startswith(" "):  # licence
            continue
        number, _, _, count, *rest = line.split("|")[0].split()
        rest = rest[2 * int(count, 16) :]
        pointers = [rest[1 + 4 * i : 5 + 4 * i] for i in range(int(rest[0]))]
        words[number] = line.split()[4]
        above[number] = [to for sign, to, part, _ in pointers if sign[0] == "@" and part == "n"]
    return words, above


def closure(above):
    """All ancestors of each noun."""
    found = {}

    def ancestors(number):
        if number not in found:
            parts = [{parent} | ancestors(parent) for parent in above[number]]
            found[number] = set().union(*parts)
        return found[number]

    for number in above:
        ancestors(number)
    return {number: found[number] for number in above}


def graph(ancestors):
    """Adjacency of each noun to all of its ancestors, nouns in the order of the file."""
    place = {number: i for i, number in enumerate(ancestors)}
    pairs = [(place[n], place[a]) for n, found in ancestors.items() for a in found]
    below, above = np.array(pairs).T
    size = len(place), len(place)
    upper = sp.coo_array((np.ones(len(pairs)), (below, above)), shape=size).tocsr()
    return upper + upper.T


def write_files(ancestors, folder):
    """The embedding and the labels of each task."""
    folder.mkdir(parents=True, exist_ok=True)
    model = PoincareEmbedding(2, max_iter=EPOCHS, random_state=0)
    np.save(folder / "vecs.npy", model.fit_transform(graph(ancestors)))
    print(f"PoincareEmbedding: {model.report_}")
    for name, number in CONCEPTS.items():
        labels = [number in found for found in ancestors.values()]
        np.save(folder / f"{name}_labels.npy", np.array(labels, dtype=int))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("nouns", type=Path, metavar="FILE")
    parser.add_argument("--embed", type=Path, metavar="FILES")
    options = parser.parse_args()
    words, above = hypernyms(options.nouns)
    ancestors = closure(above)
    pairs = sum(map(len, ancestors.values()))
    print(f"{len(words)} nouns, {sum(map(len, above.values()))} hypernyms, {pairs} pairs")
    printed = pd.read_csv(HERE.parent / "papers/printed/chlenski2024.tsv", sep="\t")
    printed = printed[(printed["table"] == "table_5")].groupby("dataset")["value"]
    rows = []
    for name, number in CONCEPTS.items():
        assert words[number] == name
        below = sum(number in found for found in ancestors.values())
        scores = printed.get_group(f"WordNet {name}")
        rows.append(
            {
                "task": name, "nouns": len(words), "pairs": pairs, "below": below,
                "constant": 100 * max(below, len(words) - below) / len(words),
                "printed_least": float(scores.min()), "printed_largest": float(scores.max()),
            }
        )  # fmt: skip
    table = pd.DataFrame(rows)
    table.to_csv(HERE / "wordnet_nouns.tsv", sep="\t", index=False, float_format="%.2f")
    print(table.to_string())
    if options.embed:
        write_files(ancestors, options.embed)


if __name__ == "__main__":
    main()
