"""Stage isometries: one method on points that isometries moved, with the settings of train.

The isometry of a fold is a function of the seed of the job (configuration, data set, repeat,
distance) and of the fold, so all methods and all embeddings of one dimension see the same one.
"""

import argparse
import json
import traceback
from pathlib import Path

from noneuclid_compare import io, provenance
from noneuclid_compare.evaluation import cross_validation, metrics, moved_points
from noneuclid_compare.records import Embedded, Predictions, Split
from noneuclid_compare.stages.evaluate import fold_of
from noneuclid_compare.stages.launch import launch
from noneuclid_compare.stages.train import prepare


def main(argv=None):
    """Parse the arguments, read what was trained, move, fit and score each fold, write."""
    args = parse(argv)
    embedded = io.read_record(args.points, Embedded)
    split = io.read_record(args.split, Split)
    trained = io.read_record(args.trained, Predictions)
    record = io.read_json(args.record)
    skipped = moved_points.refusal(embedded, args.method["chart"])
    folds = []
    for facts in [] if skipped else record["folds"]:
        part = fold_of(trained, facts["fold"])
        folds.append(score(args, embedded, split, part, record["seed"], facts))
    dataset, embedding, method = args.names
    found = {
        "dataset": dataset,
        "embedding": embedding,
        "method": method,
        "repeat": args.repeat,
        "distance": args.distance,
        "seed": args.seed,
        "digest": args.code,
        "data_checksum": provenance.checksum(args.points),
        "split_checksum": provenance.checksum(args.split),
        "skipped": skipped,
        "folds": folds,
    }
    io.write_json(args.output, found)


def parse(argv):
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=Path, required=True)
    parser.add_argument("--split", type=Path, required=True)
    parser.add_argument("--trained", type=Path, required=True, help="predictions of train")
    parser.add_argument("--record", type=Path, required=True, help="record of train")
    parser.add_argument("--names", nargs=3, required=True, metavar="NAME")
    parser.add_argument("--method", type=json.loads, required=True, help="JSON")
    parser.add_argument("--repeat", type=int, required=True)
    parser.add_argument("--distance", type=float, required=True, help="in units of 1/sqrt(K)")
    parser.add_argument("--seed", type=int, required=True, help="of the isometries")
    parser.add_argument("--code", default="", help="digest of the code, kept in the result")
    parser.add_argument("--output", type=Path, required=True)
    return parser.parse_args(argv)


def score(args, embedded, split, before, seed, facts):
    """Scores of one fold on moved points, or the message with which the method fails there."""
    k = facts["fold"]
    isometry = moved_points.random_isometry(embedded.dimension, args.distance, [args.seed, k])
    moved = moved_points.moved(embedded, isometry)
    found = {
        "fold": k,
        "test_rows": facts["test_rows"],
        "farthest": moved_points.farthest(moved),
        "farthest_before": moved_points.farthest(embedded),
        "failure": "",
    }
    try:
        estimator, X, y = prepare(args.method, moved, seed)
        n_classes = len(embedded.class_names)
        after, fit = cross_validation.refit(estimator, X, y, split, k, n_classes, facts["best"])
        found["scores"] = metrics.evaluate(after, n_classes)
    except MemoryError:
        raise
    except Exception as error:
        # A result: the method does not work on these points. The log has the traceback.
        traceback.print_exc()
        return found | {"failure": " ".join(str(error).split()) or type(error).__name__}
    return found | {
        "changed_rows": moved_points.changed(before, after),
        "fit_seconds": fit["fit_seconds"],
    }


if __name__ == "__main__":
    launch(main)
