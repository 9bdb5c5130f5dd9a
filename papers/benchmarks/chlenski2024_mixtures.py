"""Score of every method on every Gaussian mixture of chlenski2024 (tables 1, 2 and 3).

    PYTHONPATH=benchmarks python papers/benchmarks/chlenski2024_mixtures.py

Points, folds and settings are those of papers/config/chlenski2024.yaml. chlenski2024_mixtures.tsv
has the mean micro-F1 of five folds for each mixture. Mixtures are independent, folds of one are
not, so `noneuclid_papers.claims.chlenski2024` takes its intervals over mixtures.
"""

from pathlib import Path

import pandas as pd
import yaml

from chlenski2024_tables import COLUMNS, CONFIG, scores
from noneuclid_compare.config import configuration

TABLE_1 = ("hyperbolic_tree", "tree", "horosphere_tree",
           "hyperbolic_forest", "forest", "horosphere_forest")  # fmt: skip
TABLES_2_3 = ("logistic", "hyperbolic_logistic", "kernel_svm", "hyperboloid_svm_pgd", "tree_klein",
              "tree_poincare", "tree_tangent", "forest_klein", "forest_poincare",
              "forest_tangent")  # fmt: skip


def main():
    config, rows = configuration.expanded(yaml.safe_load(CONFIG.read_text())), []
    for name, entry in config["datasets"].items():
        if not name.startswith("gaussian"):
            continue
        able = configuration.methods_of(config, name)
        methods = [one for one in (*TABLE_1, *TABLES_2_3) if one in able]
        found = pd.DataFrame(scores(config, name, methods), columns=COLUMNS)
        means = found[found["metric"] == "f1_micro"].groupby("method", sort=False)["value"].mean()
        place = entry["params"]
        at = place["n_features"], place["n_samples"], place["number"]
        rows += [(*at, method, value) for method, value in means.items()]
        print(name, flush=True)
    table = pd.DataFrame(rows, columns=["dimension", "points", "mixture", "method", "f1_micro"])
    path = Path(__file__).with_suffix(".tsv")
    table.to_csv(path, sep="\t", index=False, float_format="%.6g")


if __name__ == "__main__":
    main()
