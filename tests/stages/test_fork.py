"""Jobs as forks of a process with the libraries: outputs, exit statuses, ends."""

import json
import os
import platform
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import psutil
import pytest
from cases import each_of

from noneuclid_compare import io
from noneuclid_compare.jobs import job_environment
from noneuclid_compare.records import Embedded, Split
from noneuclid_compare.stages import preload, run_stage

ALONE = {name: value for name, value in os.environ.items() if name != job_environment.ADDRESS}
ALONE |= dict.fromkeys(job_environment.THREADS, "1")
# A client that says what a job prints and its status, None if it would have to run it itself.
CLIENT = (
    "from noneuclid_compare.stages import run_stage;"
    " print(run_stage.ask('print(7, flush=True)', []))"
)
# In place of a stage it runs a text, so that a test can say what happens in the job.
SERVER = """from noneuclid_compare.stages import run_stage
run_stage.preload.LIBRARIES = ()
run_stage.run = lambda stage, arguments: exec(stage, {"arguments": arguments})
run_stage.main()
"""


# Amid compiled code that keeps the interpreter to itself.
HELD = "import ctypes; ctypes.PyDLL(None).sleep(600)"


@pytest.fixture
def server(request, tmp_path):
    """The process that forks, with the environment of its jobs; it runs a text first, if given."""
    folder = tmp_path / "private"
    folder.mkdir()
    environment = {**ALONE, job_environment.ADDRESS: str(folder / "forks")}
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(environment[job_environment.ADDRESS])
        listener.listen(100)
        number = listener.fileno()
        command = [
            sys.executable,
            "-c",
            getattr(request, "param", "") + SERVER,
            "--serve",
            str(number),
        ]
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, pass_fds=[number]
        )
    with process:
        process.environment = environment
        yield process


