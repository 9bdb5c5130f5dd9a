"""The report: one HTML file that needs no other file and no network."""

import re

import jinja2
from markupsafe import Markup, escape

from noneuclid.experiment import wording
from noneuclid.reporting import embedded_pictures, style, viewer
from noneuclid.reporting.figures import page_figures
from noneuclid.reporting.sections import (
    advice,
    findings,
    league_section,
    provenance_rows,
    scaling,
    studies,
)
from noneuclid.reporting.sections import certificates as proofs
from noneuclid.reporting.sections import dataset_cards as dataset_cards
from noneuclid.reporting.tables import score_tables

FAMILIES = (
    "Blue disk: non-Euclidean method; orange square: Euclidean; grey diamond: floor, which has "
    "nothing to learn from (largest class, mean, or shuffled labels); violet triangle: your own."
)


def render(
    scores, runs, cards, disks, figures, title="Non-Euclidean classifiers compared",
    metric="balanced_accuracy", provenance=None, study=None, pairs=None, certificates=None,
    illustrations=(), texts=None, published=None, note="", reliabilities=None,
):  # fmt: skip
    """Write the page.

    Parameters
    ----------
    scores : DataFrame
        The long table of `evaluate`: columns `tables.COLUMNS`.
    runs : list of dict
        One per train job; see `rows.run_rows`.
    cards : list of dict
        One per (dataset, embedding); see `cards.cards`.
    disks : list of Disk
        One per (dataset, embedding); only two-dimensional ones have regions and are interactive.
    figures : dict of str to bytes
        PNG or SVG, shown in this order under "Who wins"; `texts` has their captions.
    title, metric : str
    provenance : dict, optional
        Anything else on where the page comes from; nested dictionaries are flattened.
    study : (DataFrame, dict of str to bytes), optional
        Tests and figures of the stage study.
    pairs : dict, optional
        Section of the stage paired_tests.
    certificates : (DataFrame, dict of str to bytes), optional
        Table and figures of the stage gaps.
    illustrations : sequence of (str, dict, dict of str to bytes)
        Name, texts and figures of each section of the stage illustrate.
    texts : dict of str to str, optional
        Captions that depend on the run.
    published : (dict, dict of str to bytes), optional
        Section and figure of the stage published.
    note : str
        A sentence under the title.
    reliabilities : dict of (dataset, embedding, method) to list, optional
        See `viewer.pack`.

    Returns
    -------
    str

    Raises
    ------
    InputError
        If the scores or a disk are malformed, or a figure is neither PNG nor SVG.
    """
    score_tables.check(scores)
    classes = {run["method"]: run["class"] for run in runs}
    shown = [
        league_section.league(scores, m, classes)
        for m in _with_first(score_tables.metrics(scores), metric)
    ]
    curvatures = {(c["dataset"]["name"], c["embedding"]["name"]): c["curvature"] for c in cards}
    advised = advice.advise(scores, cards, metric, classes)
    count = len(scores[score_tables.PAIR].drop_duplicates())
    part = f"Of {count} embedded data sets the {len(cards)} drawn." if len(cards) < count else ""
    # Key findings are of all.
    found = findings.findings(scores, runs, metric, None if part else advised)
    html = _environment().get_template("report.html.j2").render(
        title=title,
        note=note,
        metric=style.metric_label(metric),
        findings=_with_papers(found, published),
        advice=advice.rows(advised, metric),
        part=part,
        leagues=shown,
        figures=_inline(figures, "figures", texts),
        study=_study(*study) if study else None,
        pairs=pairs,
        certificates=_certificates(*certificates) if certificates else None,
        published=published[0] | {"figures": _inline(published[1], "../published")}
        if published
        else None,
        illustrations=[_illustration(*shown) for shown in illustrations],
        viewer=viewer.pack(disks, scores, metric, curvatures, reliabilities),
        growth=scaling.section(scores, cards),
        cards=dataset_cards.cards(cards),
        runs=provenance_rows.run_rows(runs),
        warnings=provenance_rows.warning_rows(runs),
        versions=provenance_rows.version_rows(runs),
        checksums=provenance_rows.checksum_rows(runs),
        provenance=provenance_rows.flatten(provenance or {}),
        families_note=FAMILIES,
    )  # fmt: skip
    # Indentation would be a tenth of the page.
    return re.sub(r"\n\s+", "\n", html)


def _with_papers(found, published):
    """Findings with the one on printed numbers: first if they are this run's, else last."""
    if not published:
        return found
    section = published[0]
    told = [("Against the papers", section["headline"])]
    return told + found if section["repeats"] else found + told


def breaks(text):
    """Escaped text whose long names may break after an underscore, and percentages nowhere.

    Examples
    --------
    >>> breaks("a_b<c"), breaks("5 %")
    (Markup('a_<wbr>b&lt;c'), Markup('5&nbsp;%'))
    """
    return Markup(str(escape(text)).replace("_", "_<wbr>").replace(" %", "&nbsp;%"))


def _with_first(metrics, first):
    return [first, *(m for m in metrics if m != first)]


def _inline(figures, folder, texts=None):
    """Pictures with their captions and the files that are saved of them."""
    texts = page_figures.write_captions() if texts is None else texts
    tables = page_figures.name_tables()
    return [
        _picture(name, raw, folder, tables.get(name)) | {"text": texts.get(name, name)}
        for name, raw in figures.items()
    ]


def _picture(name, raw, folder, table):
    files = {suffix: f"{folder}/{name}.{suffix}" for suffix in page_figures.FORMATS}
    files["tsv"] = f"{folder}/{table or f'{name}.tsv'}"
    return {"id": name, "name": name, "files": files} | embedded_pictures.picture(name, raw)


def _study(tests, figures):
    names = {role: tests[role].iloc[0] for role in ("first", "second")}
    shown = {"rows": studies.comparison_rows(tests), "figures": _inline(figures, "../study")}
    return names | shown


def _certificates(table, figures):
    return proofs.section(table) | {"figures": _inline(figures, "../gaps")}


def _illustration(name, texts, figures):
    shown = []
    for figure in texts["figures"]:
        one = figure["name"]
        files = {suffix: f"figures/{name}/{one}.{suffix}" for suffix in figure["formats"]}
        about = {"id": f"{name}-{one}", "text": figure["text"], "files": files}
        shown.append(about | embedded_pictures.picture(one, figures[one]))
    return texts | {"name": name, "figures": shown}


def _environment():
    loader = jinja2.PackageLoader("noneuclid.reporting")
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    # Verbatim: braces in CSS and JavaScript must not be read as template marks.
    environment.globals["verbatim"] = lambda name: Markup(loader.get_source(environment, name)[0])
    environment.filters["breaks"] = breaks
    environment.filters["count"] = wording.count
    environment.filters["seconds"] = wording.seconds
    return environment
