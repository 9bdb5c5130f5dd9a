"""Both pages curvature.md of the papers: numbers and verdicts are those of the tables."""

import importlib
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import wilcoxon

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def bench():
    sys.path.insert(0, str(ROOT / "papers/benchmarks"))
    parts = ("_tests", "_moved", "_section", "_page", "")
    modules = [importlib.import_module(f"curvature{part}") for part in parts]
    yield SimpleNamespace(**{name: one for part in modules for name, one in vars(part).items()})
    sys.path.remove(str(ROOT / "papers/benchmarks"))


def league(bench, gain, n=20):
    """Scores in which the hyperbolic kernel SVM is better than flat ones by `gain`."""
    rng = np.random.default_rng(0)
    rows = []
    for k in range(n):
        level = rng.uniform(0.6, 0.9)
        methods = {"hyperbolic_kernel_svm": level + gain + rng.normal(0, 0.002)}
        for ours, flat in bench.PAIRS.items():
            methods.setdefault(ours, level)
            methods |= {f"{flat}_{chart}": level for chart in bench.CHARTS}
        for dimension in (2, 5):
            shift = 0.01 * dimension
            for method, value in methods.items():
                loss = np.nan if method.startswith("svm") else 0.5
                place = (f"d{k}", f"hydra_{dimension}", dimension, method)
                rows.append((*place, value - shift, loss, loss))
    columns = ["dataset", "embedding", "dimension", "method", *bench.SCORES]
    return pd.DataFrame(rows, columns=columns)


def routed(bench, n=12):
    """Hyperbolic routes that lose 3 points in the plane, and all others that equal the flat one."""
    rows = [
        (route, f"d{k}", dimension, labels, np.nan, 0.8 - lost, 0.8)
        for route in bench.ROUTES
        for k in range(n)
        for dimension in (2, 5)
        for labels in ("all", 5, 20)
        for lost in [(0.03 + 1e-4 * k) * (route == "hyperbolic + hyperbolic" and dimension == 2)]
    ]
    rows.append(("original + flat", "tree", 2, "all", 4.0, 0.9, 0.8))
    columns = ["route", "dataset", "dimension", "labels", "depth", "value", "reference"]
    return pd.DataFrame(rows, columns=columns)


MOVED = pd.DataFrame(
    [
        (method, depends, distance, gap * distance)
        for method, depends, gap in (
            ("wrapped_normal", "no", 0.0),
            ("svm_klein", "yes", -0.01),
            ("forest_klein", "open", 0.001),
        )
        for distance in (1.5, 3.0)
    ],
    columns=["method", "depends", "distance", "difference"],
)
RUNS = pd.DataFrame(
    [["league", "papers/config/league.yaml", "abc1234", "2026-01-02", "x86_64, 2 cores", 7]],
    columns=["run", "configuration", "commit", "date", "machine", "jobs"],
)


@pytest.mark.parametrize(("gain", "verdict"), [(0.02, "higher"), (-0.02, "lower"), (0.0, "equal")])
def test_verdicts_are_those_of_the_tests(bench, gain, verdict):
    pairs = bench.pairs_of(league(bench, gain)).set_index(["first", "second"])
    row = pairs.loc[("hyperbolic_kernel_svm", "svm_klein")]
    assert row["verdict"] == verdict
    assert row["n"] == 20  # data sets, not embeddings
    assert row["mean"] == pytest.approx(gain, abs=0.002)
    assert row["holm"] == pytest.approx(min(1.0, 15 * row["p"])) or gain == 0.0
    assert 0 < row["seen"] < 0.01
    level = pairs.loc[("wrapped_normal", "qda_tangent")]
    assert (level["p"], level["verdict"], level["wins"]) == (1.0, "equal", 0)


def test_cells_of_routes(bench):
    cells = bench.cells_of(routed(bench)).set_index(["first", "second"])
    lost = cells.loc[("hyperbolic + hyperbolic", "2-d, all labels")]
    gaps = 0.03 + 1e-4 * np.arange(12)
    assert lost["p"] == pytest.approx(wilcoxon(gaps).pvalue)
    assert (lost["verdict"], lost["losses"]) == ("lower", 12)
    # Dimensions are averaged.
    assert cells.loc[("hyperbolic + hyperbolic", "5 labels per class"), "mean"] == pytest.approx(
        -gaps.mean() / 2
    )
    assert cells.loc[("flat + hyperbolic", "5-d, all labels"), "verdict"] == "equal"
    assert ("hyperbolic + hyperbolic", bench.EVERY_DIMENSION) in cells.index
    # One data set decides nothing.
    alone = cells.loc[("original + flat", "tree of depth 4")]
    assert (alone["n"], alone["verdict"]) == (1, "open")


