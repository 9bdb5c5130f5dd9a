"""Stage illustrate: the figures of one section of the page, drawn by the module of its entry."""

import argparse
import json
from hashlib import sha256
from pathlib import Path

from noneuclid import io, registry
from noneuclid.contracts import Embedded
from noneuclid.reporting import figures
from noneuclid.stages.launch import launch


def main(argv=None):
    """Parse the arguments, read what the entry names, draw, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entry", type=json.loads, required=True, help="JSON: the configuration's")
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--figures", type=Path, required=True, help="folder of the figures")
    parser.add_argument("--texts", type=Path, required=True, help="JSON of titles and captions")
    args = parser.parse_args(argv)

    module, entry, results = args.entry["module"], args.entry, args.results
    points = {
        name: io.read_record(results / f"embed/{name}.npz", Embedded)
        for name in entry.get("points", [])
    }
    models = {
        name: io.read_model(results / f"models/{name}.skops", trusted=["noneuclid."])
        for name in entry.get("models", [])
    }
    scores = None
    if entry.get("scores", False):
        scores = io.read_table(results / "evaluate/scores.parquet")
    drawn = registry.load(f"{module}.draw")(points, models, entry.get("settings", {}), scores)
    texts = [write(args.figures, name, *shown) for name, shown in drawn.items()]
    head = {key: registry.load(f"{module}.{key.upper()}") for key in ("title", "intro")}
    io.write_json(args.texts, head | {"figures": texts})


def write(folder, name, figure, caption, data=None):
    """Write a figure and its data; return what the page says of them."""
    contents = {format: figures.to_bytes(figure, format) for format in figures.FORMATS}
    for format, content in contents.items():
        io.write_bytes(folder / f"{name}.{format}", content)
    if data is not None:
        io.write_table(folder / f"{name}.tsv", data)
    formats = [*contents, *([] if data is None else ["tsv"])]
    # The checksum makes another picture another file of texts, which is all the page waits for.
    checksum = sha256(contents["svg"]).hexdigest()
    return {"name": name, "text": caption, "formats": formats, "checksum": checksum}


if __name__ == "__main__":
    launch(main)
