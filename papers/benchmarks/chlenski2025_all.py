"""Methods of noneuclid and scikit-learn against all of chlenski2025 on 48 of its 57 tasks.

    PYTHONPATH=benchmarks python papers/benchmarks/chlenski2025_all.py --points POINTS
        --scores FOLDER [--only-ranks]

POINTS is the folder that `chlenski2025_mixtures.py` wrote, which says what is paired; FOLDER is
`data/results_icml` of pchlenski/manify at 2f640d7. Needs the folder manify of the papers' data for
the labels of cora and citeseer, and reads chlenski2025_mixtures.tsv. A run (20 minutes) continues
chlenski2025_trials.tsv, one line for each task, trial (0 to 4) and method: remove it to start anew.

`product forest` and `forest` have 100 full trees, `their settings` 12 of depth 5. `product kernel`
is `ProductKernelSVC` with its defaults, and for numbers a Gaussian process that learns scale and
noise. `tuned`: C and scale of a support vector machine, or the penalty and scale of kernel ridge
regression, chosen in three folds of the training rows; `Gaussian kernel` is that on standardised
columns with the same grid, where scale 2 is the default of scikit-learn.

chlenski2025_all.tsv has the mean of each task and method, accuracy in % or root mean squared error:
`stored` means of the authors' scores, `rerun` their methods on our points, and `ours`. Tasks
`repaired` have the labels of the nodes, so no stored scores.

chlenski2025_ranks.tsv has mean ranks over the tasks of a group, among all methods that have every
task of the group, with a 95 % interval (bootstrap over tasks). `against` says which scores of the
authors' methods take part: `stored` (other draws of the mixtures, so not paired), `rerun` (paired,
on the trials that were run again), or none (`ours`, paired on all trials). `gap` is the mean lead
over their product forest, in points of accuracy or, for numbers, in % of its error, and `ahead` the
share of tasks with a better mean than all of theirs; in `ours` both are relative to our forest with
their settings. Cora and citeseer have the labels as shipped, and in `ours` those of the nodes.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import noneuclid as ne
from noneuclid_papers.data.chlenski2025_points import labels_of, on_space
from outputs import options_of, paper_file

TABLE = Path(__file__).with_suffix(".tsv")
EACH, RANKS, RERUN = (
    TABLE.with_name(f"chlenski2025_{name}.tsv") for name in ("trials", "ranks", "mixtures")
)
REPAIRED = ("cora", "citeseer")
TRIALS, SEED, DRAWS = 5, 0, 2000
SCALES, WEIGHTS, PENALTIES = (1.0, 2.0, 4.0), (0.5, 2.0, 8.0), (0.1, 0.4, 1.6)
SMALL = {"n_estimators": 12, "max_depth": 5, "random_state": SEED}
FULL = {"n_estimators": 100, "random_state": SEED}
CLASSES = {
    "product forest": lambda space: ne.ProductRandomForestClassifier(space=space, **FULL),
    "product forest, their settings": lambda space: ne.ProductRandomForestClassifier(
        space=space, **SMALL
    ),
    "product kernel": lambda space: ne.ProductKernelSVC(space, calibration=None),
    "product k-NN": lambda space: ne.GeodesicKNeighborsClassifier(space=space),
    "wrapped normal": lambda space: ne.WrappedNormalClassifier(space=space),
    "forest": lambda _: RandomForestClassifier(**FULL),
}
NUMBERS = {
    "product forest": lambda space: ne.ProductRandomForestRegressor(space=space, **FULL),
    "product forest, their settings": lambda space: ne.ProductRandomForestRegressor(
        space=space, **SMALL
    ),
    "product k-NN": lambda space: ne.GeodesicKNeighborsRegressor(space=space),
    "forest": lambda _: RandomForestRegressor(**FULL),
}
THEIRS = (
    "sklearn_dt", "sklearn_rf", "product_dt", "product_rf", "tangent_dt", "tangent_rf", "knn",
    "ps_perceptron", "ambient_mlp", "ambient_gnn", "kappa_gcn", "product_mlr",
)  # fmt: skip
BASE = (("theirs", "product_rf"), ("ours", "product forest, their settings"))
KEYS = ["task", "kind", "group", "signature", "trial"]


def product_gram(space, X, new):
    """The kernel of scale 1 between training rows, and from new rows to them."""
    kernel = ne.ProductKernel(space, "laplace").with_mean_of(X)
    return kernel(X), kernel(new, X)


def gaussian_gram(_, X, new):
    """The Gaussian kernel of standardised columns, exp(-1) at the mean squared distance."""
    scaler = StandardScaler().fit(X)
    X, new = scaler.transform(X), scaler.transform(new)
    mean = 2 * X.var(axis=0).sum()
    return tuple(np.exp(-((rows[:, None] - X) ** 2).sum(axis=2) / mean) for rows in (X, new))


def tuned(gram, y, classes):
    """Estimator for a precomputed kernel and scale, by three folds of the training rows."""
    if classes:
        folds = StratifiedKFold(3, shuffle=True, random_state=SEED)
        models = [SVC(C=C, kernel="precomputed") for C in WEIGHTS]
    else:
        folds = KFold(3, shuffle=True, random_state=SEED)
        models = [KernelRidge(alpha=alpha, kernel="precomputed") for alpha in PENALTIES]
    parts = list(folds.split(gram, y))
    best = (-np.inf, None, None)
    for scale in SCALES:
        powers = gram**scale
        for model in models:
            found = np.mean(
                [
                    model.fit(powers[np.ix_(a, a)], y[a]).score(powers[np.ix_(b, a)], y[b])
                    for a, b in parts
                ]
            )
            best = max(best, (found, model, scale), key=lambda entry: entry[0])
    return best[1:]


def by_kernel(gram, space, X, y, new, classes):
    """Predictions of the tuned kernel method."""
    near, far = gram(space, X, new)
    centre = 0 if classes else y.mean()
    model, scale = tuned(near, y - centre, classes)
    if classes and gram is product_gram:
        return (
            ne.ProductKernelSVC(space, C=model.C, scale=scale, calibration=None)
            .fit(X, y)
            .predict(new)
        )
    return model.fit(near**scale, y - centre).predict(far**scale) + centre


def process(space, X, y, new):
    """Predictions of a Gaussian process that learns scale and noise."""
    kernel = ne.ProductKernel(space, "laplace").with_mean_of(X) + WhiteKernel()
    model = GaussianProcessRegressor(kernel, normalize_y=True)
    return model.fit(X, y).predict(new)


def results(space, X, new, y, truth, classes):
    """Accuracy or root mean squared error of each method."""
    found = {
        name: make(space).fit(X, y).predict(new)
        for name, make in (CLASSES if classes else NUMBERS).items()
    }
    if not classes:
        found["product kernel"] = process(space, X, y, new)
    for name, gram in (("product", product_gram), ("Gaussian", gaussian_gram)):
        found[f"{name} kernel, tuned"] = by_kernel(gram, space, X, y, new, classes)
    return {name: score(guess, truth, classes) for name, guess in found.items()}


def score(guess, truth, classes):
    """Accuracy in %, or the root mean squared error."""
    return 100 * np.mean(guess == truth) if classes else np.sqrt(np.mean((guess - truth) ** 2))


def cases(folder, trials, done):
    """Task, kind, group, signature, trial and split of the files that are not done."""
    for trial in range(trials):
        for path in sorted(folder.glob(f"*_{trial}.npz")):
            given = np.load(path)
            task, kind, group, signature = (str(given[key]) for key in KEYS[:4])
            names = [task, f"{task} repaired"] if task in REPAIRED else [task]
            for name in names:
                if (name, trial) in done:
                    continue
                X, new = (on_space(given[part], signature) for part in ("X_train", "X_test"))
                labels = given["y_train"], given["y_test"]
                if name != task:
                    graph = paper_file("manify", "graphs", task)
                    ends = {"graph": "edges", "labels": "node_labels"}
                    files = {key: graph / f"{task}.{end}" for key, end in ends.items()}
                    labels = labels_of(given, files)
                y, truth = (np.asarray(part, dtype=float) for part in labels)
                yield (name, kind, group, signature, trial), (signature, X, new, y, truth)


def stored(folder):
    """The authors' scores: task, method, score of each trial."""
    lines = []
    for name, kind, key in (
        ("classification_single_curvature", "C", lambda row: f"C K={row.curvature:g}"),
        ("regression_single_curvature", "R", lambda row: f"R K={row.curvature:g}"),
        ("classification_signature", "C", lambda row: f"C {row.signature}"),
        ("regression_signature", "R", lambda row: f"R {row.signature}"),
        ("graph_classification", "C", lambda row: row.embedding),
        ("graph_regression", "R", lambda row: row.embedding),
        ("vae", "C", lambda row: row.embedding),
        ("all_nn_empirical", "R", lambda row: row.dataset),
    ):
        table = pd.read_csv(folder / f"{name}.tsv", sep="\t")
        ending, scale = ("accuracy", 100) if kind == "C" else ("rmse", 1)
        for row in table.itertuples():
            values = {method: getattr(row, f"{method}_{ending}", np.nan) for method in THEIRS}
            lines += [(key(row), method, scale * value) for method, value in values.items()]
    return pd.DataFrame(lines, columns=["task", "method", "score"]).dropna()


