import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest
import yaml

from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.config import configuration, dataset_sizes
from noneuclid_compare.jobs import costs, estimates, found_sizes
from noneuclid_compare.records import Embedded
from noneuclid_compare.stages import acquire, estimate

ROOT = Path(__file__).resolve().parents[2]
LAWS = costs.read_laws(ROOT / "resources/costs.tsv")
KNOWN = dataset_sizes.read_sizes(ROOT / "resources/sizes.tsv")
CONFIG = {
    "repeats": 2,
    "splits": {"scheme": "stratified_kfold", "folds": 4},
    "search": {"folds": 3},
    "datasets": {"d": {"use": "karate", "embeddings": ["given"]}},
    "embeddings": {"given": {"use": "given"}},
    "methods": {"m": {"use": "a.B", "grid": {"C": [1, 2], "g": [1, 2, 3]}}},
}
PAIR = ("d", "given")
# They name files that the user has to get, and embeddings of which no law is known.
FETCHED = [
    *sorted(ROOT.glob("config/data/*.yaml")),
    ROOT / "papers/config/chlenski2024_wordnet.yaml",
]
SHIPPED = sorted(set(ROOT.glob("config/**/*.yaml")) - set(FETCHED))


@pytest.fixture
def bare(monkeypatch):
    """Fits that cost what their law says and no more."""
    monkeypatch.setattr(costs, "FIT_SECONDS", 0.0)


def test_a_fit_takes_more_than_its_law_says():
    fits = [(1.0, 30)]
    method = {"use": "a.B", "params": {}}
    seconds, *_ = costs.cost(costs.Size(10, 2, 2), method, fits, {("a.B", ""): law()})
    assert seconds == pytest.approx(300 + 30 * costs.FIT_SECONDS)


def law(**changes):
    values = {"start": 0.0, "seconds": 1.0, "n": 1.0, "d": 0.0, "problems": 0.0, "copies": 1.0}
    values |= {"start_problems": 0.0, "decisions": 0.0}
    rest = {"error": 1.0, "largest_n": 1e6, "largest_d": 2.0, "source": ""}
    return costs.Law(**(values | rest | changes))


def test_beyond_the_measured_dimensions_a_fit_grows_at_least_linearly():
    slow, fast = law(d=0.5, largest_d=16.0), law(d=1.5, largest_d=16.0)
    assert [one.of(1, 16, 2) for one in (slow, fast)] == pytest.approx([4, 64])
    assert [one.of(1, 1600, 2) for one in (slow, fast)] == pytest.approx([400, 64000])
    assert law(d=0.0, largest_d=16.0).of(1, 1600, 2) == 1


@pytest.mark.usefixtures("bare")
def test_fits_and_their_rows_are_counted_one_by_one():
    """A fit of n rows costs n seconds: the seconds are the rows that all fits read."""
    n, slow, count = 120, 0.0, 0
    for repeat in range(2):
        rounds = [n * 3 / 4] * 4 + ([n] if repeat == 0 else [])
        for rows in rounds:
            inner = [rows * 2 / 3] * 3 * 6
            slow += rows + sum(inner)
            count += 1 + len(inner)
    (row,) = estimates.estimate(CONFIG, {PAIR: costs.Size(n, 2, 2)}, {("a.B", ""): law()})
    assert row.seconds == pytest.approx(slow)
    assert (row.fits, row.jobs) == (count, 2)


def test_a_stage_trains_as_often_as_the_estimate_says():
    from sklearn.dummy import DummyClassifier

    from noneuclid_compare.evaluation import cross_validation
    from noneuclid_compare.evaluation.splits import make_split

    seen = []

    class Counting(DummyClassifier):
        def fit(self, X, y, sample_weight=None):
            seen.append(len(X))
            return super().fit(X, y, sample_weight)

    y = np.tile([0, 1], 30)
    split = make_split(y, ("a", "b"), 0, 0, None, scheme="stratified_kfold", folds=5)
    search = cross_validation.Search({"constant": [0, 1]}, folds=2, scoring="accuracy")
    cross_validation.cross_validate(Counting(strategy="constant"), y[:, None], y, split, 2, search)
    of_folds = sorted(seen)
    cross_validation.fit(Counting(strategy="constant"), y[:, None], y, search)
    entry = {"scheme": "stratified_kfold", "folds": 5}, 1, {"grid": search.grid}, 2
    for found, keep_model in ((sorted(seen), True), (of_folds, False)):
        counted = costs.fits_of(*entry, keep_model=keep_model)
        expected = [round(60 * share) for share, times in counted for _ in range(times)]
        assert found == sorted(expected)


