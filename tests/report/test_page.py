"""The report's page: complete, self-contained, safe against what the data hold."""

import base64
import json
import re
import shutil
import subprocess
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cases import each_of
from page_reader import Reader, saved
from reporting_fixtures import NASTY, SVG, report_input, run_of
from sklearn.metrics import confusion_matrix

from noneuclid.errors import InputError
from noneuclid.plots import palette
from noneuclid_compare import io
from noneuclid_compare.report import page, viewer
from noneuclid_compare.report.figures import disk as disk_figure
from noneuclid_compare.report.figures import effects, page_figures
from noneuclid_compare.report.figures import sweep as sweep_figure
from noneuclid_compare.report.tables import dataset_cards, pipeline_scores, score_tables

TEMPLATES = Path(page.__file__).parent / "templates"


@pytest.fixture
def render(tmp_path):
    """Function that writes a page of the data; files of other stages go to `tmp_path`."""
    return lambda data, config=None, **settings: page.render(
        run_of(tmp_path, data, config, **settings)
    )


@pytest.fixture(scope="module")
def data():
    return report_input(5, size=40)


@pytest.fixture(scope="module")
def html(data, tmp_path_factory):
    return page.render(run_of(tmp_path_factory.mktemp("page"), data))


@pytest.fixture(scope="module")
def read(html):
    return Reader(html)


def test_markup_in_data_stays_text(html, read):
    assert "<script>alert" not in html
    assert NASTY in "".join(read.texts)
    assert html.count("</script>") == html.count("<script") == 2


def test_the_first_screen_has_three_sentences_and_the_page_one_megabyte(data, html):
    first = html[html.index('<section id="verdict">') : html.index("</section>")]
    shown = first[: first.index("hidden")]
    assert len(re.findall('<p class="(?:headline|answer)">', shown)) == 3
    assert shown.count("<p") == 3 + 1  # and the choice of a metric
    assert html.count("<section") == 1 + 1  # all others are folded, except the list of words
    real = page_figures.to_bytes(effects.draw_effects(), "svg")
    assert len(html) + 20 * len(real) < 1e6


def test_illustrations_have_their_sections(data, html, render, tmp_path):
    assert 'id="illustration' not in html
    figure = {"name": "map", "text": NASTY, "formats": ["png", "tsv"], "checksum": ""}
    texts = {"title": "On a<b", "intro": "See:", "figures": [figure]}
    for name in ("second", "first"):
        io.write_json(tmp_path / f"illustrate/{name}.json", texts)
        io.write_bytes(tmp_path / f"report/figures/{name}/map.svg", SVG)
    shown = render(data, {"illustrations": {"second": {}, "first": {}}})
    texts = " ".join("".join(Reader(shown).texts).split())
    assert f"On a<b See: {NASTY} Saved as PNG data (TSV)" in texts
    assert saved(shown, "figures/second/") == {"map.png", "map.tsv"}
    assert shown.index('id="data"') < shown.index('id="illustration-second"')
    assert shown.index('id="illustration-second"') < shown.index('id="illustration-first"')


def test_every_table_can_be_saved_and_every_figure_has_its_data(data, render):
    text = "\n".join(
        re.sub(r"{%.*?%}|{#.*?#}", "", path.read_text())
        for path in sorted(TEMPLATES.glob("*.html.j2"))
    )
    tables_shown = re.findall(r"<table[^>]*>", text)
    assert len(tables_shown) > 8
    assert all("data-name=" in tag for tag in tables_shown)
    shown = render(data)
    figures_shown = re.findall(r"<figure.*?</figure>", shown, re.DOTALL)
    assert len(figures_shown) == 3 + 2  # the first screen's plot by each of three metrics
    drawn = [part for part in figures_shown if "<img" in part]
    assert all(kind in part for part in drawn for kind in (".svg", ".pdf", ".tsv"))
    assert shown.count('width="8" height="4"') == len(drawn) == 2
    assert saved(shown, "figures/effects.") == {"png", "svg", "pdf", "tsv"}


def test_a_table_too_long_to_print_says_so(data, render):
    assert "rows, not printed" not in render(data)
    assert len(data["runs"]) == 55
    several = [run | {"repeat": k} for run in data["runs"] for k in range(2)]
    assert "110 rows, not printed" in "".join(Reader(render(data | {"runs": several})).texts)


def test_captions_may_depend_on_the_run(data, render):
    sweep = {"sweep": {"pattern": "n", "line": "median"}}
    shown = render(data, {"report": sweep})
    assert f"{sweep_figure.write_caption(line='median')} Metric: balanced accuracy" in shown


