"""Stage link_prediction: embeddings of a network from which edges were held out, and their scores.

The edges of a repeat are a function of the seed of the job, so all scores see the same ones.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path

from noneuclid.errors import InputError, MissingPackage
from noneuclid_compare import io, provenance
from noneuclid_compare.config import registry, transformers
from noneuclid_compare.evaluation import link_prediction
from noneuclid_compare.records import Dataset
from noneuclid_compare.stages.launch import launch


def main(argv=None):
    """Parse the arguments, hold out edges, embed the others, score pairs of nodes, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", type=Path, required=True)
    parser.add_argument("--name", required=True, help="name of the data set")
    parser.add_argument("--embeddings", type=json.loads, required=True, help="JSON, see `run`")
    parser.add_argument("--repeat", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True, help="of the edges")
    parser.add_argument("--code", default="", help="digest of the code, kept in the result")
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args(argv)

    dataset = io.read_record(args.dataset, Dataset)
    try:
        found = run(dataset, args.embeddings, args.seed)
    except (InputError, MissingPackage) as error:
        raise InputError(f"data set {args.name}: {error}") from error
    found |= {"dataset": args.name, "repeat": args.repeat, "seed": args.seed, "digest": args.code}
    io.write_json(args.output, found | {"data_checksum": provenance.checksum(args.dataset)})


def run(dataset, embeddings, seed):
    """Numbers of edges, and the accuracy of each embedding and of scores of the edges alone.

    `embeddings` maps a name to `use`, `params` and `seed`, those of the stage embed.
    """
    if dataset.kind != "graph":
        raise InputError(
            f"link_prediction is for networks, and this has kind {dataset.kind!r}; leave it out"
        )
    held = link_prediction.hold_out(dataset.edges, dataset.n, seed)
    edges = dataset.edges[held.training]
    weights = None if dataset.weights is None else dataset.weights[held.training]
    training = replace(dataset, edges=edges, weights=weights)
    points = {}
    for name, entry in embeddings.items():
        path = registry.path_of(entry["use"], "embed")
        embedded = transformers.embed(path, training, entry["seed"], **entry["params"])
        points[name] = link_prediction.of_points(embedded, held.pairs)
    plain = link_prediction.of_edges(edges, dataset.n, held.pairs)
    return {
        "training_edges": len(edges),
        "held_out_edges": int(held.joined.sum()),
        "embeddings": {k: link_prediction.accuracy(v, held.joined) for k, v in points.items()},
        "edges": {k: link_prediction.accuracy(v, held.joined) for k, v in plain.items()},
    }


if __name__ == "__main__":
    launch(main)
