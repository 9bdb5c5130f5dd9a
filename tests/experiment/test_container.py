import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "workflow/container/Dockerfile").read_text()


def test_the_container_has_the_pins_and_the_python_of_the_project():
    (version,) = re.findall(r"^ARG BASE=python:(\d+)\.(\d+)-slim\nFROM \${BASE}$", TEXT, flags=re.M)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (low,) = re.findall(r"(\d+)\.(\d+)", project["requires-python"])
    assert tuple(map(int, low)) <= tuple(map(int, version))
    assert f"python={'.'.join(version)}" in (ROOT / "environment.yml").read_text()
    assert "pip install --no-cache-dir --constraint constraints.txt" in TEXT


def test_the_container_copies_what_the_workflow_reads():
    copied = {
        name for line in re.findall(r"^COPY (.*) \S+$", TEXT, flags=re.M) for name in line.split()
    }
    kept = set(re.findall(r"^!(.*)$", (ROOT / ".dockerignore").read_text(), flags=re.M))
    needed = {"config", "resources", "setup.py", "src", "workflow"}
    assert needed | {"constraints.txt", "environment.yml", "pyproject.toml"} <= copied == kept
    assert all((ROOT / name).exists() for name in copied)


def test_any_user_has_a_name_and_a_home():
    # Root's pip writes to its home, where no other user could then make a cache.
    assert TEXT.index("RUN pip") < TEXT.index("ENV HOME=/tmp")
    assert " USER=" in TEXT


def test_any_user_may_add_to_the_machine_code_of_the_container():
    (folder,) = re.findall(r"NUMBA_CACHE_DIR=(\S+)", TEXT)
    assert f"RUN noneuclid warmup && chmod -R a+rwX {folder}\n" in TEXT
    assert TEXT.index("NUMBA_CACHE_DIR") < TEXT.index("RUN noneuclid warmup")
