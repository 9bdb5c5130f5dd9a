"""Rows of the table "Suspected faults", from `evaluation.fault_comparison.imitate`."""

from noneuclid.evaluation import agreement, fault_comparison
from noneuclid.reporting import style
from noneuclid.reporting.tables.published_rows import COLOURS, digits

_LOOKS = {
    agreement.RETURNS_DIGITS: COLOURS[agreement.EXACT],
    agreement.RETURNS: COLOURS[agreement.CLOSE],
    agreement.LOSES: COLOURS[agreement.NOT_JUDGED],
    agreement.SUPPOSED: COLOURS[agreement.NOT_JUDGED],
    fault_comparison.EITHER: COLOURS[agreement.NOT_JUDGED],
    fault_comparison.NOT: COLOURS[agreement.OUTSIDE],
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
        "colour": _LOOKS.get(row["verdict"], COLOURS[agreement.NOT_RUN]),
    }
