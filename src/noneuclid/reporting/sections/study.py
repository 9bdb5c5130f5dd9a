"""Section "Study": two methods compared over many data sets."""

from noneuclid.reporting.section import Section

TEXTS = {
    "differences": "Each dot is a pair, sorted; diamond and bar: mean and its 95 % interval. Right "
    "of the dashed line the first method is better.",
    "scatter": "Each marker is a pair: mean and standard deviation over the repeats. Above the "
    "dashed line the first method is better.",
}


class Study(Section):
    """Tests and figures of the stage study."""

    name = "study"
    title = "Study"
    key = "study"
    files = ("study/tests.tsv", *(f"study/{name}.svg" for name in TEXTS))

    def values(self, run):
        """`first`, `second`, `rows` and `figures`."""
        from noneuclid.reporting.tables import study_rows

        tests = run.read_table("study/tests.tsv")
        first, second = (tests[role].iloc[0] for role in ("first", "second"))
        return {
            "title": f"Study: {first} against {second}",
            "first": first,
            "second": second,
            "rows": study_rows.comparison_rows(tests),
            "figures": [
                run.picture(f"study/{name}", text, data="study/pairs.tsv")
                for name, text in TEXTS.items()
            ],
        }
