"""Section "Scale": time and memory against the size of the data."""

from noneuclid.reporting.section import Section, figure, table

TEXT = (
    "Time of one fit (mean over folds) and peak memory of the job, with the libraries' "
    "data and without their code, against the size of the data. Each marker is a data set, "
    "lines join means; many methods have a panel each, with the others in grey."
)


class Scale(Section):
    """Costs of one fit, with fitted exponents."""

    name = "scale"
    title = "Scale"

    def leaves(self, entry):
        """The table of exponents, and the figure."""
        return [
            table("scale", "exponents", "scale", latex=True),
            figure("scale", "time and memory", "scale"),
        ]

    def figures(self, run):
        """Time and memory against the size."""
        from noneuclid.reporting.tables import scaling

        costs = scaling.costs(run.scores, run.cards)
        return {"scale": (scaling.draw(run.scores, run.cards), costs)}

    def tables(self, run):
        """Exponents of each method."""
        from noneuclid.reporting.tables import exports, scaling

        found = scaling.exponents(scaling.costs(run.scores, run.cards))
        return exports.both("scale", found, exports.SCALE)

    def values(self, run):
        """See `scaling.section`; and `figures`."""
        from noneuclid.reporting.tables import scaling

        figures = [run.picture("report/figures/scale", TEXT)]
        return scaling.section(run.scores, run.cards) | {"part": run.part, "figures": figures}
