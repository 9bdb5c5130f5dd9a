"""Comparing two methods over many data sets, and configurations that name many at once."""

import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from cases import each_of
from matplotlib.collections import PathCollection
from scipy.stats import t, ttest_rel

from noneuclid.errors import InputError
from noneuclid_compare.config import configuration
from noneuclid_compare.data import downloads
from noneuclid_compare.jobs import locations
from noneuclid_compare.report.figures import page_figures
from noneuclid_papers.figures import differences, scatter
from noneuclid_papers.stages import study
from noneuclid_papers.statistics import studies

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"


def scores_of(means, trials=3, folds=2, spread=0.02, metric="aupr_macro", seed=0):
    """Long table of methods "svm" and "flat" whose scores scatter around `means`."""
    rng = np.random.default_rng(seed)
    rows = []
    for (dataset, pair), trial, fold in itertools.product(
        means.items(), range(trials), range(folds)
    ):
        for method, mean in zip(("svm", "flat"), pair, strict=True):
            value = mean + spread * rng.normal()
            rows.append([dataset, "given", method, "", trial, fold, metric, value])
    columns = ["dataset", "embedding", "method", "setting", "repeat", "fold", "metric", "value"]
    return pd.DataFrame(rows, columns=columns)


LABELS = {
    f"n{network}_{size}_{label}": (0.5 + 0.1 * network, 0.4)
    for network in (1, 2)
    for size in ("20-50", "50-100")
    for label in (1, 2, 3)
}


def test_means_and_spreads_are_those_of_a_loop():
    scores = scores_of({"a": (0.9, 0.8), "b": (0.7, 0.75)}, trials=4)
    found = studies.pairs(scores, "svm", "flat", "aupr_macro").set_index("group")
    roles = {"first": "svm", "second": "flat"}
    for dataset, (role, method) in itertools.product("ab", roles.items()):
        chosen = scores[(scores["dataset"] == dataset) & (scores["method"] == method)]
        trials = [chosen.loc[chosen["repeat"] == trial, "value"].mean() for trial in range(4)]
        assert np.isclose(found.loc[dataset, f"{role}_mean"], np.mean(trials))
        assert np.isclose(found.loc[dataset, f"{role}_sd"], np.std(trials, ddof=1))
    assert np.allclose(found["difference"], found["first_mean"] - found["second_mean"])
    assert found["trials"].tolist() == [4, 4]
    assert set(found["series"]) == {"all"}


