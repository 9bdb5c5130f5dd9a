"""The list of the page's sections: names, files and what it costs to load."""

import subprocess
import sys
from pathlib import Path

from reporting_fixtures import report_input, run_of

from noneuclid_compare.report import page, section_list
from noneuclid_compare.report.section import Section

CAPTIONS = Path(__file__).resolve().parents[2] / "workflow/report"

# Sections that a key of a data set asks for.
OF_DATASETS = ("class_tree", "link_prediction", "signatures")


def test_every_section_has_a_name_of_its_own_and_a_template():
    sections = section_list.sections()
    assert len({section.name for section in sections}) == len(sections)
    for section in sections:
        [folder] = section_list.templates({section.name: {}})
        assert (folder / (section.template or f"{section.name}.html.j2")).is_file()


class Fewest(Section):
    """A section as somebody may add it."""

    name = "fewest"
    title = "A<b"
    template = "table.html.j2"

    def values(self, run):
        rows = [(card["dataset"]["name"], card["dataset"]["n"]) for card in run.cards]
        return {"note": "Rows.", "heads": ["set", "rows"], "rows": rows, "saved": ["tables/x.tsv"]}


def test_a_new_section_needs_no_template(tmp_path, monkeypatch):
    sections = [*section_list.sections(), Fewest()]
    monkeypatch.setattr(section_list, "sections", lambda: sections)
    html = page.render(run_of(tmp_path, report_input(2, size=20)))
    part = html[html.index('id="fewest"') :]
    assert "<h2>A&lt;b</h2>" in part
    assert "<td>karate</td><td>34</td>" in part
    assert html.index('href="#provenance"') < html.index('href="#fewest"')


def test_a_section_leaves_the_tables_that_it_declares(tmp_path):
    run = run_of(tmp_path, report_input(2, size=20))
    for section in section_list.on_page(run.entries):
        declared = section.saved_tables(run.entries[section.name])
        paths = [path for one in declared for path in one.files() + one.files(reported=True)]
        assert sorted(paths) == sorted(f"tables/{name}" for name in section.tables(run))
        assert all((CAPTIONS / f"{one.caption}.rst").is_file() for one in declared if one.caption)


def test_sections_of_other_stages_are_on_the_page_if_configured():
    assert list(section_list.entries({})) == ["verdict", "scores", "data", "provenance"]
    grouped = {"use": "table_file", "embeddings": [], "params": {"groups": "donor"}}
    config = {
        "datasets": {"d": grouped},
        "splits": {"scheme": "kfold"},
        "illustrations": {"x": {}},
        "isometries": [3],
        "methods": {},
    }
    config |= {"report": {"sweep": "n"}}
    own = [s.name for s in section_list.sections() if s.package == Section.package]
    found = list(section_list.entries(config | {"candidates": 1, "embeddings": {}}))
    assert found == [name for name in own if name not in OF_DATASETS]


def test_the_list_loads_no_slow_library():
    slow = ("scipy", "matplotlib", "sklearn", "jinja2")
    program = "import sys; from noneuclid_compare.report import section_list; "
    program += f"print([name for name in {slow} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