@pytest.fixture(scope="module")
def loaded():
    """A process that forks with its libraries, as a run starts it; the environment of its jobs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(job_environment.ADDRESS, "put back afterwards")
        process = job_environment.start_fork_server()
        process.environment = {
            **ALONE,
            job_environment.ADDRESS: os.environ[job_environment.ADDRESS],
        }
    yield process
    process.stdin.close()
    assert process.wait(60) == 0


def started(server, code):
    """A job that runs, as its client and the processes that are forks for it."""
    command = [
        sys.executable,
        "-m",
        "noneuclid_compare.stages.run_stage",
        f"print(7, flush=True)\n{code}",
    ]
    asking = subprocess.Popen(command, env=server.environment, stdout=subprocess.PIPE)
    assert asking.stdout.readline() == b"7\n"
    return asking, psutil.Process(server.pid).children(recursive=True)


def asked(server, *prefix, **variables):
    """What a client prints that is started by `prefix`: "7" and "0", or "None"."""
    command, environment = [*prefix, sys.executable, "-c", CLIENT], server.environment | variables
    return subprocess.check_output(command, env=environment, text=True).split()


def job(server, *words, **more):
    command = [sys.executable, "-m", "noneuclid_compare.stages.run_stage", *words]
    return subprocess.run(
        command, env=server.environment, capture_output=True, text=True, check=False, **more
    )


def test_a_job_has_the_arguments_environment_and_streams_of_the_one_that_asks(server):
    server.environment["COLOUR"] = "grün"
    code = "import os; print([*arguments, os.environ['COLOUR'], os.read(0, 9)])"
    done = job(server, code, "--name", 'a "b"\n', input="read")
    assert done.stdout == str(["--name", 'a "b"\n', "grün", b"read"]) + "\n"
    assert (done.returncode, done.stderr) == (0, "")


def shell(words):
    return "bash", "-c", words + '; exec "$@"', "bash"


@each_of(
    "prefix",
    [
        shell("ulimit -S -n 99"),
        shell("ulimit -v $((2**30))"),
        shell("umask 7"),
        shell("cd /"),
        shell("export PYTHONHASHSEED=12"),
        shell("export OMP_NUM_THREADS=2"),
        ("nice", "-n", "3"),
        ("taskset", "-c", str(min(os.sched_getaffinity(0)))),
    ],
    ids=lambda prefix: " ".join(prefix[:3]).partition(";")[0],
)
def test_what_a_fork_cannot_take_over_makes_a_job_run_alone(server, prefix):
    if prefix[0] == "taskset" and len(os.sched_getaffinity(0)) == 1:
        pytest.skip("one processor")
    assert asked(server) == ["7", "0"]
    assert asked(server, *prefix) == ["None"]


@each_of(
    ("code", "status", "words"),
    [
        ("import sys; sys.exit(3)", 3, ""),
        ("import sys; sys.exit()", 0, ""),
        ("raise ValueError('no')", 1, "ValueError: no"),
        ("import sys; sys.exit('no such file')", 1, "no such file"),
        ("import sys; sys.exit(2**40 + 3)", 3, ""),
        (
            "import os; os.kill(os.getppid(), 9)",
            137,
            "killed by signal 9 (Killed), perhaps because",
        ),
        ("import os; os.kill(os.getpid(), 9)", 137, "(Killed), perhaps because memory ran out\n"),
        ("import ctypes; ctypes.string_at(0)", 139, "killed by signal 11 (Segmentation fault)\n"),
        ("import os; os.abort()", 134, "killed by signal 6 (Aborted)\n"),
    ],
)
def test_a_job_ends_as_it_would_alone(server, code, status, words):
    done = job(server, code)
    assert done.returncode == status
    assert words in done.stderr


def test_what_is_registered_for_the_end_is_done(server):
    assert job(server, "import atexit; atexit.register(print, 'bye')").stdout == "bye\n"


def test_jobs_run_side_by_side(server, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    # Neither end of a pipe opens before the other.
    jobs = [f"open({str(tmp_path / 'pipe')!r}, {mode!r})" for mode in "rw"]
    command = [sys.executable, "-m", "noneuclid_compare.stages.run_stage"]
    asking = [subprocess.Popen([*command, code], env=server.environment) for code in jobs]
    assert [each.wait() for each in asking] == [0, 0]


@pytest.mark.parametrize("code", ["import time; time.sleep(600)", HELD])
def test_a_job_ends_with_the_one_that_asks(server, code):
    asking, forks = started(server, code)
    asking.kill()
    asking.wait()
    assert psutil.wait_procs(forks, timeout=60)[1] == []


@pytest.mark.parametrize("code", ["import time; time.sleep(600)", HELD])
def test_a_job_ends_with_its_watcher(server, code):
    asking, (watcher, job) = started(server, code)
    assert job.ppid() == watcher.pid
    watcher.kill()
    # Shorter than the job, which would otherwise end by itself.
    assert asking.wait(60) == 137
    assert psutil.wait_procs([job], timeout=30)[1] == []


def listening(tmp_path, monkeypatch):
    """A socket that jobs find and nobody serves."""
    address = tmp_path / "forks"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(address))
    listener.listen(1)
    monkeypatch.setenv(job_environment.ADDRESS, str(address))
    return listener, address


def test_a_server_that_hangs_is_not_waited_for_and_not_asked_again(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(run_stage, "PATIENCE", 0.01)
    with listening(tmp_path, monkeypatch)[0]:
        assert run_stage.ask("split", ["--help"]) is None
        assert not (tmp_path / "forks").exists()
        assert "has not answered for 0.01 s: jobs run without it" in capsys.readouterr().err
        assert run_stage.ask("split", ["--help"]) is None
    assert capsys.readouterr().err == ""


def test_a_job_that_is_not_released_does_nothing(server, tmp_path):
    """The one that asks has waited too long and runs the stage itself."""
    code = f"open({str(tmp_path / 'written')!r}, 'w').close()"
    order = "import json; from noneuclid_compare.stages import run_stage as s; "
    order += "print(json.dumps(s.state()))"
    state = subprocess.check_output([sys.executable, "-c", order], env=server.environment)
    request = json.dumps([json.loads(state), code, [], server.environment]).encode()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(server.environment[job_environment.ADDRESS])
        socket.send_fds(connection, [len(request).to_bytes(8, "big")], [0, 1, 2])
        connection.sendall(request)
        assert connection.recv(1) == b"+"
        forks = psutil.Process(server.pid).children(recursive=True)
    assert len(forks) == 2
    assert psutil.wait_procs(forks, timeout=60)[1] == []
    assert not (tmp_path / "written").exists()


THREAD = "import threading; threading.Thread(target=threading.Event().wait, daemon=True).start()\n"


@pytest.mark.parametrize("server", [THREAD], indirect=True)
def test_a_process_with_threads_is_not_forked(server):
    assert server.wait() == 0
    assert asked(server) == ["None"]


def test_libraries_start_no_thread(loaded):
    assert "Stage split" in job(loaded, "split", "--help").stdout
    assert os.listdir(f"/proc/{loaded.pid}/task") == [str(loaded.pid)]


@pytest.mark.slow
def test_memory_is_the_same_by_fork_and_alone(loaded, tmp_path):
    n = 100_000
    points, labels = np.random.default_rng(0).normal(size=(n, 2)), np.arange(n) % 2
    about = {"embedding": {"name": "given"}}
    embedded = Embedded(points, "tangent", labels, ("a", "b"), about=about)
    io.write_record(tmp_path / "points.npz", embedded)
    io.write_record(tmp_path / "split.npz", Split(np.arange(n) % 2))
    method = {"use": "sklearn.naive_bayes.GaussianNB", "chart": "tangent"}
    method |= {key: {} for key in ("params", "grid", "search")}
    words = ["--points", "points.npz", "--split", "split.npz", "--names", "d", "e", "m"]
    words += ["--method", json.dumps(method), "--repeat", "0", "--seed", "0"]
    words += ["--predictions", "p.npz", "--record"]
    memory = {}
    for name, environment in (("alone", ALONE), ("fork", loaded.environment)):
        command = [
            sys.executable,
            "-m",
            "noneuclid_compare.stages.run_stage",
            "train",
            *words,
            name,
        ]
        subprocess.run(command, env=environment, cwd=tmp_path, check=True)
        memory[name] = io.read_json(tmp_path / name)["peak_memory_mb"]
    assert memory["fork"] == pytest.approx(memory["alone"], rel=0.1)


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
        "import sys; from noneuclid_compare.stages import run_stage;"
        f" run_stage.run = lambda *_: exec({code!r});"
        + ("sys.argv = ['fork', 'text']; run_stage.main()")
    )
    command = ["bash", "-c", shell, sys.executable, code]
    assert (
        subprocess.run(command, env=server.environment, cwd=tmp_path, check=False).returncode == 0
    )


def test_the_server_ends_with_its_input_and_leaves_nothing(server):
    server.stdin.close()
    assert server.wait(10) == 0
    assert not Path(server.environment[job_environment.ADDRESS]).parent.exists()


def test_no_server_where_its_address_would_be_too_long(tmp_path, monkeypatch):
    monkeypatch.delenv(job_environment.ADDRESS, raising=False)
    monkeypatch.setattr(job_environment.tempfile, "tempdir", str(tmp_path / ("x" * 100)))
    (tmp_path / ("x" * 100)).mkdir()
    assert job_environment.start_fork_server() is None
    assert job_environment.ADDRESS not in os.environ


@pytest.mark.parametrize(
    "change", [{job_environment.ADDRESS: "/no/such"}, {"OMP_NUM_THREADS": "2"}]
)
def test_without_a_server_for_it_a_job_runs_alone(server, change):
    server.environment |= change
    done = job(server, "split", "--help")
    assert "Stage split" in done.stdout
    assert done.returncode == 0


def test_libraries_are_loaded_but_nothing_of_this_package_that_can_be_edited():
    code = "from noneuclid_compare.stages import run_stage, preload; import sys; preload.load();"
    code += "print(*[m for m in sys.modules if m.startswith('noneuclid')])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
    own = {
        "noneuclid_compare",
        *(f"noneuclid_compare.jobs{name}" for name in ("", ".job_environment")),
    }
    own |= {f"noneuclid_compare.stages{name}" for name in ("", ".run_stage", ".preload")}
    assert set(found.split()) == own
    assert all(name in sys.modules or __import__(name) for name in preload.LIBRARIES)


def test_a_stage_writes_the_same_bytes(loaded, tmp_path):
    words = [
        "acquire",
        "--name",
        "karate",
        "--use",
        "karate",
        "--seed",
        "1",
    ]
    command = [sys.executable, "-m", "noneuclid_compare.stages.run_stage", *words, "--output"]
    for path, environment in (("alone", ALONE), ("forked", loaded.environment)):
        subprocess.run([*command, tmp_path / path], env=environment, check=True)
    assert (tmp_path / "forked").read_bytes() == (tmp_path / "alone").read_bytes()


def launched(host, number):
    """Exit status of a job of two seconds whose run is this process of this host."""
    code = "from time import sleep; from noneuclid_compare.stages.launch import launch"
    code += "; launch(lambda _: sleep(2))"
    environment = {**os.environ, "NONEUCLID_RUN": f"{host} {number}"}
    return subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode


@pytest.mark.slow
def test_a_job_ends_if_its_run_was_killed_before_it_began():
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert launched(platform.node(), ended.pid) == 1
    assert launched(platform.node(), os.getpid()) == 0
    # A run on another host cannot be watched.
    assert launched("elsewhere", ended.pid) == 0
