"""Jobs as forks of a process with the libraries: outputs, exit statuses, ends."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from noneuclid.stages import fork

ALONE = {name: value for name, value in os.environ.items() if name != fork.ADDRESS}
ALONE |= dict.fromkeys(fork.THREADS, "1")
# In place of a stage it runs a text, so that a test can say what happens in the job.
SERVER = """from noneuclid.stages import fork
fork.LIBRARIES = ()
fork.run = lambda stage, arguments: exec(stage, {"arguments": arguments})
fork.main()
"""


# Amid compiled code that keeps the interpreter to itself.
HELD = "import ctypes; ctypes.PyDLL(None).sleep(60)"


@pytest.fixture
def server(tmp_path):
    """The process that forks, with the environment of its jobs."""
    folder = tmp_path / "private"
    folder.mkdir()
    environment = {**ALONE, fork.ADDRESS: str(folder / "forks")}
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(environment[fork.ADDRESS])
        listener.listen(100)
        number = listener.fileno()
        command = [sys.executable, "-c", SERVER, "--serve", str(number)]
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, pass_fds=[number]
        )
    with process:
        process.environment = environment
        yield process


def started(server, code):
    """A job that runs, as its client and the processes that are forks for it."""
    command = [sys.executable, "-m", "noneuclid.stages.fork", code]
    asking = subprocess.Popen(command, env=server.environment)
    process = psutil.Process(server.pid)
    while len(forks := process.children(recursive=True)) < 2:
        time.sleep(0.01)
    return asking, forks


def job(server, *words, **more):
    command = [sys.executable, "-m", "noneuclid.stages.fork", *words]
    return subprocess.run(
        command, env=server.environment, capture_output=True, text=True, check=False, **more
    )


def test_a_job_has_the_arguments_folder_and_environment_of_the_one_that_asks(server, tmp_path):
    server.environment["COLOUR"] = "grün"
    code = "import os; print([*arguments, os.getcwd(), os.environ['COLOUR']])"
    done = job(server, code, "--name", 'a "b"\n', cwd=tmp_path)
    assert done.stdout == str(["--name", 'a "b"\n', str(tmp_path), "grün"]) + "\n"
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("code", "status", "words"),
    [
        ("import sys; sys.exit(3)", 3, ""),
        ("import sys; sys.exit()", 0, ""),
        ("raise ValueError('no')", 1, "ValueError: no"),
        ("import sys; sys.exit('no such file')", 1, "no such file"),
        ("import sys; sys.exit(2**40 + 3)", 3, ""),
        ("import os; os.kill(os.getppid(), 9)", 137, "killed by signal 9"),
        ("import os; os.kill(os.getpid(), 9)", 137, "killed by signal 9 (9: perhaps out of mem"),
    ],
)
def test_a_job_ends_as_it_would_alone(server, code, status, words):
    done = job(server, code)
    assert done.returncode == status
    assert words in done.stderr


def test_what_is_registered_for_the_end_is_done(server):
    assert job(server, "import atexit; atexit.register(print, 'bye')").stdout == "bye\n"


def test_jobs_run_side_by_side(server):
    command = [sys.executable, "-m", "noneuclid.stages.fork", "import time; time.sleep(1)"]
    start = time.monotonic()
    jobs = [subprocess.Popen(command, env=server.environment) for _ in range(8)]
    assert [each.wait() for each in jobs] == [0] * 8
    assert time.monotonic() - start < 6


@pytest.mark.parametrize("code", ["import time; time.sleep(60)", HELD])
def test_a_job_ends_with_the_one_that_asks(server, code):
    asking, forks = started(server, code)
    asking.kill()
    asking.wait()
    assert psutil.wait_procs(forks, timeout=10)[1] == []


def test_jobs_do_not_draw_the_same(server):
    code = "import numpy; print(numpy.random.rand())"
    assert job(server, code).stdout != job(server, code).stdout


def test_threads_are_waited_for(server):
    code = "import threading; threading.Timer(0.3, print, ['bye']).start()"
    assert job(server, code).stdout == "bye\n"


def test_without_its_server_a_job_goes_on_and_others_run_alone(server, tmp_path):
    path = tmp_path / "written"
    asking, _ = started(server, f"import os\nwhile not os.path.exists({str(path)!r}): pass")
    server.kill()
    assert "Stage split" in job(server, "split", "--help").stdout
    assert asking.poll() is None
    path.touch()
    assert asking.wait() == 0


def test_a_job_without_outputs_runs(server, tmp_path):
    code = "print('lost', flush=True); open('written', 'w').close()"
    shell = f'"$0" -c "$1" >&- 2>&-; test -e {tmp_path}/written'
    code = (
        f"import sys; from noneuclid.stages import fork; fork.run = lambda *_: exec({code!r});"
        + ("sys.argv = ['fork', 'text']; fork.main()")
    )
    command = ["bash", "-c", shell, sys.executable, code]
    assert (
        subprocess.run(command, env=server.environment, cwd=tmp_path, check=False).returncode == 0
    )


def test_the_server_ends_with_its_input_and_leaves_nothing(server):
    server.stdin.close()
    assert server.wait(10) == 0
    assert not Path(server.environment[fork.ADDRESS]).parent.exists()


def test_no_server_where_its_address_would_be_too_long(tmp_path, monkeypatch):
    monkeypatch.delenv(fork.ADDRESS, raising=False)
    monkeypatch.setattr(fork.tempfile, "tempdir", str(tmp_path / ("x" * 100)))
    (tmp_path / ("x" * 100)).mkdir()
    assert fork.start() is None
    assert fork.ADDRESS not in os.environ


@pytest.mark.parametrize("change", [{fork.ADDRESS: "/no/such"}, {"OMP_NUM_THREADS": "2"}])
def test_without_a_server_for_it_a_job_runs_alone(server, change):
    server.environment |= change
    done = job(server, "split", "--help")
    assert "Stage split" in done.stdout
    assert done.returncode == 0


def test_libraries_are_loaded_but_nothing_of_this_package_that_can_be_edited():
    code = "from noneuclid.stages import fork; from importlib import import_module; import sys;"
    code += "[import_module(each) for each in fork.LIBRARIES];"
    code += "print(*[m for m in sys.modules if m.startswith('noneuclid')])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
    assert set(loaded.split()) == {"noneuclid", "noneuclid.stages", "noneuclid.stages.fork"}


def test_a_stage_writes_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setenv(fork.ADDRESS, "set again below, and put back after the test")
    words = ["acquire", "--name", "karate", "--loader", "noneuclid.datasets.karate", "--seed", "1"]
    command = [sys.executable, "-m", "noneuclid.stages.fork", *words, "--output"]
    subprocess.run([*command, "alone.npz"], env=ALONE, cwd=tmp_path, check=True)
    server = fork.start()
    address = os.environ[fork.ADDRESS]
    environment = {**ALONE, fork.ADDRESS: address}
    subprocess.run([*command, "forked.npz"], env=environment, cwd=tmp_path, check=True)
    assert (tmp_path / "forked.npz").read_bytes() == (tmp_path / "alone.npz").read_bytes()
    server.stdin.close()
    assert server.wait(10) == 0
