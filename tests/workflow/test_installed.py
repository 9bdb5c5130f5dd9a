"""The wheel in an environment of its own, far from the checkout."""

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import loaded_snakemake
import pytest
import yaml
from small_run import CONFIG, MODEL, TARGETS, TREE
from snakemake_copies import ROOT

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("installed")]

FOLDERS = ("workflow", "config", "resources")
IGNORED = shutil.ignore_patterns("__pycache__", "*.egg-info")


class Installed:
    """The wheel, and its command in the folder of a run."""

    def __init__(self, folder):
        source, self.environment = folder / "source", folder / "venv"
        for name in ("src", *FOLDERS):
            shutil.copytree(ROOT / name, source / name, ignore=IGNORED)
        for path in ROOT.iterdir():
            if path.is_file():
                shutil.copy(path, source)
        # A fetched file, which is nobody else's.
        (source / "resources/data").mkdir(exist_ok=True)
        (source / "resources/data/fetched.npz").write_text("")
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
        options = ["--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
        subprocess.run([*pip, "wheel", *options, str(source)], check=True)
        subprocess.run(
            [sys.executable, "-m", "venv", "--without-pip", self.environment], check=True
        )
        (wheel,) = folder.glob("*.whl")
        python = ["--python", str(self.environment / "bin/python")]
        subprocess.run([*pip, *python, "install", "--no-deps", str(wheel)], check=True)
        (self.package,) = self.environment.glob("lib/python*/site-packages/noneuclid_compare")
        # The libraries of this environment without its noneuclid and what plugs into that.
        for libraries in (Path(path) for path in sys.path if path.endswith("site-packages")):
            for path in libraries.iterdir():
                link = self.package.parent / path.name
                if "noneuclid" not in path.name and not link.exists():
                    link.symlink_to(path)
        self.folder = folder / "run"

    def __call__(self, *arguments, folder=None):
        """Run the command; its exit status and what it printed."""
        return subprocess.run(
            [self.environment / "bin/noneuclid", *map(str, arguments)],
            cwd=folder or self.folder,
            env={"PATH": "/usr/bin:/bin", "HOME": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The installed wheel; the folder of its run has a small configuration."""
    found = Installed(tmp_path_factory.mktemp("installed"))
    done = found("init", found.folder.name, folder=found.folder.parent)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "wrote run/config.yaml\nnext: cd run && noneuclid run\n"
    assert (found.folder / "config.yaml").read_bytes() == (ROOT / "config/start.yaml").read_bytes()
    (found.folder / "config.yaml").write_text(yaml.safe_dump(CONFIG))
    return found


@pytest.fixture(scope="module")
def trained(installed):
    """The same after a run of two methods."""
    done = installed("run", "--cores", "2", *TARGETS)
    assert done.returncode == 0, done.stdout + done.stderr
    first, *_, last = done.stderr.splitlines()
    assert re.fullmatch(r"5 jobs, .*log of the run: /.*\.snakemake\.log", first)
    assert last.startswith("5 jobs done in ")
    return installed


def planned(installed):
    """Rules of which a dry run would start a job."""
    done = installed("run", "-n", "--verbose", *TARGETS)
    assert done.returncode == 0, done.stderr
    return set(re.findall(r"^ *rule (\w+):$", done.stdout + done.stderr, flags=re.M))


def test_the_wheel_holds_the_folders_of_the_checkout_and_nothing_fetched(installed):
    packaged = installed.package / "workflow_files"
    found = {path.relative_to(packaged) for path in packaged.rglob("*") if path.is_file()}
    inside = [path for name in FOLDERS for path in (ROOT / name).rglob("*") if path.is_file()]
    fetched = ROOT / "resources/data"
    wanted = {path.relative_to(ROOT) for path in inside if fetched not in path.parents}
    assert found == wanted | {Path("constraints.txt"), Path("environment.yml")}
    assert all((packaged / path).read_bytes() == (ROOT / path).read_bytes() for path in found)


def test_a_run_of_the_wheel_uses_its_own_code_and_reruns_what_its_code_changes(trained):
    assert planned(trained) == set()
    file = trained.package / "stages/split.py"
    text = file.read_text()
    file.write_text(text.replace("\n\n", "\n\nEDITED = 1\n\n", 1))
    try:
        assert planned(trained) == {"split", "train_and_keep"}
    finally:
        file.write_text(text)


def test_predict_and_estimate_outside_a_checkout(trained):
    table = trained.folder / "new.csv"
    table.write_text("a,b\n0.1,0.2\n-0.3,0.1\n")
    done = trained("predict", MODEL, table, "--chart", "poincare")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 3
    done = trained("estimate")
    assert done.returncode == 0, done.stderr
    assert "core time" in done.stdout
    assert (trained.folder / TREE).is_file()


def test_the_wheel_has_no_papers(installed):
    done = installed("paper", "pan2023")
    assert done.returncode == 2
    assert "invalid choice: 'paper'" in done.stderr


def test_fetch_outside_a_checkout(installed):
    done = installed("fetch")
    assert "atlases/immune_human.h5ad\tsize not known" in done.stdout
    done = installed("fetch", "atlases/none")
    assert done.returncode == 2
    assert "no file or folder 'atlases/none'" in done.stderr
    done = installed("fetch", "atlases/immune_human.h5ad", "--mirror", "missing")
    assert done.returncode == 2
    assert "mirror: there is no folder" in done.stderr


def test_a_run_without_a_configuration_says_how_to_get_one(installed):
    for command in ("run", "estimate"):
        done = installed(command, folder=installed.folder.parent)
        assert done.returncode == 2
        assert "there is no config.yaml" in done.stderr
        assert "`noneuclid init FOLDER` writes one" in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_the_exit_status_is_that_of_snakemake(installed):
    assert installed("run", "--version").stdout.strip() == version("snakemake")
    assert installed("run", "--no-such-option").returncode == 2


def test_a_module_from_a_repository_takes_the_files_of_the_installed_package(installed, tmp_path):
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(tmp_path / "remote")]
    shutil.copytree(ROOT / "workflow", tmp_path / "remote/workflow")
    shutil.copy(ROOT / "environment.yml", tmp_path / "remote")
    for options in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "a"]):
        subprocess.run([*git, *options], check=True)
    folder = other_workflow(
        tmp_path / "other",
        f'gitfile("{tmp_path / "remote"}", path="workflow/Snakefile", ref="HEAD")',
    )
    done = subprocess.run(
        [installed.environment / "bin/python", "-m", "snakemake", "-n", "--cores", "2"],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "rule noneuclid_train_and_keep:" in done.stdout + done.stderr


@pytest.mark.slow
def test_the_workflow_as_a_module_of_another_runs(code, tmp_path):
    folder = other_workflow(tmp_path / "other", f'"{code.folder / "workflow/Snakefile"}"')
    environment = {**os.environ, "PYTHONPATH": ""}
    done = loaded_snakemake.start().run(["--cores", "2"], folder, environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (folder / "copied.skops").read_bytes() == (folder / MODEL).read_bytes()


@pytest.mark.slow
def test_a_module_with_a_prefix_is_refused_before_the_first_job(tmp_path):
    folder = other_workflow(
        tmp_path / "other", f'"{ROOT / "workflow/Snakefile"}"\n    prefix:\n        "ours"'
    )
    environment = {**os.environ, "PYTHONPATH": ""}
    done = loaded_snakemake.start().run(["--cores", "1", "-n"], folder, environment)
    assert done.returncode != 0
    assert "results/ cannot be moved: leave out `prefix:`" in done.stdout + done.stderr


OTHER = """
configfile: "config.yaml"


module noneuclid:
    snakefile:
        {snakefile}
    config:
        config["noneuclid"]


use rule * from noneuclid as noneuclid_*


rule mine:
    input:
        "{model}",
    output:
        "copied.skops",
    default_target: True
    shell:
        "cp {{input}} {{output}}"
"""


def other_workflow(folder, snakefile):
    """A workflow of somebody else's that uses this one."""
    folder.mkdir()
    (folder / "Snakefile").write_text(OTHER.format(snakefile=snakefile, model=MODEL))
    (folder / "config.yaml").write_text(yaml.safe_dump({"noneuclid": CONFIG, "theirs": 1}))
    return folder
