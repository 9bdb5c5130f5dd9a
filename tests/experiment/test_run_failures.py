import logging

import pytest
from cases import each_of
from recorded_events import failed, planned, record, records, started

from noneuclid_compare.monitor import memory_limits, run_failures, run_lines
from noneuclid_compare.monitor.run_failures import Failure, Job
from noneuclid_compare.monitor.run_state import RunState

KILLED = "the job was killed by signal 9 (Killed), perhaps because memory ran out\n"
MEMORY = "(--cores 1), or use a machine with more memory"


def end(*found, log="/run.log", advice="again"):
    """Last lines of a run with these records."""
    state = RunState()
    for one in found:
        state.take(one)
    return run_lines.last(state, 0.0, log, None, advice)


def test_the_errors_of_a_recorded_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    logs = {"split/lonely/0": "lonely: a note\nerror: class 'c' has 1 member: drop it\n"}
    logs["acquire/broken"] = "error: broken.csv: row 7 is 'oops'; correct it\n"
    for name, text in logs.items():
        path = tmp_path / f"results/logs/{name}.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert end(*records("two_failed")) == [
        "2 errors:",
        "error: class 'c' has 1 member: drop it",
        f"  in split lonely/0, log {tmp_path}/results/logs/split/lonely/0.log",
        "error: broken.csv: row 7 is 'oops'; correct it",
        f"  in acquire broken, log {tmp_path}/results/logs/acquire/broken.log",
        "log of the run: /run.log",
        "again",
    ]


def test_five_of_many_errors_are_printed(tmp_path):
    logs = [tmp_path / f"{k}.log" for k in range(7)]
    for k, log in enumerate(logs):
        log.write_text(f"error: number {k}\n")
    jobs = [failed(k, "train", log=[str(log)]) for k, log in enumerate(logs)]
    lines = end(planned(train=7), started(0, "train"), *jobs)
    assert lines[0] == "7 errors, of which 5 follow:"
    assert [line for line in lines if line.startswith("error:")] == [
        f"error: number {k}" for k in range(5)
    ]


def test_jobs_that_fail_for_one_reason_are_one_error(tmp_path):
    log = tmp_path / "0.log"
    log.write_text("error: no such C")
    jobs = [failed(k, "train", log=[str(log)]) for k in range(3)]
    assert end(started(0, "train"), *jobs)[:2] == [
        "error: no such C",
        f"  in train, log {log}; the same in 2 other jobs",
    ]


TRACEBACK = """a warning
Traceback (most recent call last):
  File "/site/noneuclid/stages/train.py", line 9, in main
    fit()
  File "/mine/my_method.py", line 12, in fit
    raise ValueError("no such C")
ValueError: no such C
and more
"""
NO_SUCH_C = "ValueError: no such C (my_method.py, line 12)"
BAR = " 45%|█████▌      | 9/20 [00:03<00:04,  2.9it/s]"


@each_of(
    ("log", "cause"),
    [
        ("error: first\nerror: second\nat the end\n", "second"),
        (TRACEBACK, NO_SUCH_C),
        (TRACEBACK + "error: x.csv: is empty\n", "x.csv: is empty"),
        ("a\nb\n\n", ""),
        # A bar of another library among the lines, and a traceback that is cut.
        (TRACEBACK.replace("ValueError", f"Epoch: {BAR}\nValueError"), NO_SUCH_C),
        ("\n".join([*TRACEBACK.splitlines()[:-2], "    ^^^^^^", BAR]), "raise ValueError"),
        ("error: x.csv is read at 3it/s: use another disk\n" + BAR, "x.csv is read at 3it/s: use"),
        ("error: class 'a\x1b[31m' is empty\n", "class 'a\\x1b[31m' is empty"),
        ("", ""),
    ],
)
def test_the_line_of_a_log_that_says_why(log, cause):
    assert cause in run_failures.cause_in(log)
    assert bool(cause) == bool(run_failures.cause_in(log))


@pytest.mark.parametrize("noise", ["    ^^^^^^^^^", "  ~~^~~", BAR, "100%|####|", "[====>   ]"])
def test_marks_and_progress_bars_are_no_cause(noise, tmp_path):
    log = tmp_path / "0.log"
    log.write_text(f"no licence for the solver\n{noise}\n\n")
    _, cause, _ = Failure([Job("train", {}, [str(log)])]).cause()
    assert cause == "no licence for the solver"
    log.write_text(noise)
    assert Failure([Job("train", {}, [str(log)])]).cause()[1] == run_failures.SILENT


def test_a_traceback_of_the_run_itself_is_one_line():
    found = run_failures.stop_of("", TRACEBACK.replace("    fit()\n", "    fit()\n    ^^^^^\n"))
    assert found.lines == [NO_SUCH_C]
    syntax = 'SyntaxError in file "/a/Snakefile", line 3:\n\tfoo(\n\t   ^\nnever closed:\n'
    assert run_failures.stop_of("", syntax).lines == ["foo(", "never closed:"]


def test_a_killed_job_has_the_limit_of_memory(tmp_path):
    log = tmp_path / "0.log"
    log.write_text(KILLED)
    first, place = run_failures.of_job(Failure([Job("train", {"dataset": "a"}, [str(log)])]))
    assert first.startswith(f"error: {KILLED.strip()}; ")
    assert f"{memory_limits.describe()}: run fewer jobs at a time" in first
    assert first.endswith(MEMORY)
    assert place == f"  in train a, log {log}"


