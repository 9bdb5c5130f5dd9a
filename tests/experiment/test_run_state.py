import logging
from itertools import takewhile

import pytest
from recorded_events import failed, finished, planned, record, records, started

from noneuclid_compare.monitor import run_lines
from noneuclid_compare.monitor.run_state import RunState


def after(*found, times=None):
    state = RunState(times=times)
    for one in found:
        state.take(one)
    return state


def test_a_recorded_run_with_two_errors():
    state = after(*records("two_failed"))
    assert {name: (stage.done, stage.total) for name, stage in state.stages.items()} == {
        "acquire": (2, 3),
        "embed": (2, 3),
        "split": (1, 3),
        "train": (1, 3),
    }
    assert (state.done, state.total, state.parallel) == (6, 12, 1)
    assert [str(each.jobs[0]) for each in state.failures.values()] == [
        "split lonely/0",
        "acquire broken",
    ]
    # What Snakemake prints of the same errors is no other error.
    assert state.others == []
    assert not state.running
    assert not state.went_well


def test_a_recorded_run_in_the_middle():
    until = takewhile(lambda one: getattr(one, "jobid", None) != 5, records("two_failed"))
    state = after(*until)
    assert state.done == 2
    assert state.stages["acquire"].last - state.stages["acquire"].first == pytest.approx(64.022)
    assert state.went_well


def test_a_job_that_is_tried_again_has_not_failed():
    first = [planned(split=1), started(1, "split"), failed(1, "split")]
    assert list(after(*first).failures) == [1]
    again = after(*first, started(1, "split", at=5.0))
    assert not again.failures
    assert list(again.running) == [1]


def test_a_group_that_fails_is_one_error():
    infos = [{"jobid": n, "rule_name": "train", "log": [f"{n}.log"]} for n in (1, 2)]
    state = after(
        planned(train=2),
        started(1, "train", dataset="a"),
        started(2, "train", dataset="b"),
        record("group_error", job_error_info=infos, aux_logs=["slurm.log"], groupid="fits"),
        failed(1, "train"),
        failed(2, "train"),
    )
    (failure,) = state.failures.values()
    assert [str(job) for job in failure.jobs] == ["train a", "train b"]
    assert failure.logs == ["slurm.log"]
    assert not state.running


def test_a_killed_command_is_known_by_its_status():
    text = "RuleException:\nCalledProcessError in file x, line 3:\nCommand 'set -e; {}' returned "
    text += "non-zero exit status {}."
    for status, words in ((137, "killed by signal 9 (Killed)"), (3, "exit status 3")):
        state = after(
            started(1, "split"),
            record("error", msg=text.format("other", 2), levelno=logging.ERROR),
            record("error", msg=text.format("mine", status), levelno=logging.ERROR),
            record("error", msg=text.format("another", 4), levelno=logging.ERROR),
            failed(1, "split", command="mine"),
        )
        assert words in state.failures[1].ending
        assert state.others == []


@pytest.mark.parametrize(
    "words", ["Terminating processes on user request, this", "Cancelling snakemake on user request"]
)
def test_an_interrupted_run_has_no_error(words):
    state = after(planned(split=3), started(1, "split"), finished(1), record(msg=words))
    state.take(failed(2, "split"))
    assert run_lines.last(state, 9.0, "log", None, "advice") == [
        "stopped after 1 of 3 jobs: what is finished is kept; run the same command again to go on"
    ]


def test_the_estimate_follows_earlier_jobs_and_then_the_run():
    jobs = [("train", {"method": str(k)}) for k in range(4)]
    state = RunState(times=lambda rule, wildcards: 100.0, waiting=jobs, parallel=1)
    state.take(planned(train=4))
    state.take(started(1, "train", at=0.0))
    assert state.remaining(0.0) == (400.0, True)
    assert not state.is_known(60.0)
    # The part that has passed counts, but no job ends before it has ended.
    assert state.remaining(60.0) == (340.0, True)
    # A job that is overdue says how slow the machine is: a factor of (500 + 20) / (100 + 20).
    assert state.remaining(500.0) == (pytest.approx(300.0 * 520 / 120), True)
    assert state.is_known(500.0)
    state.take(finished(1, at=220.0))
    # Twice as slow as expected, which is trusted like 20 seconds of jobs: a factor of 2.
    assert state.remaining(220.0) == (300.0 * 240 / 120, True)
    state.parallel = 2
    assert state.remaining(220.0) == (300.0, True)
    # No more jobs at a time than are left.
    state.parallel = 50
    assert state.remaining(220.0) == (200.0, True)


def test_earlier_jobs_count_less_in_a_short_run():
    jobs = [("train", {"method": str(k)}) for k in range(4)]
    state = RunState(times=lambda rule, wildcards: 1.0, waiting=jobs)
    for one in (planned(train=4), started(1, "train", at=0.0), finished(1, at=10.0)):
        state.take(one)
    # Trusted like 5 % of the run, 0.2 seconds: a factor of 10.2 / 1.2.
    assert state.remaining(10.0) == (pytest.approx(3 * 10.2 / 1.2), True)


def test_time_between_jobs_counts():
    jobs = [("train", {"method": str(k)}) for k in range(3)]
    state = RunState(times=lambda rule, wildcards: 100.0, waiting=jobs)
    state.take(planned(train=3))
    for number in (1, 2):
        state.take(started(number, "train", at=150.0 * number))
        state.take(finished(number, at=150.0 * number + 100))
    # One job is left; 50 seconds of 250 were between the jobs.
    assert state.remaining(400.0) == (pytest.approx(100 * (1 + 50 / 200)), True)
    # After the last job only Snakemake works.
    assert state.remaining(450.0) == (pytest.approx(100 * (1 + 100 / 200)), True)


def test_jobs_without_earlier_ones_take_what_the_others_of_their_stage_took():
    state = RunState(times=lambda rule, wildcards: None, waiting=[("train", {})] * 3)
    for one in (planned(train=3), started(1, "train", at=0.0)):
        state.take(one)
    assert state.remaining(0.0) == (0.0, False)
    state.take(finished(1, at=50.0))
    assert state.remaining(50.0) == (100.0, True)


def test_jobs_that_nobody_has_planned_are_not_forgotten():
    state = after(planned(mine=2), started(1, "mine"))
    assert state.remaining(1.0) == (0.0, False)
