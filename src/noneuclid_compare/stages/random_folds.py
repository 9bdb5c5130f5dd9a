"""Stage random_folds: one method on random folds of rows in groups, with the settings of train.

The folds are a function of the seed of the job (configuration, data set), so all methods and all
embeddings see the same ones. The first repeat is compared.
"""

import argparse
import json
from dataclasses import fields
from pathlib import Path

import numpy as np

from noneuclid_compare import io, provenance
from noneuclid_compare.evaluation import cross_validation, random_folds
from noneuclid_compare.records import Embedded, Predictions, Split
from noneuclid_compare.stages.launch import launch
from noneuclid_compare.stages.train import naming, prepare


def main(argv=None):
    """Parse the arguments, read what was trained, fit on random folds, compare, write."""
    args = parse(argv)
    embedded = io.read_record(args.points, Embedded)
    split = io.read_record(args.split, Split)
    trained = io.read_record(args.trained, Predictions)
    record = io.read_json(args.record)
    n_classes = len(embedded.class_names)
    drawn = random_folds.random_split(split, embedded.labels, args.seed)
    estimator, X, y = prepare(args.method, embedded, record["seed"])
    obstacle = random_folds.obstacle(split, drawn, y)
    if obstacle is None:
        with naming(args.names):
            parts = [
                cross_validation.refit(estimator, X, y, drawn, k, n_classes, facts["best"])[0]
                for k, facts in enumerate(record["folds"])
            ]
        scores = random_folds.flattery(trained, joined(parts), split, n_classes, args.seed)
        result = {"scores": scores}
    else:
        result = {"scores": {}, "obstacle": obstacle}
    dataset, embedding, method = args.names
    found = {
        "dataset": dataset,
        "embedding": embedding,
        "method": method,
        "seed": args.seed,
        "digest": args.code,
        "data_checksum": provenance.checksum(args.points),
        "split_checksum": provenance.checksum(args.split),
    }
    io.write_json(args.output, found | result)


def parse(argv):
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=Path, required=True)
    parser.add_argument("--split", type=Path, required=True)
    parser.add_argument("--trained", type=Path, required=True, help="predictions of train")
    parser.add_argument("--record", type=Path, required=True, help="record of train")
    parser.add_argument("--names", nargs=3, required=True, metavar="NAME")
    parser.add_argument("--method", type=json.loads, required=True, help="JSON")
    parser.add_argument("--seed", type=int, required=True, help="of the random folds")
    parser.add_argument("--code", default="", help="digest of the code, kept in the result")
    parser.add_argument("--output", type=Path, required=True)
    return parser.parse_args(argv)


def joined(parts):
    """Predictions of several folds as one."""
    values = [[getattr(part, item.name) for part in parts] for item in fields(Predictions)]
    return Predictions(*(None if some[0] is None else np.concatenate(some) for some in values))


if __name__ == "__main__":
    launch(main)