def test_the_same_scores_in_another_order_are_a_tie():
    rng = np.random.default_rng(0)
    scores = scores_of({f"d{k}": (0.0, 0.0) for k in range(40)}, trials=5)
    keys = ["dataset", "repeat", "fold"]
    tenths = rng.integers(0, 40, size=len(scores) // 2) / 40
    first = scores["method"] == "svm"
    scores.loc[first, "value"] = tenths
    # Repeats and folds the other way round, within each data set.
    scores.loc[~first, "value"] = tenths.reshape(40, 10)[:, ::-1].ravel()
    assert not scores.duplicated([*keys, "method"]).any()
    found = studies.pairs(scores, "svm", "flat", "aupr_macro")
    assert (found["difference"] == 0).all()


def test_labels_of_a_set_are_averaged_before_trials_are_compared():
    scores = scores_of(LABELS)
    found = studies.pairs(scores, "svm", "flat", "aupr_macro", r"^(.+)_\d$", r"_(\d+-\d+)_")
    assert found["group"].tolist() == ["n1_20-50", "n2_20-50", "n1_50-100", "n2_50-100"]
    assert found["series"].tolist() == ["20-50", "20-50", "50-100", "50-100"]
    assert (found["datasets"] == 3).all()
    of_set = scores[scores["dataset"].str.startswith("n2_20-50") & (scores["method"] == "svm")]
    macro = of_set.groupby("repeat")["value"].mean()
    row = found.set_index("group").loc["n2_20-50"]
    assert np.isclose(row["first_mean"], macro.mean())
    assert np.isclose(row["first_sd"], macro.std())
    by_network = studies.pairs(scores, "svm", "flat", "aupr_macro", r"^n\d")
    assert by_network["group"].tolist() == ["n1", "n2"]


def test_order_of_rows_and_of_methods():
    scores = scores_of(LABELS)
    shuffled = scores.sample(frac=1, random_state=0)
    found = studies.pairs(scores, "svm", "flat", "aupr_macro")
    pd.testing.assert_frame_equal(found, studies.pairs(shuffled, "svm", "flat", "aupr_macro"))
    turned = studies.pairs(scores, "flat", "svm", "aupr_macro")
    assert np.allclose(turned["difference"], -found["difference"])


def test_one_trial_has_no_spread():
    found = studies.pairs(scores_of({"a": (0.9, 0.8)}, trials=1), "svm", "flat", "aupr_macro")
    assert found[["first_sd", "second_sd"]].isna().all(axis=None)


def test_known_answers():
    # Five differences by hand: mean 2, squares about it 4 + 1 + 0 + 1 + 4, so sd = sqrt(2.5).
    found = studies.paired(np.array([4.0, 3.0, 2.0, 1.0, 0.0]))
    statistic = 2 / np.sqrt(2.5 / 5)
    assert found["t"] == pytest.approx(statistic)
    assert found["t_p"] == pytest.approx(t.sf(statistic, 4))
    assert found["cohen_d"] == pytest.approx(2 / np.sqrt(2.5))
    assert (found["wins"], found["ties"], found["losses"]) == (4, 1, 0)
    assert found["low"] == pytest.approx(2 - 2.776445 * np.sqrt(0.5), abs=1e-5)
    # Ranks 5, 4, 3, 2 are won out of 15.
    assert found["rank_biserial"] == pytest.approx(14 / 15)


def test_wilcoxon_against_all_signs():
    difference = np.array([0.5, -0.1, 0.7, 0.3, -0.2, 0.9, 0.4])
    ranks = np.abs(difference).argsort().argsort() + 1
    won = ranks[difference > 0].sum()
    signs = itertools.product((0, 1), repeat=7)
    as_extreme = np.mean([(ranks * np.array(s)).sum() >= won for s in signs])
    assert studies.paired(difference)["wilcoxon_p"] == pytest.approx(as_extreme)


def test_against_the_paired_test_of_scipy_and_mirrored():
    rng = np.random.default_rng(1)
    first, second = rng.normal(0.1, 1, 40), rng.normal(0, 1, 40)
    found, mirrored = studies.paired(first - second), studies.paired(second - first)
    expected = ttest_rel(first, second, alternative="greater")
    assert found["t_p"] == pytest.approx(expected.pvalue)
    assert found["t_p"] + mirrored["t_p"] == pytest.approx(1)
    assert found["rank_biserial"] == pytest.approx(-mirrored["rank_biserial"])
    assert (found["wins"], found["losses"]) == (mirrored["losses"], mirrored["wins"])


def test_p_values_are_uniform_when_nothing_differs():
    rng = np.random.default_rng(2)
    found = [studies.paired(rng.normal(size=12)) for _ in range(400)]
    for name in ("t_p", "wilcoxon_p"):
        below = np.mean([f[name] <= 0.2 for f in found])
        assert below == pytest.approx(0.2, abs=4 * np.sqrt(0.16 / 400))


def test_equal_methods_and_equal_differences():
    same = studies.paired(np.zeros(4))
    assert (same["t_p"], same["wilcoxon_p"], same["cohen_d"]) == (1.0, 1.0, 0.0)
    constant = studies.paired(np.full(4, 0.5))
    assert constant["t_p"] == 0.0
    assert constant["cohen_d"] == np.inf
    assert studies.paired(np.full(4, -0.5))["t_p"] == 1.0


def test_tests_for_all_and_for_each_series():
    table = studies.pairs(scores_of(LABELS), "svm", "flat", "aupr_macro", None, r"_(\d+-\d+)_")
    found = studies.summary(table).set_index("series")
    assert found.index.tolist() == ["all", "20-50", "50-100"]
    assert found["n"].tolist() == [12, 6, 6]
    part = table.query("series == '20-50'")["difference"].to_numpy()
    assert found.loc["20-50", "t_p"] == studies.paired(part)["t_p"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"first": "forest"}, "no method 'forest' has aupr_macro; known: ['flat', 'svm']"),
        ({"first": "flat"}, "'flat' is compared with itself"),
        ({"metric": "f1"}, "no metric 'f1' in the scores; known: ['aupr_macro']"),
        ({"group": "^x"}, "group: '^x' is not found in the data set 'a'"),
        ({"series": "("}, "series: '(' is not a regular expression"),
    ],
)
def test_wrong_requests_are_named(change, message):
    scores = scores_of({"a": (0.9, 0.8)})
    request = {"first": "svm", "second": "flat", "metric": "aupr_macro", **change}
    with pytest.raises(InputError) as caught:
        studies.pairs(scores, **request)
    assert message in str(caught.value)