@pytest.mark.usefixtures("bare")
def test_estimates_leave_out_models_that_are_not_kept():
    laws, size = {("a.B", ""): law()}, {PAIR: costs.Size(10, 2, 2)}
    config = {**CONFIG, "methods": {"m": {"use": "a.B"}}}
    kept, without = (
        estimates.estimate(config | {"keep_models": flag}, size, laws)[0] for flag in (True, False)
    )
    assert kept.fits == without.fits + 1
    assert kept.seconds > without.seconds
    longer, shorter = (
        estimates.process_seconds(config | {"keep_models": flag}, size) for flag in (True, False)
    )
    assert longer[0] - shorter[0] == pytest.approx(estimates.PROCESS_SECONDS["keep"])
    assert longer[1] == shorter[1]


@pytest.mark.usefixtures("bare")
def test_trees_and_solvers_have_their_own_laws():
    laws = {("a.B", ""): law(), ("a.B", "pgd"): law(seconds=7.0)}
    config = {**CONFIG, "methods": {"m": {"use": "a.B"}}}
    size = {PAIR: costs.Size(10, 2, 2)}
    (plain,) = estimates.estimate(config, size, laws)
    for settings, factor in (({"n_estimators": 5}, 5), ({"solver": "pgd"}, 7)):
        config = {**CONFIG, "methods": {"m": {"use": "a.B", "params": settings}}}
        (row,) = estimates.estimate(config, size, laws)
        assert row.seconds == pytest.approx(factor * plain.seconds)


@pytest.mark.parametrize(
    ("settings", "algorithm"),
    [
        ({}, "moment published"),
        ({"ball": False}, "moment published"),
        ({"ball": True}, "moment"),
        ({"byte_labels": True}, "moment"),
    ],
)
def test_a_moment_relaxation_without_a_bounded_region_has_its_own_law(settings, algorithm):
    key = costs.key_of({"use": "yang2024_released_moment", "params": {"C": 10, **settings}})
    assert key == (costs.CERTIFIED, algorithm)
    low, high = (10, 50) if algorithm == "moment published" else (0.05, 2)
    assert low < LAWS[key].of(300, 2, 2) < high


def test_what_is_unknown_is_said_and_not_counted():
    text = estimates.summary(CONFIG, {PAIR: None}, LAWS)
    assert re.search(r"^m +2 +171 +\? +\? +2 jobs: size unknown", text, re.M)
    assert "not counted: 2 train jobs" in text
    assert "not counted: data set d: size unknown before the data are read; `noneuclid run" in text
    text = estimates.summary(CONFIG, {PAIR: costs.Size(10, 2, 2)}, LAWS)
    assert "2 jobs: method not measured" in text
    assert "size unknown" not in text
    mine = {"d": CONFIG["datasets"]["d"] | {"embeddings": ["mine"]}}
    config = CONFIG | {"datasets": mine, "embeddings": {"mine": {"use": "mine.py:embed"}}}
    text = estimates.summary(config, {("d", "mine"): costs.Size(10, 2, 2)}, LAWS)
    assert "not counted: embedding mine of data set d: its cost was not measured; time" in text
    far = estimates.summary(CONFIG, {PAIR: costs.Size(10, 9, 2)}, {("a.B", ""): law()})
    assert "2 jobs: extrapolated; measured up to n = 1000000, d = 2" in far
    assert "uncertain: 2 train jobs on larger data than measured can take several times" in far
    assert "uncertain" not in text


def test_a_sum_that_leaves_something_out_says_at_least():
    datasets = {name: CONFIG["datasets"]["d"] for name in ("d", "e")}
    config = {**CONFIG, "datasets": datasets}
    both = {PAIR: costs.Size(7200, 2, 2), ("e", "given"): costs.Size(7200, 2, 2)}
    laws = {("a.B", ""): law()}
    (whole,) = re.findall(
        r"^total: ([\d.]+) core-hours", estimates.summary(config, both, laws), re.M
    )
    text = estimates.summary(config, both | {("e", "given"): None}, laws)
    (part,) = re.findall(r"^total: at least ([\d.]+) core-hours", text, re.M)
    assert float(part) < float(whole)
    assert re.search(r"^m +4 +\d+  at least [\w ]+ +at least 331  ", text, re.M)
    certificates = {"C": [1], "solvers": {"optimal": {"solver": "optimal"}}}
    text = estimates.summary({**config, "certificates": certificates}, both, laws)
    assert "not counted: 2 certificates: the cost of their solver was not measured" in text
    assert "total: at least" in text


