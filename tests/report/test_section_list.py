"""The list of the page's sections: names, files and what it costs to load."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from reporting_fixtures import report_input, run_of

from noneuclid_compare.report import page, section_list
from noneuclid_compare.report.section import Section

CAPTIONS = Path(__file__).resolve().parents[2] / "workflow/report"


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
    part = html[html.index('<section id="fewest">') :]
    assert "<h2>A&lt;b</h2>" in part
    assert "<td>karate</td><td>34</td>" in part
    assert html.index('href="#provenance"') < html.index('href="#fewest"')


class Advice(Section):
    """A section of recommendations."""

    name = "recommendation"
    title = "What to use"
    count = 1

    def values(self, run):
        return {"rows": [{"name": f"D{k}", "short": "tree: 90.0"} for k in range(self.count)]}


def test_the_remark_on_practice_says_what_is_recommended(tmp_path, monkeypatch):
    others = [one for one in section_list.sections() if one.name != Advice.name]
    monkeypatch.setattr(section_list, "sections", lambda: [*others, Advice()])
    run = run_of(tmp_path, report_input(2, size=20))
    advised = replace(run, entries=run.entries | {"recommendation": {"pairs": []}})
    alone = replace(run, entries={k: v for k, v in run.entries.items() if k != Advice.name})

    def practice(run):
        return dict(others[0].values(run)["remarks"])["What to use"]

    general = practice(alone)
    assert general.startswith("On data like these, use ")
    assert practice(advised) == "On this one data set, use tree: 90.0."
    monkeypatch.setattr(Advice, "count", 2)
    each = "D0, tree: 90.0; D1, tree: 90.0"
    assert practice(advised) == f"Use, on each single data set: {each}."
    monkeypatch.setattr(Advice, "count", 4)
    assert practice(advised) == f"{general} For each single data set:"
    links = [others[0].values(one)["more"] for one in (alone, advised)]
    assert links == ["", "#recommendation"]


def test_a_section_leaves_the_tables_that_it_declares(tmp_path):
    run = run_of(tmp_path, report_input(2, size=20))
    for section in section_list.on_page(run.entries):
        declared = section.saved_tables(run.entries[section.name])
        paths = [path for one in declared for path in one.files() + one.files(reported=True)]
        assert sorted(paths) == sorted(f"tables/{name}" for name in section.tables(run))
        assert all((CAPTIONS / f"{one.caption}.rst").is_file() for one in declared if one.caption)


def test_sections_of_other_stages_are_on_the_page_if_configured():
    assert list(section_list.entries({})) == [
        "verdict",
        "findings",
        "wins",
        "data",
        "scale",
        "provenance",
    ]
    config = {"datasets": {}, "embeddings": {"e_2": {}}}
    config |= {
        "illustrations": {"x": {}},
        "candidates": 1,
        "isometries": [3],
        "methods": {},
    }
    own = [s.name for s in section_list.sections() if s.package == Section.package]
    assert list(section_list.entries(config)) == [name for name in own if name != "class_tree"]


def test_the_list_loads_no_slow_library():
    slow = ("scipy", "matplotlib", "sklearn", "jinja2")
    program = "import sys; from noneuclid_compare.report import section_list; "
    program += f"print([name for name in {slow} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
