"""Numbers in docs/findings.md about the papers, from the kept tables."""

from math import comb

import numpy as np
import pandas as pd
import pytest
from findings_text import FINDINGS, PAPERS, bench, plain, rows_of_table, stated
from paper_mirror import ROOT
from scipy.stats import t as student

from noneuclid_papers.printed import reproduction_status
from noneuclid_papers.statistics import studies


def test_the_table_of_papers_counts_the_kept_words(cells):
    counted = {}
    for paper in PAPERS:
        status = cells[cells["paper"] == paper]["status"]
        counts = [(status == word).sum() for word in reproduction_status.JUDGED]
        rest = [
            (status == word).sum()
            for word in (reproduction_status.NOT_JUDGED, reproduction_status.NOT_RUN)
        ]
        compared = status.isin(reproduction_status.COMPARED).sum()
        counted[paper] = [sum(counts), *counts, compared, *rest, (status == "no data").sum()]
    counted["all"] = np.sum(list(counted.values()), axis=0).tolist()
    assert rows_of_table("| paper | judged | exact") == counted
    numbers = stated(
        r"of (\d+) judged numbers, (\d+) are exact, (\d+) close and (\d+) reproduced"
        r" by imitation of a fault or setting; (\d+) differ with a hypothesis as the only"
        r" reason, and (\d+) differ",
        (ROOT / "docs/cite.md").read_text(),
    )
    assert list(map(int, numbers)) == counted["all"][:6]


def test_the_table_before_adds_up():
    rows = rows_of_table("| paper | judged before").values()
    assert all(row[0] == sum(row[1:]) for row in rows)
    sums = stated(
        r"before these definitions were adopted, (\d+) numbers were judged: (\d+) \S+ noise\", "
        r"(\d+) \"explained\", (\d+) \"outside\"",
        FINDINGS.lower(),
    )
    assert [int(x) for x in sums] == np.sum(list(rows), axis=0).tolist()


