"""The page in a browser: on a phone, at an address inside it. Skipped without Chromium."""

import browser
import pytest
from reporting_fixtures import report_input, run_of

from noneuclid_compare.report import page
from noneuclid_compare.report.figures import accuracy_time, page_figures, scale

pytestmark = browser.needs_chromium

FRAMES = {
    "phone": (400, "", "body"),
    "folded": (400, "#recommendation-olsson", "#recommendation-olsson"),
    "disk": (1200, "#disk/karate/lorentz_mds/forest", "#viewer"),
    "section": (1200, "#scores", "#scores"),
    "first": (1200, "", ".rows .ticks"),
    "stray": (1200, "#disk/none/%E0%A4", "body"),
}


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What a page with wide and folded sections says of itself in each frame."""
    data = report_input(5, size=40)
    names = [card["dataset"]["name"] for card in data["cards"]]
    config = {"datasets": {name: {"use": "mine", "embeddings": []} for name in names}}
    runs = [run | {"transductive": False} for run in data["runs"]]
    drawn = {
        "accuracy_time": page_figures.to_bytes(
            accuracy_time.draw_accuracy_time(data["scores"]), "svg"
        ),
        "scale": page_figures.to_bytes(scale.draw_scale(data["scores"], data["cards"]), "svg"),
    }
    folder = tmp_path_factory.mktemp("page")
    html = page.render(run_of(folder, data | {"runs": runs}, config, drawn))
    return browser.told(html, FRAMES, folder)


def test_every_frame_tells(told):
    assert set(told) == set(FRAMES)


def test_nothing_but_boxes_scrolls_sideways(told):
    widths = {name: width for name, (width, _, _) in FRAMES.items()}
    assert all(told[name]["width"] <= widths[name] for name in FRAMES)


def test_the_menu_is_folded_on_a_phone(told):
    assert {name: about["menu"] for name, about in told.items()} == {
        name: width > 768 for name, (width, _, _) in FRAMES.items()
    }


def test_an_address_opens_what_it_names(told):
    assert told["folded"]["opened"]
    assert 0 <= told["folded"]["top"] < 100
    assert told["disk"]["disk"] == "karate/lorentz_mds/forest"
    assert 0 <= told["disk"]["top"] < 100
    assert told["section"]["opened"]
    assert 0 <= told["section"]["top"] < 100


def test_the_plot_is_on_the_first_screen(told):
    assert told["first"]["top"] < told["first"]["height"]


def test_an_address_that_names_nothing_shows_the_page(told):
    assert told["stray"]["disk"] == told["section"]["disk"] != told["disk"]["disk"]
    assert told["stray"]["metric"] == "balanced_accuracy"
    assert told["stray"]["top"] > 0