def test_the_kernel_that_killed_for_memory_is_named(tmp_path, monkeypatch):
    log, vmstat = tmp_path / "0.log", tmp_path / "vmstat"
    log.write_text(KILLED)
    vmstat.write_text("nr_free_pages 5\noom_kill 3\n")
    assert memory_limits.kills(vmstat) == 3
    assert memory_limits.kills(tmp_path / "none") == 0
    words = "the kernel killed a process because memory ran out"
    monkeypatch.setattr(memory_limits, "kills", lambda: 3)
    for before in (3, 2):
        state = RunState(kills=before)
        state.take(started(1, "train"))
        state.take(failed(1, "train", log=[str(log)]))
        first = run_lines.last(state, 0.0, None, None, "")[0]
        assert (words in first) == (before == 2)


def test_a_job_that_left_nothing():
    (first, place) = run_failures.of_job(Failure([Job("train")], "", []))
    assert first == f"error: {run_failures.SILENT}"
    assert place == "  in train, which left no log"


def test_what_a_scheduler_says_counts_more_than_a_note_in_the_log(tmp_path):
    own, its = tmp_path / "own.log", tmp_path / "slurm.log"
    own.write_text("a: licence not stated\n")
    its.write_text("Command 'x' returned non-zero exit status 137.\nShutting down\n")
    words = "SLURM-job '3' failed, SLURM status is: 'OUT_OF_MEMORY'"
    for message, cause in ((words, words), (None, "the job was killed by signal 9 (Killed)")):
        state = RunState()
        state.take(started(1, "train", log=[str(own)], resources={"mem_mb": 700}))
        state.take(failed(1, "train", log=[str(own), str(its)], message=message))
        first, place = run_lines.last(state, 0.0, None, None, "")
        assert first.startswith(f"error: {cause}; the job reached its memory limit of 700 MB")
        assert place.endswith(str(its))
    # Without any other word the last line is all there is.
    assert (
        run_failures.Failure([Job("train", {}, [str(own)])]).cause()[1] == "a: licence not stated"
    )


def test_a_group_names_the_member_that_failed(tmp_path):
    good, bad = tmp_path / "good.log", tmp_path / "bad.log"
    good.write_text("")
    bad.write_text("error: singular\n")
    jobs = [Job("train_and_keep", {"dataset": log.stem}, [str(log)]) for log in (good, bad)]
    assert run_failures.of_job(Failure(jobs)) == [
        "error: singular",
        f"  in train bad (in a group with 1 more), log {bad}",
    ]


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("SLURM-job '3' failed, SLURM status is: 'OUT_OF_MEMORY'", "memory limit of 700 MB"),
        ("SLURM-job '3' failed, SLURM status is: 'TIMEOUT'", "time limit of 12 minutes"),
    ],
)
def test_the_limits_of_a_scheduler(message, words):
    job = Job("train", resources={"mem_mb": 700, "runtime": 12})
    (first, _) = run_failures.of_job(Failure([job], message))
    key = "mem_mb" if "memory" in words else "runtime"
    assert first == (
        f"error: {message}; the job reached its {words}: allow more with --set-resources "
        f"train:{key}=N"
    )


def test_a_group_that_slurm_killed_says_so_in_the_log_of_slurm(tmp_path):
    log = tmp_path / "3.log"
    log.write_text("a\nslurmstepd: error: Detected 1 oom_kill event in StepId=3.batch\nb\n")
    job = Job("train", resources={"mem_mb": 700})
    (first, _) = run_failures.of_job(Failure([job], "", [str(log)]))
    assert first.startswith(
        "error: slurmstepd: error: Detected 1 oom_kill event in StepId=3.batch;"
    )
    assert "its memory limit of 700 MB" in first


def error(kind, text):
    return record("error", exception=kind, msg=text, levelno=logging.ERROR)


def test_a_configuration_has_a_line_for_each_mistake():
    text = 'WorkflowError in file "/w/common.smk", line 37:\nconfiguration: seed: none\n'
    text += 'configuration: methods: none\n  File "/w/common.smk", line 37, in <module>'
    assert end(error("WorkflowError", text)) == [
        "error: configuration: seed: none",
        "error: configuration: methods: none",
    ]


def test_a_locked_folder_says_how_to_unlock_it():
    text = "LockException:\nError: Directory cannot be locked. Please make sure that no other "
    text += "Snakemake process is trying to create the same files in the following directory:\n"
    text += "/data/run\nIf you are sure"
    (line,) = end(error("LockException", text))
    assert line.startswith("error: /data/run is locked: another run works in it")
    assert line.endswith("by the same command with --unlock")


def test_an_error_without_a_job_is_printed_and_what_follows_from_it_is_not():
    found = [
        error(
            "MissingOutputException", "MissingOutputException in rule a in file x, line 2:\nlate"
        ),
        record(msg="Exiting because a job execution failed. Look above", levelno=logging.ERROR),
        error("WorkflowError", "WorkflowError:\nAt least one job did not complete successfully."),
    ]
    assert end(*found) == ["error: late"]


def test_the_smallest_limit_of_memory(tmp_path):
    meminfo, own = tmp_path / "meminfo", tmp_path / "cgroup"
    meminfo.write_text("MemFree: 1 kB\nMemTotal:  2000000 kB\n")
    own.write_text("0::/user/job\n")
    inner = tmp_path / "groups/user/job"
    inner.mkdir(parents=True)
    (inner / "memory.max").write_text("max\n")
    found = memory_limits.limits(meminfo, own, tmp_path / "groups")
    assert found["the machine"] == 2_048_000_000
    assert "the control group" not in found
    (inner / "memory.max").write_text("900000000\n")
    (inner.parent / "memory.max").write_text("500000000\n")
    found = memory_limits.limits(meminfo, own, tmp_path / "groups")
    assert found["the control group"] == 500_000_000
    assert memory_limits.limits(tmp_path / "a", tmp_path / "b").keys() <= {
        "ulimit -v, for each process,"
    }
