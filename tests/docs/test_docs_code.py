"""Every block of code in the README, the pages of the site, the tutorials and the gallery."""

import ast
import re
import runpy
import tempfile
from pathlib import Path

import pytest

import noneuclid

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]
TUTORIALS = sorted(ROOT.glob("tutorials/plot_*.py"))
EXAMPLES = sorted(ROOT.glob("examples/plot_*.py"))
MOST_WORDS = 20_600


def blocks(path, language):
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(), flags=re.S | re.M)


LONG = (
    "plot_04_label_transfer",
    "plot_06_links",
    "plot_09_images",
    "plot_10_vectors",
    "plot_12_cluster",
)


@pytest.mark.parametrize("path", [p for p in PAGES if blocks(p, "python")], ids=lambda p: p.stem)
def test_python_blocks_run(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    known = {}
    for block in blocks(path, "python"):
        exec(compile(block, path.name, "exec"), known)


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, marks=[pytest.mark.slow] * (p.stem in LONG), id=p.stem) for p in TUTORIALS],
)
def test_tutorials_run(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    runpy.run_path(str(path))
    plt.close("all")


def test_examples_use_public_names():
    for path in (*TUTORIALS, *EXAMPLES):
        tree = ast.parse(path.read_text())
        found = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
        names = {a.name for n in found if n.module == "noneuclid" for a in n.names}
        assert names <= set(noneuclid.__all__), path.name
        assert not [n.module for n in found if n.module.startswith("noneuclid.")], path.name


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
OTHERS += [*ROOT.glob("papers/docs/*.md"), *ROOT.glob("papers/letters/*.md")]
LINK = re.compile(r"\]\((?!https?://)([^)#\s]*)#?([^)\s]*)\)")


def anchors(path):
    """Anchors of the headings of a page, as MyST and other readers of Markdown make them."""
    heads = re.findall(r"^#+ (.*)$", path.read_text(), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_links_lead_somewhere_in_a_checkout():
    for path in (*PAGES, *OTHERS):
        for link, anchor in LINK.findall(path.read_text()):
            target = (path.parent / link).resolve() if link else path
            assert target.exists(), f"{path.name}: {link}"
            assert ROOT in target.parents, f"{path.name}: {link}"
            assert not anchor or anchor in anchors(target), f"{path.name}: {link}#{anchor}"


def test_every_tutorial_on_data_has_its_row():
    """The table of what is read: each route has a tutorial, and each tutorial on data a row."""
    rows = re.findall(r"^\| \[.*", (ROOT / "docs/own_data.md").read_text(), flags=re.M)
    of_data = [path.name for path in TUTORIALS if path.name < "plot_11"]
    assert sorted(re.findall(r"tutorials/(\w+\.py)", "".join(rows))) == of_data
    loaders = {path.stem for path in ROOT.glob("src/noneuclid_compare/data/own/*_file.py")}
    assert loaders | {"feature_table"} <= set(re.findall(r"`(\w+)`", "".join(rows)))


def test_links_lead_to_pages_of_the_site():
    of_site = runpy.run_path(str(ROOT / "docs/site_links.py"))["of_site"]
    made = {"tutorials/index.rst", "gallery/index.rst"}
    made |= {f"tutorials/{file.stem}.rst" for file in TUTORIALS}
    made |= {f"gallery/{file.stem}.rst" for file in EXAMPLES}
    for path in ROOT.glob("docs/*.md"):
        for link, _ in LINK.findall(of_site(path.read_text())):
            known = link in made or (link.count("/") == 0 and (path.parent / link).exists())
            assert known, f"{path.name}: {link}"
    for path in (*TUTORIALS, *EXAMPLES):
        for page in re.findall(r":doc:`/([\w/]+)`", path.read_text()):
            known = f"{page}.rst" in made or (ROOT / f"docs/{page}.md").exists()
            assert known, f"{path.name}: {page}"


def test_the_first_page_lists_every_page():
    text = (ROOT / "docs/index.md").read_text()
    toctree = re.search(r"```{toctree}(.*?)```", text, flags=re.S)[1]
    listed = set(re.findall(r"^(?:.* <)?([\w/]+)>?$", toctree, flags=re.M))
    assert {path.stem for path in ROOT.glob("docs/*.md")} - {"index"} <= listed


def test_the_documents_are_short():
    pages = [*ROOT.glob("docs/*.md"), *(ROOT / p for p in ("README.md", "CONTRIBUTING.md"))]
    pages.append(ROOT / "config/README.md")
    assert sum(len(path.read_text().split()) for path in pages) <= MOST_WORDS
    assert len((ROOT / "CHANGELOG.md").read_text().splitlines()) <= 120


def test_no_page_fetches_anything():
    """Pages with a script, font or image of another host would not work offline."""
    for path in PAGES:
        assert not re.findall(r"(?:src|href)=\"https?://", path.read_text())
