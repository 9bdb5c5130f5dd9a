"""Table 2 of chlenski2024 with the programs that its appendix names, drawn several times.

    PYTHONPATH=benchmarks python papers/benchmarks/chlenski2024_linear.py
        [--draws 10] [--dimensions 2 4 8 16]

In the authors' notebook the order of the batches and the start of the logits have no seed;
`noneuclid_papers.programs.chlenski2024_linear` has the steps. `trained logit` predicts by the sign
of the only logit that the notebook trains.
chlenski2024_linear.tsv has, for each dimension and program, the printed score, the mean of the
draws over the paper's mixtures of 800 points and its folds, the standard deviation over draws, the
least and the largest.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold

from noneuclid_papers.data import hyperdt_mixtures
from noneuclid_papers.programs.chlenski2024_linear import ReleasedLogistic, ReleasedSVM
from noneuclid_papers.stages import published as stage
from outputs import options_of

HERE = Path(__file__).parent
PROGRAMS = {
    "LinearHSVM": (ReleasedSVM(), "Hyperbolic Support Vector Classifier"),
    "LorentzMLR": (ReleasedLogistic(), "Hyperbolic Logistic Regression"),
    "LorentzMLR, trained logit": (
        ReleasedLogistic(trained_only=True),
        "Hyperbolic Logistic Regression",
    ),
}


def score(model, d, draw):
    """Mean accuracy over ten mixtures and five folds, in %."""
    found = []
    for number in range(10):
        data = hyperdt_mixtures.load({}, 0, n_samples=800, n_features=d, number=number)
        X, y = data.features, np.asarray(data.labels)
        svm = isinstance(model, ReleasedSVM)
        state = (
            {"order": draw, "random_state": number} if svm else {"random_state": 10 * draw + number}
        )
        model.set_params(**state)
        for train, test in KFold(5, shuffle=True, random_state=number).split(X):
            found.append(model.fit(X[train], y[train]).score(X[test], y[test]))
    return 100 * float(np.mean(found))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--dimensions", type=int, nargs="+", default=[2, 4, 8, 16])
    options = options_of(parser, HERE / "chlenski2024_linear.tsv")
    printed = stage.read_words(HERE.parent / "printed/chlenski2024.tsv")
    printed = printed[printed["table"] == "table_2"].set_index(["variant", "method"])["value"]
    rows = []
    for d in options.dimensions:
        for name, (model, method) in PROGRAMS.items():
            found = np.array([score(model, d, draw) for draw in range(options.draws)])
            row = (d, name, float(printed[f"D{d}_n800", method]), len(found), found.mean())
            rows.append((*row, found.std(ddof=1), found.min(), found.max()))
            print(*rows[-1], flush=True)
    columns = ["dimension", "program", "printed", "draws", "mean", "sd", "least", "largest"]
    table = pd.DataFrame(rows, columns=columns)
    if options.output:
        table.to_csv(options.output, sep="\t", index=False, float_format="%.5g")


if __name__ == "__main__":
    main()
