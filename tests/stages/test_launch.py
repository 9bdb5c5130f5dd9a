"""What commands print, and to whom."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("arguments", ["estimate pan2023", "fetch"])
def test_a_reader_may_leave_before_a_command_has_printed(arguments):
    """As in `noneuclid ... | head -1`."""
    command = [sys.executable, "-m", "noneuclid", *arguments.split()]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait() == 0
