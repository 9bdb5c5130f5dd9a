"""Section "Pairs of methods": methods compared in pairs, group by group."""

from noneuclid.reporting.section import Section


class PairedTests(Section):
    """The table of the stage paired_tests."""

    name = "pairs"
    title = "Pairs of methods"
    key = "paired_tests"
    files = ("paired_tests/section.json",)

    def values(self, run):
        """See `paired_test_rows.section`."""
        return run.read_json("paired_tests/section.json")


SECTION = PairedTests()
