"""What watches a run of Snakemake: the display of ``noneuclid run``, or a silent one."""

import logging
import sys
import time
from pathlib import Path

from noneuclid_compare.monitor import preflight, run_lines
from noneuclid_compare.monitor.run_state import RunState

PAGE = Path("results/report/index.html")


class Silent(logging.Handler):
    """Keep the errors of a run that has Snakemake's own output; print their cause at the end."""

    def __init__(self):
        super().__init__()
        self.state = RunState()

    def emit(self, record):
        """Take a record."""
        self.state.take(record)

    def ended(self, logs):
        """Print the last lines of the run, with the paths of Snakemake's logs if it failed."""
        log, advice = (logs[0] if logs else None), preflight.advice(logs, "results")
        lines = run_lines.last(self.state, time.time(), log, page(), advice)
        # Snakemake has said how many jobs were done.
        print("\n".join(lines[1:] if self.state.went_well else lines), file=sys.stderr)


def page():
    """Path of the report in the folder of the run, or None before it exists."""
    return PAGE.resolve() if PAGE.exists() else None


def attach(workflow, times):
    """Watch a run, whose jobs should take the seconds that `times` gives; return what watches."""
    handlers = workflow.logger_manager.get_log_handlers()
    watching = next((each for each in handlers if hasattr(each, "state")), None)
    if watching is None:
        watching = Silent()
        workflow.logger_manager.logger.addHandler(watching)
    watching.state.times = times
    limits = workflow.resource_settings
    watching.state.parallel = limits.nodes or limits.cores or 1
    return watching


def plan(watching, workflow):
    """Expect the jobs that Snakemake has planned."""
    watching.state.waiting = [
        (job.rule.name, job.wildcards_dict) for job in workflow.dag.needrun_jobs()
    ]
