"""Run a stage in a copy of a process that has the libraries loaded.

To import scikit-learn takes a second, more than most fits. A run on this machine therefore keeps
one process that has imported the libraries, though nothing of this package, whose code may be
edited meanwhile; each job is a fork of it. Where there is none, a job imports them itself.
"""

import atexit
import gc
import json
import os
import runpy
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from contextlib import suppress
from importlib import import_module

# Environment variable with the address of the process that forks.
ADDRESS = "NONEUCLID_FORKS"
# Longest address that every system takes.
LONGEST = 100
# Read when the libraries are loaded.
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
LIBRARIES = (
    *("numba", "pandas", "skops.io"),
    *("scipy.optimize", "scipy.sparse.csgraph", "scipy.spatial"),
    *("sklearn.ensemble", "sklearn.linear_model", "sklearn.model_selection", "sklearn.svm"),
)


def main():
    """Run a stage, ``STAGE ARGUMENTS``; or fork until standard input ends, ``--serve SOCKET``."""
    name, *arguments = sys.argv[1:]
    if name == "--serve":
        serve(int(*arguments))
        return
    status = ask([name, arguments, os.getcwd(), dict(os.environ)])
    if status is None:
        run(name, arguments)
    else:
        sys.exit(status)


def start():
    """Start the process that forks for the jobs of this one, which inherit its address.

    Returns
    -------
    Popen or None
        It ends when its standard input is closed, at the latest with this process. None where
        forks or addresses may not work.
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
        return subprocess.Popen(
            [sys.executable, "-m", "noneuclid.stages.fork", "--serve", str(listener.fileno())],
            env={**os.environ, **dict.fromkeys(THREADS, "1")},
            pass_fds=[listener.fileno()],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # An interrupt from the keyboard reaches the jobs that ask, and by them their forks.
            start_new_session=True,
        )


def run(stage, arguments):
    """Run a stage in this process."""
    module = f"noneuclid.stages.{stage}"
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def ask(request):
    """Have a request run with this process's outputs; its exit status, None if nobody does it."""
    address = os.environ.get(ADDRESS)
    # The libraries are loaded for one thread.
    if address is None or any(os.environ.get(name) != "1" for name in THREADS):
        return None
    text, started, answer = json.dumps(request).encode(), b"", b""
    with suppress(OSError):
        # A closed output would leave its number to the socket.
        os.fstat(1), os.fstat(2)
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(address)
            socket.send_fds(connection, [len(text).to_bytes(8, "big")], [1, 2])
            connection.sendall(text)
            started = connection.recv(1)
            answer = connection.recv(2)
    if not started:
        return None
    # Without an answer whatever waits for the job is gone.
    status = int.from_bytes(answer, "big", signed=True) if answer else -signal.SIGKILL
    if status < 0:
        print(f"killed by signal {-status} (9: perhaps out of memory)", file=sys.stderr)
    return status if status >= 0 else 128 - status


def serve(number):
    """Fork a process for each request to a socket, by its number, until standard input ends."""
    with socket.socket(fileno=number) as listener:
        load()
        # Children are not waited for: a second fork waits for the job.
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
            # Where no process can be made the job that asks runs alone.
            with suppress(OSError), listener.accept()[0] as connection:
                if os.fork() == 0:
                    listener.close()
                    supervise(connection)
    shutil.rmtree(os.path.dirname(os.environ[ADDRESS]), ignore_errors=True)


def load():
    """Import the libraries; one that cannot be is left to the jobs, which will say why."""
    for library in LIBRARIES:
        with suppress(Exception):
            import_module(library)
    with suppress(Exception):
        # The first compiled function makes numba load as much again.
        import_module("numba").njit(lambda x: x + 1.0)(1.0)
    gc.freeze()


def supervise(connection):
    """Have the request of a connection done in a fork, and answer how it ended; never return."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        head, outputs, _, _ = socket.recv_fds(connection, 8, 2)
        with connection.makefile("rb") as stream:
            request = json.loads(stream.read(int.from_bytes(head, "big")))
        job = os.fork()
        if job == 0:
            work(outputs, *request)
        # Whoever asked may be gone already, which the thread sees.
        with suppress(OSError):
            connection.send(b"+")
        threading.Thread(target=end_with, args=(connection, job), daemon=True).start()
        status = os.waitstatus_to_exitcode(os.waitpid(job, 0)[1])
        connection.send(status.to_bytes(2, "big", signed=True))
    finally:
        os._exit(0)


def end_with(connection, job):
    """End a job when the process that asked for it is gone, even amid compiled code."""
    with suppress(OSError):
        connection.recv(1)
    with suppress(ProcessLookupError):
        os.kill(job, signal.SIGKILL)


def work(outputs, stage, arguments, folder, environment):
    """Be the job; never return, for to take down all libraries costs as much as a fit."""
    status = 1
    try:
        for number, output in enumerate(outputs, start=1):
            os.dup2(output, number)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        if "numpy" in sys.modules:
            # Else what is drawn without a seed would be the same in all jobs.
            sys.modules["numpy"].random.seed()
        status = status_of(stage, arguments)
        # As the interpreter ends.
        threading._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def status_of(stage, arguments):
    """Run a stage and return its exit status."""
    try:
        run(stage, arguments)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return (end.code or 0) & 0xFF
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    main()
