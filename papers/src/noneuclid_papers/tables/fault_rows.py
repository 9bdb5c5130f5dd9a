"""Rows of the table "Suspected faults", from `evaluation.fault_comparison.imitate`."""

from noneuclid_compare.report import style
from noneuclid_papers.printed import fault_comparison, reproduction_status
from noneuclid_papers.tables.published_rows import COLOURS, digits

_LOOKS = {
    reproduction_status.RETURNS_DIGITS: COLOURS[reproduction_status.EXACT],
    reproduction_status.RETURNS: COLOURS[reproduction_status.CLOSE],
    reproduction_status.LOSES: COLOURS[reproduction_status.NOT_JUDGED],
    reproduction_status.SUPPOSED: COLOURS[reproduction_status.NOT_JUDGED],
    fault_comparison.EITHER: COLOURS[reproduction_status.NOT_JUDGED],
    fault_comparison.NOT: COLOURS[reproduction_status.OUTSIDE],
}


def rows(table):
    """Texts `paper`, `fault`, `number` (which one), `printed`, `with_fault`, `without`, `verdict`.

    `colour` is that of the verdict.
    """
    return [_row(row) for row in table.to_dict("records")]


def _row(row):
    names = row["table"].replace("_", " "), row["dataset"], row["variant"], row["method"]
    number = ", ".join(filter(None, [*names, style.metric_words(row["metric"])]))
    return {
        "paper": row["paper"],
        "fault": row["fault"],
        "number": number,
        "printed": row["printed"],
        "with_fault": digits(row["with_ours"], row["with_se"], row),
        "without": digits(row["without_ours"], row["without_se"], row),
        "verdict": row["verdict"],
        "colour": _LOOKS.get(row["verdict"], COLOURS[reproduction_status.NOT_RUN]),
    }
