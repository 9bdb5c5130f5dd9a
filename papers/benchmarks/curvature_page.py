"""The findings for users, papers/docs/curvature.md and its figure, from the kept tables."""

from textwrap import fill

import numpy as np
import pandas as pd

from curvature_section import points
from curvature_tests import (
    CHARTS,
    EVERY_DEPTH,
    EVERY_DIMENSION,
    FLOOR,
    METRIC,
    PAIRS,
    cells_of,
    drawn,
    is_flat,
    pairs_of,
    standing,
)
from noneuclid_compare.report.tables import isometry_rows

# By hyperbolic method: the classes that it suits, its class, the flat method, its row of costs.
KINDS = {
    "hyperbolic_kernel_svm": (
        "a smooth boundary of any shape", "HyperbolicKernelSVC", "Gaussian SVM",
        "hyperbolic_nystroem",
    ),
    "hyperbolic_logistic": (
        "hyperplanes", "HyperbolicLogisticRegression", "logistic regression", None,
    ),
    "hyperbolic_forest": (
        "pieces parallel to the axes", "HyperbolicRandomForestClassifier", "random forest",
        "hyperbolic_forest",
    ),
    "geodesic_knn": (
        "no rule; neighbours decide", "GeodesicKNeighborsClassifier", "k-NN", "geodesic_knn",
    ),
    "wrapped_normal": (
        "one centre for each class", "WrappedNormalClassifier", "QDA", "wrapped_normal",
    ),
}  # fmt: skip
LANDMARKS = "hyperbolic_nystroem"
LARGE = 1_000_000
MEASURED, DRAWN, FLAT, INK = "#c2410c", "#8fb8de", "#9a9a9a", "#333333"


def rivals(table):
    """Each hyperbolic method with the flat method of its kind that has the highest mean."""
    means = standing(table)[METRIC]
    return {
        ours: means[[f"{flat}_{chart}" for chart in CHARTS]].idxmax()
        for ours, flat in PAIRS.items()
    }


def gaps_of(table):
    """Difference of each hyperbolic method to its rival, in points: data sets × methods."""
    scores = 100 * table.pivot_table(METRIC, "dataset", "method")
    return pd.DataFrame({ours: scores[ours] - scores[flat] for ours, flat in rivals(table).items()})


def moves_of(moved):
    """Change of each method's score at the largest distance of an isometry, in points."""
    far = moved[moved["distance"] == moved["distance"].max()]
    return 100 * far.set_index("method")["difference"]


def best_gap(table):
    """Highest mean of a hyperbolic method less that of a flat one."""
    means = standing(table)[METRIC].drop(FLOOR, errors="ignore")
    flat = np.array([is_flat(method) for method in means.index])
    return means[~flat].max() - means[flat].max()


def flat_name(method, words):
    """Name of a flat method with its chart."""
    chart = method.rpartition("_")[2]
    return f"{words}, {chart.replace('poincare', 'Poincaré').replace('klein', 'Klein')}"


def seconds(costs, name):
    """Processor seconds of a fit to `LARGE` rows, with two digits."""
    rows = costs[(costs["method"] == name) & (costs["rows"] == LARGE)]["seconds"]
    return f"{float(f'{rows.item():.2g}'):g} s" if len(rows) else "–"


def kinds_table(table, moved, costs):
    """The table of the page."""
    measured = table.loc[~drawn(table), "dataset"].unique()
    gaps, moves = gaps_of(table), moves_of(moved)
    gains = gaps.mean(), gaps.loc[sorted(measured)].mean()
    lines = [
        "| classes are separated by | hyperbolic | flat | gain (measured) | moved (flat) | fit |",
        "|---|---|---|---|---|---|",
    ]
    for ours, flat in rivals(table).items():
        where, name, words, cost = KINDS[ours]
        gain, own, move, other = (
            points(value / 100)
            for value in (*(one[ours] for one in gains), moves[ours], moves[flat])
        )
        cost = "–" if cost is None else seconds(costs, cost) + "*" * (cost == LANDMARKS)
        cells = where, f"`{name}`", flat_name(flat, words), f"{gain} ({own})", f"{move} ({other})"
        lines.append(f"| {' | '.join([*cells, cost])} |")
    return "\n".join(lines)


