"""Section "From raw data to labels": hyperbolic against flat routes at equal dimension."""

from noneuclid_compare.report.section import Section, table
from noneuclid_papers.sections.once import once_per_run


class Routes(Section):
    """Embedding and classifier, both chosen on training rows, against the best flat pair."""

    name = "routes"
    title = "From raw data to labels"
    key = "routes"
    package = "noneuclid_papers"

    def entry(self, config):
        """See `noneuclid_papers.routes.entry`."""
        if self.key not in config:
            return None
        from noneuclid_papers import routes

        return routes.entry(config)

    def saved_tables(self, entry):
        """All routes with all digits."""
        return [table("routes")]

    def tables(self, run):
        """The table of routes."""
        from noneuclid_compare.report.tables import score_tables

        return {"routes.tsv": score_tables.to_tsv(self.found(run))}

    @once_per_run
    def found(self, run):
        """The table of `route_rows.table`."""
        import pandas as pd

        from noneuclid_papers.tables import route_rows

        scores = pd.concat([part for part in (run.scores, run.baselines) if len(part)])
        return route_rows.table(run.runs, scores, run.metric, run.entries[self.name])

    def warning(self, run):
        """The best hyperbolic route against the best flat one."""
        from noneuclid_papers.tables import route_rows

        sentence = route_rows.sentence(self.found(run), run.metric)
        return sentence and (f"{self.title}:", sentence)

    def values(self, run):
        """`groups`: a table by dimension, labels per class and depth; texts."""
        from noneuclid_compare.report import style
        from noneuclid_papers.tables import route_rows

        entry, metric = run.entries[self.name], run.metric
        width = style.score(entry["equivalence"], metric)
        return {
            "menu": "Raw data to labels",
            "metric": style.metric_label(metric),
            "width": width + (" points" if style.in_percent(metric) else ""),
            "better": "positive" if style.higher_is_better(metric) else "negative",
            "fewest": route_rows.FEWEST,
            "left_out": self.left_out(run),
            "members": route_rows.members(entry, run.names, {one["embedding"] for one in run.runs}),
            "groups": route_rows.groups(self.found(run), entry, metric, run.names),
        }

    def left_out(self, run):
        """Which folds do not count; empty if all do."""
        from noneuclid_compare import wording
        from noneuclid_papers.tables import route_rows

        datasets, folds = route_rows.left_out(run.runs, run.entries[self.name])
        names = [run.names.in_text("datasets", name) for name in datasets]
        return folds and (
            f"Left out: {wording.count(folds, 'fold')} of {wording.listed(names)}, in which a "
            "class has one training row, so that the search has nothing to choose by."
        )


SECTION = Routes()