def test_memory_holds_the_data():
    (row,) = estimates.estimate(CONFIG, {PAIR: costs.Size(10**7, 2, 2)}, {("a.B", ""): law()})
    assert row.memory_mb == pytest.approx(costs.PROCESS_MB + 3 * 240)


def test_sizes_come_from_results_then_from_settings(tmp_path):
    config = yaml.safe_load((ROOT / "tests/config/tiny.yaml").read_text())
    folders = tmp_path, tmp_path
    generated = found_sizes.of(config, "gaussians", "given", *folders, {})
    assert generated == costs.Size(60, 2, 3)
    assert found_sizes.of(config, "karate", "hydra", *folders, {}) is None
    assert found_sizes.of(config, "karate", "hydra", *folders, KNOWN) == costs.Size(34, 2, 2)
    points = np.zeros((7, 4))
    points[:, 0] = 1.0
    about = {"embedding": {"name": "hydra"}, "dataset": {"settings": {}}}
    record = Embedded(points, "hyperboloid", np.arange(7) % 2, ("a", "b"), about=about)
    io.write_record(tmp_path / "embed/karate/hydra.npz", record)
    assert found_sizes.of(config, "karate", "hydra", *folders, KNOWN) == costs.Size(7, 3, 2)
    config["datasets"]["karate"]["params"] = {"other": 1}
    assert found_sizes.of(config, "karate", "hydra", *folders, {}) is None


