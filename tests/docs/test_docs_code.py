"""Every block of code in the README, the pages of the site, the tutorials and the gallery."""

import ast
import re
import runpy
from pathlib import Path

import pytest

import noneuclid

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]
TUTORIALS = sorted(ROOT.glob("tutorials/plot_*.py"))
EXAMPLES = sorted(ROOT.glob("examples/plot_*.py"))


def blocks(path, language):
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(), flags=re.S | re.M)


@pytest.mark.parametrize("path", [p for p in PAGES if blocks(p, "python")], ids=lambda p: p.stem)
def test_python_blocks_run(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    known = {}
    for block in blocks(path, "python"):
        exec(compile(block, path.name, "exec"), known)


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda p: p.stem)
def test_tutorials_run(path, capsys):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    runpy.run_path(str(path))
    plt.close("all")


@pytest.mark.parametrize("path", [*TUTORIALS, *EXAMPLES], ids=lambda p: p.stem)
def test_examples_use_public_names(path):
    tree = ast.parse(path.read_text())
    found = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    names = {a.name for n in found if n.module == "noneuclid" for a in n.names}
    assert names <= set(noneuclid.__all__)
    assert not [n.module for n in found if n.module.startswith("noneuclid.")]


def test_the_gallery_has_its_examples():
    assert len(EXAMPLES) >= 15
    assert EXAMPLES[0].stem == "plot_01_classifier_comparison"


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text().splitlines()) <= 60


def test_the_reference_lists_every_public_name():
    text = (ROOT / "docs/api.md").read_text()
    listed = re.findall(r"^   (\w+)(?:\.\w+)?$", text, flags=re.M)
    assert set(listed) == set(noneuclid.__all__)


OTHERS = [ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "config/README.md")]
LINK = re.compile(r"\]\((?!https?://)([^)#\s]*)#?([^)\s]*)\)")


def anchors(path):
    """Anchors of the headings of a page, as MyST and other readers of Markdown make them."""
    heads = re.findall(r"^#+ (.*)$", path.read_text(), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", [*PAGES, *OTHERS], ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_links_lead_somewhere_in_a_checkout(path):
    for link, anchor in LINK.findall(path.read_text()):
        target = (path.parent / link).resolve() if link else path
        assert target.exists(), link
        assert ROOT in target.parents
        assert not anchor or anchor in anchors(target), f"{link}#{anchor}"


@pytest.mark.parametrize("path", [*ROOT.glob("docs/*.md")], ids=lambda p: p.stem)
def test_links_lead_to_pages_of_the_site(path):
    of_site = runpy.run_path(str(ROOT / "docs/site_links.py"))["of_site"]
    made = {"tutorials/index.rst", "gallery/index.rst"}
    made |= {f"tutorials/{file.stem}.rst" for file in TUTORIALS}
    made |= {f"gallery/{file.stem}.rst" for file in EXAMPLES}
    for link, _ in LINK.findall(of_site(path.read_text())):
        assert link in made or (link.count("/") == 0 and (path.parent / link).exists()), link


def test_no_page_fetches_anything():
    """Pages with a script, font or image of another host would not work offline."""
    for path in PAGES:
        assert not re.findall(r"(?:src|href)=\"https?://", path.read_text())
