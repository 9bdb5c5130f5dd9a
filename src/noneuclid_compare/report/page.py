"""The report: one HTML file that needs no other file and no network."""

import re

import jinja2
from markupsafe import Markup, escape

from noneuclid_compare import wording
from noneuclid_compare.report import section_list, words
from noneuclid_compare.report.tables import provenance_rows, score_tables


def render(run):
    """Write the page.

    Parameters
    ----------
    run : Run
        Its figures must have been drawn.

    Returns
    -------
    str

    Raises
    ------
    InputError
        If the scores or a disk are malformed, or a figure is missing.
    """
    score_tables.check(run.scores, run.metric)
    sections = section_list.on_page(run.entries)
    parts = [part for section in sections for part in section.parts(run)]
    environment = _environment([part["package"] for part in parts])
    about = {"about": _about(run), "sections": parts}
    main = environment.get_template("sections.html.j2").render(about)
    main, used = words.linked(main)
    html = environment.get_template("report.html.j2").render(
        about, title=run.title, note=run.note, main=Markup(main), words=used,
        imprint=provenance_rows.imprint(run.runs),
    )  # fmt: skip
    # Indentation would be a tenth of the page.
    return re.sub(r"\n\s+", "\n", html)


def _about(run):
    """Line under the title: what was compared, and how."""
    pipelines = run.everything[["embedding", "method"]].drop_duplicates()
    folds = run.scores.groupby(score_tables.PAIR)[["repeat", "fold"]].apply(
        lambda rows: len(rows.drop_duplicates())
    )
    return (
        f"{wording.count(len(pipelines), 'pipeline')}, "
        f"{wording.count(run.scores['dataset'].nunique(), 'data set')}, "
        f"{wording.count(int(folds.max()), 'test fold')} each."
    )


def breaks(text):
    """Escaped text whose long names may break after an underscore, and percentages nowhere.

    Examples
    --------
    >>> breaks("a_b<c"), breaks("5 %")
    (Markup('a_<wbr>b&lt;c'), Markup('5&nbsp;%'))
    """
    return Markup(str(escape(text)).replace("_", "_<wbr>").replace(" %", "&nbsp;%"))


def css_string(text):
    r"""A text as a string of CSS, whatever it contains.

    Examples
    --------
    >>> print(css_string('Été "2" <'))
    "Été \22 2\22  \3c "
    """
    marks = (c if c.isalnum() or c == " " else f"\\{ord(c):x} " for c in text)
    return Markup(f'"{"".join(marks)}"')


def _environment(packages):
    loaders = [jinja2.PackageLoader(name) for name in dict.fromkeys(packages)]
    loader = jinja2.ChoiceLoader(loaders)
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    # Verbatim: braces in CSS and JavaScript must not be read as template marks.
    environment.globals["verbatim"] = lambda name: Markup(loader.get_source(environment, name)[0])
    environment.filters["breaks"] = breaks
    environment.filters["css_string"] = css_string
    environment.filters["count"] = wording.count
    environment.filters["seconds"] = wording.seconds
    return environment
