"""The experiments of acharya2026, cho2019 and pan2023 as configurations, and what they count."""

from copy import deepcopy
from functools import cache

import numpy as np
import pandas as pd
import pytest
import yaml
from cases import each_of
from paper_mirror import ROOT

from noneuclid_compare.config import configuration, load_by_name, registry
from noneuclid_compare.data.downloads import read_sources
from noneuclid_compare.data.generators import uniform_ball
from noneuclid_compare.evaluation import cross_validation
from noneuclid_compare.evaluation.splits import make_split
from noneuclid_compare.jobs import locations
from noneuclid_compare.records import Embedded
from noneuclid_compare.report.tables import score_tables
from noneuclid_compare.stages import evaluate, train
from noneuclid_papers.printed import published, reproduction_status

DEFAULTS = {"n_samples": 100_000, "n_features": 2, "margin": 0.01}
# Names of data sets begin with the symbol that is swept.
SWEPT = {"points": "n_samples", "dimension": "n_features", "margin": "margin"}


def paper(name):
    return deepcopy(_paper(name))


@cache
def _paper(name):
    path = ROOT / f"papers/config/{name}.yaml"
    config = yaml.safe_load(path.read_text())
    configuration.check(config, ROOT / "workflow/schemas/config.schema.yaml")
    return config | configuration.expanded(config)


def read(name):
    return paper(f"pan2023_{name}")


def part(config, loader):
    """Data sets of one loader."""
    return {name: entry for name, entry in config["datasets"].items() if entry["use"] == loader}


def sweeps(config):
    """Values of each name that is swept, by |p|/R, with their numbers of runs."""
    found = {}
    for name, entry in config["datasets"].items():
        settings = entry["params"]
        swept = next(SWEPT[word] for word in SWEPT if name.startswith(word))
        key = swept, settings["reference_fraction"]
        counts = found.setdefault(key, {})
        counts[settings[swept]] = counts.get(settings[swept], 0) + 1
    return found


@pytest.mark.parametrize(
    ("figure", "names", "fractions"),
    [
        (2, ["n_samples", "n_features"], [0.4]),
        (8, ["n_samples", "n_features", "margin"], [0.2, 0.6]),
    ],
)
def test_sweeps_have_the_ranges_of_the_paper(figure, names, fractions):
    config = read(f"figure_{figure}")
    found = sweeps(config)
    ends = {"n_samples": (1e3, 1e6), "n_features": (2, 1000), "margin": (0.001, 1)}
    assert set(found) == {(name, p) for name in names for p in fractions}
    for (name, _), counts in found.items():
        assert (min(counts), max(counts)) == ends[name]
        assert set(counts.values()) == {20}
    for entry in config["datasets"].values():
        assert sum(entry["params"][key] != value for key, value in DEFAULTS.items()) <= 1


@pytest.mark.parametrize("figure", [2, 8])
def test_the_quick_sweeps_are_the_same_but_smaller(figure):
    full, quick = read(f"figure_{figure}"), read(f"figure_{figure}_quick")
    assert quick["methods"] == full["methods"]
    large = sweeps(full)
    assert set(sweeps(quick)) == set(large)
    for key, counts in sweeps(quick).items():
        assert set(counts) < set(large[key])
    assert sum(entry["params"]["n_samples"] for entry in quick["datasets"].values()) < 10**6


def test_both_figures_run_the_same_methods():
    both = read("figure_2"), read("figure_8")
    for key in ("methods", "embeddings", "splits", "search", "repeats", "seed"):
        assert both[0][key] == both[1][key]


def test_table_ii_trains_on_ten_thousand_points():
    config = paper("pan2023")
    balls = part(config, "uniform_ball").values()
    assert all(entry["methods"] == ["perceptron", "second_order"] for entry in balls)
    rows = [tuple(entry["params"].values()) for entry in balls]
    assert len(rows) == 200 * len(set(rows)) == 1600
    points, dimension = {row[:2] for row in rows}.pop()
    settings = {"n_samples": points, "n_features": dimension, "margin": 0.1}
    data = uniform_ball.load({}, 0, **settings)
    split = make_split(data.labels, data.class_names, 0, 0, **config["splits"])
    assert (len(split.rows(0)[0]), dimension) == (10_000, 10)


