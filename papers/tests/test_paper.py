"""The command paper: which run it starts, and the tables that it keeps."""

import json
import signal
import sys
from math import nan

import numpy as np
import pandas as pd
import pytest
from cases import each_of

from noneuclid.errors import InputError
from noneuclid_compare import __main__ as command_line
from noneuclid_compare import io
from noneuclid_compare.jobs import locations
from noneuclid_papers.printed import (
    fault_comparison,
    published,
    reproduction_status,
    run_metadata,
)
from noneuclid_papers.stages import paper_numbers
from noneuclid_papers.stages import published as stage

PAPERS = ("cho2019", "pan2023", "yang2024", "chlenski2024", "acharya2026")
ENTRY = {
    "table": "t",
    "datasets": r"blobs(?P<size>\d)",
    "dataset": "Blobs",
    "variant": "{size}",
    "methods": {"a": "A", "b": "B"},
    "metrics": {"accuracy": "accuracy"},
}
FAULT = {key: ENTRY[key] for key in ("table", "datasets", "dataset", "variant", "metrics")}
FAULT |= {"fault": "f", "with": {"methods": {"b": "A"}}, "without": {"methods": {"a": "A"}}}
FAULTS = {FAULT["fault"]}


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SNAKEMAKE_PROFILE", raising=False)
    monkeypatch.setattr(paper_numbers, "PRINTED", tmp_path / "resources/printed")


@pytest.fixture
def started(monkeypatch):
    """The words of the programs that were started."""
    words = []
    monkeypatch.setattr("os.execv", lambda path, argv: words.append(argv))
    return words


@pytest.mark.parametrize("name", PAPERS)
@pytest.mark.parametrize("quick", [False, True])
def test_a_paper_is_one_command(name, quick, started):
    command_line.run(["paper", name, *(["--quick"] if quick else []), "--cores", "1", "-n"])
    stem = f"{name}_quick" if quick else name
    (words,) = started
    started.clear()
    assert words[:4] == [sys.executable, "-P", "-m", "noneuclid_compare.stages.snakemake_run"]
    after = {word: words[k + 1] for k, word in enumerate(words[:-1]) if word.startswith("--")}
    assert after["--configfile"] == str(locations.root() / f"papers/config/{stem}.yaml")
    assert (after["--directory"], after["--cores"]) == (stem, "1")
    assert words.count("--cores") == 1
    assert "-n" in words


def test_the_directory_and_the_options_are_the_users(started):
    options = ["--directory", "mine", "--verbose", "--config", "mirror=there"]
    command_line.run(["paper", "yang2024", *options])
    (words,) = started
    assert words[3] == "snakemake"
    assert words[words.index("--directory") + 1] == "mine"
    assert words[words.index("mirror=there") + 1].startswith("--")
    assert words[words.index("--cores") + 1] == "all"


@each_of(
    ("options", "message"),
    [
        (["yang"], "no paper 'yang'; there are acharya2026, .*yang2024"),
        (["yang2024_quick"], "no paper 'yang2024_quick'"),
        (["chlenski2024_figure_2", "--quick"], "has no quick version: leave out --quick"),
        (["yang2024", "--quick", "--keep"], "--keep needs the whole run: leave out --quick"),
        (["chlenski2024_figure_2", "--keep"], "figure_2 has no printed number and no figure"),
        *(
            (["yang2024", "--keep", *words], f"run of the configuration: leave out {words[-1]}$")
            for words in (
                ["-n"],
                ["--touch"],
                ["-np"],
                ["--unlock"],
                ["--config", "repeats=1"],
                ["--config", "mirror=a", "seed=1"],
                ["--config=repeats=1"],
                ["--jobs", "2", "results/acquire/karate.npz"],
                ["results/acquire/karate.npz"],
            )
        ),
    ],
)
def test_what_cannot_be_run_or_kept_is_one_line(options, message, started):
    with pytest.raises(InputError, match=message) as caught:
        command_line.run(["paper", *options])
    assert "\n" not in str(caught.value)
    assert not started


