"""Packages that plug into the comparison by an entry point."""

import sys

import pytest

from noneuclid_compare import __main__, plugins


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a package `added` whose entry points name its module."""

    def make(text, *names):
        (tmp_path / "added.py").write_text(text)
        about = tmp_path / "added_parts-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: added-parts\nVersion: 1.0\n")
        lines = [f"[{plugins.GROUP}]", *(f"{name} = added" for name in names)]
        (about / "entry_points.txt").write_text("\n".join(lines))
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "added", raising=False)
        plugins.installed.cache_clear()

    yield make
    plugins.installed.cache_clear()


def test_a_broken_plug_in_ends_in_one_line_that_names_it(install, monkeypatch, capsys):
    install("import no_such_package", "extra")
    monkeypatch.setattr("sys.argv", ["noneuclid", "--help"])
    with pytest.raises(SystemExit, match="2"):
        __main__.main()
    assert capsys.readouterr().err == (
        "error: plug-in extra of added-parts cannot be imported (ModuleNotFoundError: No module "
        "named 'no_such_package'): reinstall or uninstall it\n"
    )


def test_a_module_of_two_entry_points_counts_once(install):
    install("STUDIES = ('added',)", "first", "second")
    assert plugins.items("STUDIES").count("added") == 1
