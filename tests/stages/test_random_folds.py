"""Stage random_folds and its section: large donor effects flatter, none do not."""

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest
import yaml
from reporting_fixtures import report_input, run_of
from scipy.stats import t as student

from noneuclid.embeddings.maps import Map
from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.config import configuration
from noneuclid_compare.evaluation.splits import Groups, make_split
from noneuclid_compare.records import Embedded, Split
from noneuclid_compare.report.sections.random_folds import SECTION
from noneuclid_compare.stages import random_folds, train

SCHEMAS = Path(__file__).resolve().parents[2] / "workflow/schemas"
NEAREST = {"use": "sklearn.neighbors.KNeighborsClassifier", "chart": "tangent", "params": {}}
NEAREST |= {"grid": {"n_neighbors": [1, 3]}, "search": {"folds": 3, "scoring": "accuracy"}}
METRIC = "balanced_accuracy"


def found(folder, effect, scheme="stratified_group_kfold", seed=0, count=12):
    """Scores, or obstacle, of the stage for 12 donors whose classes have means of their own."""
    rng = np.random.default_rng(seed)
    donors, y = np.repeat(np.arange(count), 20), np.tile([0, 1], count * 10)
    own = effect * rng.normal(size=(count, 2, 3))
    points = own[donors, y] + np.where(y, 0.6, -0.6)[:, None] + rng.normal(size=(len(y), 3))
    about = {"embedding": {"name": "given"}, "dataset": {"kind": "points"}}
    io.write_record(folder / "p.npz", Embedded(points, "tangent", y, ("a", "b"), about=about))
    io.write_record(folder / "map.npz", Map())
    groups = Groups(donors, tuple(map(str, range(count))), "donor")
    split = make_split(y, ("a", "b"), 0, seed, groups=groups, scheme=scheme)
    io.write_record(folder / "split/wheel/0.npz", split)
    known = [*("--points", folder / "p.npz", "--split", folder / "split/wheel/0.npz"),
             *("--names", "wheel", "hydra", "knn", "--method", json.dumps(NEAREST))]  # fmt: skip
    outputs = ["--predictions", folder / "t.npz", "--record", folder / "t.json"]
    train.main([*map(str, [*known, "--repeat", 0, "--seed", 1, *outputs])])
    trained = ["--trained", folder / "t.npz", "--record", folder / "t.json"]
    output = folder / "random_folds/wheel/hydra/knn.json"
    more = ["--seed", 5, "--code", "c" * 16, "--output", output]
    random_folds.main([*map(str, [*known, *trained, *more])])
    record = json.loads(output.read_text())
    schema = yaml.safe_load((SCHEMAS / "random_folds.schema.yaml").read_text())
    jsonschema.validate(record, schema)
    return record["scores"].get(METRIC) or record["obstacle"]


def test_of_one_group_held_out_there_is_no_interval(tmp_path):
    said = found(tmp_path, 0.0, "group_holdout", count=5)
    assert said == "one group is held out, and an interval needs two"


@pytest.mark.parametrize(
    "scheme", ["stratified_group_kfold", "leave_one_group_out", "group_holdout"]
)
def test_random_folds_flatter_where_donors_differ(tmp_path, scheme):
    none, large = (found(tmp_path, effect, scheme) for effect in (0.0, 2.0))
    assert none["low"] < 0 < none["high"]
    assert large["difference"] > 0.1
    # One fold holds out too few of 12 donors to be sure.
    assert scheme == "group_holdout" or large["low"] > 0
    assert large["random"] - large["grouped"] == pytest.approx(large["difference"])


@pytest.mark.slow
def test_most_intervals_contain_zero_without_an_effect(tmp_path):
    # Of 20 with probability 0.95 each, 16 or more do in 99.7 %.
    ends = [found(tmp_path, 0.0, seed=seed) for seed in range(20)]
    assert sum(one["low"] <= 0 <= one["high"] for one in ends) >= 16


def test_settings_are_those_of_the_training(tmp_path):
    found(tmp_path, 1.0)
    facts = json.loads((tmp_path / "t.json").read_text())["folds"]
    assert {fold["best"]["n_neighbors"] for fold in facts} <= {1, 3}
    before = io.read_json(tmp_path / "random_folds/wheel/hydra/knn.json")
    for fold in facts:
        fold["best"] = {"n_neighbors": 50}
    io.write_json(tmp_path / "t.json", {"folds": facts, "seed": 1})
    arguments = [*("--points", tmp_path / "p.npz", "--split", tmp_path / "split/wheel/0.npz"),
                 *("--names", "wheel", "hydra", "knn", "--method", json.dumps(NEAREST)),
                 *("--trained", tmp_path / "t.npz", "--record", tmp_path / "t.json"),
                 *("--seed", 5, "--output", tmp_path / "other.json")]  # fmt: skip
    random_folds.main([*map(str, arguments)])
    after = io.read_json(tmp_path / "other.json")["scores"][METRIC]
    assert after["random"] != before["scores"][METRIC]["random"]


METHODS = ("majority", "logistic", "forest")
ENDS = {"majority": (0.5, 0.5, 0, 0), "logistic": (0.8, 0.81, -0.02, 0.04)}
ENDS |= {"forest": (0.7, 0.9, 0.1, 0.3)}