def test_table_iii_has_known_files_and_one_C():
    config = paper("pan2023")
    sources = read_sources(*locations.tables("sources.tsv"))
    embedded = part(config, "pan2023_embeddings")
    assert list(embedded) == ["olsson", "cifar", "fashion-mnist"]
    for name, entry in embedded.items():
        assert entry["params"] == {"name": name}
        assert entry["split"] == {"scheme": "fixed"}
        assert set(entry["files"]) == {"embedding", "reference"}
        assert all(path in sources and f"/{name}_" in path for path in entry["files"].values())
    weights = {
        name: config["methods"][name].get("params", {}).get("C") for name in entry["methods"]
    }
    assert weights.pop("majority") is None
    assert set(weights.values()) == {5}


def claimed(config, best=""):
    """The paper's cells if every run of a configuration had a score of 0.5; 0.9 for `best`."""
    names = ["dataset", "embedding", "method"]
    runs = [(*pair, m) for *pair, methods in configuration.pairs(config) for m in methods]
    scores = pd.DataFrame(runs, columns=names)
    entries, comparisons = (config["published"].get(key, []) for key in ("tables", "comparisons"))
    metrics = {m for entry in entries for m in entry["metrics"]} | {"test_rows"}
    metrics |= {"accuracy", "fit_seconds"} if comparisons else set()
    scores = scores.merge(pd.DataFrame({"metric": sorted(metrics)}), how="cross")
    scores = scores.merge(pd.DataFrame({"repeat": [0, 1]}), how="cross")
    source = config["published"]["paper"]
    folder = ROOT / "papers/printed"
    theirs, reasons = (
        pd.read_csv(folder / name, sep="\t", dtype=str, keep_default_na=False)
        for name in (f"{source}.tsv", "reasons.tsv")
    )
    value = np.where(scores["method"] == best, 0.9, 0.5)
    scores = scores.assign(fold=0, value=value, setting="{}")
    return published.cells(scores, theirs, source, entries, reasons, comparisons=comparisons)


def test_cho2019_has_every_cell_of_table_1():
    config = paper("cho2019")
    cells = claimed(config)
    assert (cells["ours"].notna() == (cells["table"] == "table_1")).all()
    known = cells[cells["ours"].notna()].set_index(["variant", "method"])
    # Repeats on one embedding are no runs: five released embeddings, five of DeepWalk.
    assert set(known.loc[["hyperbolic, d=2"], "runs"]) == {5}
    assert set(known.drop("hyperbolic, d=2", level=0)["runs"]) == {5}
    sources = read_sources(*locations.tables("sources.tsv"))
    files = [
        path for entry in config["datasets"].values() for path in entry.get("files", {}).values()
    ]
    assert len(files) == 140
    assert set(files) <= set(sources)
    grids = [m["grid"] for m in config["methods"].values() if "grid" in m]
    assert grids == [{"C": [0.1, 1, 10]}] * len(grids)


def test_pan2023_has_every_cell_that_can_be_run():
    cells = claimed(paper("pan2023"))
    sweeps = (cells["table"] == "text") & (cells["dataset"] != "embedded data")
    there = ~sweeps & (cells["dataset"] != "mini-imagenet")
    assert (cells["ours"].notna() == there).all()
    counts = cells[there & (cells["table"] == "table_ii")].groupby("metric")["runs"].unique()
    assert counts.to_dict() == {"updates_bound": [1], "updates_max": [400], "updates_mean": [400]}
    bounds = cells[cells["metric"] == "updates_bound"]
    assert set(bounds["status"]) == {reproduction_status.EXACT}