def test_size_of_a_result_counts_only_for_the_file_that_it_was_made_from(tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text("a,b,kind\n" + "1,2,x\n3,4,y\n" * 10)
    entry = {"use": "table_file", "files": {"data": "mine.csv"}}
    entry |= {"params": {"label": "kind"}, "embeddings": ["given"]}
    arguments = ["--name", "d", "--use", entry["use"], "--seed", "0"]
    arguments += ["--files", json.dumps({"data": str(file)})]
    arguments += ["--params", json.dumps(entry["params"])]
    acquire.main([*arguments, "--output", str(tmp_path / "acquire/d.npz")])
    assert found_sizes.is_of_now(tmp_path / "acquire/d.npz", entry, tmp_path)
    file.write_text("a,b,kind\n" + "1,2,x\n3,4,y\n" * 11)
    assert not found_sizes.is_of_now(tmp_path / "acquire/d.npz", entry, tmp_path)


def test_folds_and_trees_that_are_not_given_count_by_their_defaults():
    assert costs.fits_of({"scheme": "stratified_kfold"}, 1, {"grid": {}}, 2)[0] == (0.8, 5)
    assert costs.fits_of({"scheme": "holdout"}, 1, {"grid": {}}, 2)[0] == (0.8, 1)
    name = "sklearn.ensemble.RandomForestClassifier"
    laws = {(name, ""): law()}
    size, fits = costs.Size(1000, 2, 2), [(1.0, 1)]
    plain = {"use": name, "params": {}}
    assert costs.variants(plain) == [{"use": name, "params": {"n_estimators": 100}}]
    given = {"use": name, "params": {"n_estimators": 100}}
    assert costs.cost(size, plain, fits, laws) == costs.cost(size, given, fits, laws)
    grid = {"use": name, "params": {}, "grid": {"n_estimators": [100, 300], "max_depth": [3]}}
    seconds = [costs.cost(size, method, fits, laws)[0] for method in (given, grid)]
    assert seconds[1] - costs.FIT_SECONDS == pytest.approx(2 * (seconds[0] - costs.FIT_SECONDS))


def test_every_choice_of_a_grid_needs_a_law():
    method = {"use": "a.B", "params": {}, "grid": {"solver": ["optimal", "pgd"]}}
    size, fits = costs.Size(10, 2, 2), [(1.0, 1)]
    assert costs.cost(size, method, fits, {("a.B", ""): law()})[2] == "method not measured"
    laws = {("a.B", ""): law(seconds=1e-3), ("a.B", "pgd"): law(seconds=3e-3)}
    each = [
        costs.cost(size, {"use": "a.B", "params": {"solver": name}}, fits, laws)[0]
        for name in ("optimal", "pgd")
    ]
    assert costs.cost(size, method, fits, laws)[0] == pytest.approx(sum(each) / 2)


def test_an_own_file_is_read_for_its_size_if_it_is_there(tmp_path, capsys):
    (tmp_path / "mine.csv").write_text("a,b,kind\n" + "1,2,x\n3,4,y\n" * 10)
    entry = {"use": "table_file", "files": {"data": "mine.csv"}}
    config = {**CONFIG, "datasets": {"d": {**entry, "params": {"label": "kind"}}}}
    config["embeddings"] = {"given": {"use": "lifted_pca"}}
    read = found_sizes.of(config, "d", "given", tmp_path, tmp_path, KNOWN)
    assert read == costs.Size(20, 2, 2)
    assert found_sizes.of(config, "d", "given", tmp_path, tmp_path / "none", KNOWN) is None


@pytest.mark.usefixtures("bare")
def test_a_problem_a_pair_is_as_many_fits_of_two_classes():
    laws = {("a.B", ""): law(problems=1.0)}
    config = {**CONFIG, "methods": {"m": {"use": "a.B", "params": {"multi_class": "ovo"}}}}
    size = {PAIR: costs.Size(120, 2, 4)}
    (pairs,) = estimates.estimate(config, size, laws)
    config["methods"] = {"m": {"use": "a.B"}}
    (rests,) = estimates.estimate(config, size, laws)
    assert pairs.seconds / rests.seconds == pytest.approx(6 * (2 / 4) / 4)


def test_starts_and_passes_grow_differently_with_the_classes():
    found = law(start=3.0, start_problems=1.0, problems=2.0)
    assert found.of(10, 2, 2) == 3 + 10
    assert found.of(10, 2, 5) == 5 * 3 + 25 * 10


def test_memory_of_many_classes_is_what_the_fit_holds_and_what_the_job_predicts():
    """`decisions` numbers for each row and class in a fit, and 3 for each row that is predicted."""
    method, fits = {"use": "a.B", "params": {}}, [(1.0, 1)]
    size, n = costs.Size(10**5, 2, 62), 10**5
    memory = [
        costs.cost(size, method, fits, {("a.B", ""): law(decisions=held)}, predicted)[1]
        for held, predicted in ((0.0, 0), (2.0, 0), (0.0, None), (0.0, n // 10))
    ]
    more = [(found - memory[0]) * costs.MEGABYTE / (8 * n * 60) for found in memory[1:]]
    assert more == pytest.approx([2, costs.PREDICTED, costs.PREDICTED / 10])


def atlas_rows():
    with open(ROOT / "benchmarks/atlas_classifiers.tsv", newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


@pytest.mark.parametrize("row", atlas_rows(), ids=lambda row: f"{row['method']} {row['rows']}")
def test_the_laws_say_what_fits_to_sixty_classes_take(row, monkeypatch):
    """Within a factor of two; short fits within 0.1 s."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    import atlas_classifiers

    found = atlas_classifiers.estimate(row["method"], int(row["rows"]))
    seconds, megabytes = float(row["seconds"]), float(row["megabytes"])
    assert seconds / 2 - 0.1 <= found["estimated_seconds"] <= 2 * seconds + 0.1
    assert megabytes / 2 <= found["estimated_megabytes"] <= 2 * megabytes
    assert float(row["estimated_seconds"]) == pytest.approx(found["estimated_seconds"], abs=0.02)


@pytest.mark.usefixtures("bare")
def test_certificates_are_counted_up_to_their_largest_problem():
    solvers = {"optimal": {"solver": "optimal"}, "moment": {"solver": "moment", "max_points": 50}}
    config = {**CONFIG, "certificates": {"C": [1, 10], "solvers": solvers}}
    laws = {(costs.CERTIFIED, ""): law(), (costs.CERTIFIED, "moment"): law(seconds=100.0)}
    for n, seconds in ((50, 2 * 50 * 101), (51, 2 * 51)):
        found = estimates.certificate_seconds(config, {PAIR: costs.Size(n, 2, 2)}, laws)
        assert found == (pytest.approx(seconds), 0)
    assert estimates.certificate_seconds(config, {PAIR: None}, laws) == (0, 2)


@pytest.mark.parametrize("path", [*SHIPPED, *FETCHED], ids=lambda p: p.stem)
def test_every_configuration_has_an_estimate(path, tmp_path, capsys):
    config = configuration.expanded(yaml.safe_load(path.read_text()))
    estimate.main(["--configfile", str(path), "--results", str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1 : 1 + len(config["methods"])]] == list(
        config["methods"]
    )
    whole = any(re.match(r"total: [\d.]+ core-hours", line) for line in lines)
    assert whole or path in FETCHED
    assert "nan" not in " ".join(lines)


def test_a_paper_has_an_estimate_by_its_name_and_so_has_its_quick_version(capsys):
    hours = []
    for words in (["cho2019"], ["cho2019", "--quick"]):
        estimate.main(words)
        hours.append(float(re.search(r"total: ([\d.]+) core-hours", capsys.readouterr().out)[1]))
    assert hours[0] > 2 * hours[1]
    with pytest.raises(InputError, match="--quick needs the name of a paper"):
        estimate.main(["--quick"])
    with pytest.raises(InputError, match="has no quick version"):
        estimate.main(["chlenski2024_figure_2", "--quick"])


def test_every_law_has_a_source():
    for found in LAWS.values():
        assert all((ROOT / source).is_file() for source in found.source.split())


def test_a_broken_configuration_is_one_line(tmp_path):
    (tmp_path / "c.yaml").write_text("a: [")
    with pytest.raises(InputError, match=r"c\.yaml cannot be read"):
        estimate.main(["--configfile", str(tmp_path / "c.yaml")])


def test_an_approximated_kernel_is_linear_in_the_rows_and_needs_their_features():
    method, fits = {"use": "baseline_svm", "params": {}, "grid": {}}, [(1.0, 1)]
    found = [costs.cost(costs.Size(n, 10, 2), method, fits, LAWS) for n in (30_000, 300_000)]
    seconds = [seconds - costs.FIT_SECONDS for seconds, _, _ in found]
    assert seconds[1] == pytest.approx(10 * seconds[0])
    # Two copies of 500 features of 8 bytes.
    assert found[1][1] > 2 * 500 * 8 * 300_000 / 1e6 + costs.PROCESS_MB
    sizes = [costs.Size(n, 10, 2) for n in (5000, 5001)]
    exact, other = (costs.cost(size, method, fits, LAWS)[1] for size in sizes)
    assert other - exact == pytest.approx(2 * 500 * 8 * 5001 / 1e6, rel=0.02)
    many = costs.cost(costs.Size(30_000, 10, 60), method, fits, LAWS)[0] - costs.FIT_SECONDS
    assert many == pytest.approx(60 * seconds[0])


def test_matrices_of_all_pairs_need_memory():
    laws, fits = {("noneuclid.HyperbolicKernelSVC", ""): law(copies=0.0)}, [(1.0, 1)]
    method = {"use": "noneuclid.HyperbolicKernelSVC", "params": {}}
    _, memory, _ = costs.cost(costs.Size(10_000, 2, 2), method, fits, laws)
    assert memory == pytest.approx(costs.PROCESS_MB + 2 * 0.24 + 2 * 800)


@pytest.mark.parametrize("name", [*costs.MATRICES, "HyperbolicNystroemClassifier"])
def test_kernel_machines_have_laws(name):
    assert (f"noneuclid.{name}", "") in LAWS


def test_a_folder_that_the_run_will_make_has_an_estimate(tmp_path, capsys):
    file = ROOT / "config/data/simulated_cells.yaml"
    estimate.main(["--configfile", str(file), "--directory", str(tmp_path / "new")])
    assert "logistic" in capsys.readouterr().out
    assert not (tmp_path / "new").exists()


def test_a_paper_is_named_without_its_file(capsys):
    estimate.main(["acharya2026_boxes"])
    named = capsys.readouterr().out
    estimate.main(["--configfile", str(ROOT / "papers/config/acharya2026_boxes.yaml")])
    assert named == capsys.readouterr().out
    with pytest.raises(InputError, match="no paper 'acharya'; there are acharya2026, "):
        estimate.main(["acharya"])
    with pytest.raises(InputError, match="give a paper or --configfile, not both"):
        estimate.main(["acharya2026_boxes", "--configfile", "config.yaml"])
