"""Section "Probabilities of differences": the Bayesian signed-rank test, and its power."""

from noneuclid_compare.report.section import Section, table
from noneuclid_papers.sections.once import once_per_run


class Probabilities(Section):
    """All pairs of methods; on the page if there is a region of practical equivalence."""

    name = "probabilities"
    title = "Probabilities of differences"
    key = "equivalence"
    package = "noneuclid_papers"

    def entry(self, config):
        """`equivalence`, half the width of the region, in units of the metric."""
        return {self.key: config[self.key]} if self.key in config else None

    def saved_tables(self, entry):
        """All pairs with all digits."""
        return [table("probabilities")]

    def tables(self, run):
        """All pairs in all dimensions."""
        from noneuclid_compare.report.tables import score_tables

        return {"probabilities.tsv": score_tables.to_tsv(self.found(run))}

    @once_per_run
    def found(self, run):
        """The table of `probability_rows.pairs`."""
        from noneuclid_papers.tables import probability_rows

        width = run.entries[self.name][self.key]
        return probability_rows.pairs(run.scores, run.runs, run.metric, run.classes, width)

    def values(self, run):
        """`parts`: rows of the leader in each scope; `rows`: all pairs; `power`, a sentence."""
        from noneuclid_compare.report import style
        from noneuclid_papers.tables import probability_rows

        found, metric = self.found(run), run.metric
        power = probability_rows.detectable(run.scores, metric, run.classes)
        width = style.score(run.entries[self.name][self.key], metric)
        parts = []
        for scope, part in found.groupby("dimension", sort=False):
            leaders = part[part["first"] == part["first"].iloc[0]]
            title = "All dimensions" if scope == probability_rows.ALL else f"{scope} dimensions"
            rows = probability_rows.rows(leaders, metric, run.names)
            parts.append({"id": f"probabilities_{scope}", "title": title, "rows": rows})
        whole = found[found["dimension"] == probability_rows.ALL]
        return {
            "menu": "Probabilities",
            "width": width + (" points" if style.in_percent(metric) else ""),
            "metric": style.metric_words(metric),
            "groups": parts,
            "rows": probability_rows.rows(whole, metric, run.names),
            "power": power and probability_rows.sentence(power, metric),
        }


SECTION = Probabilities()
