"""Section "Pairs of methods": methods compared in pairs, group by group."""

from noneuclid_compare.report.section import Section


class PairedTests(Section):
    """The table of the stage paired_tests."""

    name = "pairs"
    title = "Pairs of methods"
    key = "paired_tests"
    package = "noneuclid_papers"
    files = ("paired_tests/section.json",)

    def values(self, run):
        """See `paired_test_rows.section`; with readable names of methods and embeddings."""
        from noneuclid_papers.tables import paired_test_rows

        section, names = run.read_json("paired_tests/section.json"), run.names
        blocks = {
            block: [names.method(name) for name in methods]
            for block, methods in section["blocks"].items()
        }
        rows = [
            row | {"embedding": names.head("embeddings", row["embedding"])}
            for row in section["rows"]
        ]
        legend = paired_test_rows.legend(section["marks"], names)
        return section | {"blocks": blocks, "rows": rows, "legend": legend}


SECTION = PairedTests()
