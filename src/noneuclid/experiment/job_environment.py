"""What the processes of all jobs inherit, and the process that forks them."""

import atexit
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

# Environment variable with the address of the server.
ADDRESS = "NONEUCLID_FORKS"
# Longest address that every system takes.
LONGEST = 100
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def prepare_jobs(source, mirror=None):
    """Set what the processes of all jobs inherit from Snakemake's.

    Jobs on this machine end with this process. They run the source of this repository with the
    Python that runs Snakemake, whether or not an environment is active. Snakemake limits the
    threads of linear algebra to those of a rule; numba's are limited here. The mirror is no
    parameter of a rule, so that another mirror does not copy a verified file again.
    """
    inherited = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(source), inherited]))
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    os.environ["NUMBA_NUM_THREADS"] = "1"
    # Of a run around this one: its forks may be of other code.
    os.environ.pop(ADDRESS, None)
    os.environ["NONEUCLID_RUN"] = f"{platform.node()} {os.getpid()}"
    if mirror:
        os.environ["NONEUCLID_MIRROR"] = str(Path(mirror).resolve())


def lift_rate_limit(scheduler):
    """Drop Snakemake's default limit of jobs that start in a second, unless the user set another.

    With one, Snakemake looks at all waiting jobs once a second for every job that has ended: after
    200 jobs this takes 40 % of a core. --jobs and --cores limit them anyway.
    """
    limit = scheduler.job_rate_limiter
    if limit is not None and (limit.max_jobs, limit.timespan) == (100, 1):
        scheduler.job_rate_limiter = None


def start_fork_server():
    """Start the server for the jobs of this process, which inherit its address.

    It ends when its standard input is closed, at the latest with this process. Return the process,
    or None where forks or addresses may not work.
    """
    folder = tempfile.mkdtemp(prefix="noneuclid-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    address = os.path.join(folder, "forks")
    # Frameworks of other systems may not survive a fork.
    if sys.platform != "linux" or len(address) > LONGEST:
        return None
    with socket.socket(socket.AF_UNIX) as listener:
        # Here, so that the first job finds it.
        listener.bind(address)
        listener.listen(1000)
        os.environ[ADDRESS] = address
        # A fork has no thread but the one that forked; pyarrow's allocator would start one.
        single = dict.fromkeys(THREADS, "1") | {"JE_ARROW_MALLOC_CONF": "background_thread:false"}
        return subprocess.Popen(
            [sys.executable, "-m", "noneuclid.stages.fork", "--serve", str(listener.fileno())],
            env=os.environ | single,
            pass_fds=[listener.fileno()],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            # An interrupt from the keyboard ends the clients, and so their jobs.
            start_new_session=True,
        )
