"""The last paragraph of a run that failed: the cause, the job, the logs, what to do."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from noneuclid_compare import wording
from noneuclid_compare.monitor import memory_limits

# Errors that are printed in full.
MOST = 5
# Characters of a log that are read, from its end, and of a cause that is printed.
READ, LONGEST = 200_000, 1500
KILLED = "the job was killed by signal"
FRAME = re.compile(r'^  File "(.+)", line (\d+), in ')
RAISED = re.compile(r"^[A-Za-z_][\w.]*(?:: .*)?$")
# Words of SLURM for memory and time.
MEMORY = re.compile(r"out.of.memory|oom.?kill|signal 9\b|\bKilled$|MemoryError", re.IGNORECASE)
TIME = re.compile(r"SLURM status is: 'TIMEOUT'|DUE TO TIME LIMIT", re.IGNORECASE)
KILLED_STATUS = re.compile(r"non-zero exit status (?:137|-9)\b")
SILENT = "the job ended without a message: it may have been killed, as when memory runs out"
# Lines that say no cause: marks and frames of a traceback, progress bars.
NOISE = re.compile(
    r'[\s^~|]+$|  File ".+", line \d+|(?!error: |\w*(?:Error|Exception): ).*'
    r"(?:\d% ?\||[\u2500-\u259f]{3}|\[[#=>. -]{4,}\]|\dit/s\b|\ds/it\b)"
)
# Heads and frames of what Snakemake prints of an exception.
HEAD = re.compile(r"^(\w+(?:Error|Exception))( in (?:rule|file) .*)?:$")


def stage_of(rule):
    """Stage of a rule: its own name; the two rules that train are one stage.

    Examples
    --------
    >>> stage_of("train_and_keep"), stage_of("noneuclid_train_and_keep"), stage_of("mine")
    ('train', 'noneuclid_train', 'mine')
    """
    return re.sub("train_and_keep$", "train", rule)


@dataclass
class Job:
    """A job: its rule, wildcards, logs, and resources."""

    rule: str
    wildcards: dict = field(default_factory=dict)
    logs: list = field(default_factory=list)
    resources: dict = field(default_factory=dict)

    def __str__(self):
        """Name the job as the user does: stage and what it works on."""
        names = [str(value) for value in self.wildcards.values()]
        return f"{stage_of(self.rule)} {'/'.join(names)}".rstrip()


@dataclass
class Failure:
    """Jobs that failed together (one, or the members of a group), and words of the executor."""

    jobs: list[Job]
    # What the executor says, its logs, and how the command ended if nobody says more.
    message: str = ""
    logs: list = field(default_factory=list)
    ending: str = ""

    def cause(self):
        """The job that failed, what it said, and its log (None without one)."""
        own = [(job, log, read(log)) for job in self.jobs for log in job.logs]
        for job, log, text in own:
            if found := cause_in(text):
                return job, found, log
        others = [read(log) for log in self.logs]
        found = limit_in("\n".join([self.message, *others, self.ending])) or self.message
        found = found or next(
            filter(None, map(last_line, [*(text for *_, text in own), *others])), ""
        )
        log = next(
            (path for path in [*self.logs, *self.jobs[0].logs] if Path(path).is_file()), None
        )
        return self.jobs[0], one_line(found or self.ending or SILENT), log


@dataclass
class Stop:
    """An error of Snakemake itself or of the configuration: its class and its lines."""

    kind: str
    lines: list[str]


def read(path):
    """End of a text file; empty if it cannot be read."""
    try:
        return Path(path).read_text(errors="replace")[-READ:]
    except OSError:
        return ""


def one_line(text):
    r"""Text in one line of limited length.

    Examples
    --------
    >>> one_line(" a\n   b ")
    'a b'
    """
    words = wording.printable(" ".join(text.split()))
    return words if len(words) <= LONGEST else f"{words[:LONGEST]} ..."


def cause_in(log):
    r"""Line of a job's log that is an error; empty if there is none.

    Examples
    --------
    >>> cause_in("a warning\nerror: x.csv: row 3 is empty\n")
    'x.csv: row 3 is empty'
    >>> head = "Traceback (most recent call last):"
    >>> cause_in(head + '\n  File "/a/b.py", line 3, in f\nKeyError: 1')
    'KeyError: 1 (b.py, line 3)'
    """
    lines = [line.rstrip() for line in log.splitlines()]
    lines = [line for line in lines if FRAME.match(line) or not is_noise(line)]
    for line in reversed(lines):
        if line.startswith("Traceback (most"):
            break  # what it says is later than all lines above it
        if line.startswith("error: "):
            return one_line(line.removeprefix("error: "))
        if line.startswith(KILLED):
            return one_line(line)
    if "Traceback (most recent call last):" in log:
        start = max(i for i, line in enumerate(lines) if line.startswith("Traceback (most"))
        frames = [found for line in lines[start:] if (found := FRAME.match(line))]
        raised = next((line for line in lines[start + 1 :] if RAISED.match(line)), "")
        where = f" ({Path(frames[-1][1]).name}, line {frames[-1][2]})" if frames else ""
        return one_line(raised or lines[-1]) + where
    return ""


def is_noise(line):
    r"""Whether a line of a log says no cause: empty, a part of a traceback, a progress bar.

    Examples
    --------
    >>> lines = "    ^^^^", " 45%|####  | 9/20 [00:03<00:04, 3it/s]", "  ~~~~^^^", "50 % | a"
    >>> [is_noise(line) for line in lines]
    [True, True, True, False]
    """
    return not line.strip() or NOISE.match(line) is not None


def last_line(log):
    """Last line of a log that may say a cause; empty if there is none."""
    return next((line for line in reversed(log.splitlines()) if not is_noise(line)), "")


def limit_in(log):
    r"""Line of a scheduler that says which limit a job reached; empty if there is none.

    Examples
    --------
    >>> limit_in("a\nCommand 'x' returned non-zero exit status 137.\n")
    'the job was killed by signal 9 (Killed)'
    """
    for line in log.splitlines():
        if MEMORY.search(line) or TIME.search(line):
            return line
    return f"{KILLED} 9 (Killed)" if KILLED_STATUS.search(log) else ""


def stop_of(kind, text):
    """Error that Snakemake prints, without the head, the frames and empty lines."""
    if "Traceback (most" in text:
        text = cause_in(text)
    lines = [wording.printable(line.strip()) for line in text.splitlines() if not is_noise(line)]
    lines = [line for line in lines if not FRAME.match(f"  {line}")]
    if lines and (head := HEAD.match(lines[0])):
        kind, lines = kind or head[1], lines[1:]
    lines = [line.removeprefix("Error: ") for line in lines]
    if kind == "LockException":
        place = next((line for line in lines if line.startswith("/")), "this folder")
        lines = [
            f"{place} is locked: another run works in it, or was killed; wait for its end, or, if "
            "there is none, unlock the folder by the same command with --unlock"
        ]
    return Stop(kind, lines or ["the run stopped without a message"])


def remedy(text, job, scheduled=False, starved=False):
    """What to do about a cause that does not say it itself; empty for others.

    `scheduled`: a scheduler ran the job, with limits of its own. `starved`: the kernel has killed
    processes of this machine during the run because memory ran out.
    """
    if TIME.search(text):
        return _limit(job, "runtime", "time", "minutes")
    if not MEMORY.search(text):
        return ""
    if scheduled or "SLURM" in text:
        return _limit(job, "mem_mb", "memory", "MB")
    why = "the kernel killed a process because memory ran out; " if starved else ""
    cure = "run fewer jobs at a time (--cores 1), or use a machine with more memory"
    return f"{why}{memory_limits.describe()}: {cure}"


def _limit(job, resource, name, unit):
    """What a job of a scheduler was given of a resource, and how to give it more."""
    given = job.resources.get(resource)
    limit = f" of {given} {unit}" if isinstance(given, int) else ""
    more = f"--set-resources {job.rule}:{resource}=N"
    return f"the job reached its {name} limit{limit}: allow more with {more}"


def paragraph(failures, others, log, again, starved=False):
    """Lines that end a run that failed.

    `failures` are those of jobs; `others` count if there are none, or if they have a message of
    their own. `log` is Snakemake's, or None; `again` is the last line of advice.
    """
    places = {}
    for failure in failures:
        first, place = of_job(failure, starved)
        places.setdefault(first, []).append(place)
    entries = [[first, _with_others(same)] for first, same in places.items()]
    entries += [[f"error: {line}" for line in other.lines] for other in others]
    lines = [line for entry in entries[:MOST] for line in entry]
    if len(entries) > 1:
        shown = "" if len(entries) <= MOST else f", of which {MOST} follow"
        lines.insert(0, f"{len(entries)} errors{shown}:")
    if log:
        lines.append(f"log of the run: {log}")
    return [*lines, again] if again else lines


def _with_others(places):
    """The first of several jobs with one cause, and the number of the others."""
    more = wording.count(len(places) - 1, "other job")
    return places[0] if len(places) == 1 else f"{places[0]}; the same in {more}"


def of_job(failure, starved=False):
    """Lines of one failed job: the cause first, then the job and its log, then the remedy."""
    job, cause, log = failure.cause()
    cure = remedy(cause, job, bool(failure.logs), starved)
    first = "; ".join(filter(None, [f"error: {cause}", cure]))
    with_log = f", log {Path(log).resolve()}" if log else ", which left no log"
    others = len(failure.jobs) - 1
    group = f" (in a group with {others} more)" if others else ""
    return [first, f"  in {job}{group}{with_log}"]
