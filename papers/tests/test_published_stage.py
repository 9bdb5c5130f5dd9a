"""Stage published: its tables, its section of the page, and what it keeps."""

import json
import re

import pandas as pd
import pytest
from printed_cells import ENTRY, SCORES, ours, paper, reasons
from reporting_fixtures import report_input, run_of

from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.report import page
from noneuclid_papers.stages import published as stage

# Printed 80, ours 80.4.
OPENING = (
    "Scores of proposed methods (1): 100 % within half a point of the printed ones, "
    "100 % within one, 100 % within two; median difference 0.40 points."
)


@pytest.fixture
def folder(tmp_path):
    theirs = paper(("n10", "A", "80", "", "%"), ("n10", "B & C", "9", "1", "s"))
    theirs.to_csv(tmp_path / "p.tsv", sep="\t", index=False)
    reasons().to_csv(tmp_path / "reasons.tsv", sep="\t", index=False)
    (tmp_path / "protocols.tsv").write_text("paper\tprotocol\np\tOurs repeats nothing.\n")
    rows = ("paper\tmethod\tkind", *(f"{name}\tA\town\n{name}\tB & C\tbaseline" for name in "pq"))
    (tmp_path / "methods.tsv").write_text("\n".join(rows) + "\n")
    scores = pd.DataFrame(ours([[0.803, 0.805]]), columns=SCORES)
    scores.to_parquet(tmp_path / "scores.parquet")
    return tmp_path


def run(folder, out, *more, **settings):
    words = ["--scores", folder / "scores.parquet", "--settings", json.dumps(settings)]
    words += ["--reasons", folder / "reasons.tsv", "--protocols", folder / "protocols.tsv"]
    words += ["--methods", folder / "methods.tsv", "--output", folder / out, *more]
    stage.main([str(word) for word in words])
    return io.read_json(folder / out / "section.json")


def test_the_stage_and_what_it_keeps(folder):
    first = run(folder, "a", "--paper", folder / "p.tsv", paper="p", tables=[ENTRY])
    counted = "p: proposed methods: 1 of 1 judged numbers reproduced (100 %): 1 exact."
    rest = "baselines: none judged; 1 not run. Ours repeats nothing."
    assert first["sentences"] == [f"{counted} {rest}"]
    assert (folder / "a/reproduced.svg").exists()
    kept = run(folder, "b", "--paper", "--kept", folder / "a/cells.tsv", kept=["p"])
    for part in (first, kept):
        for row in part["tables"][0]["rows"]:
            row["sort"] = row["sort"] and round(row["sort"], 9)  # a table keeps fewer digits
    assert first.pop("opening") == OPENING
    assert kept.pop("opening") == ""
    assert kept == first
    both = {"paper": "p", "tables": [ENTRY], "kept": ["p"]}
    with pytest.raises(InputError, match="also under `kept:`"):
        run(folder, "c", "--paper", folder / "p.tsv", "--kept", folder / "a/cells.tsv", **both)
    body = (folder / "a/cells.tex").read_text()
    assert r"Blobs & n10 & B \& C & accuracy & 9 $\pm$ 1 & -- & -- & not run \\" in body


def test_the_opening_counts_the_repeated_paper_alone(folder):
    run(folder, "a", "--paper", folder / "p.tsv", paper="p", tables=[ENTRY])
    other = folder / "q.tsv"
    other.write_text((folder / "a/cells.tsv").read_text().replace("\np\t", "\nq\t"))
    entries = {"paper": "p", "kept": ["q"]}
    both = run(folder, "b", "--paper", folder / "p.tsv", "--kept", other, tables=[ENTRY], **entries)
    assert both["headline"] == OPENING.replace("(1)", "(2)")
    assert both["opening"] == OPENING
    # Nothing of p is judged: the page opens with the methods.
    none = run(folder, "c", "--paper", folder / "p.tsv", "--kept", other, tables=[], **entries)
    assert none["opening"] == ""


def test_the_page_has_the_section(folder):
    section = run(folder, "published", "--paper", folder / "p.tsv", paper="p", tables=[ENTRY])
    data, config = report_input(2, size=20), {"published": {}}
    html = page.render(run_of(folder, data, config, note="Quick profile."))
    assert html.count('id="published"') == 1
    assert html.count('href="#published"') == 1
    assert "<strong>Quick profile.</strong>" in html
    assert "80 ± 0.1" in html
    # Below the plot, what is reproduced of the paper.
    opening = " ".join(re.sub("<[^>]*>", "", html[: html.index("</section>")]).split())
    assert f"Published results: {OPENING.replace(' %', '&nbsp;%')}" in opening
    own = html[html.index('<details class="fold" id="published"') :]
    own = re.sub("<[^>]*>", "", own[own.index('<p class="verdict">') :])
    assert (
        " ".join(own.split())
        .partition("median (points) ")[2]
        .startswith("allproposed methods1100&nbsp;%100&nbsp;%100&nbsp;%0.40")
    )
    assert own.startswith(section["headline"].replace(" %", "&nbsp;%"))
    io.write_json(folder / "published/section.json", section | {"opening": ""})
    html = page.render(run_of(folder, data, config))
    assert "Published results:" not in html[: html.index("</section>")]
    assert 'id="published"' not in page.render(run_of(folder, data))