def means(each, folder):
    """A line for each task, source and method."""
    of_task = each.drop_duplicates("task").set_index("task")[KEYS[1:4]]
    rerun = pd.read_csv(RERUN, sep="\t").assign(source="rerun")
    classes = rerun["task"].map(of_task["kind"]) == "C"
    rerun["score"] *= np.where(classes, 100, 1)
    parts = [stored(folder).assign(source="stored"), each.assign(source="ours"), rerun]
    table = pd.concat(parts)[["task", "source", "method", "score"]]
    table = table[table["task"].isin(of_task.index)]
    found = table.groupby(["task", "source", "method"])["score"].agg(["count", "mean", "sem"])
    found = found.set_axis(["trials", "mean", "standard_error"], axis=1).reset_index()
    return of_task.reset_index().merge(found, on="task")


def rank_lines(table, kinds, groups, against):
    """Mean ranks of a group of tasks."""
    part = table[table["kind"].isin(kinds) & table["group"].isin(groups)]
    left_out = part["task"].str.endswith("repaired")
    if against == "ours":
        left_out = part["task"].isin(REPAIRED)
    part = part[part["source"].isin(["ours", against]) & ~left_out]
    part = part.assign(name=part["source"].where(part["source"] == "ours", "theirs"))
    wide = part.pivot(index=["task", "kind"], columns=["name", "method"], values="mean")
    if against != "ours":
        if "theirs" not in wide:
            return
        wide = wide[wide["theirs"].notna().any(axis=1)]
    wide = wide.dropna(axis=1)
    sign = np.where(wide.index.get_level_values("kind") == "C", 1, -1)
    signed = wide.mul(sign, axis=0)
    ranks = signed.rank(axis=1, ascending=False)
    base = signed[BASE[against == "ours"]]
    lead = signed.sub(base, axis=0).mul(np.where(sign > 0, 1, 100 / base.abs()), axis=0)
    best = signed["theirs"].max(axis=1) if against != "ours" else base
    ahead = signed.gt(best, axis=0)
    draws = np.random.default_rng(SEED).integers(len(wide), size=(DRAWS, len(wide)))
    for column in wide:
        line = {"tasks": len(wide), "methods": wide.shape[1], "source": column[0]}
        line |= {"method": column[1], "ahead": ahead[column].mean()}
        for name, values in (("rank", ranks[column]), ("gap", lead[column])):
            spread = values.to_numpy()[draws].mean(axis=1)
            low, high = np.quantile(spread, (0.025, 0.975))
            line |= {name: values.mean(), f"{name}_low": low, f"{name}_high": high}
        yield line


