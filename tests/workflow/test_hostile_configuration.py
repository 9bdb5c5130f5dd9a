import csv
import hashlib
import json
import os
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("safety")]

# Any attempt to look up or reach another machine is written down and refused.
GUARD = """import os
import sys


def guard(event, arguments):
    network = event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname")
    if network and not (event == "socket.connect" and isinstance(arguments[1], (str, bytes))):
        with open(os.environ["NETWORK_LOG"], "a") as stream:
            print(event, arguments, sys.argv, file=stream)
        raise PermissionError("the network is denied")


sys.addaudithook(guard)
"""
FILE = 'it\'s $(touch pwned) "q" `touch pwned`; touch pwned & \\ .csv'
TITLE = "--help; $(touch pwned) `touch pwned` 'q' \"q\" {title}\n& <script>"
SWEEP = "(?P<name>[a-z]{3})_(?P<value>[0-9]{1})|$(touch pwned)|'\"`touch pwned`"
CLASSES = ["it's $(touch pwned)", '"; touch pwned', "<script>alert(1)</script>"]
FOLDER = 'a b\' "c" $(touch pwned); d'


def table():
    """Rows of three separated classes."""
    corners = [(0, 0), (3, 0), (0, 3)]
    points = [(x + 0.1 * (k % 3), y + 0.1 * (k % 4)) for x, y in corners for k in range(12)]
    return [["x", "y", "kind"]] + [[*p, CLASSES[k // 12]] for k, p in enumerate(points)]


def configuration(**files):
    read = {"label": "kind", "features": ["x", "y"]}
    entry = {"use": "table_file", "params": read, "embeddings": ["pca"]}
    return {
        "seed": 0,
        "repeats": 1,
        "baselines": False,
        "splits": {"scheme": "stratified_kfold", "folds": 2},
        "search": {"folds": 2, "scoring": "accuracy"},
        "datasets": {name: entry | {"files": {"data": path}} for name, path in files.items()},
        "embeddings": {"pca": {"use": "lifted_pca"}},
        "methods": {"svm": {"use": "noneuclid.PoincareSVC"}},
        "report": {"title": TITLE, "metric": "accuracy", "sweep": SWEEP},
    }


def write_csv(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="") as stream:
        csv.writer(stream).writerows(rows)


def add_source(copy, path, file):
    """Make a file of the mirror one of the table of sources."""
    content = file.read_bytes()
    row = [path, "https://example.org/x", hashlib.sha256(content).hexdigest(), len(content)]
    with open(copy.folder / "resources/sources.tsv", "a", newline="") as stream:
        csv.writer(stream, delimiter="\t", lineterminator="\n").writerow([*row, "MIT", "none"])


@pytest.fixture
def guarded(tmp_path_factory):
    """Environment of processes to which the network is denied, and the log of their attempts."""
    folder = tmp_path_factory.mktemp("guard")
    (folder / "sitecustomize.py").write_text(GUARD)
    return {"PYTHONPATH": str(folder), "NETWORK_LOG": str(folder / "log")}


def attempts(environment):
    log = environment["NETWORK_LOG"]
    return open(log).read() if os.path.exists(log) else ""


def test_values_reach_no_shell_and_no_stage_the_network(fresh, guarded):
    results = fresh.folder / FOLDER
    write_csv(results / FILE, table())
    fresh.config.write_text(json.dumps(configuration(own_1=FILE)))
    done = fresh.run("--directory", str(results), environment=guarded)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not list(fresh.folder.rglob("pwned"))
    record = json.loads((results / "results/train/own_1/pca/svm/0.json").read_text())
    assert sorted(record["class_names"]) == sorted(CLASSES)
    page = (results / "results/report/index.html").read_text()
    assert "--help; $(touch pwned)" in page
    assert "<script>alert(1)" not in page
    assert attempts(guarded) == ""


def test_a_mirror_with_any_name_is_read_without_the_network(fresh, guarded):
    mirror, path = fresh.folder / f"mirror {FOLDER}", "our/small $(touch pwned) table.csv"
    write_csv(mirror / path, table())
    add_source(fresh, path, mirror / path)
    fresh.config.write_text(json.dumps(configuration(own_1=path) | {"mirror": str(mirror)}))
    done = fresh.run("--nocolor", "results/acquire/own_1.npz", environment=guarded)
    assert done.returncode == 0, done.stdout + done.stderr
    copied = fresh.folder / "resources/data" / path
    assert copied.read_bytes() == (mirror / path).read_bytes()
    assert not list(fresh.folder.rglob("pwned"))
    assert attempts(guarded) == ""


def test_the_guard_sees_an_attempt(guarded):
    code = "from urllib.request import urlopen; urlopen('http://127.0.0.1:9')"
    environment = {**os.environ, **guarded}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert "the network is denied" in done.stderr
    assert "socket." in attempts(guarded)


def test_a_configuration_that_runs_code_when_it_is_read_is_refused(fresh):
    text = json.dumps(configuration(own="own.csv"))
    pwned = "!!python/object/apply:os.mkdir [pwned]"
    fresh.config.write_text(text.replace('"seed": 0', f'"seed": {pwned}'))
    done = fresh.run("--dry-run")
    assert done.returncode != 0
    assert "Config file is not valid" in done.stdout + done.stderr
    assert not (fresh.folder / "pwned").exists()
