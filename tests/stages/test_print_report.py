"""The command that prints the page, with a program in the place of the browser."""

import stat

import pytest

from noneuclid.errors import InputError
from noneuclid_compare import __main__
from noneuclid_compare.stages import print_report

PRINTS = """#!/bin/sh
for option; do
  case $option in --print-to-pdf=*) printf '%%PDF' > "${option#*=}";; esac
done
"""
FAILS = "#!/bin/sh\necho first >&2; echo no display >&2; exit 3\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results/report").mkdir(parents=True)
    (tmp_path / "results/report/index.html").write_text("<p>page")
    return tmp_path


def browser(folder, text):
    path = folder / "browser"
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_the_page_is_printed_beside_itself(folder, capsys):
    __main__.run(["report", "--format", "pdf", "--browser", browser(folder, PRINTS)])
    assert (folder / "results/report/report.pdf").read_bytes().startswith(b"%PDF")
    assert capsys.readouterr().out == "wrote results/report/report.pdf\n"
    assert sorted(path.name for path in (folder / "results/report").iterdir()) == [
        "index.html", "report.pdf",
    ]  # fmt: skip


def test_another_page_and_file(folder):
    (folder / "other.html").write_text("<p>other")
    options = ["--page", "other.html", "--output", "new/a.pdf", "--browser"]
    __main__.run(["report", *options, browser(folder, PRINTS)])
    assert [path.name for path in (folder / "new").iterdir()] == ["a.pdf"]


def test_without_a_browser_one_line_says_how_to_print(monkeypatch):
    monkeypatch.setattr(print_report.shutil, "which", lambda name: None)
    with pytest.raises(InputError, match=r"neither Chromium nor Chrome.*index.html.*save as PDF"):
        __main__.run(["report"])
    with pytest.raises(InputError, match=r"no program firefoxx: open .*index.html"):
        __main__.run(["report", "--browser", "firefoxx"])


def test_the_first_browser_that_is_installed_is_taken(monkeypatch):
    there = {"google-chrome": "/bin/chrome", "microsoft-edge": "/bin/edge"}
    monkeypatch.setattr(print_report.shutil, "which", there.get)
    assert print_report.find_browser(None, print_report.PAGE) == "/bin/chrome"


def test_a_browser_that_fails_leaves_no_file(folder):
    with pytest.raises(InputError, match=r"did not print results/report/index.html \(no display\)"):
        __main__.run(["report", "--browser", browser(folder, FAILS)])
    assert [path.name for path in (folder / "results/report").iterdir()] == ["index.html"]


def test_without_a_page_the_run_is_named(folder):
    (folder / "results/report/index.html").unlink()
    with pytest.raises(InputError, match="run `noneuclid run` first"):
        __main__.run(["report"])
