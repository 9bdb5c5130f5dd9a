import pytest
from recorded_events import failed, finished, planned, record, records, started

from noneuclid_compare.monitor import run_lines
from noneuclid_compare.monitor.run_state import RunState

JOBS = [("acquire", {"dataset": "a"}), *[("train", {"method": str(k)}) for k in range(2)]]


def begun():
    """A run of three jobs of 30 expected seconds; the first has ended, the second works."""
    state = RunState(times=lambda rule, wildcards: 30.0, waiting=JOBS)
    state.take(planned(acquire=1, train_and_keep=2))
    state.take(started(1, "acquire", at=0.0, dataset="a"))
    state.take(finished(1, at=30.0))
    state.take(started(2, "train_and_keep", at=30.0, dataset="a", embedding="b", method="c"))
    return state


def test_the_first_line_names_jobs_time_and_log():
    state = begun()
    assert run_lines.head(state, "/x.log") == (
        "3 jobs, about 1 min on an idle machine; log of the run: /x.log"
    )
    state.parallel = 2
    assert run_lines.head(state, None).endswith(", 2 at a time")


def test_the_time_left_is_said_once_it_is_known():
    state = RunState(times=lambda rule, wildcards: 30.0, waiting=JOBS)
    state.take(planned(acquire=1, train_and_keep=2))
    state.take(started(1, "acquire", at=0.0, dataset="a"))
    assert run_lines.left(state, 10.0) == "estimating the time left"
    # Six times as slow as expected: 60 seconds, corrected by (180 + 4.5) / (30 + 4.5).
    assert run_lines.left(state, 180.0).startswith("about 5 min left, ends ")
    known = {"acquire": 30.0}
    blind = RunState(times=lambda rule, wildcards: known.get(rule), waiting=JOBS)
    blind.take(planned(acquire=1, train_and_keep=2))
    blind.take(started(1, "acquire", at=0.0, dataset="a"))
    blind.take(finished(1, at=200.0))
    assert run_lines.left(blind, 200.0) == "estimating the time left"


def test_the_last_job_is_named_where_it_takes_longer_than_expected():
    state = begun()
    state.take(finished(2, at=60.0))
    state.take(started(3, "train_and_keep", at=60.0, dataset="a", embedding="b", method="d"))
    assert run_lines.left(state, 104.0) == "less than 10 s left"
    assert run_lines.left(state, 180.0) == (
        "time left unknown: train a/b/d has taken 2 min, longer than expected"
    )


def test_a_long_job_is_not_divided_among_the_cores():
    state = begun()
    state.parallel = 2
    state.expected[2] = 30.0
    # Two jobs of 30 seconds are left; the one at work has 20 seconds to go, the other 30.
    assert state.remaining(40.0)[0] == 25.0
    state.take(started(3, "train_and_keep", at=40.0, dataset="a", embedding="b", method="d"))
    assert state.remaining(40.0)[0] == 30.0


def test_the_table_of_a_terminal():
    state = begun()
    assert run_lines.table(state) == [
        "acquire  ━━━━━━━━━━━━━━━━━━━━  1/1  30 s",
        "train    ────────────────────  0/2  a/b/c",
    ]
    state.take(started(3, "train", at=40.0, dataset="a", embedding="b", method="d"))
    state.take(finished(2, at=50.0))
    assert run_lines.table(state)[1] == "train    ━━━━━━━━━━──────────  1/2  a/b/d"
    assert run_lines.foot(state, 50.0) == "2 of 3 jobs, 50 s so far, about 20 s left"


def test_a_run_that_has_done_all_has_no_time_left():
    state = begun()
    for one in (finished(2, at=40.0), started(3, "train", at=40.0), finished(3, at=45.0)):
        state.take(one)
    assert run_lines.foot(state, 50.0) == "3 of 3 jobs, 50 s so far"


def test_several_jobs_at_a_time_are_counted():
    state = begun()
    state.take(started(3, "train", at=40.0, dataset="a", embedding="b", method="d"))
    assert run_lines.table(state)[1].endswith("  a/b/d and 1 other")


def test_an_error_is_seen_before_the_end():
    state = begun()
    state.take(failed(2, "train_and_keep"))
    assert run_lines.foot(state, 40.0).endswith("; 1 error so far")
    assert "train a/b/c failed" in run_lines.Plain().lines(state, 40.0)
    # Jobs that Ctrl-C has killed have not failed.
    state.interrupted = True
    assert not run_lines.foot(state, 40.0).endswith("so far")
    assert "train a/b/c failed" not in run_lines.Plain().lines(state, 40.0)


def test_a_file_has_a_line_for_each_stage_and_one_now_and_then():
    plain, lines = run_lines.Plain(), []
    state = RunState()
    for one in records("two_failed"):
        state.take(one)
        lines += [line.partition(" (")[0] for line in plain.lines(state, one.created)]
    assert lines == [
        "acquire: 3 jobs begin",
        "embed: 3 jobs begin",
        "split: 3 jobs begin",
        "split lonely/0 failed",
        "acquire broken failed",
        "train: 3 jobs begin",
    ]
    plain, state = run_lines.Plain(), begun()
    assert plain.lines(state, 30.0) == [
        "acquire: 1 job done in 30 s",
        f"train: 2 jobs begin (whole run: {run_lines.left(state, 30.0)})",
    ]
    assert run_lines.left(state, 30.0).startswith("about 1 min left, ends ")
    assert plain.lines(state, 329.0) == []
    assert plain.lines(state, 330.0) == [f"{run_lines.foot(state, 330.0)}; now train a/b/c"]
    assert plain.lines(state, 331.0) == []


def test_a_dry_run_counts_jobs_and_time():
    state = RunState(times=lambda rule, wildcards: 90.0 if rule == "train" else None)
    state.take(planned(acquire=1, train=2))
    for number, (rule, wildcards) in enumerate(JOBS):
        state.take(started(number, rule, **wildcards))
    assert run_lines.dry(state) == [
        "stage    jobs  core time",
        "acquire     1  not known yet",
        "train       2  3 min 0 s",
        "3 jobs one after another, at least 3 min",
        "nothing was run (-n); --verbose lists the jobs and why each would run",
    ]


def test_how_a_run_ended():
    state = begun()
    for one in (finished(2, at=40.0), started(3, "train", at=40.0), finished(3, at=45.0)):
        state.take(one)
    assert run_lines.last(state, 46.0, "log", "page", "") == [
        "3 jobs done in 46 s",
        "the report: page",
    ]
    state = RunState()
    state.take(record(msg="Nothing to be done (all requested files are present"))
    assert run_lines.last(state, 1.0, "log", None, "") == [
        "nothing to do: all that was asked for is up to date"
    ]
    state = RunState()
    state.take(record(msg="Terminating processes on user request"))
    assert run_lines.last(state, 1.0, "log", None, "") == ["stopped before the first job"]


@pytest.mark.parametrize("seconds", [86_400.0 * 2, 60.0])
def test_the_end_has_a_date_if_it_is_not_today(seconds):
    noon = 1_700_049_600.0
    assert ("on " in run_lines.clock(noon + seconds, noon)) == (seconds > 86_400)