def test_what_pan2023_states_in_its_text_is_computed_by_five_configurations():
    parts = []
    for name in ("pan2023", *(f"pan2023_figure_{number}" for number in (2, 4, 8, 9))):
        cells = claimed(paper(name))
        text = cells["table"] == "text"
        found = cells["ours"].notna()
        assert name == "pan2023" or not (found & ~text).any()
        parts.append(found[text])
    assert (np.sum(parts, axis=0) == 1).all()


@pytest.mark.parametrize(
    ("name", "best", "speed_runs", "gain_runs", "rows"),
    [
        ("pan2023", "poincare_svm_published", 3, 1, 0.9),
        ("pan2023_figure_2", "poincare_svm", 20, None, None),
        ("pan2023_figure_8", "poincare_svm", None, 20, np.nan),
    ],
)
def test_what_pan2023_says_its_svm_gains_is_of_this_svm(name, best, speed_runs, gain_runs, rows):
    cells = claimed(paper(name), best)
    cells = cells[cells["table"] == "text"].dropna(subset="ours").set_index("metric")
    assert ("speedup" in cells.index) == (speed_runs is not None)
    assert ("accuracy_gain_max" in cells.index) == (gain_runs is not None)
    if speed_runs:
        assert cells.loc["speedup", "ours"] == pytest.approx(0.5 / 0.9)
        assert cells.loc["speedup", "runs"] == speed_runs
    if gain_runs:
        gain = cells.loc["accuracy_gain_max"]
        assert (gain["ours"], gain["runs"]) == (pytest.approx(0.4), gain_runs)
        assert gain["rows"] == pytest.approx(rows, nan_ok=True)
        other = "euclidean_svm_published" if name == "pan2023" else "hyperboloid_svm_pgd"
        other = claimed(paper(name), other).query("metric == 'accuracy_gain_max'")["ours"]
        assert other.dropna().tolist() == pytest.approx([-0.4])


NAMES = ["acharya2026", "acharya2026_hard", "chlenski2024_figure_3", "cho2019", "pan2023"]
NAMES += ["yang2024_robust", "yang2024_seeds_arcsinh", "yang2024_simulation"]


@each_of("name", NAMES)
def test_a_quick_profile_says_so_and_runs_a_part(name):
    full, quick = paper(name), paper(f"{name}_quick")
    assert "note" not in full["report"]
    assert quick["report"]["note"].startswith("Quick profile: ")
    assert set(quick["methods"]) <= set(full["methods"])
    assert set(quick["datasets"]) < set(full["datasets"])
    for dataset, entry in quick["datasets"].items():
        assert entry["use"] == full["datasets"][dataset]["use"]
        assert set(entry["embeddings"]) <= set(full["datasets"][dataset]["embeddings"])
    if "published" in quick:
        found, whole = (
            claimed(config).set_index(published.KEYS)["ours"] for config in (quick, full)
        )
        assert set(found.dropna().index) < set(whole.dropna().index)
        assert len(found.dropna()) > 8


@pytest.mark.parametrize("number", [4, 9])
def test_figures_of_perceptrons_have_the_ranges_of_the_paper(number):
    config, quick = read(f"figure_{number}"), read(f"figure_{number}_quick")
    margins = [entry["params"]["margin"] for entry in config["datasets"].values()]
    values, counts = np.unique(margins, return_counts=True)
    assert (len(values), values[0], values[-1], set(counts)) == (100, 0.1, 1.0, {5})
    assert np.ptp(np.diff(values)) < 2e-4
    assert quick["methods"] == config["methods"]
    assert quick["report"]["sweep"] == config["report"]["sweep"]
    assert len(quick["datasets"]) < 30
    (settings,) = {str(entry["params"] | {"margin": 0}) for entry in config["datasets"].values()}
    assert settings == str({"n_samples": 6250, "n_features": 2, "margin": 0})
    for method in config["methods"].values():
        assert method["params"]["max_updates"] in ("bound", "weber")
        assert method["params"]["average"] is False


