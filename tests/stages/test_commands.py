"""The commands init and run, without Snakemake."""

import sys
from unittest.mock import Mock

import pytest
import yaml
from cases import each_of

from noneuclid.errors import InputError, MissingPackage
from noneuclid_compare import __main__ as command_line
from noneuclid_compare.jobs import locations
from noneuclid_compare.stages import run

CONFIG = "seed: 0\n"


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SNAKEMAKE_PROFILE", raising=False)


def test_init_copies_a_configuration_that_ships_and_the_profile(tmp_path, capsys):
    command_line.run(["init", "a b", "--copy", "config/data/atlases.yaml", "--slurm"])
    shipped = locations.root()
    assert (tmp_path / "a b/config.yaml").read_text() == (
        shipped / "config/data/atlases.yaml"
    ).read_text()
    assert "slurm_partition" in (tmp_path / "a b/profiles/slurm/config.yaml").read_text()
    assert capsys.readouterr().out.splitlines()[-1] == (
        "next: cd 'a b' && noneuclid run --workflow-profile slurm"
    )


@pytest.mark.parametrize("name", locations.CONFIGURATIONS)
def test_init_overwrites_nothing(name, tmp_path):
    file = tmp_path / "mine" / name
    file.parent.mkdir(parents=True)
    file.write_text(CONFIG)
    with pytest.raises(InputError, match="exists: add --force to overwrite it"):
        command_line.run(["init", "mine"])
    assert file.read_text() == CONFIG
    assert [path for path in (tmp_path / "mine").rglob("*") if path.is_file()] == [file]


def test_init_refuses_a_file_and_lists_what_ships(tmp_path):
    (tmp_path / "mine").write_text("")
    with pytest.raises(InputError, match="mine: no suffix; the files that are read end in"):
        command_line.run(["init", "mine"])
    with pytest.raises(InputError, match=r"no configuration 'panda'.*data/atlases"):
        command_line.run(["init", "new", "--copy", "panda"])
    assert not (tmp_path / "new").exists()
    with pytest.raises(SystemExit, match="2"):
        command_line.run(["init"])


def test_the_first_configuration_is_short_and_names_what_ships():
    text = (locations.root() / "config/start.yaml").read_text()
    assert len(text.splitlines()) <= 40
    assert not any("files" in entry for entry in yaml.safe_load(text)["datasets"].values())


@each_of(
    ("options", "added"),
    [
        ([], ["--cores", "all"]),
        (["-n", "target"], ["--cores", "all"]),
        (["--cores", "2"], []),
        (["-c2"], []),
        (["--jobs=3"], []),
        (["--workflow-profile", "slurm"], []),
    ],
)
def test_run_uses_all_cores_unless_something_limits_them(options, added, tmp_path):
    (tmp_path / "config.yaml").write_text(CONFIG)
    snakefile = ["--snakefile", str(locations.root() / "workflow/Snakefile")]
    file = ["--configfile", str(tmp_path / "config.yaml")]
    assert run.command(options) == [*file, *added, *snakefile, *options]


@pytest.mark.parametrize(
    ("options", "program"),
    [
        (["-n"], "noneuclid_compare.stages.snakemake_run"),
        (["--verbose", "-n"], "snakemake"),
        (["-n", "--logger", "mine"], "snakemake"),
    ],
)
def test_run_becomes_snakemake_with_or_without_the_display(options, program, tmp_path, monkeypatch):
    (tmp_path / "config.yaml").write_text(CONFIG)
    became = []
    monkeypatch.setattr("os.execv", lambda path, words: became.extend(words))
    command_line.run(["run", *options])
    assert became[:4] == [sys.executable, "-P", "-m", program]
    assert (became[became.index("--cores") + 2] == "--logger") == (program != "snakemake")
    assert "--verbose" not in became


@pytest.mark.parametrize("options", [["--cores", "0"], ["-c0"], ["--jobs=-2"]])
def test_fewer_than_one_job_at_a_time_is_refused(options, tmp_path):
    (tmp_path / "config.yaml").write_text(CONFIG)
    with pytest.raises(InputError, match=r"--(cores|jobs) -?\d: give a number of at least 1"):
        run.command(options)


