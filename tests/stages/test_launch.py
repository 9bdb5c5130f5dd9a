"""What commands print, and to whom."""

import subprocess
import sys

import pytest

from noneuclid_compare.jobs import locations

CONFIG = locations.root() / "config/regression.yaml"


@pytest.mark.parametrize("arguments", [f"estimate {CONFIG}", "fetch"], ids=["estimate", "fetch"])
def test_a_reader_may_leave_before_a_command_has_printed(arguments):
    """As in `noneuclid ... | head -1`."""
    command = [sys.executable, "-m", "noneuclid_compare", *arguments.split()]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait() == 0
