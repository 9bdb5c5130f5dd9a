"""Run a stage in a fork of a process that has the libraries loaded.

Importing scikit-learn takes longer than most fits. A run on this machine therefore keeps a server
that has imported the libraries, but no stage of this package, because its code may be edited during
the run. Snakemake starts a client for each job. For each client the server forks a watcher, which
forks the job and reports its exit status. Killing the client, the watcher or the job ends the job.
If no server answers, the client runs the stage itself.

A fork inherits what `state` lists from the server: limits, niceness, processors and the like. A
client in another state runs the stage itself. Without PYTHONHASHSEED all jobs of a run hash strings
with the one random seed of their server.
"""

import atexit
import gc
import json
import os
import resource
import runpy
import select
import shutil
import signal
import socket
import sys
import threading
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from noneuclid_compare.jobs import job_environment
from noneuclid_compare.stages import preload

# Seconds that a client waits for its job to be ready; loading the libraries takes 3.
PATIENCE = 60.0
# Prefixes of variables that are read when Python starts or a library is loaded.
LOADING = (
    *("PYTHON", "LD_", "LC_", "LANG", "TZ"),
    *("OMP_", "OPENBLAS_", "MKL_", "NUMBA_", "NPY_", "SCIPY_", "SKLEARN_"),
)
# Sent by a job that is ready, and by the client that releases it.
READY = b"+"
# Of prctl(2): the signal that a process gets when its parent ends.
PR_SET_PDEATHSIG = 1


def main():
    """Run a stage, ``STAGE ARGUMENTS``; or serve until standard input ends, ``--serve SOCKET``."""
    name, *arguments = sys.argv[1:]
    if name == "--serve":
        serve(int(*arguments))
        return
    status = ask(name, arguments)
    if status is None:
        run(name, arguments)
    else:
        sys.exit(status)


def run(stage, arguments):
    """Run a stage in this process: one of this package, or a plug-in's by its dotted name."""
    module = stage if "." in stage else f"noneuclid_compare.stages.{stage}"
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def state():
    """What a fork inherits from the server and not from its client, as text."""
    os.umask(mask := os.umask(0o77))
    names = [name for name in dir(resource) if name.startswith("RLIMIT_")]
    limits = [resource.getrlimit(getattr(resource, name)) for name in names]
    control = [Path("/proc/self", name).read_text() for name in ("cgroup", "oom_score_adj")]
    variables = [item for item in sorted(os.environ.items()) if item[0].startswith(LOADING)]
    processors = sorted(os.sched_getaffinity(0))
    return repr([os.getcwd(), mask, os.nice(0), processors, limits, control, variables])


def ask(stage, arguments):
    """Ask the server to run a stage with this process's streams.

    Return the exit status, or None if the server does not run it. The job waits for a last byte,
    so it never runs both in a fork and here.
    """
    address = os.environ.get(job_environment.ADDRESS)
    if address is None:
        return None
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE)
        try:
            request = json.dumps([state(), stage, arguments, dict(os.environ)]).encode()
            connection.connect(address)
            socket.send_fds(connection, [len(request).to_bytes(8, "big")], [0, 1, 2])
            connection.sendall(request)
            # A job that ends before it is ready sends its status: two bytes, the first 0 or 255.
            if connection.recv(1) != READY:
                return None
            connection.sendall(READY)
        except TimeoutError:
            # Later jobs do not wait for it.
            Path(address).unlink(missing_ok=True)
            text = "the process that forks jobs has not answered for {:g} s: jobs run without it"
            print(text.format(PATIENCE), file=sys.stderr)
            return None
        except OSError:
            return None
        connection.settimeout(None)
        answer = b""
        with suppress(OSError):
            answer = connection.recv(2)
    # Without an answer the watcher was killed, and the job with it.
    status = int.from_bytes(answer, "big", signed=True) if answer else -signal.SIGKILL
    if status < 0:
        why = ", perhaps because memory ran out" if status == -signal.SIGKILL else ""
        name = signal.strsignal(-status)
        print(f"the job was killed by signal {-status} ({name}){why}", file=sys.stderr)
    return status if status >= 0 else 128 - status


def serve(number):
    """Fork a watcher for each client of the socket `number` until standard input ends."""
    with socket.socket(fileno=number) as listener:
        preload.load()
        gc.freeze()
        single = len(os.listdir("/proc/self/task")) == 1
        if not single:
            print("a library has started a thread: jobs run without forks", file=sys.stderr)
        # The system reaps watchers that have ended.
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        while single and sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
            # If no process can be created, the client runs the stage.
            with suppress(OSError), listener.accept()[0] as connection:
                if os.fork() == 0:
                    listener.close()
                    watch(connection)
    shutil.rmtree(os.path.dirname(os.environ[job_environment.ADDRESS]), ignore_errors=True)


def watch(connection):
    """Fork the job, report its exit status to the client, and exit."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        watcher = os.getpid()
        job = os.fork()
        if job == 0:
            work(connection, watcher)
        threading.Thread(target=end_with, args=(connection, job), daemon=True).start()
        # The job keeps its number until this process exits, so no other process can be killed.
        end = os.waitid(os.P_PID, job, os.WEXITED | os.WNOWAIT)
        status = end.si_status if end.si_code == os.CLD_EXITED else -end.si_status
        connection.send(status.to_bytes(2, "big", signed=True))
    finally:
        os._exit(0)


def end_with(connection, job):
    """Kill a job when its client has ended, even while it runs compiled code."""
    poll = select.poll()
    poll.register(connection, 0)  # hang-ups only
    poll.poll()
    os.kill(job, signal.SIGKILL)


def work(connection, watcher):
    """Run the job and exit without cleanup; unloading the libraries takes as long as a fit.

    The connection stays open, so the client does not see the end of the job too early.
    """
    status = 1
    try:
        import_module("ctypes").CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        head, streams, _, _ = socket.recv_fds(connection, 8, 3)
        with connection.makefile("rb") as stream:
            request = stream.read(int.from_bytes(head, "big"))
        wanted, stage, arguments, environment = json.loads(request)
        # The watcher may have been killed before prctl was called.
        if wanted != state() or os.getppid() != watcher:
            return
        connection.send(READY)
        if connection.recv(1) != READY:
            return
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        os.environ.clear()
        os.environ.update(environment)
        if "numpy" in sys.modules:
            # Otherwise unseeded random numbers would be equal in all jobs.
            sys.modules["numpy"].random.seed()
        status = status_of(stage, arguments)
        # As the interpreter does when it exits.
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
