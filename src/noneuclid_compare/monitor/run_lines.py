"""Lines on the state of a run: for a terminal, for a file, for a dry run, and the last ones."""

import time
from dataclasses import dataclass, field

from noneuclid_compare import wording
from noneuclid_compare.monitor import memory_limits, run_failures
from noneuclid_compare.monitor.run_failures import stage_of

# Seconds between two lines of a file in which nothing else is reported.
EVERY = 300.0
# Characters of the bar of a stage.
WIDTH = 20
NOTHING = "nothing to do: all that was asked for is up to date"


def about(seconds):
    """Duration that is only estimated, in few digits.

    Examples
    --------
    >>> about(3), about(44), about(190), about(7000), about(40000)
    ('less than 10 s', 'about 40 s', 'about 3 min', 'about 1 h 55 min', 'about 11 h')
    """
    if seconds < 10:
        return "less than 10 s"
    if seconds < 60:
        return f"about {round(seconds, -1):.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"about {minutes} min"
    hours, minutes = divmod(round(minutes / 5) * 5, 60)
    return f"about {hours} h {minutes} min" if minutes and hours < 10 else f"about {hours} h"


def expected(seconds, complete):
    """Estimated duration, which is a lower bound unless it is `complete`.

    Examples
    --------
    >>> expected(200, True), expected(200, False), expected(3, False)
    ('about 3 min', 'at least 3 min', 'time not known yet')
    """
    if complete:
        return about(seconds)
    if seconds < 60:
        return "time not known yet"
    return f"at least {about(seconds).removeprefix('about ')}"


def left(state, now):
    """Estimated time until the end, and when that is, once enough is known.

    `now` is the time in seconds since 1970.
    """
    seconds, complete = state.remaining(now)
    if not state.is_known(now) or (not complete and seconds < 60):
        return "estimating the time left"
    if late := state.overdue(now):
        number = max(late, key=lambda one: now - state.running[one])
        so_far = about(now - state.running[number]).removeprefix("about ")
        return f"time left unknown: {state.jobs[number]} has taken {so_far}, longer than expected"
    text = f"{expected(seconds, complete)} left"
    return f"{text}, ends {clock(now + seconds, now)}" if complete and seconds >= 60 else text


def clock(moment, now):
    """Time of the day, with the date if it is another day."""
    end, today = time.localtime(moment), time.localtime(now)
    same = (end.tm_year, end.tm_yday) == (today.tm_year, today.tm_yday)
    return time.strftime("at %H:%M" if same else "on %a %d %b at %H:%M", end)


def head(state, log):
    """First line of a run: jobs, expected time, and where the whole log is."""
    seconds, complete = state.remaining(state.started)
    many = wording.count(state.total, "job")
    at_once = f", {state.parallel} at a time" if state.parallel > 1 else ""
    idle = " on an idle machine" if complete else ""
    line = f"{many}, {expected(seconds, complete)}{idle}{at_once}"
    return f"{line}; log of the run: {log}" if log else line


def table(state):
    """Lines for a terminal: stage, bar, jobs, what runs now or how long it took."""
    rows, working = [], {}
    for number in state.running:
        job = state.jobs[number]
        working.setdefault(stage_of(job.rule), []).append(job)
    for name, stage in state.stages.items():
        filled = round(WIDTH * stage.done / stage.total) if stage.total else 0
        words = ""
        if jobs := working.get(name):
            words = "/".join(map(str, jobs[-1].wildcards.values())) or "running"
            words += f" and {wording.count(len(jobs) - 1, 'other')}" if len(jobs) > 1 else ""
        elif stage.total and stage.done >= stage.total:
            words = wording.seconds(stage.last - stage.first)
        bar = "━" * filled + "─" * (WIDTH - filled)
        rows.append((name, bar, f"{stage.done}/{stage.total}", words))
    wide = [max((len(row[k]) for row in rows), default=0) for k in (0, 2)]
    return [f"{a.ljust(wide[0])}  {bar}  {n.rjust(wide[1])}  {words}" for a, bar, n, words in rows]


