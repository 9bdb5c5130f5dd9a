"""Stage random_folds: one method on random folds of rows in groups, with the settings of train.

The folds are a function of the seed of the job (configuration, data set), so all methods and all
embeddings see the same ones. The first repeat is compared.
"""

from dataclasses import fields

import numpy as np

from noneuclid_compare.evaluation import cross_validation, random_folds
from noneuclid_compare.records import Predictions
from noneuclid_compare.stages import trained
from noneuclid_compare.stages.launch import launch
from noneuclid_compare.stages.train import naming, prepare


def main(argv=None):
    """Parse the arguments, read what was trained, fit on random folds, compare, write."""
    args = trained.parser(__doc__).parse_args(argv)
    embedded, split, before, record = trained.read(args)
    n_classes = len(embedded.class_names)
    drawn = random_folds.random_split(split, embedded.labels, args.seed)
    estimator, X, y = prepare(args.method, embedded, record["seed"])
    obstacle = random_folds.obstacle(split, drawn, y)
    if obstacle is not None:
        trained.write(args, scores={}, obstacle=obstacle)
        return
    with naming(args.names):
        parts = [
            cross_validation.refit(estimator, X, y, drawn, k, n_classes, facts["best"])[0]
            for k, facts in enumerate(record["folds"])
        ]
    scores = random_folds.flattery(before, joined(parts), split, n_classes, args.seed)
    trained.write(args, scores=scores)


def joined(parts):
    """Predictions of several folds as one."""
    values = [[getattr(part, item.name) for part in parts] for item in fields(Predictions)]
    return Predictions(*(None if some[0] is None else np.concatenate(some) for some in values))


if __name__ == "__main__":
    launch(main)
