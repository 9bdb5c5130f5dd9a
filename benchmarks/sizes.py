"""Sizes of the data sets of all configurations that no settings tell: resources/sizes.tsv.

    NONEUCLID_MIRROR=FOLDER python benchmarks/sizes.py

Every such data set is loaded as the stage acquire does, files from the mirror; one with a file that
`resources/sources.tsv` does not name is the user's own and left out. Where the mirror lacks a file,
the present row stays.
"""

import os
from pathlib import Path

import yaml

from noneuclid_compare.config import configuration, dataset_sizes, load_by_name, registry
from noneuclid_compare.data.downloads import read_sources

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "resources/sizes.tsv"


def entries():
    """Data sets that need a row, by `sizes.key_of`."""
    known = read_sources(ROOT / "resources/sources.tsv")
    found = {}
    for path in sorted((ROOT / "config").glob("**/*.yaml")):
        config = configuration.expanded(yaml.safe_load(path.read_text()))
        for entry in config["datasets"].values():
            fetched = all(file in known for file in entry.get("files", {}).values())
            if fetched and dataset_sizes.of_generator(entry) is None:
                found.setdefault(dataset_sizes.key_of(entry), entry)
    return found


def main():
    mirror = Path(os.environ["NONEUCLID_MIRROR"])
    lines = TABLE.read_text().splitlines()
    present = {tuple(line.split("\t")[:2]): line for line in lines[1:]}
    del lines[1:]
    for (loader, data), entry in sorted(entries().items()):
        files = {role: mirror / path for role, path in entry.get("files", {}).items()}
        missing = [str(path) for path in files.values() if not path.is_file()]
        if missing:
            row = present.get((loader, data))
            print(f"{', '.join(missing)} is missing: {'row kept' if row else 'no row'}")
            lines += [row] if row else []
            continue
        found = dataset_sizes.of_dataset(
            load_by_name.call(registry.path_of(loader, "load"), files, 0, **entry.get("params", {}))
        )
        lines.append(f"{loader}\t{data}\t{found.n}\t{found.d}\t{found.classes}")
        print(lines[-1], flush=True)
    TABLE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
