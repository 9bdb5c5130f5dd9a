"""Records of Snakemake's logger: written down from real runs, or made for one event."""

import json
import logging
from pathlib import Path

EVENTS = Path(__file__).parent / "events"


def record(event="", **fields):
    """A record as Snakemake's logger makes it."""
    given = {"msg": "", "levelno": logging.INFO, "created": 0.0} | fields
    return logging.makeLogRecord(given | ({"event": event} if event else {}))


def records(name):
    """All records of a run."""
    lines = (EVENTS / f"{name}.jsonl").read_text().splitlines()
    return [logging.makeLogRecord(json.loads(line)) for line in lines]


def started(number, rule, at=0.0, log=(), resources=None, **wildcards):
    """A job that starts."""
    return record(
        "job_info",
        jobid=number,
        rule_name=rule,
        wildcards=wildcards,
        log=list(log),
        resources=resources or {},
        created=at,
    )


def finished(number, at=0.0):
    """A job that ends well."""
    return record("job_finished", job_id=number, created=at)


def failed(number, rule, log=(), message=None, command=""):
    """A job that fails."""
    return record(
        "job_error",
        jobid=number,
        rule_name=rule,
        log=list(log),
        rule_msg=message,
        shellcmd=command,
        levelno=logging.ERROR,
    )


def planned(**counts):
    """The counts of the jobs of a run."""
    return record("run_info", stats=counts | {"total": sum(counts.values())})
