"""Stage isometries: one method on points that isometries moved, with the settings of train.

The isometry of a fold is a function of the seed of the job (configuration, data set, repeat,
distance) and of the fold, so all methods and all embeddings of one dimension see the same one.
"""

import traceback

from noneuclid_compare.evaluation import cross_validation, metrics, moved_points
from noneuclid_compare.stages import trained
from noneuclid_compare.stages.evaluate import fold_of
from noneuclid_compare.stages.launch import launch
from noneuclid_compare.stages.train import prepare


def main(argv=None):
    """Parse the arguments, read what was trained, move, fit and score each fold, write."""
    args = parse(argv)
    embedded, split, before, record = trained.read(args)
    skipped = moved_points.refusal(embedded, args.method["chart"])
    folds = []
    for facts in [] if skipped else record["folds"]:
        part = fold_of(before, facts["fold"])
        folds.append(score(args, embedded, split, part, record["seed"], facts))
    found = {"repeat": args.repeat, "distance": args.distance}
    trained.write(args, **found, skipped=skipped, folds=folds)


def parse(argv):
    """Parse the command line."""
    parser = trained.parser(__doc__)
    parser.add_argument("--repeat", type=int, required=True)
    parser.add_argument("--distance", type=float, required=True, help="in units of 1/sqrt(K)")
    return parser.parse_args(argv)


def score(args, embedded, split, before, seed, facts):
    """Scores of one fold on moved points, or the message with which the method fails there."""
    k = facts["fold"]
    isometry = moved_points.drawn(embedded, args.distance, [args.seed, k])
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