def test_everything_is_inside(html, read):
    sources = [value for _, name, value in read.attributes if name in ("src", "srcset", "data")]
    assert len(sources) == 2 + 1
    assert all(value.startswith("data:image/") for value in sources)
    # Within `srcset` a blank ends the address.
    narrow = [value for _, name, value in read.attributes if name == "srcset"]
    assert len(narrow) == 1
    assert not any(" " in value for value in narrow)
    rest = html
    for source in sources:
        rest = rest.replace(source, "")
    assert "url(" not in rest
    assert "@import" not in rest
    links = {v for tag, name, v in read.attributes if tag == "a" and name == "href"}
    beside = ("#", "figures/", "tables/", "../evaluate/")
    assert {v for v in links if not v.startswith(beside)} == {
        "https://github.com/facebookresearch/PoincareMaps/tree/7ffa518"
    }
    assert saved(html, "figures/accuracy_time.") == {"png", "svg", "pdf", "tsv"}


def test_every_run_warning_version_and_checksum_shows(data, read):
    text = "".join(read.texts)
    for run in data["runs"]:
        assert run["digest"][:12] in text
        assert run["data_checksum"] in text
        for warning in (w for fold in run["folds"] for w in fold["warnings"]):
            assert warning in text
    assert text.count("older code") == 5
    assert "2.4.6" in text
    for card in data["cards"]:
        assert card["dataset"]["name"] in text
        assert all(d in text for d in card["split"]["decisions"])


def test_a_reader_chooses_among_few_metrics(data, read, render):
    shown = [v for tag, name, v in read.attributes if tag == "option" and name == "value"]
    assert shown == ["balanced_accuracy", "accuracy", "log_loss"]
    chosen = [v for tag, name, v in read.attributes if (tag, name) == ("div", "data-metric")]
    assert chosen == 2 * shown
    hidden = [tag for tag, name, _ in read.attributes if (tag, name) == ("div", "hidden")]
    assert len(hidden) == 2 * 2 + 1
    other = render(data, metric="f1_macro")
    assert 'data-metric="f1_macro"' in other
    assert "F1, macro" in "".join(Reader(other).texts)


def test_pipelines_without_embedding_are_among_all_others(data, render):
    karate = data["scores"][data["scores"]["dataset"] == "karate"]
    other = karate[karate["method"] == "forest"]
    other = other.assign(embedding="original", method="original_forest")
    words = "".join(Reader(render(data | {"baselines": other})).texts)
    assert "Random forest without embedding" in words
    assert "Whether an embedding in 2 dimensions helps is open: " in words
    assert "without embedding" not in "".join(Reader(render(data)).texts)


def test_cells_hold_the_means(data, html, tmp_path):
    summary = score_tables.summarise(data["scores"], "balanced_accuracy")
    first = html[html.index('data-name="scores_balanced_accuracy"') :]
    first = first[: first.index("</table>")]
    cells = re.findall(r'<td data-v="([^"]+)">([^<]+)<small', first)
    assert sorted(float(value) for value, _ in cells) == pytest.approx(sorted(summary["mean"]))
    assert all(float(text) == round(100 * float(value), 1) for value, text in cells)


def test_same_input_same_page(data, html, render):
    assert render(data) == html


def test_a_page_without_disks_has_no_viewer(data, render):
    text = render({**data, "disks": []})
    Reader(text)
    assert 'id="v-disk"' not in text


def test_a_figure_that_is_cut_short_is_refused(data, render):
    with pytest.raises(InputError, match=r"accuracy_time.svg .*cut short"):
        render(data, figures={"accuracy_time": b"<svg>"})


def unpack(text, dtype):
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype=dtype)


def test_packed_disks_unpack_to_the_same(data, read):
    packed = json.loads(read.scripts[0])
    for disk, found in zip(data["disks"], packed["disks"], strict=True):
        assert unpack(found["labels"], "<i2").tolist() == disk.labels.tolist()
        points = unpack(found["points"], "<f4").reshape(-1, 2)
        assert points == pytest.approx(disk.points, abs=1e-7)
        assert sorted(m["name"] for m in found["methods"]) == sorted(disk.methods)
        for method in found["methods"]:
            k = disk.methods.index(method["name"])
            regions = unpack(method["regions"], "u1").reshape(40, 40)
            inside = disk.regions[k] >= 0
            assert (regions[inside] == disk.regions[k][inside]).all()
            expected = confusion_matrix(disk.labels, disk.held_out[k])
            assert method["confusion"] == expected.tolist()