def test_times_of_the_moment_relaxation(cells):
    times = cells[(cells["unit"] == "s") & (cells["method"] == "Moment")]
    ratios = (times["published"] / times["ours"]).dropna()
    text = stated(r"moment relaxation are (\d+) to (\d+) times ours")
    assert text == (f"{ratios.min():.0f}", f"{ratios.max():.0f}")
    one = times[times["variant"] == "one-vs-one, one fold"].set_index("dataset")
    pairs = one.loc[["paul", "cifar", "fashion-mnist"], ["ours", "published"]].to_numpy().ravel()
    assert stated(
        r"of paul take (\d+) s \(paper: ([\d,]+) s\), the 45 of CIFAR10 (\d+) s \(([\d,]+) s\),"
        r" Fashion-MNIST (\d+) s \(([\d,]+) s\)"
    ) == tuple(f"{x:,.0f}" for x in pairs)
    (c,) = stated(r"mean of five folds, C = (\d+)\); theirs are of another machine")
    ours = times.dropna(subset="ours")
    assert set(ours["our_method"].str.rpartition("_C")[2]) == {c}
    tables = stated(r"`papers/config/yang2024.yaml`, tables (\d+) and (\d+); `python benchmarks/h")
    assert {f"table_{number}" for number in tables} == set(ours["table"])
    named = times["dataset"].isin(["paul", "cifar", "fashion-mnist"])
    named &= times["variant"] == "one-vs-one, one fold"
    (most,) = stated(r"MNIST \d+ s \([\d,]+ s\), and all others at most (\d+) s")
    assert int(most) == np.ceil(times["ours"][~named].max())
    # One-vs-rest has a problem for each class, one-vs-one for each pair.
    paul = bench("hyperboloid_svm_tables").query("set == 'paul' and solver == 'optimal'").iloc[0]
    images = bench("hyperboloid_svm_images").set_index("set")["pairs"]
    counts = stated(r"The (\d+) problems of paul take \d+ s [^;]*?, the (\d+) of CIFAR10")
    assert counts == (str(comb(paul["problems"] // paul["folds"], 2)), str(images["cifar"]))


def test_p_values_and_times(cells):
    p, times = (cells[cells[k] == v]["status"] for k, v in (("metric", "p_value"), ("unit", "s")))
    for pattern, status in (
        (r"Of (\d+) p-values, (\d+) are on the same side of 0.05, (\d+) of them", p),
        (
            r"Of (\d+) ratios of times to the first method of the same row, (\d+) name the same"
            r" faster method, (\d+) of them",
            times,
        ),
    ):
        alike, near = (
            (status == reproduction_status.ALIKE).sum(),
            (status == reproduction_status.SAME_SIDE).sum(),
        )
        total = status.isin(reproduction_status.COMPARED).sum()
        assert stated(pattern) == (str(total), str(alike + near), str(alike))


# The moment relaxation as published takes too long on these.
UNBOUNDED = ["krumsiek", "moignard", "paul", "cifar", "fashion-mnist"]


def test_every_kept_number_has_the_commit_of_its_run(cells):
    assert "unknown" not in set(cells.loc[cells["ours"].notna(), "commit"])


def test_missing_runs_name_the_counts_of_the_kept_cells(cells):
    def count(**names):
        return np.logical_and.reduce([cells[key] == value for key, value in names.items()]).sum()

    real = cells[cells["dataset"] != "karate"]
    gaps = real[(real["metric"] == "optimality_gap") & (real["status"] == "hypothesis")]
    moment = gaps[gaps["method"] == "Moment"].groupby("dataset").size()
    assert set(moment.index) <= set(UNBOUNDED)
    numbers = {
        r"The (\d+) numbers of cho2019's table 1": count(paper="cho2019", status="not judged"),
        r"Of \d+ counts (\d+) are not judged": count(table="table_ii", status="not judged"),
        r"For (\d+) gaps one-vs-one of these five data sets": moment.sum(),
        r"NeuroSEED \((\d+);": count(dataset="NeuroSEED", status="no data"),
        r"mini-ImageNet \((\d+);": count(dataset="mini-imagenet", status="no data"),
        r"WordNet \((\d+) of the": count(table="table_5", status="no data"),
        r"MERU \((\d+);": count(table="table_4", status="no data"),
    }
    for pattern, number in numbers.items():
        assert stated(pattern) == (str(number),), pattern


def test_more_runs_do_not_make_these_intervals_narrow(cells):
    part = cells[(cells["status"] == reproduction_status.NOT_JUDGED) & cells["printed"].ne("")]
    half = [reproduction_status.half_digit(*row) for row in zip(part["printed"].str.partition(" ")[0],
                                                     part["unit"], strict=True)]  # fmt: skip
    part = part.assign(half=half)
    counts = part[part["table"] == "table_ii"]
    # Of infinitely many runs of ours: the printed number stays one of 20 runs.
    width = student.ppf(0.975, 199) * counts["se"] * np.sqrt(200 / 20) + counts["half"]
    assert (width > reproduction_status.WIDEST_SHARE * counts["published"]).all()
    updates = cells[(cells["table"] == "table_ii") & (cells["metric"] != "updates_bound")]
    assert set(updates["runs"]) == {200}
    assert stated(r"Of (\d+) counts \d+ are not judged") == (str(len(updates)),)
    scores = part[part["paper"] == "cho2019"]
    errors = scores["printed"].str.partition("± ")[2].astype(float) / np.sqrt(5 - 1)
    wide = student.ppf(0.975, 14) * errors + scores["half"] > reproduction_status.WIDEST
    assert stated(r"The (\d+) numbers of cho2019's table 1") == (str(len(scores)),)
    assert wide.all()
    assert set(cells.loc[cells["variant"] == "hyperbolic, d=2", "runs"]) == {5}


def test_mixtures_of_cho2019(cells):
    pairs = pd.read_csv(ROOT / "papers/kept/figures/cho2019/pairs.tsv", sep="\t")
    pairs = pairs[(pairs["series"] == "mixture") & (pairs["metric"] == "aupr_macro")]
    p = cells.query("dataset == '100 Gaussian mixtures'").iloc[0]
    assert studies.paired(pairs["difference"].to_numpy())["t_p"] == pytest.approx(p["ours"])
    text = stated(
        r"on the authors' (\d+) mixtures the hyperboloid SVM [^|]*? on all of them, by ([\d.]+)"
        r" points on average \(p = (\S+); (\S+) printed\)"
    )
    mean = 100 * pairs["difference"].mean()
    assert text == (str(len(pairs)), f"{mean:.1f}", f"{p['ours']:.1e}", p["printed"])
    assert (pairs["difference"] > 0).all()


def test_networks_of_cho2019(cells):
    pairs = pd.read_csv(ROOT / "papers/kept/figures/cho2019_figure_3/pairs.tsv", sep="\t").query(
        "metric == 'aupr_macro'"
    )
    p = cells.query("dataset == '150 label sets on networks'").iloc[0]
    text = stated(
        r"on (\d+) label sets of the authors' ten networks[^|]*? by ([\d.]+) points on average"
        r" over all \(p = (\S+); (\S+) printed\)"
    )
    whole = studies.paired(pairs["difference"].to_numpy())
    assert whole["t_p"] == pytest.approx(p["ours"], rel=1e-6)
    expected = (str(len(pairs)), f"{100 * whole['mean']:.1f}", f"{p['ours']:.1e}", p["printed"])
    assert text == expected
    lower = pairs[pairs["difference"] < 0]
    assert stated(
        r"than the Euclidean SVM on (\d+), by .*? It is lower on (\d+), (\d+) of them with labels"
        r" of 100 to 200 nodes"
    ) == (
        str((pairs["difference"] > 0).sum()),
        str(len(lower)),
        str((lower["series"] == "100-200").sum()),
    )
    networks = pairs.groupby(pairs["group"].str.partition("_")[0])["difference"]
    assert set(networks.size()) == {15}
    found = studies.paired(networks.mean().to_numpy())
    assert found["wins"] == found["n"] == 10
    text = stated(r"for all ten, ([\d.]+) to ([\d.]+) points in")
    text += stated(r"interval of the mean \(p = (\S+)\)\. The difference is")
    ends = (f"{100 * found[end]:.1f}" for end in ("low", "high"))
    assert text == (*ends, f"{found['t_p']:.1e}")
    means = 100 * pairs.groupby("series")["difference"].mean()
    text = stated(
        r"([\d.]+) points for labels of 20 to 50 nodes, ([\d.]+) for 50 to 100 and ([\d.]+) for 100"
    )
    assert text == tuple(f"{means[name]:.1f}" for name in ("20-50", "50-100", "100-200"))


def test_deepwalk_beside_the_planar_embedding(cells):
    cells = cells[cells["paper"] == "cho2019"].set_index(["variant", "dataset", "method"])
    planar = cells["ours"]["hyperbolic, d=2"].xs("Hyperbolic SVM", level="method")
    walks = cells[cells.index.get_level_values("variant").str.startswith("DeepWalk")]
    walks = walks.droplevel("method")[["ours", "published"]]
    text = stated(
        r"exceeds the planar hyperbolic embedding on football \(([\d.]+) to ([\d.]+) in five or"
        r" more dimensions against ([\d.]+)\) and polblogs \(([\d.]+) to ([\d.]+) against"
        r" ([\d.]+)\), and is similar on karate \(([\d.]+) against ([\d.]+)\) and polbooks"
        r" \(([\d.]+) to ([\d.]+) against ([\d.]+)\)"
    )
    expected = []
    for name in ("football", "polblogs", "karate", "polbooks"):
        part = walks.xs(name, level="dataset")["ours"]
        part = part.drop("DeepWalk, d=2") if name == "football" else part
        ends = sorted({f"{x:.2f}" for x in (part.min(), part.max())})
        expected += [*ends, f"{planar[name]:.2f}"]
    assert text == tuple(expected)
    for name, pattern in (
        ("karate", r"karate scores [\d.]+ \(printed ([\d.]+) to ([\d.]+)\)"),
        ("polblogs", r"polblogs [\d.]+ to [\d.]+ \(printed ([\d.]+) to ([\d.]+)\)"),
    ):
        printed = walks.xs(name, level="dataset")["published"]
        assert stated(pattern) == (f"{printed.min():.2f}", f"{printed.max():.2f}")


def test_deepwalk_of_cho2019(cells, imitations):
    table = cells[(cells["paper"] == "cho2019") & cells["variant"].str.startswith("DeepWalk")]
    own = table.set_index(["dataset", "variant"])["ours"].round(2)
    assert set(own["karate"]) == {float(x) for x in stated(r"karate scores (0.\d+) \(printed")}
    low, high = stated(r"polblogs (0.\d+) to (0.\d+)")
    assert (own["polblogs"].min(), own["polblogs"].max()) == (float(low), float(high))
    runs = imitations[imitations["paper"] == "cho2019"]
    near = (runs["with_ours"] - runs["published"]).abs() <= runs["with_tolerance"]
    assert (near.sum(), len(runs)) == (15, 16)
    assert "15 of 16 scores differ by less than their noise" in plain(FINDINGS)
    exact = runs[runs["with_status"] == reproduction_status.EXACT]
    places = {(row.dataset, row.variant.partition("=")[2]) for row in exact.itertuples()}
    assert places == {("football", "2"), ("football", "10"), ("polbooks", "5")}
    assert "football in two and ten dimensions and polbooks in five" in plain(FINDINGS)
    far = runs[~near].iloc[0]
    text = stated(r"exception is (\w+) in (\d+) dimensions, (0.\d+) \(printed (0.\d+)\)")
    place = far["dataset"], far["variant"].partition("=")[2]
    assert text == (*place, f"{far['with_ours']:.2f}", f"{far['published']:.2f}")


def test_open_cases():
    table = bench("pan2023_updates").query("perceptron == 'second'")
    sigma = table.pivot(index=["norm_p", "margin"], columns="variant", values="sigma")
    zero = -sigma.drop(columns="a = 1").loc["1R/5", 0.1]
    assert stated(r"82 is ([\d.]+) to ([\d.]+) standard errors below every variant with a = 0") == (
        f"{zero.min():.1f}",
        f"{zero.max():.1f}",
    )
    within = (sigma.abs() < 2).sum()
    text = stated(
        r"Within two standard errors are (\d+) of (\d+) printed means with rows in the order drawn,"
        r" (\d+) with rows sorted by label, and (\d+) with a = 1"
    )
    names = ("fresh points", "by label", "a = 1")
    assert [int(text[0]), *map(int, text[2:])] == [within[name] for name in names]
    assert int(text[1]) == len(sigma)
    steps = bench("yang2024_steps")
    case = steps[(steps["dataset"] == "moignard") & (steps["table"] == "table_10")]
    case = case[case["metric"] == "accuracy"].iloc[0]
    assert stated(r"\| ([\d.]+) % \(([\d.]+) % with the released 1e-3\)") == (
        f"{100 * case['ours']:.2f}",
        f"{100 * case['step_1e-3']:.2f}",
    )
    good = steps[steps["word_1e-3"].isin([reproduction_status.EXACT, reproduction_status.CLOSE])]
    assert steps["dataset"].nunique() == 7
    assert stated(r"data sets (\d+) of (\d+) exact or close scores are outside") == (
        str((good["word"] == reproduction_status.OUTSIDE).sum()),
        str(len(good)),
    )
