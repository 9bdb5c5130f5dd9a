"""Figures 4 and 9 of pan2023 without the workflow: who separates within the bound.

    PYTHONPATH=benchmarks python papers/benchmarks/pan2023_figures.py

Data sets and methods of papers/config/pan2023_figure_4.yaml, _figure_9.yaml: 100 margins, 5 runs,
5,000 training points and 1,250 new ones. pan2023_figures.tsv has, for each method, the data sets,
those of which every training row is on the right side at the end (`separated`), the least and mean
training accuracy, and the least, mean and largest of the mean accuracies on new points by margin.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from noneuclid_compare.config import configuration, load_by_name
from noneuclid_compare.data.generators import uniform_ball
from noneuclid_compare.records import Embedded
from noneuclid_compare.stages import train

HERE = Path(__file__).parent
FIGURES = (4, 9)
TRAINING = 5000


def fits(figure):
    """Accuracy on training and new points of each data set and method."""
    path = HERE.parent / f"config/pan2023_figure_{figure}.yaml"
    config = configuration.expanded(yaml.safe_load(path.read_text()))
    for number, entry in enumerate(config["datasets"].values()):
        data = uniform_ball.load({}, number, **entry["params"])
        X, y = data.features, data.labels
        points = Embedded(X, data.chart, y, data.class_names, about=data.about)
        for name in config["methods"]:
            method = configuration.method_of(config, name) | {"chart": data.chart}
            settings = train.params_for(method, points)
            model = load_by_name.build(method["use"], settings, chart=data.chart, random_state=0)
            right = model.fit(X[:TRAINING], y[:TRAINING]).predict(X) == y
            parts = right[:TRAINING].mean(), right[TRAINING:].mean()
            yield figure, name, entry["params"]["margin"], *parts


def main():
    rows = [row for figure in FIGURES for row in fits(figure)]
    table = pd.DataFrame(rows, columns=["figure", "method", "margin", "training", "new"])
    found = []
    for (figure, method), part in table.groupby(["figure", "method"], sort=False):
        new = part.groupby("margin")["new"].mean()
        found.append(
            {
                "figure": figure, "method": method, "datasets": len(part),
                "separated": int(np.sum(part["training"] == 1)),
                "training_least": part["training"].min(), "training_mean": part["training"].mean(),
                "new_least": new.min(), "new_mean": new.mean(), "new_largest": new.max(),
            }
        )  # fmt: skip
    table = pd.DataFrame(found)
    table.to_csv(HERE / "pan2023_figures.tsv", sep="\t", index=False, float_format="%.5g")
    print(table.to_string())


if __name__ == "__main__":
    main()
