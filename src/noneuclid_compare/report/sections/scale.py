"""Section "Scale": time and memory against the size of the data."""

from noneuclid_compare.report.section import Section, table


class Scale(Section):
    """Costs of one fit, with fitted exponents."""

    name = "scale"
    title = "Scale"

    def entry(self, config):
        """The page has it if the configuration varies a number, by `report: sweep`."""
        return {} if config.get("report", {}).get("sweep") else None

    def saved_tables(self, entry):
        """The exponents of each method."""
        return [table("scale", "exponents", "scale", latex=True)]

    def tables(self, run):
        """Exponents of each method."""
        from noneuclid_compare.report.tables import cost_scaling, exports

        found = cost_scaling.exponents(cost_scaling.costs(run.scores, run.facts))
        return exports.both("scale", found, exports.SCALE)

    def values(self, run):
        """See `cost_scaling.section`; and `figures`, none for data of one size."""
        from noneuclid_compare.report.tables import cost_scaling

        sizes = {(card["dataset"]["n"], card["dimension"]) for card in run.facts}
        figures = run.pictures(self.title) if len(sizes) > 1 else []
        return cost_scaling.section(run.scores, run.facts, run.names) | {"figures": figures}


SECTION = Scale()
