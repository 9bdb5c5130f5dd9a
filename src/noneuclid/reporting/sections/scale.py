"""Section "Scale": time and memory against the size of the data."""

from noneuclid.reporting.section import Drawing, Section, table

TEXT = (
    "Time of one fit (mean over folds) and peak memory of the job, with the libraries' "
    "data and without their code, against the size of the data. Each marker is a data set, "
    "lines join means; many methods have a panel each, with the others in grey."
)


def _draw(run):
    from noneuclid.reporting.tables import scaling

    return scaling.draw(run.scores, run.cards), scaling.costs(run.scores, run.cards)


class Scale(Section):
    """Costs of one fit, with fitted exponents."""

    name = "scale"
    title = "Scale"

    def drawings(self, entry):
        """Time and memory against the size."""
        return [Drawing("scale", TEXT, _draw, "time and memory", "scale")]

    def saved_tables(self, entry):
        """The exponents of each method."""
        return [table("scale", "exponents", "scale", latex=True)]

    def tables(self, run):
        """Exponents of each method."""
        from noneuclid.reporting.tables import exports, scaling

        found = scaling.exponents(scaling.costs(run.scores, run.cards))
        return exports.both("scale", found, exports.SCALE)

    def values(self, run):
        """See `scaling.section`; and `figures`."""
        from noneuclid.reporting.tables import scaling

        shown = {"part": run.part, "figures": self.pictures(run)}
        return scaling.section(run.scores, run.cards) | shown