def test_incomplete_tables_are_refused():
    scores = scores_of(LABELS)
    request = ("svm", "flat", "aupr_macro")
    with pytest.raises(InputError, match=r"svm has no aupr_macro in 1 folds: dataset n1_20-50_1"):
        studies.pairs(scores.drop(0), *request)
    with pytest.raises(InputError, match="flat has no aupr_macro in 1 folds"):
        studies.pairs(scores.assign(value=scores["value"].where(scores.index != 1)), *request)
    with pytest.raises(InputError, match="two scores of one fold: dataset n1_20-50_1"):
        studies.pairs(pd.concat([scores, scores.head(1)]), *request)
    short = scores[(scores["dataset"] != "n1_20-50_1") | (scores["repeat"] < 2)]
    with pytest.raises(
        InputError, match=r"some repeats do not have all data sets .*: group n1_20-50"
    ):
        studies.pairs(short, *request, r"^(.+)_\d$")
    one = studies.pairs(scores, *request, "^n")
    with pytest.raises(InputError, match="1 group in 'all'; a test needs at least two"):
        studies.summary(one)


def test_figure_puts_the_first_method_on_the_vertical_axis():
    table = studies.pairs(scores_of(LABELS), "svm", "flat", "aupr_macro", None, r"_(\d+-\d+)_")
    figure = scatter.draw_scatter(table, "svm", "flat")
    (ax,) = figure.axes
    assert ax.get_ylabel().startswith("SVM")
    assert ax.get_xlim() == ax.get_ylim()
    (marks,) = (shown for shown in ax.collections if isinstance(shown, PathCollection))
    assert np.allclose(marks.get_offsets(), 100 * table[["second_mean", "first_mean"]])
    colours = marks.get_facecolors()
    for _, part in table.groupby("series"):
        assert len(np.unique(colours[part.index], axis=0)) == 1
    assert len(np.unique(colours, axis=0)) == table["series"].nunique()
    assert page_figures.to_bytes(figure, "svg") == page_figures.to_bytes(
        scatter.draw_scatter(table, "svm", "flat"), "svg"
    )


def test_series_with_an_underscore_in_front_are_in_the_scatter():
    columns = {"metric": "accuracy", "series": ["_D2", "_D5"], "first_sd": 0.0, "second_sd": 0.0}
    pairs = pd.DataFrame(columns | {"first_mean": [0.5, 0.6], "second_mean": [0.4, 0.7]})
    (legend,) = scatter.draw_scatter(pairs, "a", "b").legends
    assert [t.get_text().lstrip("\u2060") for t in legend.get_texts()] == ["_D2", "_D5"]


def test_figure_of_differences_shows_every_pair_and_the_interval():
    pairs = studies.pairs(scores_of(LABELS), "svm", "flat", "aupr_macro", None, r"_(\d+-\d+)_")
    found = studies.summary(pairs)
    ax = differences.draw_differences(pairs, found, "svm", "flat").axes[0]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["20-50", "50-100"]
    for k, name in enumerate(("20-50", "50-100")):
        shown = ax.collections[0].get_offsets()
        shown = shown[np.abs(shown[:, 1] - k) < 0.5]
        wanted = 100 * pairs.loc[pairs["series"] == name, "difference"].sort_values()
        np.testing.assert_allclose(shown[:, 0], wanted)
        row = 100 * found.set_index("series").loc[name, ["low", "high", "mean"]].astype(float)
        diamonds, _, (bars,) = ax.containers[0]
        np.testing.assert_allclose(bars.get_segments()[k], [[row["low"], k], [row["high"], k]])
        np.testing.assert_allclose(diamonds.get_xydata()[k], [row["mean"], k])


def test_one_series_with_a_name_is_drawn_with_the_interval_of_all():
    pairs = studies.pairs(scores_of(LABELS), "svm", "flat", "aupr_macro", None, r"_(\d+-\d+)_")
    one = pairs[pairs["series"] == "20-50"]
    found = studies.summary(one)
    ax = differences.draw_differences(one, found, "svm", "flat").axes[0]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["20-50"]
    assert ax.containers[0][0].get_xdata()[0] == pytest.approx(100 * found["mean"].iloc[0])


def test_stage_writes_pairs_tests_and_figures(tmp_path):
    both = [scores_of(LABELS, metric=metric) for metric in ("aupr_macro", "accuracy")]
    pd.concat(both).to_parquet(tmp_path / "scores.parquet")
    options = ["--first", "svm", "--second", "flat", "--metric", "aupr_macro", "accuracy"]
    options += ["--group", r"^(.+)_\d$", "--series", r"_(\d+-\d+)_"]
    files = ["--scores", str(tmp_path / "scores.parquet"), "--output", str(tmp_path / "study")]
    study.main([*files, *options])
    tests = pd.read_csv(tmp_path / "study/tests.tsv", sep="\t")
    assert tests["metric"].tolist() == 3 * ["aupr_macro"] + 3 * ["accuracy"]
    assert tests["n"].tolist() == 2 * [4, 2, 2]
    assert set(tests["first"]) == {"svm"}
    assert len(pd.read_csv(tmp_path / "study/pairs.tsv", sep="\t")) == 8
    for name, format in itertools.product(("differences", "scatter"), ("png", "svg", "pdf")):
        assert (tmp_path / f"study/{name}.{format}").stat().st_size > 1000


