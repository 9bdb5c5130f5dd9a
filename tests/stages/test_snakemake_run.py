import io
import sys

import pytest
from recorded_events import failed, finished, planned, record, records, started
from rich.console import Console
from snakemake_interface_logger_plugins.registry import LoggerPluginRegistry
from snakemake_interface_logger_plugins.tests import MockOutputSettings

from noneuclid_compare.stages import snakemake_run


@pytest.fixture
def display(tmp_path, monkeypatch):
    """The display of a run, and what it has printed."""
    monkeypatch.chdir(tmp_path)

    def make(terminal=False, dryrun=False, quiet=None):
        settings = MockOutputSettings()
        settings.dryrun, settings.quiet = dryrun, quiet
        made = snakemake_run.LogHandler(settings, None)
        made.console = Console(
            file=io.StringIO(), force_terminal=terminal, width=80, highlight=False
        )
        return made, made.console.file.getvalue

    return make


def test_the_error_is_the_last_thing_in_a_file(display):
    handler, printed = display()
    for one in records("two_failed"):
        handler.emit(one)
    handler.close()
    # The interpreter closes all handlers once more.
    handler.close()
    lines = printed().splitlines()
    assert lines[0].startswith("12 jobs, ")
    assert [line.partition(" (")[0] for line in lines[1:7]] == [
        *(f"{name}: 3 jobs begin" for name in ("acquire", "embed", "split")),
        "split lonely/0 failed",
        "acquire broken failed",
        "train: 3 jobs begin",
    ]
    # The logs are not there.
    assert lines[7:9] == [
        "error: the job ended with exit status 2 and without a message",
        "  in split lonely/0, which left no log; the same in 1 other job",
    ]
    assert lines[-1].startswith("what is finished is kept: ")
    assert len(lines) == 10


def test_a_terminal_has_a_table_and_then_the_last_lines(display):
    handler, printed = display(terminal=True)
    for one in (planned(split=1), started(1, "split", at=1.0, dataset="a")):
        handler.emit(one)
    assert isinstance(handler.live, snakemake_run.Live)
    for one in (record("workflow_started"), finished(1, at=3.0)):
        handler.emit(one)
    handler.close()
    text = printed()
    assert "1/1" in text
    assert "2.0 s" in text
    # After the table, whose cursor is shown again.
    assert text.splitlines()[-1].removeprefix("\x1b[?25h").startswith("1 job done in ")


def test_a_dry_run_prints_its_table_only(display):
    handler, printed = display(dryrun=True)
    for one in (record("workflow_started"), planned(split=1), started(1, "split")):
        handler.emit(one)
    assert printed() == ""
    handler.close()
    assert printed().startswith(
        "stage  jobs  core time\nsplit     1  not known yet\n1 job one after another, "
    )


def test_a_quiet_run_prints_errors_alone(display):
    handler, printed = display(quiet={"all"})
    for one in (record("workflow_started"), planned(split=1), started(1, "split")):
        handler.emit(one)
    handler.emit(failed(1, "split", message="lost"))
    assert printed() == ""
    handler.close()
    assert printed().startswith("error: lost\n")


def test_what_is_no_run_prints_what_snakemake_says(display):
    handler, printed = display()
    handler.emit(record(msg="Unlocked working directory."))
    handler.close()
    assert printed() == "Unlocked working directory.\n"


@pytest.mark.parametrize(("end", "status"), [(SystemExit(1), 1), (KeyboardInterrupt(), 130)])
def test_the_status_is_that_of_snakemake(end, status, monkeypatch, capfd):
    def main(argv):
        print("Using a profile", file=sys.stderr)
        raise end

    monkeypatch.setattr(snakemake_run.cli, "main", main)
    with pytest.raises(SystemExit) as ended:
        snakemake_run.main([])
    assert ended.value.code == status
    # It ended before there was a display, so nothing is held back.
    assert "Using a profile" in capfd.readouterr().err
    assert "noneuclid" in LoggerPluginRegistry().plugins