def page(table, routed, moved, costs):
    """The text of papers/docs/curvature.md."""
    measured = table[~drawn(table)]
    count, real = (part["dataset"].nunique() for part in (table, measured))
    gains, (every, own) = gaps_of(table).mean(), (pairs_of(part) for part in (table, measured))
    clear = every["verdict"].isin(["higher", "lower"]).sum()
    equal = (every["equal"] > 0.95).sum()
    open_pairs = (own["verdict"] == "open").sum()
    moves = moves_of(moved)
    flat_moves = moves[[is_flat(name) for name in moves.index]]
    far = moved[moved["distance"] == moved["distance"].max()]
    same = far["depends"].isin([isometry_rows.NO, isometry_rows.NEARLY]).sum()
    cells = cells_of(routed).set_index(["first", "second"])
    ours = cells[cells.index.get_level_values(0).str.startswith("hyperbolic")]
    won, lost = ((ours["verdict"] == word).sum() for word in ("higher", "lower"))
    trees, rows = (
        cells.xs(where, level="second")["mean"] for where in (EVERY_DEPTH, EVERY_DIMENSION)
    )
    sets = cells["n"].xs(EVERY_DIMENSION, level="second").max()
    plain = cells.loc[("original + flat", EVERY_DEPTH)]
    hyperbolic = trees[["hyperbolic + hyperbolic", "hyperbolic + flat"]]
    parts = [
        "# What should I use, and how much does curvature help?",
        f"**Answer.** Choose the method by the shape of the classes. Curvature changes the mean "
        f"balanced accuracy by {points(gains.min() / 100)} to {points(gains.max() / 100)} points "
        f"within a kind of method, and the best hyperbolic method differs from the best flat one "
        f"by {points(best_gap(table))} points ({points(best_gap(measured))} on measured data). Use "
        "a hyperbolic method where the origin of the embedding has no meaning: moving all points "
        f"by an isometry costs flat methods up to {-flat_moves.min():.0f} points and leaves the "
        f"scores of {same} hyperbolic ones unchanged.",
        kinds_table(table, moved, costs),
        f"*Gain*: mean difference of balanced accuracy, hyperbolic less flat, in points, over "
        f"{count} data sets (over the {real} measured ones); flat is the best of Poincaré, Klein "
        "and tangent coordinates. *Moved*: change after an isometry of distance "
        f"{moved['distance'].max():g} (of the flat method). *Fit*: processor time for 10⁶ rows of "
        "60 classes in the plane; * with 200 landmarks, `HyperbolicNystroemClassifier`.",
        f"Of {len(every)} such comparisons (each method, each chart) {clear} are significant "
        f"(Wilcoxon's test with Holm's correction), and {equal} show practical equality (less than "
        f"one point with a probability above 0.95). On measured data alone {open_pairs} are "
        "undecided.",
        "![Gain of curvature on each data set, and change of the score after an isometry]"
        "(curvature.png)",
        "## From raw data to labels",
        f"Try the methods without embedding first. On {sets} data sets the best flat embedding "
        "with a flat classifier was compared with routes through a hyperbolic embedding: "
        f"{won} of {ours['holm'].notna().sum()} tests found these significantly better, {lost} "
        "significantly worse. With all labels, hyperbolic embeddings with hyperbolic classifiers "
        f"differ by {points(rows['hyperbolic + hyperbolic'])} points, no embedding by "
        f"{points(rows['original + flat'])}. On {plain['n']} generated trees hyperbolic embeddings "
        f"differ by {points(hyperbolic.min())} and {points(hyperbolic.max())} points, no embedding "
        f"by {points(plain['mean'])} (p = {plain['holm']:.2g}).",
        "## Which method for which data",
        "\n".join(
            fill(f"- {item}", 120, subsequent_indent="  ")
            for item in (
                "Embedded points whose origin has no meaning: `HyperbolicKernelSVC` or, for many "
                "rows, `HyperbolicNystroemClassifier`.",
                "A hyperplane that is proven optimal: `HyperboloidSVC`, "
                f"{seconds(costs, 'hyperboloid_svm')} on the data of the column *fit*.",
                "Compositions: logistic regression on log-ratios first, then `HilbertSVC`.",
                "A table without hierarchy: a standard classifier.",
            )
        ),
        "`noneuclid run` measures the difference on your own data.",
        "`papers/benchmarks/curvature.md` has all tests. `python papers/benchmarks/curvature.py "
        "write` makes both pages and the figure.",
    ]
    wrapped = [part if part[0] in "|#!-" else fill(part, 120) for part in parts]
    return "\n\n".join(wrapped) + "\n"