def foot(state, now):
    """Line below the table: all jobs, the time so far, and the estimated end."""
    text = f"{state.done} of {wording.count(state.total, 'job')}"
    text += f", {wording.seconds(round(now - state.started))} so far"
    if state.done < state.total:
        text += f", {left(state, now)}"
    if (state.failures or state.others) and not state.interrupted:
        text += f"; {wording.count(len(state.failures) + len(state.others), 'error')} so far"
    return text


@dataclass
class Plain:
    """Lines for a file or a pipe: stages that begin and end, and one every few minutes."""

    begun: set = field(default_factory=set)
    failed: set = field(default_factory=set)
    ended: set = field(default_factory=set)
    last: float = 0.0

    def lines(self, state, now):
        """Lines that are new since the last call."""
        found = []
        for name, stage in state.stages.items():
            many = wording.count(stage.total, "job")
            if stage.first is not None and name not in self.begun:
                self.begun.add(name)
                # A stage of one job says only that it has ended.
                if stage.total > 1:
                    found.append(f"{name}: {many} begin (whole run: {left(state, now)})")
            if stage.total and stage.done >= stage.total and name not in self.ended:
                self.ended.add(name)
                took = wording.seconds(stage.last - stage.first)
                found.append(f"{name}: {many} done in {took}")
        new = state.failures.keys() - self.failed
        for number in () if state.interrupted else sorted(new, key=str):
            self.failed.add(number)
            found.append(f"{state.failures[number].jobs[0]} failed")
        if not found and self.last and now - self.last >= EVERY:
            names = [str(state.jobs[number]) for number in state.running]
            found.append("; ".join([foot(state, now), *(["now " + names[-1]] if names else [])]))
        if found or not self.last:
            self.last = now
        return found


def dry(state):
    """Table of a dry run: jobs and core time of each stage, and the expected time of the run."""
    if not state.stages:
        return [NOTHING]
    state.plan((job.rule, job.wildcards) for job in state.jobs.values())
    rows = [("stage", "jobs", "core time")]
    for name, stage in state.stages.items():
        least = "at least " if stage.unknown else ""
        time = f"{least}{wording.seconds(stage.planned)}" if stage.priced else "not known yet"
        rows.append((name, str(stage.total), time))
    wide = [max(len(row[k]) for row in rows) for k in range(3)]
    lines = [f"{a.ljust(wide[0])}  {b.rjust(wide[1])}  {c}" for a, b, c in rows]
    seconds, complete = state.remaining(state.started)
    at_once = f" with {state.parallel} at a time" if state.parallel > 1 else " one after another"
    many = wording.count(state.total, "job")
    lines.append(f"{many}{at_once}, {expected(seconds, complete)}")
    return [*lines, "nothing was run (-n); --verbose lists the jobs and why each would run"]


def stopped(state):
    """Line of a run that Ctrl-C, or a signal that asks to end, has ended."""
    if not state.total:
        return "stopped before the first job"
    return (
        f"stopped after {state.done} of {wording.count(state.total, 'job')}: what is finished is "
        "kept; run the same command again to go on"
    )


def last(state, now, log, page, advice):
    """Lines after everything else, by how the run ended.

    `page` is the path of the report or None; `advice` says what to do after a failure.
    """
    if state.interrupted or (state.finishing and not state.failures):
        return [stopped(state)]
    if state.failures or state.others:
        failures = list(state.failures.values())
        # Before the first job the log says no more, and nothing is new.
        log, advice = (log, advice) if state.jobs else (None, "")
        starved = memory_limits.kills() > state.kills
        return run_failures.paragraph(failures, state.others, log, advice, starved)
    if state.nothing:
        lines = [NOTHING]
    else:
        took = wording.seconds(round(now - state.started))
        lines = [f"{wording.count(state.done, 'job')} done in {took}"]
    return [*lines, f"the report: {page}"] if page else lines
