"""Sections of the papers in a browser. Skipped without Chromium."""

import browser
import pandas as pd
import pytest
from reporting_fixtures import report_input, run_of

from noneuclid_compare import io
from noneuclid_compare.report import page
from noneuclid_compare.report.figures import accuracy_time, page_figures
from noneuclid_papers.statistics import studies

pytestmark = browser.needs_chromium

FRAMES = {
    "phone": (400, "", "body"),
    "folded": (400, "#published-2", "#published-2"),
    "wide": (1200, "", "body"),
}


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What a page with wide and folded tables of the papers says of itself in each frame."""
    table = {"metric": "accuracy", "series": [*"aabb"], "difference": [0.03, 0.02, 0.04, -0.01]}
    tests = studies.summary(pd.DataFrame(table)).assign(first="first_method", second="second")
    names = "dataset", "variant", "method", "our_method", "metric", "printed", "ours"
    row = {
        **dict.fromkeys(names, "a_name " * 4),
        **dict.fromkeys(("difference", "status", "best", "reason"), "words_of_a_reason " * 9),
        "sort": 0.1, "colour": "#0072B2", "link": "",
    }  # fmt: skip
    part = {"paper": "pan2023", "name": "table i", "counts": "40 not run", "rows": [row] * 40}
    published = {"headline": "Most.", "head": ["scores"], "differences": [["4"]]}
    published |= {"sentences": ["A sentence."], "tables": [part, part]}
    data = report_input(2, size=40)
    svg = page_figures.to_bytes(accuracy_time.draw_accuracy_time(data["scores"]), "svg")
    folder = tmp_path_factory.mktemp("page")
    io.write_json(folder / "published/section.json", published | {"opening": ""})
    io.write_table(folder / "study/tests.tsv", tests)
    for path in ("published/reproduced", "study/differences", "study/scatter"):
        io.write_bytes(folder / f"{path}.svg", svg)
    html = page.render(run_of(folder, data, {"study": {}, "published": {}}))
    return browser.told(html, FRAMES, folder)


def test_nothing_but_boxes_scrolls_sideways(told):
    widths = {name: width for name, (width, _, _) in FRAMES.items()}
    assert all(told[name]["width"] <= widths[name] for name in widths)


def test_an_address_opens_the_table_that_it_names(told):
    assert told["folded"]["opened"]
    assert 0 <= told["folded"]["top"] < 100