def test_the_answer_counts_the_routes_with_hyperbolic_embeddings(bench):
    sentences = bench.route_sentences(routed(bench))
    # Two routes with five columns each: 2-d, 5-d, both, and two numbers of labels. Worse are the
    # plane alone, and the means that contain it.
    words = "route in 10 tests: 0 are significantly better, 4 significantly worse."
    assert words in sentences
    assert "by −1.5 points on average and −1.5 in the median with all labels" in sentences
    assert "(12 data sets, 0 higher, 12 lower" in sentences
    assert "trees" not in sentences


def test_trees_of_all_depths_are_compared_together(bench):
    gaps = np.array([-0.03, -0.02, -0.05, -0.01, -0.04])
    rows = [
        ("hyperbolic + hyperbolic", f"d{depth}_{k}", 2, "all", depth, 0.9 + gap, 0.9)
        for depth in (2.0, 3.0)
        for k, gap in enumerate(gaps)
    ]
    table = pd.concat([routed(bench), pd.DataFrame(rows, columns=routed(bench).columns)])
    cells = bench.cells_of(table).set_index(["first", "second"])
    # No p of five data sets can be below 0.05: no test, and nothing for Holm's correction to count.
    one = cells.loc[("hyperbolic + hyperbolic", "tree of depth 2")]
    assert (one["n"], one["verdict"], np.isnan(one["p"])) == (5, "worse", True)
    whole = cells.loc[("hyperbolic + hyperbolic", bench.EVERY_DEPTH)]
    assert whole["p"] == pytest.approx(wilcoxon(np.tile(gaps, 2), method="exact").pvalue, rel=0.2)
    assert whole["n"] == 10
    assert "on trees (10 data sets, 0 higher, 10 lower" in bench.route_sentences(table)


def test_simulated_data_sets_are_known_by_name(bench):
    names = ["branching_2_1", "tree_3", "cho2019_mixture_001", "mixture_5", "network_2", "olsson"]
    names += ["myeloidprogenitors", "ToggleSwitch", "digits", "tree_view"]
    table = pd.DataFrame({"dataset": names})
    assert bench.drawn(table).tolist() == [True] * 5 + [False] + [True] * 2 + [False] * 2


def test_the_section_has_every_comparison(bench):
    section = bench.section(league(bench, 0.02), routed(bench), MOVED, RUNS)
    text = " ".join(section.split())
    assert "20 data sets, 20 of them measured and the others simulated, with 40 emb" in text
    assert "over 15 comparisons: significantly higher in 3 (hyperbolic_kernel_svm against" in text
    assert "practically equal, with a probability above 95 %, in 12." in text
    assert "| hyperbolic_kernel_svm against svm_klein | 20 | 20, 0 | +2.0 | +2.0 |" in text
    assert "commit abc1234, 2026-01-02" in text
    assert "distances 1.5 and 3, which" in text
    assert "The score of 1 of 3 methods is the same within 0.1 points: wrapped_normal." in text
    assert "At distance 3 the score of 1 changes significantly" in text
    assert "(mean change in points): svm_klein −3.0. " in text
    assert "forest_klein +0.3." in text
    assert "| svm_klein | " in text
    lines = [line for line in section.splitlines() if line.startswith("| svm_")]
    assert [line.endswith("| – | – |") for line in lines] == [True] * 3


def test_the_pages_are_those_of_the_kept_tables(bench):
    for path, text in bench.texts().items():
        assert path.read_text() == text, (
            f"{path}: run `python papers/benchmarks/curvature.py write`"
        )
    assert len(bench.PAGE.read_text().split()) <= 500


def test_the_figure_and_the_table_compare_with_the_best_chart(bench, tmp_path):
    table = league(bench, 0.02)
    table.loc[table["method"] == "svm_klein", bench.METRIC] += 0.01
    assert bench.rivals(table)["hyperbolic_kernel_svm"] == "svm_klein"
    gaps = bench.gaps_of(table)["hyperbolic_kernel_svm"]
    assert gaps.mean() == pytest.approx(1.0, abs=0.2)
    assert bench.best_gap(table) == pytest.approx(gaps.mean() / 100)
    moves = bench.moves_of(MOVED)
    assert moves.to_dict() == pytest.approx(
        {"wrapped_normal": 0, "svm_klein": -3, "forest_klein": 0.3}
    )
    costs = pd.DataFrame({"method": ["a"], "rows": [1_000_000], "seconds": [285.27]})
    assert (bench.seconds(costs, "a"), bench.seconds(costs, "b")) == ("290 s", "–")
