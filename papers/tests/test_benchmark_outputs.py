"""Benchmarks of the papers replace their tables in whole runs only."""

import argparse
from pathlib import Path

import pytest

import outputs


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "a.tsv"),
        (["--draws", "10"], "a.tsv"),
        (["--draws", "3"], None),
        (["--draws", "3", "--output", "b.tsv"], "b.tsv"),
        (["--output", "b.tsv"], "b.tsv"),
    ],
)
def test_a_part_of_a_run_replaces_no_table(words, expected, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["program", *words])
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=10)
    options = outputs.options_of(parser, Path("a.tsv"))
    assert options.output == (expected and Path(expected))
    said = "a.tsv is not replaced by a run with draws: give --output FILE\n"
    assert capsys.readouterr().out == ("" if expected else said)


def test_data_that_are_missing_end_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(outputs, "MIRROR", tmp_path)
    (tmp_path / "here").write_text("")
    assert outputs.paper_file("here") == tmp_path / "here"
    with pytest.raises(SystemExit, match=r"a/b is missing; download it with `noneuclid fetch`"):
        outputs.paper_file("a", "b")
