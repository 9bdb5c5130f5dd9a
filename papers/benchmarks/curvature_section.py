"""papers/benchmarks/curvature.md: all comparisons, from the tables of curvature.py beside it."""

from itertools import product
from textwrap import fill

import numpy as np

from curvature_moved import OPEN
from curvature_tests import (
    ALPHA,
    CHARTS,
    EVERY_DEPTH,
    EVERY_DIMENSION,
    FLOOR,
    METRIC,
    PAIRS,
    ROUTES,
    SURE,
    WIDTH,
    cells_of,
    compare,
    drawn,
    is_flat,
    judged,
    pairs_of,
    standing,
)
from noneuclid_compare.report.tables import isometry_rows
from noneuclid_papers.tables import route_rows

HEAD = "# Does curvature improve accuracy?"


def points(value):
    """A difference in points, with its sign."""
    if not np.isfinite(value):
        return "–"
    text = f"{100 * value:+.1f}".replace("-", "−")
    return "0.0" if float(text[1:]) == 0.0 else text


def markdown(found, head):
    """The comparisons as a table."""
    lines = [
        f"| {head} | n | higher, lower | mean | median | p (Holm) | P(better), P(equal), P(worse) "
        "| smallest detectable difference |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in found.itertuples():
        shares = ", ".join(f"{one:.2f}" for one in (row.better, row.equal, row.worse))
        shares = shares if row.n >= route_rows.FEWEST else "–"
        chance = f"{row.holm:.2g}" if np.isfinite(row.holm) else "–"
        seen = f"{100 * row.seen:.1f}" if np.isfinite(row.seen) else "–"
        lines.append(
            f"| {row.name} | {row.n} | {row.wins}, {row.losses} | {points(row.mean)} "
            f"| {points(row.median)} | {chance} | {shares} | {seen} |"
        )
    return "\n".join(lines)


def verdicts(found, what):
    """One sentence with the outcome of every comparison of a table."""
    parts = []
    for verdict, text in (
        ("higher", "significantly higher in {}"),
        ("lower", "significantly lower in {}"),
        ("equal", "practically equal, with a probability above 95 %, in {}"),
        ("better", "higher by more than one point with a probability above 95 %, in {}"),
        ("worse", "lower by more than one point with a probability above 95 %, in {}"),
        ("open", "undecided in {}"),
    ):
        rows = found[found["verdict"] == verdict]
        names = rows["name"].tolist()
        if names:
            small = verdict in ("higher", "lower") and (rows["equal"] > SURE).all()
            listed = f" ({'; '.join(names)}{'; practically equal, too' if small else ''})"
            listed = "" if verdict in ("equal", "open") else listed
            parts.append(text.format(len(names)) + listed)
    return f"{what} {len(found)} comparisons: " + ", ".join(parts) + "."


def moved_sentences(moved):
    """Which methods depend on isometries, and by how much at the largest distance."""
    far = moved[moved["distance"] == moved["distance"].max()].set_index("method")
    sizes = " and ".join(f"{one:g}" for one in sorted(moved["distance"].unique()))
    same = far.index[far["depends"].isin([isometry_rows.NO, isometry_rows.NEARLY])]
    parts = [
        f"All points were moved by random isometries of distances {sizes}, which change no "
        "hyperbolic distance, and each method was fitted again with the settings chosen before. "
        "Part of a loss may thus be due to settings, such as the width of a kernel, that no longer "
        f"suit the coordinates. The score of {len(same)} of {len(far)} methods is the same within "
        f"0.1 points: {', '.join(sorted(same))}."
    ]
    for depends, words in (
        (isometry_rows.YES, "changes significantly"),
        (OPEN, "changes, but not significantly"),
        (isometry_rows.FAILS, "is missing in some folds, because the method fails there"),
    ):
        found = far[far["depends"] == depends].sort_values("difference")
        names = [f"{name} {points(gap)}" for name, gap in found["difference"].items()]
        if names:
            parts.append(
                f"At distance {far['distance'].iloc[0]:g} the score of {len(names)} {words} "
                f"(mean change in points): {', '.join(names)}."
            )
    return " ".join(parts)


def leader_sentences(table, where):
    """The method with the highest mean against all others and the best of the other kind."""
    order = standing(table).drop(index=FLOOR, errors="ignore")
    scores = table.pivot_table(METRIC, "dataset", "method")[order.index].dropna(axis=1)
    leader, *others = scores.columns
    found = judged(
        [{"second": one, **compare(scores[leader] - scores[one])} for one in others]
    ).set_index("second")
    kind = "flat" if is_flat(leader) else "hyperbolic"
    best = next(one for one in others if is_flat(one) != is_flat(leader))
    row = found.loc[best]
    other = "hyperbolic" if kind == "flat" else "flat"
    chances = " / ".join(f"{row[one]:.2f}" for one in ("better", "equal", "worse"))
    return (
        f"On {where} `{leader}`, a {kind} method, has the highest mean. It is significantly higher "
        f"than {(found['verdict'] == 'higher').sum()} of {len(found)} other methods (Wilcoxon's "
        f"test with Holm's correction). Compared with `{best}`, the {other} method with the "
        f"highest mean, the difference is {points(row['mean'])} points on average and "
        f"{points(row['median'])} in the median ({row['wins']} data sets higher, {row['losses']} "
        f"lower; p = {row['holm']:.2g}; probability that it is above 1 point / less than 1 point / "
        f"below −1 point: {chances})."
    )


def plain_answer(kinds, routed):
    """The answer in one or two sentences without numbers."""
    gaps = []
    for part in kinds.values():
        means = part.pivot_table(METRIC, "dataset", "method").mean()
        flat = np.array([is_flat(method) for method in means.index])
        gaps.append(abs(means[~flat].max() - means[flat].max()))
    size = "less" if max(gaps) < WIDTH else "more"
    start = (
        f"On embedded points the means of the best hyperbolic and the best flat method differ by "
        f"{size} than one point."
    )
    if routed is None:
        return start
    found = cells_of(routed)
    found = found[found["first"].str.startswith("hyperbolic")]
    clear = found["verdict"].isin(["higher", "lower"]).sum()
    rest = "no hyperbolic embedding is significantly better or worse than the best flat one"
    if clear:
        rest = f"hyperbolic embeddings differ significantly in {clear} comparisons"
    return f"{start} From raw data, {rest}."


def other_folds(kinds, other):
    """How far the same league with other inner folds differs, on each of `kinds` of data sets."""
    parts = [
        "**Other inner folds.** The same league was run with other inner folds in the search "
        "(commit 7e02c44, before an intercept of the kernel SVM was corrected; "
        "`papers/benchmarks/curvature_other_folds.tsv`), which shows how much depends on them."
    ]
    for words, table in kinds.items():
        before = other[other["dataset"].isin(table["dataset"])]
        old, new = (one.pivot_table(METRIC, "dataset", "method").mean() for one in (before, table))
        old, change = old.sort_values(ascending=False), (new - old).abs()
        best = {flat: next(m for m in old.index if is_flat(m) == flat) for flat in (True, False)}
        pairs = pairs_of(before)
        found = pairs[pairs["verdict"].isin(["higher", "lower"])]
        names = [f"{r.first} against {r.second} {r.verdict}" for r in found.itertuples()]
        gap = points(old[best[False]] - old[best[True]])
        parts.append(
            f"On {words} the means of the methods differ by up to {100 * change.max():.1f} points "
            f"({100 * change.median():.1f} in the median) between the runs. In the other run "
            f"`{best[True]}` was the flat and `{best[False]}` the hyperbolic method with the "
            f"highest mean (hyperbolic less flat: {gap}), and {len(found)} of {len(pairs)} "
            f"comparisons {'was' if len(found) == 1 else 'were'} significant"
            + (f" ({', '.join(names)})." if names else ".")
        )
    return " ".join(parts)


def route_sentences(routed):
    """Tests of the routes with hyperbolic embeddings, and what they gain and lose."""
    cells = cells_of(routed)
    cells = cells[cells["first"].str.startswith("hyperbolic +")]
    tested = cells[cells["holm"].notna()]
    counts = tested["verdict"].value_counts()
    best = cells[cells["first"] == "hyperbolic + hyperbolic"].set_index("second")
    parts = [
        "From raw data to labels, routes with a hyperbolic embedding are compared with the best "
        f"flat route in {len(tested)} tests: {counts.get('higher', 0)} are significantly better, "
        f"{counts.get('lower', 0)} significantly worse. Hyperbolic embeddings with hyperbolic "
        "classifiers differ"
    ]
    ends = {EVERY_DIMENSION: "with all labels, over all dimensions", EVERY_DEPTH: "on trees"}
    for second, words in ends.items():
        if second in best.index:
            row = best.loc[second]
            parts.append(
                f"by {points(row['mean'])} points on average and {points(row['median'])} in the "
                f"median {words} ({row['n']} data sets, {row['wins']} higher, {row['losses']} "
                f"lower; p = {row['holm']:.2g});"
            )
    return " ".join(parts).rstrip(";") + "."


def by_dimension(table):
    """Mean difference of each hyperbolic method to the best flat one of its kind, by dimension."""
    means = standing(table)[METRIC]
    sizes = sorted(table["dimension"].unique())
    lines = [
        "| pair | " + " | ".join(f"{size:g}-d" for size in sizes) + " |",
        "|---" * (1 + len(sizes)) + "|",
    ]
    rows = []
    for (ours, kind), size in product(PAIRS.items(), sizes):
        flat = means[[f"{kind}_{chart}" for chart in CHARTS]].idxmax()
        part = table[table["dimension"] == size].pivot_table(METRIC, "dataset", "method")
        name = f"{ours} minus {flat}"
        rows.append({"name": name, **compare((part[ours] - part[flat]).dropna())})
    for name, part in judged(rows).groupby("name", sort=False):
        cells = [
            f"{points(row.mean)} ({row.wins}, {row.losses}){'*' * (row.holm < ALPHA)}"
            for row in part.itertuples()
        ]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def scores_of(order):
    """`standing` as a table."""
    heads = "| method | mean | average rank | log loss | calibration error |"
    lines = [heads, "|---|---|---|---|---|"]
    for row in order.itertuples():
        known = (row.log_loss, row.calibration_error)
        texts = [f"{100 * row.balanced_accuracy:.1f}", f"{row.rank:.1f}"]
        texts += ["–" if one != one else f"{one:.3f}" for one in known]
        lines.append(" | ".join([f"| {row.Index}", *texts]) + " |")
    return "\n".join(lines)


def routes_parts(routed):
    """Paragraph and table of the routes; a sentence without them."""
    if routed is None:
        return [
            "**From raw data to labels.** Not measured: `papers/config/curvature.yaml` was not run "
            "to its end."
        ]
    cells = cells_of(routed)
    cells["name"] = cells["first"].map(ROUTES) + ", " + cells["second"]
    parts = [
        "**From raw data to labels.** In each fold a search on training rows chooses embedding, "
        "classifier and settings within each route. Each data set has one random split for each "
        'number of labels; the test set has all other rows, with "all labels" 20 % of them. '
        + verdicts(
            cells,
            "Against the best flat embedding with a flat classifier, by the same tests (none for "
            "five trees of one depth, for which no p is below 0.05), over",
        ),
    ]
    for first, words in ROUTES.items():
        found = cells[cells["first"] == first]
        if len(found):
            parts.append(markdown(found.assign(name=found["second"]), words))
    return [
        *parts,
        "What the tables do not exclude. A data set with smaller classes than the number of labels "
        "is trained on half of each of them. Without an embedding, networks are the 16 leading "
        "eigenvectors of the normalised adjacency matrix. Embeddings and these eigenvectors see "
        "the test rows without their labels; other baselines do not. In this run each candidate of "
        "a route had inner folds of its own (since then they are the same for all, as in "
        "the league above); of equal ones the first in the configuration was chosen. Flat routes "
        "have more candidates: on features in the plane four embeddings, hyperbolic ones two. "
        "Hyperbolic classifiers on flat embeddings were not run.",
    ]


def section(table, routed, moved, runs, other=None):
    """The page with all comparisons."""
    about = "; ".join(
        f"`{row.configuration}`, commit {row.commit}, {row.date}, {row.machine}, {row.jobs} jobs"
        for row in runs.itertuples()
    )
    sets, measured = table["dataset"].nunique(), table[~drawn(table)]
    embedded = len(table[["dataset", "embedding"]].drop_duplicates())
    sizes = ", ".join(f"{size:g}" for size in sorted(table["dimension"].unique()))
    real = measured["dataset"].nunique()
    kinds = {f"all {sets} data sets": table, f"the {real} measured data sets": measured}
    kinds = {words: part for words, part in kinds.items() if len(part)}
    answer = [leader_sentences(part, words) for words, part in kinds.items()]
    answer += [] if routed is None else [route_sentences(routed)]
    parts = [
        HEAD,
        f"**Answer.** {plain_answer(kinds, routed)} {' '.join(answer)}",
        f"**From embedded points to labels.** {sets} data sets, {real} of them measured and the "
        f"others simulated, with {embedded} embeddings in {sizes} dimensions; embeddings of a data "
        "set are averaged first. Simulated data sets of one kind are draws of one generator, so "
        "that tests over all data sets say more about generators than about data. Mean balanced "
        "accuracy (%), average rank by it, and scores of probabilities; – marks methods without "
        "probabilities.",
        scores_of(standing(table)),
    ]
    for words, part in kinds.items():
        pairs = pairs_of(part)
        pairs["name"] = pairs["first"] + " against " + pairs["second"]
        parts += [
            verdicts(
                pairs,
                f"Hyperbolic against flat methods of the same kind on {words}, by "
                "Wilcoxon's test with Holm's correction over",
            ),
            markdown(pairs, "pair"),
        ]
    parts += [
        "Differences are in points. The smallest detectable difference is that which the test "
        "finds with 80 % power before the correction. P: Bayesian signed-rank test with a region "
        "of practical equivalence of one point. QDA and k-NN take no class weights, and wrapped "
        "normals have equal priors, which gives them an advantage over QDA; "
        "`benchmarks/wrapped_normal.tsv` compares both with equal priors.",
        "By dimension: mean difference in points (data sets higher, lower) to the flat method of "
        "the same kind with the highest mean in the first table; * marks p < 0.05 by Wilcoxon's "
        "test with Holm's correction over this table.",
        by_dimension(table),
        *([] if other is None else [other_folds(kinds, other)]),
        f"**Isometries.** {moved_sentences(moved)}",
        *routes_parts(routed),
        f"Runs: {about}. Tables: `papers/benchmarks/curvature_league.tsv`, `curvature_routes.tsv`, "
        "`curvature_isometries.tsv`, `curvature_runs.tsv`. `python papers/benchmarks/curvature.py` "
        "writes this page.",
    ]
    wrapped = [part if part.startswith(("|", "#")) else fill(part, 120) for part in parts]
    return "\n\n".join(wrapped) + "\n"
