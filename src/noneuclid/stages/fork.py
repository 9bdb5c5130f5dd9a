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
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from contextlib import suppress
from importlib import import_module
from threading import Thread

# Environment variable with the address of the process that forks.
ADDRESS = "NONEUCLID_FORKS"
# Read when the libraries are loaded.
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
LIBRARIES = (
    *("numba", "pandas", "skops.io"),
    *("scipy.optimize", "scipy.sparse.csgraph", "scipy.spatial"),
    *("sklearn.ensemble", "sklearn.linear_model", "sklearn.model_selection", "sklearn.svm"),
)


def main():
    """Run a stage: ``STAGE ARGUMENTS``; or fork until a process ends: ``--for PROCESS``."""
    name, *arguments = sys.argv[1:]
    if name == "--for":
        serve(os.environ[ADDRESS], int(arguments[0]))
        return
    connection = connected(os.environ.get(ADDRESS))
    if connection is None:
        run(name, arguments)
    else:
        sys.exit(ask(connection, [name, arguments, os.getcwd(), dict(os.environ)]))


def start():
    """Start the process that forks for the jobs of this one, which inherit its address."""
    os.environ[ADDRESS] = os.path.join(tempfile.mkdtemp(prefix="noneuclid-"), "forks")
    subprocess.Popen(
        [sys.executable, "-m", "noneuclid.stages.fork", "--for", str(os.getpid())],
        env={**os.environ, **dict.fromkeys(THREADS, "1")},
        stdin=subprocess.DEVNULL,
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


def connected(address):
    """Connection to the process that forks; None if it is gone, or has loaded for one thread."""
    if address is None or any(os.environ.get(name) != "1" for name in THREADS):
        return None
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(address)
    except OSError:
        return None
    return connection


def ask(connection, request):
    """Have a request run with this process's outputs, and return its exit status."""
    text = json.dumps(request).encode()
    answer = b""
    with suppress(OSError):
        socket.send_fds(connection, [len(text).to_bytes(8, "big")], [1, 2])
        connection.sendall(text)
        answer = connection.recv(2)
    # Without an answer whatever waits for the job is gone.
    status = int.from_bytes(answer, "big", signed=True) if answer else -signal.SIGKILL
    if status < 0:
        print(f"killed by signal {-status} (9: perhaps out of memory)", file=sys.stderr)
    return status if status >= 0 else 128 - status


def serve(address, parent, pause=0.5):
    """Fork a process for each request until the process `parent` is gone."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(1000)
        listener.settimeout(pause)
        for library in LIBRARIES:
            with suppress(ImportError):
                import_module(library)
        with suppress(ImportError):
            # The first compiled function makes numba load as much again.
            import_module("numba").njit(lambda x: x + 1.0)(1.0)
        gc.freeze()
        # Children are not waited for: a second fork waits for the job.
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        while is_alive(parent):
            with suppress(TimeoutError):
                connection, _ = listener.accept()
                if os.fork() == 0:
                    return supervise(connection)
                connection.close()
    os.unlink(address)
    os.rmdir(os.path.dirname(address))


def supervise(connection):
    """Run the request of a connection in a fork, and answer how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    head, outputs, _, _ = socket.recv_fds(connection, 8, 2)
    with connection.makefile("rb") as stream:
        stage, arguments, folder, environment = json.loads(stream.read(int.from_bytes(head, "big")))
    job = os.fork()
    if job:
        status = os.waitstatus_to_exitcode(os.waitpid(job, 0)[1])
        with suppress(OSError):
            connection.send(status.to_bytes(2, "big", signed=True))
        os._exit(0)
    for number, output in enumerate(outputs, start=1):
        os.dup2(output, number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    Thread(target=end_with, args=(connection,), daemon=True).start()
    os._exit(status_of(stage, arguments))


def status_of(stage, arguments):
    """Run a stage and return its exit status; to take down all libraries would cost as much."""
    try:
        run(stage, arguments)
        status = 0
    except SystemExit as end:
        status = end.code or 0
    except BaseException:
        traceback.print_exc()
        status = 1
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def end_with(connection):
    """End this process when the one that asked for it is gone."""
    connection.recv(1)
    os._exit(1)


def is_alive(process):
    """Whether there is a process of this number that is ours."""
    try:
        os.kill(process, 0)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main()