def test_a_command_that_is_killed_ends_its_workflow_and_keeps_nothing(monkeypatch, capsys):
    child = "import os, signal, time; time.sleep(0.5); os.kill(os.getppid(), signal.SIGTERM); "
    line = [sys.executable, "-c", child + "time.sleep(60)"]
    monkeypatch.setattr("noneuclid_compare.stages.run.line", lambda *_: line)
    monkeypatch.setattr(paper_numbers, "keep", lambda *_: pytest.fail("kept"))
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as caught:
        command_line.run(["paper", "yang2024", "--keep"])
    assert caught.value.code == -signal.SIGTERM
    assert "stops when the running jobs have ended" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGTERM) == before


def resources(folder):
    """Printed numbers of two data sets, none of which is kept yet."""
    rows = [("t", "Blobs", size, m, "accuracy", "80", "", "%") for size in "12" for m in "AB"]
    (folder / "printed").mkdir(parents=True)
    (folder / "kept").mkdir()
    printed = pd.DataFrame(rows, columns=published.COLUMNS)
    printed.to_csv(folder / "printed/p.tsv", sep="\t", index=False)
    reasons = pd.DataFrame(columns=published.REASONS)
    reasons.to_csv(folder / "printed/reasons.tsv", sep="\t", index=False)
    (folder / "printed/protocols.tsv").write_text("paper\tprotocol\np\tAll.\n")
    (folder / "printed/methods.tsv").write_text("paper\tmethod\tkind\np\tA\town\np\tB\tbaseline\n")
    empty = published.cells(
        pd.DataFrame(columns=["dataset", "embedding"]), printed, "p", [], reasons
    )
    io.write_table(folder / "kept/p.tsv", empty)
    nothing = pd.DataFrame(columns=fault_comparison.COLUMNS)
    io.write_table(folder / "kept/imitations.tsv", nothing)
    return folder


def run(folder, where, scores, commit):
    """The stage published of a run with some scores: (data set, method, value)."""
    rows = [(d, "given", m, "", 0, 0, "accuracy", v) for d, m, v in scores]
    names = ["dataset", "embedding", "method", "setting", "repeat", "fold", "metric", "value"]
    where.mkdir()
    pd.DataFrame(rows, columns=names).to_parquet(where / "scores.parquet")
    runs = [
        {"dataset": d, "embedding": "given", "method": m, "repeat": 0}
        | {"commit": commit, "digest": f"code of {m}", "machine": "mine"}
        for d, m, _ in scores
    ]
    io.write_json(where / "runs.json", runs)
    settings = {"paper": "p", "tables": [ENTRY], "imitations": [FAULT]}
    words = ["--scores", where / "scores.parquet", "--runs", where / "runs.json"]
    words += ["--settings", json.dumps(settings), "--paper", folder / "printed/p.tsv"]
    for name in ("reasons", "protocols", "methods"):
        words += [f"--{name}", folder / f"printed/{name}.tsv"]
    stage.main([str(word) for word in [*words, "--output", where / "published"]])
    return where / "published"


def test_the_numbers_of_a_run_replace_the_kept_ones_and_say_what_made_them(tmp_path, capsys):
    folder = resources(tmp_path / "resources")
    both = [("blobs1", "a", 0.8), ("blobs1", "b", 0.7), ("blobs2", "a", 0.1)]
    paper_numbers.keep_numbers(
        "p", run(folder, tmp_path / "first", both, "c1"), folder / "kept", FAULTS
    )
    cells = stage.read(folder / "kept/p.tsv")
    assert cells["ours"].tolist()[:3] == [0.8, 0.7, 0.1]
    assert cells["commit"].tolist() == ["c1", "c1", "c1", ""]
    assert cells["code"].tolist() == ["code of a", "code of b", "code of a", ""]
    assert cells["machine"].tolist() == ["mine", "mine", "mine", ""]
    assert cells["status"].tolist() == ["exact", "outside", "outside", "not run"]
    # The second run has one data set: its numbers are new, the other ones stay.
    later = [("blobs2", "a", 0.3), ("blobs2", "b", 0.8)]
    paper_numbers.keep_numbers(
        "p", run(folder, tmp_path / "second", later, "c2"), folder / "kept", FAULTS
    )
    cells = stage.read(folder / "kept/p.tsv")
    assert cells["ours"].tolist() == [0.8, 0.7, 0.3, 0.8]
    assert cells["commit"].tolist() == ["c1", "c1", "c2", "c2"]
    # b on the second data set is the printed number of A: its fault returns it, and loses the
    # number of the first data set, which is of another run.
    assert cells["status"].tolist() == ["exact", "outside", "outside", "exact"]
    imitated = stage.read(folder / "kept/imitations.tsv", fault_comparison.WORDS)
    assert imitated["variant"].tolist() == ["1", "2"]
    assert imitated["verdict"].tolist() == [fault_comparison.NOT, reproduction_status.LOSES]
    assert imitated["commit"].tolist() == ["c1", "c2"]
    assert imitated["code"].tolist() == ["code of a, code of b"] * 2
    assert capsys.readouterr().out.splitlines()[-1].endswith("2 numbers of this run, 2 kept")
    # Without the loss on the first data set, the number of the second is returned.
    last = [("blobs1", "a", 0.8), ("blobs1", "b", 0.8)]
    paper_numbers.keep_numbers(
        "p", run(folder, tmp_path / "third", last, "c3"), folder / "kept", FAULTS
    )
    cells = stage.read(folder / "kept/p.tsv")
    assert cells["status"].tolist() == ["exact", "exact", reproduction_status.IMITATED, "exact"]


