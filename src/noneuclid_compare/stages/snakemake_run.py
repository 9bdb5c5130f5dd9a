"""Snakemake with the display of this package in place of its own output.

Not part of the workflow: ``noneuclid run`` becomes this program. The display is one of Snakemake's
logger plugins, which it registers itself: no other package is installed for it.
"""

import io
import logging
import sys
import time
from functools import cached_property
from threading import Event, RLock, Thread

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text
from snakemake import cli
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.registry import LoggerPluginRegistry

from noneuclid_compare.monitor import preflight, run_lines, run_watch
from noneuclid_compare.monitor.run_state import RunState

NAME = "noneuclid"
# Of Snakemake's file with its own log.
FILE_HANDLER = "DefaultLogFileHandler"
# What Snakemake prints before its logger plugins exist.
EARLY = io.StringIO()
# Seconds between two looks at the clock.
TICK = 30.0


class LogHandler(LogHandlerBase):
    """Snakemake's logger plugin: few lines while it runs, and the cause of an error at the end."""

    writes_to_stream = property(lambda self: True)
    writes_to_file = property(lambda self: False)
    has_filter = property(lambda self: True)
    has_formatter = property(lambda self: True)
    needs_rulegraph = property(lambda self: False)

    def __post_init__(self):
        give_back_errors()
        self.state, self.plain, self.live = RunState(), run_lines.Plain(), None
        self.shows = not (self.common_settings.dryrun or self.common_settings.quiet)
        self.guard, self.over = RLock(), Event()

    @cached_property
    def console(self):
        """Where the lines go: standard output for a dry run, as Snakemake's own."""
        return Console(
            file=sys.stdout if self.common_settings.dryrun else sys.stderr,
            no_color=self.common_settings.nocolor or None,
            highlight=False,
            soft_wrap=True,
            markup=False,
        )

    def ended(self, logs):
        """Do nothing: what there is to say is said after Snakemake's last record."""

    def emit(self, record):
        """Take a record; it comes from a thread of Snakemake's."""
        with self.guard:
            self.state.take(record)
            if not self.shows or not self.state.jobs:
                return
            if self.live is None:
                self.start()
            self.print_new(record.created)

    def start(self):
        """Print the first line; begin the table of a terminal, or the clock of a file."""
        self.say(run_lines.head(self.state, self.log))
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            self.live = Live(console=self.console, get_renderable=self.render, refresh_per_second=2)
        else:
            self.live = Thread(target=self.tick, daemon=True)
        self.live.start()

    def print_new(self, now):
        """Print what is new, where lines cannot be rewritten."""
        if not isinstance(self.live, Live):
            for line in self.plain.lines(self.state, now):
                self.say(line)

    def tick(self):
        """Print a line every few minutes while a long job runs."""
        while not self.over.wait(TICK):
            with self.guard:
                self.print_new(time.time())

    def render(self):
        """The table of the stages, and the line below."""
        with self.guard:
            table = "\n".join(run_lines.table(self.state))
            foot = Text(run_lines.foot(self.state, time.time()))
            return Group(Text(table, no_wrap=True, overflow="ellipsis"), foot)

    def say(self, *lines):
        """Print lines unbroken, so that paths can be copied."""
        for line in lines:
            self.console.print(line, soft_wrap=True)

    @cached_property
    def log(self):
        """Path of Snakemake's own log, or None."""
        handlers = logging.getLogger("snakemake.logging").handlers
        return next((each.baseFilename for each in handlers if each.name == FILE_HANDLER), None)

    def close(self):
        """Say how the run ended; Snakemake has logged all that it has to say."""
        if self.over.is_set():
            return
        self.over.set()
        if isinstance(self.live, Live):
            self.live.stop()
        state = self.state
        if not state.executing and not state.others:
            # Not a run: --unlock, --list-rules and the like.
            self.say(*state.messages)
        elif self.common_settings.dryrun and not state.others:
            self.say(*run_lines.dry(state))
        else:
            advice = preflight.advice([self.log] if self.log else [], "results")
            self.say(*run_lines.last(state, time.time(), self.log, run_watch.page(), advice))
        super().close()


def give_back_errors():
    """Print to standard error again, if that was held back."""
    if sys.stderr is EARLY:
        sys.stderr = sys.__stderr__


def of_parser(text):
    r"""What Snakemake's parser says of wrong options, without a hundred lines on the right ones.

    Examples
    --------
    >>> of_parser("usage: snakemake [-h]\n  [-n]\nsnakemake: error: unknown option -q\n")
    'error: unknown option -q (snakemake --help lists the options)\n'
    """
    usage, found, error = text.rpartition(": error: ")
    if not found or not usage.lstrip().startswith(("usage:", "Using ")):
        return text
    return f"error: {error.strip()} (snakemake --help lists the options)\n"


def main(argv=None):
    """Run Snakemake; its exit status is that of this program."""
    LoggerPluginRegistry().register_plugin(f"snakemake_logger_plugin_{NAME}", sys.modules[__name__])
    # Snakemake's parser says which profile it reads, which is no news; its errors are printed.
    sys.stderr = EARLY
    status = 130
    try:
        cli.main(argv)
    except SystemExit as end:
        status = end.code
    except KeyboardInterrupt:
        print("stopped", file=sys.__stderr__)
    finally:
        if sys.stderr is EARLY:
            give_back_errors()
            print(of_parser(EARLY.getvalue()), end="", file=sys.stderr)
    sys.exit(status)


if __name__ == "__main__":
    main()
