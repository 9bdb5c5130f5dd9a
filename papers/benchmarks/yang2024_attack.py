"""Robust hyperboloid SVM of yang2024, appendix F: accuracy when held-out points move for the worst.

    PYTHONPATH=benchmarks python papers/benchmarks/yang2024_attack.py [--quick]

Data sets and folds of two classes and methods with C = 10 of papers/config/yang2024_robust.yaml.
A point counts if it is on the right side of the hyperplane, as for `predict`, after every move by
at most the radius in each coordinate of the tangent space at the origin (eq. 26, exactly, not to
first order).
yang2024_attack.tsv has the mean accuracy by scale, method and radius of the attack, its standard
error over seeds, and the processor seconds of all fits. `--quick`: one scale, one seed.
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from sklearn.exceptions import ConvergenceWarning

from noneuclid.solvers.hyperboloid.worst_case import worst_margins
from noneuclid_compare.config import configuration, load_by_name
from noneuclid_compare.data.generators import lifted_gaussians
from noneuclid_compare.evaluation.splits import make_split

HERE = Path(__file__).parent
ATTACKS = (0.0, 0.02, 0.1, 0.3)
SUFFIX = "_C10"


def rows(config, quick=False):
    """Accuracy of each data set, method and radius of the attack."""
    for name, entry in config["datasets"].items():
        params = entry["params"]
        if params["n_classes"] != 2 or (quick and not name.endswith("s1.0_seed01")):
            continue
        data = lifted_gaussians.load({}, int(name[-2:]), **params)
        X, signs = data.features, np.where(data.labels == 1, 1.0, -1.0)
        split = make_split(data.labels, data.class_names, 0, 0, **entry["split"])
        for method in (m for m in config["methods"] if m.endswith(SUFFIX)):
            settings = configuration.method_of(config, method)
            hits, seconds = dict.fromkeys(ATTACKS, 0), 0.0
            for fold in range(entry["split"]["folds"]):
                train, test = split.rows(fold)
                model = load_by_name.build(
                    settings["use"], settings["params"], chart="hyperboloid", random_state=0
                )
                start = time.process_time()
                with warnings.catch_warnings():
                    warnings.filterwarnings("ignore", ".*solver 'pgd'", ConvergenceWarning)
                    model.fit(X[train], data.labels[train])
                seconds += time.process_time() - start
                for radius in ATTACKS:
                    margins = worst_margins(model.coef_[0], X[test], signs[test], radius)
                    # `predict` gives class 0 to a point on the hyperplane.
                    hits[radius] += np.sum((margins > 0) | ((margins == 0) & (signs[test] < 0)))
            for radius, count in hits.items():
                yield params["scale"], method, radius, count / len(X), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    path = HERE.parent / "config/yang2024_robust.yaml"
    config = configuration.expanded(yaml.safe_load(path.read_text()))
    keys = ["scale", "method", "attack"]
    found = pd.DataFrame(rows(config, options.quick), columns=[*keys, "accuracy", "seconds"])
    groups = found.groupby(keys, sort=False)
    table = groups.agg(
        runs=("accuracy", "size"),
        accuracy=("accuracy", "mean"),
        se=("accuracy", "sem"),
        seconds=("seconds", "sum"),
    ).reset_index()
    if not options.quick:
        table.to_csv(HERE / "yang2024_attack.tsv", sep="\t", index=False, float_format="%.5g")
    print(table.pivot_table("accuracy", ["scale", "method"], "attack", sort=False).to_string())


if __name__ == "__main__":
    main()