def draw(table, moved, path):
    """The figure: gains on each data set, and changes after an isometry."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt
    from matplotlib.lines import Line2D

    gaps, moves, pairs = gaps_of(table), moves_of(moved), rivals(table)
    simulated = table.drop_duplicates("dataset").set_index("dataset")
    simulated = drawn(simulated.reset_index()).set_axis(simulated.index)[gaps.index].to_numpy()
    order = list(pairs)[::-1]
    plt.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(9.2, 3.5), width_ratios=[1.5, 1], sharey=True, layout="constrained"
    )
    rng = np.random.default_rng(0)
    for y, ours in enumerate(order):
        shift = rng.uniform(-0.26, 0.26, len(gaps))
        for part, color, size, level in ((simulated, DRAWN, 14, 2), (~simulated, MEASURED, 18, 3)):
            left.scatter(
                gaps[ours][part], y + shift[part], s=size, color=color, lw=0, alpha=0.85,
                zorder=level,
            )  # fmt: skip
        left.plot([gaps[ours].mean()] * 2, [y - 0.36, y + 0.36], color=INK, lw=2, zorder=4)
        pair = moves[[ours, pairs[ours]]].to_numpy()
        right.plot(pair, [y, y], color="#dddddd", lw=2, zorder=1)
        right.scatter(pair[1], y, s=42, color=FLAT, zorder=2)
        right.scatter(pair[0], y, s=42, color=MEASURED, zorder=3)
    left.set_yticks(range(len(order)), [KINDS[ours][1] for ours in order])
    left.tick_params(axis="y", length=0)
    right.tick_params(axis="y", length=0)
    for axes, words in (
        (left, "gain over the flat method of its kind (points)"),
        (right, f"change after an isometry\nof distance {moved['distance'].max():g} (points)"),
    ):
        axes.axvline(0, color="#bbbbbb", lw=0.8, zorder=0)
        axes.set_xlabel(words)
        axes.spines["left"].set_visible(False)
    mark = {"ls": "", "marker": "o", "ms": 5}
    left.legend(
        handles=[
            Line2D([], [], color=MEASURED, label="measured data set", **mark),
            Line2D([], [], color=DRAWN, label="simulated data set", **mark),
            Line2D([], [], color=INK, lw=2, label="mean of all"),
        ],
        loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, frameon=False, handletextpad=0.4,
        columnspacing=1.2,
    )  # fmt: skip
    right.legend(
        handles=[
            Line2D([], [], color=MEASURED, label="hyperbolic", **mark),
            Line2D([], [], color=FLAT, label="flat", **mark),
        ],
        loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False, handletextpad=0.4,
    )  # fmt: skip
    figure.savefig(path, dpi=160, metadata={"Software": None})
    plt.close(figure)
