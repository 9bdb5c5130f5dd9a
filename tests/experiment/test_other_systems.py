"""macOS and Windows, simulated: what only Linux has is absent."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Runs in a process of its own. Other packages, which are those of this system, are imported before.
SIMULATED = """
import builtins, io, os, signal, socket, sys, warnings
import clarabel, joblib, jsonschema, numba, pandas, sklearn.ensemble, sklearn.model_selection, yaml
import scipy.optimize, scipy.sparse.csgraph, scipy.spatial, scipy.special, scipy.stats
SYSTEM = {system!r}
ABSENT = [(os, "sched_getaffinity pidfd_open")]
if SYSTEM == "win32":
    for name in ("resource", "fcntl", "pwd", "grp", "termios"):
        sys.modules[name] = None
    ABSENT += [(os, "fork forkpty setsid killpg getuid geteuid nice wait3 waitid mkfifo sysconf")]
    ABSENT += [(signal, "SIGKILL SIGHUP SIGUSR1 SIGCHLD SIGALRM"), (socket, "AF_UNIX")]
for module, names in ABSENT:
    for name in names.split():
        delattr(module, name)
def without_proc(function):
    def call(path, *more, **options):
        caller = sys._getframe(1).f_globals["__name__"]
        linux = caller.startswith(("threadpoolctl", "psutil"))  # they look at the system
        if str(path).startswith("/proc") and not linux:
            raise FileNotFoundError(2, "No such file or directory", str(path))
        return function(path, *more, **options)
    return call
builtins.open = io.open = without_proc(open)
os.listdir, os.stat, os.open = map(without_proc, (os.listdir, os.stat, os.open))
sys.platform = SYSTEM
"""
# Three rows, nodes or compositions; more only for inner folds and for LaBNE, which needs four.
FITS = """
import numpy as np
import noneuclid
warnings.simplefilter("ignore")
ROWS = np.array([[0.5, 0.1], [-0.4, 0.2], [0.1, -0.5]])
PARTS = np.array([[0.2, 0.3, 0.5], [0.6, 0.1, 0.3], [0.3, 0.5, 0.2]])
TREE, PATH = scipy.sparse.csr_array(np.eye(3, k=1)), scipy.sparse.csr_array(np.eye(6, k=1))
TREE, PATH = TREE + TREE.T, PATH + PATH.T
DATA = dict.fromkeys(["HilbertNearestClassifier", "HilbertSVC", "LogRatio"], PARTS)
DATA |= dict.fromkeys(["PoincareEmbedding", "DeepWalk", "RandomWalkEmbedding"], TREE)
DATA |= {"TreeEmbedding": TREE, "LaBNE": PATH, "ZeroReplacement": PARTS}
DATA["SignatureSearch"] = np.sqrt(np.arange(24.0)).reshape(12, 2)
NEAR = ["GeodesicKNeighborsClassifier", "GeodesicKNeighborsRegressor", "PoincareMap"]
NEAR += ["Hydra", "RefinedHydra", "HyperbolicUMAP", "ProductUMAP"]
PARAMS = dict.fromkeys(NEAR, {"n_neighbors": 2})
PARAMS |= {"LaBNE": {"gamma": 2.5}, "SignatureSearch": {"n_components": 1}}
PARAMS |= dict.fromkeys(["HyperbolicKMeans", "HyperbolicKMedoids"], {"n_clusters": 2})
for name in ("ConformalClassifier", "HedgedClassifier"):
    DATA[name] = np.tile(ROWS, (4, 1))
    PARAMS[name] = {"estimator": noneuclid.PoincareSVC(), "cv": 3}
fitted = []
for name in noneuclid.__all__:
    found = getattr(noneuclid, name)
    # The first is abstract, the second a package of somebody else's.
    if not hasattr(found, "fit") or name in ("MarginClassifier", "UMAPEmbedding"):
        continue
    X = DATA.get(name, ROWS)
    found(**PARAMS.get(name, {})).fit(X, [0, 1, 1] * (X.shape[0] // 3))
    fitted.append(name)
print(len(fitted))
"""
JOB = """
from noneuclid_compare.monitor import memory_limits
from noneuclid_compare.stages import preload, train
preload.load = lambda: print("all libraries")
preload.load_for_fit()
print(train.peak_memory() > 0)
memory_limits.limits()
"""
# Windows reads text without an encoding in that of its country.
COMMANDS = """
warnings.filterwarnings("error", category=EncodingWarning, module="noneuclid")
from noneuclid_compare import __main__ as command
def said(*words):
    sys.argv[1:] = words
    try:
        command.main()
    except SystemExit as end:
        print(words, end.code)
for name in ("", *command.COMMANDS):
    said(*filter(None, [name]), "--help")
with open("mine.csv", "w", encoding="utf-8") as file:
    file.writelines(["a,b,y\\n", *(f"0.{k},1.{k * k},{'uv'[k % 2]}\\n" for k in range(40))])
said("init", "mine.csv", "--label", "y")
said("init", "new")
os.chdir("mine")
said("estimate")
said("run", "--cores", "1")
"""
REFUSED = (
    "error: noneuclid run runs on Linux and macOS: on Windows, install and run it inside WSL "
    "(docs/install.md)"
)


def simulated(system, code, folder):
    command = [sys.executable, "-X", "warn_default_encoding", "-c"]
    done = subprocess.run(
        [*command, SIMULATED.format(system=system) + code],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done


@pytest.mark.parametrize("system", [pytest.param("darwin", marks=pytest.mark.slow), "win32"])
def test_every_public_estimator_fits_three_rows(system, tmp_path):
    assert int(simulated(system, FITS, tmp_path).stdout) >= 44


def test_a_job_on_macos_loads_only_what_its_method_needs(tmp_path):
    assert simulated("darwin", JOB, tmp_path).stdout == "True\n"


def test_a_job_without_compiled_code_loads_no_numba():
    code = "import sys, noneuclid_compare.stages.train; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_commands_work_on_windows_except_the_workflow(tmp_path):
    done = simulated("win32", COMMANDS, tmp_path)
    assert done.stderr.splitlines()[-1] == REFUSED
    assert "('run', '--cores', '1') 2\n" in done.stdout
    assert done.stdout.count(" 0\n") == 1 + 8, done.stdout
    assert "core time" in done.stdout
    assert (tmp_path / "mine/config.yaml").is_file()
    assert (tmp_path / "new/config.yaml").is_file()