def entry(**changes):
    """Data sets of a configuration with one entry."""
    settings = {"law": "wrapped", "variance": "{k}"}
    whole = {"each": {"k": 2}, "params": settings, "files": {"a": "f_{k:03}.mat"}, **changes}
    return {"datasets": {"d_{k}": whole, "plain": {"params": {"text": "{k}"}}}}


def test_entries_are_written_out():
    datasets = configuration.expanded(entry())["datasets"]
    assert list(datasets) == ["d_1", "d_2", "plain"]
    assert datasets["d_2"] == {
        "params": {"law": "wrapped", "variance": 2},
        "files": {"a": "f_002.mat"},
    }
    assert datasets["plain"] == {"params": {"text": "{k}"}}
    again = configuration.expanded({"datasets": datasets})
    assert again == {"datasets": datasets}


def test_entries_run_over_all_combinations():
    each = {"a": 2, "size": [{"low": 1, "high": 5}, {"low": 6, "high": 9}]}
    settings = {"low": "{size[low]}", "range": "{size[low]} to {size[high]}"}
    config = {"datasets": {"d{a}_{size[low]}": {"each": each, "params": settings}}}
    datasets = configuration.expanded(config)["datasets"]
    assert list(datasets) == ["d1_1", "d1_6", "d2_1", "d2_6"]
    assert datasets["d2_6"]["params"] == {"low": 6, "range": "6 to 9"}


def test_methods_and_embeddings_are_written_out():
    many = {"m_{C}": {"each": {"C": [0.1, 1]}, "params": {"C": "{C}"}}}
    config = configuration.expanded({"methods": many, "embeddings": many, "search": many})
    assert config["methods"] == {f"m_{C}": {"params": {"C": C}} for C in (0.1, 1)}
    assert config["embeddings"] == config["methods"]
    assert config["search"] == many
    with pytest.raises(InputError, match="methods: two entries have the name 'm_1'"):
        configuration.expanded({"methods": many | {"m_1": {}}})


@each_of(
    ("changes", "message"),
    [
        ({"each": {"k": 0}}, "datasets/d_{k}/each/k: 0 is neither a number of copies nor a list"),
        ({"each": {"k": []}}, "datasets/d_{k}/each/k: [] is neither"),
        ({"each": {"k": True}}, "datasets/d_{k}/each/k: True is neither"),
        ({"each": {}}, "datasets/d_{k}/each: {} gives no names"),
        ({"each": {"j": 2}}, "datasets/d_{k}: 'd_{k}' cannot be filled in from j: 'k'"),
        ({"each": {"k": 2, "j": 2}}, "datasets: two entries have the name 'd_1'"),
        ({"files": {"a": "{k"}}, "datasets/d_{k}: '{k' cannot be filled in from k"),
    ],
)
def test_wrong_entries_are_named(changes, message):
    with pytest.raises(InputError) as caught:
        configuration.expanded(entry(**changes))
    assert message in str(caught.value)


@each_of(
    ("name", "count"),
    [
        ("studies/gaussians", 200),
        ("studies/gaussians_files", 50),
        ("studies/gaussians_quick", 10),
        ("cho2019_figure_3", 1500),
        ("studies/networks", 1500),
        ("cho2019_figure_3_quick", 18),
    ],
)
def test_the_studies_are_those_of_the_paper(name, count):
    config = yaml.safe_load((ROOT / f"papers/config/{name}.yaml").read_text())
    configuration.check(config, SCHEMA)
    datasets = configuration.expanded(config)["datasets"]
    assert len(datasets) == count
    known = downloads.read_sources(*locations.tables("sources.tsv"))
    assert {path for d in datasets.values() for path in d.get("files", {}).values()} <= set(known)
    assert config["splits"]["folds"] == 2
    assert config["search"]["scoring"] == "average_precision"
    assert all(method["grid"]["C"] == [0.1, 1, 10] for method in config["methods"].values())
    if "group" in config["study"]:
        groups = studies.named(datasets, config["study"]["group"], "group")
        sizes = pd.Series(groups).value_counts()
        assert set(sizes) == {3 if name.endswith("_quick") else 10}
        series = studies.named(datasets, config["study"]["series"], "series")
        assert set(series.values()) == {"20-50", "50-100", "100-200"}
