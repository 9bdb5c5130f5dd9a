"""What a run has done and still does, from the records that Snakemake logs.

Records are those of Snakemake's logger plugins: each has an `event`, and fields of that event.
"""

import logging
import math
import re
import signal
from dataclasses import dataclass, field

from noneuclid_compare.monitor import memory_limits, run_failures
from noneuclid_compare.monitor.run_failures import Failure, Job, Stop, stage_of

# Seconds of jobs for which earlier ones are trusted as much as those of this run: a share of the
# whole run, and at most so many.
SHARE, TRUST = 0.05, 20.0
# A job is overdue after so many times the time that it should take.
LATE = 1.5
# Rules without work.
NO_WORK = ("all", "acquire_all", "total")
# Snakemake says so of every run in which a job failed, after the job's own error.
FOLLOWING = (
    "At least one job did not complete successfully.",
    "Exiting because a job execution failed",
)
INTERRUPTED = ("Terminating processes on user request", "Cancelling snakemake on user request")
NOTHING = "Nothing to be done"


@dataclass
class Stage:
    """Jobs of one stage: all of this run, those that have ended, and their seconds."""

    total: int = 0
    done: int = 0
    first: float | None = None  # when the first job started
    last: float | None = None  # when the last one ended
    planned: float = 0.0  # seconds that earlier jobs give for all jobs
    expected: float = 0.0  # seconds that they gave for those that have ended
    seconds: float = 0.0  # that these took
    priced: int = 0  # jobs whose seconds are expected
    unknown_done: int = 0  # jobs without one that have ended
    unknown_seconds: float = 0.0

    @property
    def unknown(self):
        """Jobs without an expectation."""
        return max(0, self.total - self.priced)