def page_of(folder, scheme, ends, obstacle=None, repeats=1, seen=True):
    """First screen, section and table of a run on one data set with groups, of given scores."""
    rng = np.random.default_rng(0)
    entry = {"use": "graph_file", "embeddings": ["lorentz_mds"], "methods": list(METHODS)}
    entry |= {"params": {"label": "y", "groups": "family"}}
    config = {"datasets": {"karate": entry}, "methods": {name: {} for name in METHODS}}
    config |= {"splits": {"scheme": scheme}, "embeddings": {"lorentz_mds": {}}, "repeats": repeats}
    for method in METHODS:
        names = ("grouped", "random", "low", "high")
        values = dict(zip(names, ends[method], strict=True))
        values["difference"] = values["random"] - values["grouped"]
        path = folder / f"random_folds/karate/lorentz_mds/{method}.json"
        record = {"scores": {}, "obstacle": obstacle} if obstacle else {"scores": {METRIC: values}}
        io.write_json(path, record)
    y, groups = np.arange(34) % 2, Groups(rng.permutation(34) % 6, tuple("abcdef"), "family")
    for repeat in range(repeats):
        split = make_split(y, ("M", "O"), repeat, 0, groups=groups, scheme=scheme, folds=3)
        io.write_record(folder / f"split/karate/{repeat}.npz", split)
    data = report_input(1, methods=METHODS, size=20)
    data["runs"] = [one | {"transductive": seen} for one in data["runs"]]
    run = run_of(folder, data, config, metric=METRIC)
    return SECTION.warning(run), SECTION.values(run), SECTION.tables(run), run


def test_the_page_says_what_was_held_out_and_what_random_folds_would_have_shown(tmp_path):
    (head, said), section, tables, run = page_of(tmp_path, "stratified_group_kfold", ENDS)
    assert head == "Groups."
    best = run.of_datasets["karate"].best["method"]
    assert best in ("logistic", "forest")
    first = (
        "Folds leave out whole groups (family): 6 groups, 3 folds. Lorentz MDS saw all groups, "
        "without labels. Random folds would have changed the score of "
    )
    assert said.startswith(first)
    forest = "by +20.0 points (+10.0 to +30.0)"
    logistic = "logistic regression on Lorentz MDS by +1.0 points (−2.0 to +4.0)"
    assert forest in said
    if best == "logistic":
        assert f"{logistic} (the interval contains 0) and that of random forest" in said
        assert said.endswith(f"their best one, {forest}.")
    assert section["rows"][0][-1] == "+1.0 points (−2.0 to +4.0)"
    assert len(section["rows"]) == 3
    assert tables["random_folds.tsv"].count("\n") == 4


def test_folds_of_rows_that_were_asked_for_are_said_to_mix(tmp_path):
    (_, said), section, *_ = page_of(tmp_path, "stratified_kfold", ENDS)
    assert said == (
        "Folds mix the rows of 6 of 6 groups (family), as the configuration asks; scores for new "
        "ones can be lower."
    )
    assert section["rows"] == []


def test_the_page_says_why_there_is_no_interval(tmp_path):
    (_, said), section, *_ = page_of(tmp_path, "group_holdout", ENDS, "one group is held out")
    assert said.endswith("No interval for random folds: one group is held out.")
    assert section["rows"] == []


def test_the_page_says_which_groups_are_never_held_out(tmp_path):
    counts = []
    for repeats in (1, 2, 20):
        folder = tmp_path / str(repeats)
        (_, said), *_, run = page_of(folder, "group_holdout", ENDS, None, repeats, seen=False)
        splits = [io.read_record(path, Split) for path in folder.glob("split/karate/*.npz")]
        tested = set().union(*(one.groups[one.fold >= 0] for one in splits))
        assert run.tested_groups == {"karate": len(tested)}
        never = {6: ""}.get(len(tested), f" Never held out: {6 - len(tested)} groups.")
        assert f"6 groups, 1 fold.{never} Random folds" in said
        counts.append(len(tested))
    assert counts == [2, 3, 6]


def test_groups_that_are_never_held_out_widen_the_intervals(tmp_path):
    """Two groups have one degree of freedom, however many folds."""
    *_, run = page_of(tmp_path, "group_holdout", ENDS)
    assert run.tested_groups == {"karate": 2}
    wide = run.opening(run.everything, METRIC).best
    run.tested_groups["karate"] = 6
    narrow = run.opening(run.everything, METRIC).best
    ratio = (wide["value"] - wide["low"]) / (narrow["value"] - narrow["low"])
    folds = len(run.scores[["repeat", "fold"]].drop_duplicates())
    assert ratio == pytest.approx(student.ppf(0.975, 1) / student.ppf(0.975, min(folds - 1, 5)))


def test_the_scheme_follows_from_the_groups():
    entry = {"use": "table_file", "files": {"data": "a.csv"}, "params": {"label": "y"}}
    grouped = entry | {"params": {"label": "y", "groups": "donor"}}

    def scheme(entry, **config):
        filled = configuration.filled({"datasets": {"d": entry}} | config)
        return configuration.split_of(filled, "d")["scheme"], filled["repeats"]

    assert scheme(entry) == ("stratified_kfold", 3)
    assert scheme(grouped) == ("stratified_group_kfold", 3)
    assert scheme(grouped, splits={"folds": 3}) == ("stratified_group_kfold", 3)
    assert scheme(grouped, splits={"scheme": "kfold"}) == ("kfold", 3)
    assert scheme(grouped | {"split": {"scheme": "kfold"}}) == ("kfold", 3)
    one_out = grouped | {"split": {"scheme": "leave_one_group_out"}}
    assert scheme(one_out) == ("leave_one_group_out", 1)
    schema = SCHEMAS / "config.schema.yaml"
    configuration.check({"datasets": {"d": one_out}}, schema)
    with pytest.raises(InputError, match="the same folds in each of 2 repeats; give repeats: 1"):
        configuration.check({"datasets": {"d": one_out}, "repeats": 2}, schema)