def test_viewer_data_are_strict_json_with_matching_looks(data):
    packed = viewer.pack(data["disks"], data["scores"], "accuracy", {("olsson", "given"): 2.0})
    json.dumps(packed, allow_nan=False)
    assert [d["curvature"] for d in packed["disks"]] == [1, 2, 1, 1, 1]
    assert packed["disks"][2]["colours"] == palette.class_colours(10)
    assert len(packed["markers"]) == len(palette.MARKERS)


def test_projections_are_packed_without_regions_and_calibration_goes_by_name(data):
    disk = replace(data["disks"][0], regions=None, dimension=5)
    bins = [[3, 0.6, 2 / 3]]
    key = disk.dataset, disk.embedding, "forest"
    [packed] = viewer.pack([disk], data["scores"], "accuracy", reliabilities={key: bins})["disks"]
    assert packed["dimension"] == 5
    assert not any("regions" in method for method in packed["methods"])
    found = {method["name"]: method["reliability"] for method in packed["methods"]}
    assert found.pop("forest") == bins
    assert set(found.values()) == {None}


def test_a_pipeline_of_one_data_set_has_dashes_elsewhere(data, tmp_path):
    scores = data["scores"]
    lone = scores[(scores["dataset"] == "olsson") & (scores["method"] == "tree")]
    scores = pd.concat([scores, lone.assign(dataset="other", method="loner")])
    run = run_of(tmp_path, {**data, "scores": scores})
    found = pipeline_scores.part(run, "balanced_accuracy")
    assert found["datasets"][-1] == "Other"
    [row] = [row for row in found["rows"] if row["name"].startswith("Loner")]
    assert [cell["text"] for cell in row["cells"][:-1]] == 5 * ["–"]


def test_a_data_set_without_a_value_keeps_its_column(data, render, tmp_path):
    scores = data["scores"].copy()
    none = (scores["dataset"] == "olsson") & (scores["metric"] == "balanced_accuracy")
    scores.loc[none, "value"] = np.nan
    run = run_of(tmp_path, {**data, "scores": scores})
    assert "Olsson" in pipeline_scores.part(run, "balanced_accuracy")["datasets"]
    assert run.openings["balanced_accuracy"].datasets == 4
    scores.loc[scores["metric"] == "balanced_accuracy", "value"] = np.nan
    with pytest.raises(InputError, match="no fold has a value of 'balanced_accuracy'"):
        render({**data, "scores": scores})


def test_equal_origins_are_stated_once(data):
    [first, *_] = data["cards"]
    about = {**first["dataset"], "citation": "A paper", "oddities": ["Odd."]}
    copies = [{**first, "dataset": {**about, "name": name}} for name in "abc"]
    copies[2]["dataset"]["licence"] = "another"
    shown = dataset_cards.cards(copies)
    assert [card["like"] for card in shown] == [None, "A", None]
    bare = [{**c, "dataset": {**c["dataset"], "citation": None}} for c in copies[:2]]
    assert [card["like"] for card in dataset_cards.cards(bare)] == [None, None]


def test_sample_keeps_every_class_and_its_share():
    labels = np.repeat([0, 1, 2], [50_000, 9_990, 10])
    kept = disk_figure.sample(labels, 6000)
    counts = np.bincount(labels[kept])
    assert counts.tolist() == [5000, 999, 1]
    assert len(np.unique(kept)) == len(kept)


SCRIPTS = sorted(TEMPLATES.glob("*.js"))
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")


@needs_node
@each_of("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_parse(script):
    subprocess.run(["node", "--check", script], check=True)


@needs_node
def test_isometries_carry_points_and_keep_distances():
    program = """
    const { compose, inverse, apply, carry, move } = isometry;
    const distance = (p, q) => Math.atanh(Math.hypot(...apply(inverse(carry(p)), ...q)));
    const p = [0.3, -0.6], q = [-0.5, 0.2], m = compose(move(p, q), carry([0.1, 0.4]));
    const a = [0.7, 0.1], b = [-0.2, -0.9], back = compose(inverse(m), m);
    console.log(JSON.stringify([
      ...apply(move(p, q), ...p), ...apply(back, ...a),
      distance(apply(m, ...a), apply(m, ...b)) - distance(a, b),
    ]));
    """
    source = next(path for path in SCRIPTS if path.name == "isometry.js").read_text()
    done = subprocess.run(
        ["node", "-e", source + program], check=True, capture_output=True, text=True
    )
    assert json.loads(done.stdout) == pytest.approx([-0.5, 0.2, 0.7, 0.1, 0], abs=1e-12)