def test_imitations_of_a_fault_that_no_configuration_names_any_more_are_dropped(tmp_path):
    folder = resources(tmp_path / "resources")
    both = [("blobs1", "a", 0.8), ("blobs1", "b", 0.7)]
    results = run(folder, tmp_path / "first", both, "c1")
    path = folder / "kept/imitations.tsv"
    paper_numbers.keep_numbers("p", results, folder / "kept", FAULTS)
    kept = stage.read(path, fault_comparison.WORDS)
    old, other = kept.assign(fault="an old one"), kept.assign(fault="an old one", paper="q")
    io.write_table(path, pd.concat([kept, old, other]))
    paper_numbers.keep_numbers("p", results, folder / "kept", FAULTS)
    found = stage.read(path, fault_comparison.WORDS)
    pairs = {(row.paper, row.fault) for row in found.itertuples()}
    assert pairs == {("p", *FAULTS), ("q", "an old one")}


def test_kept_imitations_are_of_faults_that_a_configuration_names():
    kept = stage.read_words(locations.root() / "papers/kept/imitations.tsv")
    for name, rows in kept.groupby("paper"):
        assert set(rows["fault"]) <= paper_numbers.faults_of(name)


def test_keeping_the_same_run_twice_changes_no_byte(tmp_path):
    folder = resources(tmp_path / "resources")
    results = run(folder, tmp_path / "run", [("blobs1", "a", 0.1 + 0.2), ("blobs1", "b", 0.7)], "c")
    files = [folder / "kept/p.tsv", folder / "kept/imitations.tsv"]
    paper_numbers.keep_numbers("p", results, folder / "kept", FAULTS)
    first = [file.read_bytes() for file in files]
    paper_numbers.keep_numbers("p", results, folder / "kept", FAULTS)
    assert [file.read_bytes() for file in files] == first


def test_a_kept_number_beside_another_printed_one_is_dropped(tmp_path):
    folder = resources(tmp_path / "resources")
    first = [("blobs1", "a", 0.8), ("blobs1", "b", 0.7)]
    paper_numbers.keep_numbers(
        "p", run(folder, tmp_path / "first", first, "c1"), folder / "kept", FAULTS
    )
    printed = folder / "printed/p.tsv"
    lines = printed.read_text().splitlines(keepends=True)
    assert "\t80" in lines[1]
    lines[1] = lines[1].replace("\t80", "\t70")
    printed.write_text("".join(lines))
    later = run(folder, tmp_path / "second", [("blobs2", "b", 0.5)], "c2")
    paper_numbers.keep_numbers("p", later, folder / "kept", FAULTS)
    cells = stage.read(folder / "kept/p.tsv")
    assert cells["printed"].str.startswith("70").tolist()[0]
    assert cells["ours"].tolist() == pytest.approx([nan, 0.7, nan, 0.5], nan_ok=True)
    assert cells["status"].tolist()[0] == "not run"
    assert (cells["unit"] == "%").all()


