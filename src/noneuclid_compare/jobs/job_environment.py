"""What all jobs inherit, and the server from which they are forked."""

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
# Longest address of a socket that every system accepts.
LONGEST = 100
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def prepare_jobs(source, mirror=None):
    """Set the environment variables of all jobs.

    Jobs on this machine end with this process. They run the package in the folder `source`, or the
    installed one if it is None, with the Python that runs Snakemake, whether or not an environment
    is active. Snakemake limits the
    threads of linear algebra; numba's are limited here. The folder `mirror`, from which files are
    copied, is not a parameter of a rule, so another mirror does not copy a verified file again.
    """
    from noneuclid_compare import provenance

    if source is not None:
        inherited = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(source), inherited]))
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    os.environ["NUMBA_NUM_THREADS"] = "1"
    # A run that started this one may have a server with other code.
    os.environ.pop(ADDRESS, None)
    os.environ["NONEUCLID_RUN"] = f"{platform.node()} {os.getpid()}"
    os.environ[provenance.COMMIT] = provenance.commit()
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

    Return its process, or None where forks or addresses may not work. It ends when its standard
    input is closed, at the latest with this process.
    """
    folder = tempfile.mkdtemp(prefix="noneuclid-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    address = os.path.join(folder, "forks")
    # Frameworks of other systems may not survive a fork.
    if sys.platform != "linux" or len(address) > LONGEST:
        return None
    with socket.socket(socket.AF_UNIX) as listener:
        # Bound here, so that the first job finds it.
        listener.bind(address)
        listener.listen(1000)
        os.environ[ADDRESS] = address
        # A fork keeps only the thread that forked; pyarrow's allocator would start another.
        single = dict.fromkeys(THREADS, "1") | {"JE_ARROW_MALLOC_CONF": "background_thread:false"}
        return subprocess.Popen(
            [
                sys.executable,
                "-m",
                "noneuclid_compare.stages.run_stage",
                "--serve",
                str(listener.fileno()),
            ],
            env=os.environ | single,
            pass_fds=[listener.fileno()],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            # An interrupt from the keyboard ends the clients and therefore their jobs.
            start_new_session=True,
        )