def ranks_of(each, folder):
    """Mean ranks of all groups of tasks; `rerun` on the trials that were run again."""
    every, lines = ("single", "multi", "real"), []
    for against in ("stored", "ours", "rerun"):
        if against == "rerun":
            again = pd.read_csv(RERUN, sep="\t")[["task", "trial"]].drop_duplicates()
            each = each.merge(again, on=["task", "trial"])
        table = means(each, folder)
        for name, kinds, groups in (
            ("all", "CR", every),
            ("classification", "C", every),
            ("regression", "R", every),
            ("single curvature", "CR", ("single",)),
            ("multi curvature", "CR", ("multi",)),
            ("real data", "CR", ("real",)),
            ("real data, classification", "C", ("real",)),
        ):
            if len(part := pd.DataFrame(rank_lines(table, list(kinds), groups, against))):
                part.insert(0, "group", name)
                lines.append(part.assign(against=against).sort_values("rank"))
    return pd.concat(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=Path, required=True, metavar="POINTS")
    parser.add_argument("--scores", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--only-ranks", action="store_true", help="of the trials that are here")
    options = options_of(parser, TABLE, chosen=("points", "scores", "only_ranks"))
    each = pd.read_csv(EACH, sep="\t") if EACH.exists() else pd.DataFrame(columns=KEYS)
    done = set(zip(each["task"], each["trial"], strict=True))
    for case, split in [] if options.only_ranks else cases(options.points, TRIALS, done):
        found = results(*split, classes=case[1] == "C")
        lines = pd.DataFrame(
            [(*case, *item) for item in found.items()], columns=[*KEYS, "method", "score"]
        )
        lines.to_csv(
            EACH, sep="\t", mode="a", index=False, header=not EACH.exists(), float_format="%.5g"
        )
        print(*case, *(f"{value:.3g}" for value in found.values()), flush=True)
    if options.output:
        each = pd.read_csv(EACH, sep="\t")
        table = means(each, options.scores)
        table.to_csv(options.output, sep="\t", index=False, float_format="%.5g")
        ranks_of(each, options.scores).to_csv(RANKS, sep="\t", index=False, float_format="%.4g")


if __name__ == "__main__":
    main()
