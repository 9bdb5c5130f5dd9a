"""Section "Pairs of methods": methods compared in pairs, group by group."""

from noneuclid.reporting.section import Section


class PairedTests(Section):
    """The table of the stage paired_tests."""

    name = "pairs"
    title = "Pairs of methods"

    def entry(self, config):
        """Nothing more than that there are paired tests."""
        return {} if "paired_tests" in config else None

    def reads(self, entry):
        """What the stage found."""
        return ["paired_tests/section.json"]

    def values(self, run):
        """See `paired_test_rows.section`."""
        return run.read_json("paired_tests/section.json")
