"""The page in a browser: on a phone, at an address inside it. Skipped without Chromium."""

import json
import re
import shutil
import subprocess

import pandas as pd
import pytest
from reporting_fixtures import report_input, run_of

from noneuclid_compare import io
from noneuclid_compare.report import page
from noneuclid_compare.report.figures import league, page_figures, scale
from noneuclid_papers.statistics import studies

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")

# What the page in each frame tells, when it has settled.
TELL = """<script>addEventListener("load", () => setTimeout(() => {
  const place = document.querySelector("%s"), shown = (id) => document.getElementById(id).value;
  const top = place && place.getBoundingClientRect().top;
  const opened = place && place.closest("details")?.open;
  const menu = document.querySelector("nav details").open;
  document.querySelectorAll("details").forEach((part) => { part.open = true; });
  const width = document.documentElement.scrollWidth;
  const disk = ["v-dataset", "v-embedding", "v-method"].map(shown).join("/");
  const score = shown("metric"), height = innerHeight;
  parent.postMessage(["%s", { top, opened, menu, width, disk, score, height }], "*");
}, 1500));</script></body>"""
COLLECT = """<script>const told = {};addEventListener("message", ({ data: [name, what] }) => {
  told[name] = what;
  document.getElementById("told").textContent = JSON.stringify(told);
});</script><pre id="told"></pre>"""


@pytest.fixture(scope="module")
def html(tmp_path_factory):
    """A page with every kind of section that is wide or folded."""
    data = report_input(5, size=40)
    table = {"metric": "accuracy", "series": [*"aabb"], "difference": [0.03, 0.02, 0.04, -0.01]}
    tests = studies.summary(pd.DataFrame(table)).assign(first="first_method", second="second")
    names = "dataset", "variant", "method", "our_method", "metric", "printed", "ours"
    row = {
        **dict.fromkeys(names, "a_name " * 4),
        **dict.fromkeys(("difference", "status", "best", "reason"), "words_of_a_reason " * 9),
        "sort": 0.1, "colour": "#0072B2", "link": "",
    }  # fmt: skip
    part = {"paper": "pan2023", "name": "table i", "counts": "40 not run", "rows": [row] * 40}
    svg = page_figures.to_bytes(league.draw_ranks(data["scores"]), "svg")
    drawn = {
        "league": svg,
        "scale": page_figures.to_bytes(scale.draw_scale(data["scores"], data["cards"]), "svg"),
    }
    published = {"headline": "Most.", "sentences": ["A sentence."], "tables": [part, part]}
    folder = tmp_path_factory.mktemp("results")
    io.write_json(folder / "published/section.json", published | {"opening": ""})
    io.write_table(folder / "study/tests.tsv", tests)
    for path in ("published/reproduced", "study/differences", "study/scatter"):
        io.write_bytes(folder / f"{path}.svg", svg)
    return page.render(run_of(folder, data, {"study": {}, "published": {}}, drawn))


FRAMES = {
    "phone": (400, "", "body"),
    "folded": (400, "#published-2", "#published-2"),
    "disk": (1200, "#disk/karate/lorentz_mds/forest", "#viewer"),
    "score": (1200, "#wins/accuracy", "#wins"),
    "stray": (1200, "#disk/none/%E0%A4", "body"),
}


@pytest.fixture(scope="module")
def told(html, tmp_path_factory):
    """What the page says of itself at each address and width."""
    folder, frames = tmp_path_factory.mktemp("page"), []
    for name, (width, address, place) in FRAMES.items():
        (folder / f"{name}.html").write_text(html.replace("</body>", TELL % (place, name)))
        frames.append(f'<iframe width="{width}" height="800" src="{name}.html{address}"></iframe>')
    (folder / "all.html").write_text("<!doctype html>" + COLLECT + "".join(frames))
    done = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
         "--disable-background-networking", f"--user-data-dir={folder / 'profile'}",
         "--virtual-time-budget=8000", "--dump-dom", f"file://{folder}/all.html"],
        capture_output=True, text=True,
    )  # fmt: skip
    return json.loads(re.search(r'id="told">(.*?)</pre>', done.stdout, re.DOTALL)[1])


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
    assert told["score"]["score"] == "accuracy"
    assert 0 <= told["score"]["top"] < 100


def test_an_address_that_names_nothing_shows_the_page(told):
    assert told["stray"]["disk"] == told["score"]["disk"] != told["disk"]["disk"]
    assert told["stray"]["score"] == "balanced_accuracy"
    assert told["stray"]["top"] > 0