@dataclass
class RunState:
    """State of a run; `take` brings it up to date."""

    stages: dict[str, Stage] = field(default_factory=dict)
    jobs: dict[object, Job] = field(default_factory=dict)
    running: dict[object, float] = field(default_factory=dict)
    failures: dict[object, Failure] = field(default_factory=dict)
    # Errors that belong to no job.
    others: list[Stop] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    parallel: int = 1
    started: float | None = None
    executing: bool = False
    nothing: bool = False
    interrupted: bool = False
    finishing: bool = False
    # Jobs whose time is not known yet: all before the first one starts, then those of data whose
    # size is not known.
    waiting: list = field(default_factory=list)
    # Expected seconds by rule and wildcards, if a configuration has been read.
    times: object = None
    expected: dict[object, float | None] = field(default_factory=dict)
    # When the first job started, since when no job works, and the seconds before in which none did.
    begun: float | None = None
    free: float | None = None
    idle: float = 0.0
    # Processes that the kernel had killed for lack of memory when the run started.
    kills: int = field(default_factory=memory_limits.kills)
    groups: set = field(default_factory=set)
    # What Snakemake has printed of commands that failed.
    ended: list[str] = field(default_factory=list)

    def plan(self, jobs):
        """Expect the jobs of this run: pairs of rule and wildcards."""
        self.waiting = []
        for rule, wildcards in jobs:
            stage = self.stages.get(stage_of(rule))
            if stage is None or self.times is None:
                continue
            seconds = self.times(rule, wildcards)
            if seconds is None:
                self.waiting.append((rule, wildcards))
            else:
                stage.planned += seconds
                stage.priced += 1

    def take(self, record):
        """Take a record of Snakemake's logger."""
        event, text = str(getattr(record, "event", "")), str(record.msg or "")
        if self.started is None:
            self.started = record.created
        known = getattr(self, f"_{event}", None) if event else None
        if known is not None:
            known(record)
        elif any(text.startswith(words) for words in INTERRUPTED):
            self.interrupted = True
        elif text.startswith("Will exit after finishing"):
            self.finishing = True
        elif text.startswith(NOTHING):
            self.nothing = True
        elif record.levelno >= logging.ERROR:
            self._other(text)
        elif not event and not self.executing and text:
            self.messages.append(text)

    def _workflow_started(self, record):
        self.executing = True

    def _run_info(self, record):
        """The jobs of this run, in the order of the stages; the same again ends a dry run."""
        if self.stages:
            return
        for rule, count in record.stats.items():
            if rule not in NO_WORK:
                self.stages.setdefault(stage_of(rule), Stage()).total += count

    def _resources_info(self, record):
        self.parallel = getattr(record, "cores", None) or getattr(record, "nodes", self.parallel)

    def _job_info(self, record):
        """A job starts, or starts once more after a failure."""
        if record.rule_name in NO_WORK:
            return
        if not self.jobs:
            self.plan(self.waiting)
        resources = dict(record.resources.items())
        job = Job(record.rule_name, dict(record.wildcards), list(record.log), resources)
        self.jobs[record.jobid] = job
        self.failures.pop(record.jobid, None)
        self.begun = record.created if self.begun is None else self.begun
        if self.free is not None:
            self.idle, self.free = self.idle + record.created - self.free, None
        self.running[record.jobid] = record.created
        if self.times is not None:
            self.expected[record.jobid] = self.times(job.rule, job.wildcards)
        stage = self.stages.setdefault(stage_of(job.rule), Stage())
        stage.first = stage.first or record.created

    def _job_finished(self, record):
        job, start = self.jobs.get(record.job_id), self.running.pop(record.job_id, None)
        if job is None or start is None:
            return
        self.free = None if self.running else record.created
        stage, seconds = self.stages[stage_of(job.rule)], record.created - start
        stage.done += 1
        stage.last = record.created
        expected = self.expected.get(record.job_id)
        if expected is None:
            stage.unknown_done += 1
            stage.unknown_seconds += seconds
        else:
            stage.expected += expected
            stage.seconds += seconds

    def _error(self, record):
        self._other(str(record.msg or ""), getattr(record, "exception", ""))

    def _other(self, text, kind=""):
        """An error of Snakemake's own; what only follows from a job's error is left out."""
        if "CalledProcessError" in text:
            self.ended.append(text)
        elif not any(words in text for words in FOLLOWING):
            self.others.append(run_failures.stop_of(kind, text))

    def _job_error(self, record):
        # The members of a group are reported once more, one by one.
        if record.jobid not in self.groups:
            job, begun = self._job_of(vars(record)), self.jobs.get(record.jobid)
            # Logs of a scheduler come after those of the job.
            number = len((begun and begun.logs) or job.logs)
            job.logs, others = job.logs[:number], job.logs[number:]
            ending = self._exit_of(record.shellcmd)
            failure = Failure([job], record.rule_msg or "", others, ending)
            self._failed([record.jobid], failure)

    def _group_error(self, record):
        numbers = [info["jobid"] for info in record.job_error_info]
        self.groups |= set(numbers)
        jobs = [self._job_of(info) for info in record.job_error_info]
        self._failed(numbers, Failure(jobs, "", list(record.aux_logs)))

    def _failed(self, numbers, failure):
        for number in numbers:
            self.running.pop(number, None)
        self.failures[numbers[0]] = failure

    def _job_of(self, info):
        """The job of an error, with the wildcards and resources that it started with."""
        begun = self.jobs.get(info["jobid"], Job(info["rule_name"]))
        return Job(info["rule_name"], begun.wildcards, list(info["log"]), begun.resources)

    def _exit_of(self, command):
        """How the command of a failed job ended, by what Snakemake has printed of it."""
        text = next((text for text in reversed(self.ended) if command and command in text), "")
        found = re.search(r"non-zero exit status (-?\d+)", text)
        if found is None:
            return ""
        status = int(found[1])
        number = -status if status < 0 else status - 128
        if number == signal.SIGKILL:
            return f"{run_failures.KILLED} {number} ({signal.strsignal(number)})"
        return f"the job ended with exit status {status} and without a message"

    @property
    def went_well(self):
        """Whether there is no error and no request to stop."""
        return not (self.failures or self.others or self.interrupted or self.finishing)

    @property
    def done(self):
        """Jobs that have ended well."""
        return sum(stage.done for stage in self.stages.values())

    @property
    def total(self):
        """Jobs of this run."""
        return sum(stage.total for stage in self.stages.values())

    def measured(self, now):
        """Seconds that were expected for what was measured, what it took, and their trusted part.

        A job that works for longer than expected counts as if it ended now: on a busy machine the
        first one may take long.
        """
        stages = self.stages.values()
        trust = min(TRUST, SHARE * sum(stage.planned for stage in stages))
        expected = sum(stage.expected for stage in stages)
        taken = sum(stage.seconds for stage in stages)
        factor = (taken + trust) / (expected + trust) if expected + trust > 0 else 1.0
        for number, start in self.running.items():
            one = self.expected.get(number) or 0.0
            if now - start > factor * one > 0:
                expected, taken = expected + one, taken + now - start
        return expected, taken, trust

    def is_known(self, now):
        """Whether enough was measured to say how long the rest takes."""
        expected, _, trust = self.measured(now)
        return expected > 0 and expected >= trust

    def remaining(self, now):
        """Seconds until the end by earlier jobs and by this run, and whether all jobs are counted.

        Earlier jobs ran under other load: their sum is corrected by what the jobs that
        have ended took, increasingly with their length, and by the time between the jobs.
        """
        expected, taken, trust = self.measured(now)
        factor = (taken + trust) / (expected + trust) if expected + trust > 0 else 1.0
        seconds, longest, complete = 0.0, 0.0, True
        for stage in self.stages.values():
            seconds += factor * max(0.0, stage.planned - stage.expected)
            blind = max(0, stage.unknown - stage.unknown_done)
            if blind and stage.unknown_done:
                seconds += blind * stage.unknown_seconds / stage.unknown_done
            complete &= not blind or stage.unknown_done > 0
        for number, start in self.running.items():
            one = factor * (self.expected.get(number) or 0.0)
            passed = min(max(0.0, now - start), one)
            seconds, longest = seconds - passed, max(longest, one - passed)
        slots = max(1, min(self.parallel, self.total - self.done))
        return max(longest, seconds / slots) * (1 + self._between(now)), complete

    def overdue(self, now):
        """Numbers of the jobs at work, if all are overdue and no other job waits.

        The estimate has nothing left to count then. `LATE` times as long as other jobs of this run
        took, as expected, is overdue.
        """
        stages = self.stages.values()
        taken = sum(stage.seconds for stage in stages) + TRUST
        factor = LATE * taken / (sum(stage.expected for stage in stages) + TRUST)
        late = [
            number
            for number, start in self.running.items()
            if now - start > factor * (self.expected.get(number) or math.inf)
        ]
        waits = self.total - self.done > len(self.running)
        return [] if waits or len(late) < len(self.running) else late

    def _between(self, now):
        """Time between jobs, in which Snakemake alone works, as a share of the time of jobs."""
        if self.begun is None:
            return 0.0
        idle = self.idle + (0.0 if self.free is None else max(0.0, now - self.free))
        return idle / max(TRUST, now - self.begun - idle)
