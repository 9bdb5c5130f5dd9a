"""Rows of the table "Reproduced faults", from `evaluation.fault_comparison.imitate`."""

from noneuclid.evaluation import fault_comparison, published
from noneuclid.reporting import style
from noneuclid.reporting.tables.published_rows import COLOURS, digits

# As bold as within noise, outside noise, and neither.
_LOOKS = {
    fault_comparison.EXACT: COLOURS[published.WITHIN],
    fault_comparison.EXPLAINS: COLOURS[published.WITHIN],
    fault_comparison.EITHER: COLOURS[published.NOT_JUDGED],
    fault_comparison.NOT: COLOURS[published.OUTSIDE],
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
        "colour": _LOOKS.get(row["verdict"], COLOURS[published.NOT_RUN]),
    }