def test_a_folder_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "config.yaml").write_text(CONFIG)
    options = ["--configfile", "config.yaml", "--directory"]
    with pytest.raises(
        InputError, match=r"cannot write to config\.yaml: File exists; give another"
    ):
        run.command([*options, "config.yaml"])
    with pytest.raises(InputError, match=r"cannot write to /proc/mine: .*; give another folder"):
        run.command([*options, "/proc/mine"])
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/results").touch()
    with pytest.raises(InputError, match="mine/results is a file; move it or give another folder"):
        run.command([*options, "mine"])


def test_run_needs_a_user_and_a_home_folder(tmp_path, monkeypatch):
    (tmp_path / "config.yaml").write_text(CONFIG)
    # As for a user whom the system does not know.
    monkeypatch.setenv("HOME", "~")
    with pytest.raises(InputError, match=r"no home folder is known.*USER=me HOME=/tmp none"):
        run.line([])
    monkeypatch.setenv("HOME", str(tmp_path / "new"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert run.line([])[1:3] == ["-P", "-m"]
    for unknown in (KeyError("getpwuid(): uid not found: 7"), OSError("No username set")):
        monkeypatch.setattr("getpass.getuser", Mock(side_effect=unknown))
        with pytest.raises(InputError, match=r"no user name is known.*USER=me HOME=/tmp none"):
            run.line([])
    monkeypatch.setattr("getpass.getuser", lambda: "me")
    monkeypatch.setattr("os.access", lambda path, mode: path != tmp_path)
    with pytest.raises(InputError, match=r"cannot write to .*/new/\.cache, where Snakemake has"):
        run.line([])


def test_a_profile_of_the_environment_limits_the_cores(tmp_path, monkeypatch):
    (tmp_path / "config.yaml").write_text(CONFIG)
    monkeypatch.setenv("SNAKEMAKE_PROFILE", "mine")
    assert "--cores" not in run.command([])


def test_run_takes_the_configuration_that_is_named_or_that_of_the_folder(tmp_path):
    assert run.command(["--configfile", "other.yaml", "-n"])[-3:] == [
        *("--configfile", "other.yaml", "-n")
    ]
    with pytest.raises(InputError, match=r"there is no config\.yaml in"):
        run.command([])
    with pytest.raises(InputError, match="there is no folder mine: `noneuclid init mine` makes"):
        run.command(["--directory", "mine"])
    (tmp_path / "mine/config").mkdir(parents=True)
    (tmp_path / "mine/config/config.yaml").write_text(CONFIG)
    found = run.command(["--directory=mine"])
    assert found[:2] == ["--configfile", str(tmp_path / "mine/config/config.yaml")]


@pytest.mark.parametrize(
    ("argv", "package", "extra"),
    [
        (["run"], "snakemake", "workflow"),
        (["estimate"], "jsonschema", "workflow"),
        (["predict", "a", "b"], "skops", "data"),
    ],
)
def test_a_missing_package_is_named_with_its_cure(argv, package, extra, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPackage, match=rf"noneuclid {argv[0]} needs the package {package}"):
        command_line.run(argv)
    with pytest.raises(MissingPackage, match=rf"pip install {package} \(extra {extra} "):
        command_line.run(argv)


def test_an_unknown_option_is_refused_except_by_run(capsys):
    with pytest.raises(SystemExit, match="2"):
        command_line.run(["fetch", "--no-such"])
    assert "unrecognized arguments: --no-such" in capsys.readouterr().err


def test_help_names_every_command(capsys):
    with pytest.raises(SystemExit, match="0"):
        command_line.run(["--help"])
    printed = capsys.readouterr().out
    assert all(name in printed for name in command_line.COMMANDS)


def test_jobs_with_software_of_their_own_find_the_installed_package_alone(tmp_path, monkeypatch):
    assert locations.search_path(deployed=True) == locations.SOURCE.parent
    packages = {name: tmp_path / "site" / name for name in ("noneuclid", "noneuclid_compare")}
    packaged = packages["noneuclid_compare"] / "workflow_files"
    for place in (packages["noneuclid"], packaged):
        place.mkdir(parents=True)
    monkeypatch.setattr(locations, "folders", lambda: packages)
    monkeypatch.setattr(locations, "PACKAGED", packaged)
    assert locations.root() == packaged
    assert locations.search_path(deployed=set()) is None
    for _ in range(2):
        folder = locations.search_path(deployed={"conda"})
        assert {path.name: path.resolve() for path in folder.iterdir()} == packages
    (folder / "noneuclid").unlink()
    (folder / "noneuclid").symlink_to(tmp_path)
    locations.search_path(deployed={"conda"})
    assert (folder / "noneuclid").resolve() == packages["noneuclid"]