def test_one_side_of_an_imitation_does_not_replace_both(tmp_path):
    folder = resources(tmp_path / "resources")
    both = [("blobs2", "a", 0.3), ("blobs2", "b", 0.8)]
    paper_numbers.keep_numbers(
        "p", run(folder, tmp_path / "first", both, "c1"), folder / "kept", FAULTS
    )
    kept = (folder / "kept/imitations.tsv").read_bytes()
    paper_numbers.keep_numbers(
        "p", run(folder, tmp_path / "second", both[:1], "c2"), folder / "kept", FAULTS
    )
    assert (folder / "kept/imitations.tsv").read_bytes() == kept
    cells = stage.read(folder / "kept/p.tsv").set_index("variant")
    assert "reproduced by imitation" in cells.loc["2", "status"].tolist()


@pytest.mark.parametrize("method", ["a", "b"])
def test_fits_without_a_value_replace_kept_numbers(tmp_path, method):
    folder = resources(tmp_path / "resources")
    both = {"a": 0.3, "b": 0.8}
    first = [("blobs2", name, value) for name, value in both.items()]
    paper_numbers.keep_numbers(
        "p", run(folder, tmp_path / "first", first, "c1"), folder / "kept", FAULTS
    )
    later = [("blobs2", name, value) for name, value in (both | {method: nan}).items()]
    paper_numbers.keep_numbers(
        "p", run(folder, tmp_path / "second", later, "c2"), folder / "kept", FAULTS
    )
    cells = stage.read(folder / "kept/p.tsv").set_index(["variant", "method"])
    assert np.isnan(cells.loc[("2", method.upper()), "ours"])
    assert cells.loc["2", "status"].tolist().count("not run") == 1
    imitated = stage.read(folder / "kept/imitations.tsv", fault_comparison.WORDS)
    assert imitated["verdict"].tolist() == ["not run"]
    assert imitated["commit"].tolist() == ["c2"]


def test_an_incomplete_run_leaves_the_kept_tables(tmp_path):
    folder = resources(tmp_path / "resources")
    published = run(folder, tmp_path / "run", [("blobs1", "a", 0.8)], "c1")
    before = (folder / "kept/p.tsv").read_bytes()
    config = {"published": {"paper": "p"}, "study": {"first": "a"}}
    with pytest.raises(InputError, match=r"pairs.tsv is missing: nothing was kept"):
        paper_numbers.keep(config, "p", published.parent, folder / "kept")
    assert (folder / "kept/p.tsv").read_bytes() == before


def test_runs_without_an_origin_are_unknown():
    run_ = {"dataset": "d", "embedding": "e", "method": "m", "repeat": 0}
    scores = pd.DataFrame([run_ | {"value": 1.0}])
    found = run_metadata.with_origins(scores, [run_ | {"digest": ""}])
    assert found[run_metadata.COLUMNS].values.tolist() == [["unknown"] * 3]


def test_the_numbers_behind_figures_are_kept_with_what_made_them(tmp_path):
    config = {
        "report": {"sweep": "^a"},
        "study": {"first": "a"},
        "illustrations": {"scores": {"scores": True}, "drawings": {}},
    }
    results, folder = tmp_path / "results", tmp_path / "kept/figures"
    for name in ("sweep", "scores/p_figure_1", "scores/p_figure_2", "drawings/p_figure_3"):
        io.write_text(results / f"report/figures/{name}.tsv", f"{name}\n")
    io.write_text(results / "study/pairs.tsv", "pairs\n")
    run_ = {"dataset": "d", "embedding": "e", "method": "m", "repeat": 0, "digest": "x"}
    io.write_json(results / "evaluate/runs.json", [run_ | {"commit": "c", "machine": "mine"}])
    for _ in range(2):
        paper_numbers.keep(config, "p", results, tmp_path / "kept")
        assert {path.name: path.read_text() for path in folder.glob("p/*")} == {
            "sweep.tsv": "sweep\n",
            "pairs.tsv": "pairs\n",
            "p_figure_1.tsv": "scores/p_figure_1\n",
            "p_figure_2.tsv": "scores/p_figure_2\n",
        }
        made = stage.read_words(folder / "origins.tsv")
        names = ["p/p_figure_1", "p/p_figure_2", "p/pairs", "p/sweep"]
        assert made["figure"].tolist() == names
        assert made[run_metadata.COLUMNS].drop_duplicates().values.tolist() == [["c", "x", "mine"]]