@pytest.mark.parametrize(
    ("name", "configured"), [("perceptron", "pan2023"), ("poincare_svm", "pan2023_figure_8")]
)
def test_updates_are_counted_with_the_true_reference_point(name, configured):
    data = uniform_ball.load({}, 1, n_samples=300, margin=0.2, reference_fraction=0.6)
    embedded = Embedded(data.features, "poincare", data.labels, data.class_names, about=data.about)
    method = configuration.method_of(paper(configured), name) | {"chart": "poincare"}
    settings = train.params_for(method, embedded)
    assert np.linalg.norm(settings["reference_point"]) == pytest.approx(0.6 * 0.95)
    model = load_by_name.build(method["use"], settings, chart="poincare", random_state=0)
    split = make_split(data.labels, data.class_names, 0, 0, scheme="holdout")
    predictions, facts = cross_validation.cross_validate(
        model, data.features, data.labels, split, 2, cross_validation.Search({})
    )
    names = {"dataset": "ball", "embedding": "given", "method": name}
    record = names | {"repeat": 0, "settings": {}, "grid": {}, "folds": facts}
    record |= {"class_names": data.class_names, "peak_memory_mb": 1.0}
    table = pd.DataFrame(evaluate.score(record, predictions), columns=evaluate.COLUMNS)
    values = table.set_index("metric")["value"]
    # Separable by planes through the true p, not by others.
    assert facts[0]["status"] in ("separated", "optimal")
    assert values["accuracy"] > 0.97
    assert "n_updates" not in score_tables.metrics(table)
    if name == "poincare_svm":
        assert "n_updates" not in values
        return
    rows = split.rows(0)[0]
    alone = load_by_name.build(method["use"], settings, chart="poincare", random_state=0)
    assert values["n_updates"] == alone.fit(data.features[rows], data.labels[rows]).n_updates_[0]
    assert values["n_updates"] > 0


def test_the_robust_form_has_the_programs_settings():
    config = paper("yang2024_robust")
    kinds = [entry["params"] for entry in config["datasets"].values()]
    assert len(kinds) == 90
    assert {(p["n_classes"], p["scale"]) for p in kinds} == {
        (K, s) for K in (2, 3, 4) for s in (0.4, 0.7, 1.0)
    }
    assert {p["n_samples_per_class"] for p in kinds} == {200}
    radii = {}
    for method in config["methods"].values():
        params = method["params"]
        assert params["multi_class"] == "ovo"
        radii.setdefault(params.get("solver"), set()).add(params.get("robust_radius", 0))
    assert {0, 0.005, 0.01, 0.02} <= radii["sdp"]
    assert {0, 0.02} <= radii[None] | radii.get("optimal", set())


def test_the_simulation_is_that_of_the_program():
    config = paper("yang2024_simulation")
    kinds = [(e["params"]["n_classes"], e["params"]["scale"]) for e in config["datasets"].values()]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        (K, s): 40 for K in (2, 3, 5) for s in (0.4, 0.6, 0.8, 1.0)
    }
    euclidean = config["methods"]["euclidean_C0.1"]
    assert (euclidean["chart"], euclidean["params"]["fit_intercept"]) == ("hyperboloid", False)


def test_hard_margins_have_separable_classes():
    config = paper("acharya2026_hard")
    hard = [m for m in config["methods"].values() if m["params"].get("margin") == "hard"]
    metrics = [m["params"].get("metric", "hilbert") for m in hard]
    assert metrics == ["hilbert", "funk", "reverse_funk"] * 2
    for entry in list(config["datasets"].values())[::10]:
        data = load_by_name.call(registry.path_of(entry["use"], "load"), {}, 1, **entry["params"])
        name = "funk_hard" if entry["use"] == "simplex_mixture" else "funk_hard_box"
        method = configuration.method_of(config, name)
        model = load_by_name.build(
            method["use"], method["params"], chart="polytope", random_state=0
        )
        assert set(model.fit(data.features, data.labels).status_) == {"optimal"}
